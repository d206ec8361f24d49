"""`agent_run_of`: what a framework hands back, as a run, in one call. No framework is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents import AgentRun
from scorewright.results import err, ok
from scorewright.traces.faults import TraceFault, Unreadable
from scorewright.traces.json_view import is_list, is_mapping, mapping_at
from scorewright.traces.reading import read_runs


def agent_run_of(result: object, /) -> Result[AgentRun, TraceFault]:
    """The run behind a framework's own object.

    It takes results of pydantic-ai and their message lists, `RunResult` and `RunState` of OpenAI Agents and the spans
    that its trace processors see, states and state snapshots of LangGraph, lists of LangChain messages, and whatever
    else `read_runs` takes that holds one run. An object that none of these is has the fault `UnknownDialect`; one that
    holds several runs is `Unreadable`.

    >>> agent_run_of(
    ...     [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]
    ... ).unwrap().final_output
    'Hello!'
    """
    if isinstance(result, AgentRun):
        return ok(result)
    try:
        dialect, document, structured = _written(result)
    except Exception as raised:  # noqa: BLE001 - reading a framework's object runs its code, which may raise anything
        return err(Unreadable("$", f"a {type(result).__name__} that cannot be read: {type(raised).__name__}: {raised}"))
    runs = read_runs(document, dialect)
    first, second = next(runs, None), next(runs, None)
    if first is None or second is not None:
        return err(Unreadable("$", "no run" if first is None else "several runs: read_runs gives them one by one"))
    if structured is None or not is_successful(first):
        return first
    return ok(attrs.evolve(first.unwrap(), final_output=structured, final_kind="structured"))


def _written(result: object) -> tuple[str | None, object, object]:
    """The dialect where it is known, the document, and a final output that is not text."""
    messages = _method(result, "all_messages")
    if messages is not None:
        return "pydantic-ai", _plain(messages()), _structured(getattr(result, "output", None))
    if _method(result, "to_input_list") is not None:
        return "openai-agents", _run_state(result), _structured(getattr(result, "final_output", None))
    state_json = _method(result, "to_json")
    if state_json is not None and hasattr(result, "_generated_items"):
        return "openai-agents", _told_state(result, _plain(state_json())), None
    if is_list(result) and result and all(_method(each, "export") is not None for each in result):
        return None, [_span(each) for each in result], None
    values: object = result if is_mapping(result) else getattr(result, "values", None)
    state = values if is_mapping(values) else result
    messages_there: object = state.get("messages") if is_mapping(state) else getattr(state, "messages", None)
    if is_list(messages_there) and not all(map(is_mapping, messages_there)):
        answer: object = (
            state.get("structured_response") if is_mapping(state) else getattr(state, "structured_response", None)
        )
        return None, _plain(messages_there), _structured(answer)
    if is_list(result):
        return None, _plain(result), None
    return None, result, None


def _run_state(result: object) -> object:
    """A `RunResult` in the words of a run state, which tells the input from what was generated."""
    given: object = getattr(result, "input", None)
    items: object = getattr(result, "new_items", None)
    agent: object = getattr(result, "last_agent", None)
    waiting: object = getattr(result, "interruptions", None)
    return {
        "$schemaVersion": "RunResult",
        "original_input": _instructed(agent, given),
        "generated_items": [_item(item) for item in _as_list(items)],
        "current_agent": {"name": getattr(agent, "name", "")},
        "current_step": {"interruptions": [_item(item) for item in _as_list(waiting)]},
    }


def _item(item: object) -> object:
    return {"type": getattr(item, "type", ""), "raw_item": _plain(getattr(item, "raw_item", None))}


def _instructed(agent: object, given: object) -> list[object]:
    """What was asked, after the agent's instructions where these are plain text."""
    instructions: object = getattr(agent, "instructions", None)
    system = [{"role": "system", "content": instructions}] if isinstance(instructions, str) and instructions else []
    listed: list[object] = [{"role": "user", "content": given}] if isinstance(given, str) else _as_list(_plain(given))
    return [*system, *listed]


def _told_state(state: object, told: object) -> object:
    """A `RunState` as it is serialised, with the instructions, which it leaves out."""
    if not is_mapping(told):
        return told
    return {**told, "original_input": _instructed(getattr(state, "_current_agent", None), told.get("original_input"))}


def _span(span: object) -> object:
    """A span of OpenAI Agents as it is exported, with what the export leaves out of a response."""
    export, told = _method(span, "export"), cast("object", getattr(span, "span_data", None))
    written: object = export() if export is not None else None
    if not is_mapping(written) or not is_mapping(written.get("span_data")):
        return written
    held = {name: _plain(getattr(told, name, None)) for name in ("input", "response")}
    kept = {name: each for name, each in held.items() if each is not None}
    return {**written, "span_data": {**mapping_at(written, "span_data"), **kept}}


def _as_list(value: object) -> list[object]:
    return value if is_list(value) else []


def _structured(output: object) -> object:
    """An output as JSON, unless it is words or nothing."""
    return None if output is None or isinstance(output, str) else _plain(output)


def _plain(value: object) -> object:
    """Messages as the JSON that their own library writes: pydantic models, dataclasses, dictionaries."""
    from pydantic_core import to_jsonable_python

    return cast("object", to_jsonable_python(value, by_alias=True, bytes_mode="base64", fallback=repr))


def _method(value: object, name: str) -> Callable[[], object] | None:
    held: object = getattr(value, name, None)
    return cast("Callable[[], object]", held) if callable(held) and not isinstance(value, type) else None
