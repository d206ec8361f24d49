"""Agents and graphs of frameworks as targets. No framework is imported to find out what a target is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib import import_module
from typing import cast
from uuid import uuid4

from typing_extensions import TypeIs

from scorewright.shapes.values import is_list
from scorewright.suites.rows.row import Row
from scorewright.suites.targets import EARLIER, Call, Steps


def agent_call(target: object, /) -> Call | None:
    """How a framework's agent is asked; None where it is no agent that we know.

    In a conversation it goes on with its own record of the turns before, tool calls and all.
    """
    if isinstance(target, type):
        return None
    if callable(getattr(target, "run_sync", None)) and callable(getattr(target, "iter", None)):
        return _pydantic_ai(target)
    if callable(getattr(target, "ainvoke", None)):
        return _langgraph(target)
    if hasattr(target, "handoffs") and hasattr(target, "instructions"):
        return _openai_agents(target)
    return None


def _pydantic_ai(agent: object) -> Call:
    run = cast("Callable[..., Awaitable[object]]", getattr(agent, "run"))  # noqa: B009 - no framework is imported

    async def asked(row: Row, /) -> object:
        messages = _messages(row.input)
        if messages is None:
            return await run(row.input)
        before = getattr(row.request_context.get(EARLIER), "all_messages", None)
        history: object = before() if callable(before) else None
        return await run(messages[-1].get("content"), message_history=history)

    return asked


def _langgraph(graph: object) -> Call:
    """A graph's nodes are its steps; a thread of its own keeps what a checkpointer remembers from leaking."""
    invoke = cast("Callable[..., Awaitable[object]]", getattr(graph, "ainvoke"))  # noqa: B009 - as above
    keeps = getattr(graph, "checkpointer", None) is not None
    streams = callable(getattr(graph, "astream", None)) and _is_mapping(getattr(graph, "nodes", None))

    async def asked(row: Row, /) -> object:
        given = _state(row)
        config = {"configurable": {"thread_id": uuid4().hex}} if keeps else None
        return await (_streamed(graph, given, config) if streams else invoke(given, config))

    return asked


async def _streamed(graph: object, given: object, config: object) -> Steps:
    """The final state, and what every node gave last."""
    stream = cast("Callable[..., AsyncIterator[tuple[str, object]]]", getattr(graph, "astream"))  # noqa: B009 - as above
    state: object = None
    steps: dict[str, object] = {}
    async for mode, told in stream(given, config, stream_mode=["updates", "values"]):
        if mode == "values":
            state = told
        elif _is_mapping(told):
            steps |= {node: _own(update) for node, update in told.items() if not node.startswith("__")}
    return Steps(state, steps)


def _own(update: object) -> object:
    """The one value that a node gave, or all that it gave."""
    return next(iter(update.values())) if _is_mapping(update) and len(update) == 1 else update


def _state(row: Row) -> object:
    """What a graph begins with: its state, or the messages so far."""
    if isinstance(row.input, str):
        return {"messages": [{"role": "user", "content": row.input}]}
    messages = _messages(row.input)
    if messages is None:
        return row.input
    earlier = row.request_context.get(EARLIER)
    state = earlier.output if isinstance(earlier, Steps) else earlier
    before = state.get("messages") if _is_mapping(state) else None
    return {"messages": [*before, messages[-1]] if is_list(before) else messages}


def _openai_agents(agent: object) -> Call:
    async def asked(row: Row, /) -> object:
        runner: object = getattr(import_module("agents"), "Runner", None)
        run = cast("Callable[[object, object], Awaitable[object]]", getattr(runner, "run", None))
        messages = _messages(row.input)
        before = getattr(row.request_context.get(EARLIER), "to_input_list", None)
        history: object = before() if messages and callable(before) else None
        return await run(agent, [*history, messages[-1]] if messages and is_list(history) else row.input)

    return asked


def _messages(given: object) -> list[dict[str, object]] | None:
    """A conversation, where the input is one."""
    if is_list(given) and given and all(_is_mapping(each) and "role" in each for each in given):
        return cast("list[dict[str, object]]", given)
    return None


def _is_mapping(given: object) -> TypeIs[Mapping[str, object]]:
    return isinstance(given, Mapping)
