"""LangChain messages and LangGraph states: lists of messages in any of their written shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, value_at
from scorewright.traces.langchain_messages import is_message, messages_of


def detect(value: object, /) -> bool:
    """Messages with LangChain's types: `{"type": "human", "content"}`, `{"lc", "kwargs"}` or `{"type", "data"}`."""
    listed = _messages(value)
    return bool(listed) and all(map(is_message, listed))


def _messages(value: object) -> Sequence[object]:
    if is_list(value):
        states = _states(value)
        if states:
            return states
        steps = [step for step in value if is_mapping(step) and _is_update(step)]
        told = [message for step in steps for update in step.values() for message in list_at(update, "messages")]
        return told if steps and len(steps) == len(value) else value
    state = mapping_at(value, "values") or mapping_at(value)
    return list_at(state, "messages")


def _states(value: Sequence[object]) -> Sequence[object]:
    """The messages of states that a graph went through, each of which goes on from another: those of the longest."""
    if not {"messages", "values"} & mapping_at(value[0] if value else None).keys():
        return ()
    states = [list_at(mapping_at(each, "values") or each, "messages") for each in value]
    whole: Sequence[object] = max(states, key=len, default=())
    grown = len(states) > 1 and len({len(each) for each in states}) == len(states)
    return whole if grown and all(each == whole[: len(each)] for each in states) else ()


def _is_update(step: dict[str, object]) -> bool:
    """Is it what one step of a graph adds to the state, by the names of its nodes?"""
    return bool(step) and all(is_list(value_at(held, "messages")) for held in step.values())


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: a state is one conversation without a boundary. Its system prompt is known to the model call only."""
    notes: list[Gap] = []
    known = AgentRun(framework="langchain", source=TraceSource(LANGCHAIN.name))
    yield told_run(messages_of(_messages(value), "$.messages", notes), 0, notes, known=known)


LANGCHAIN = Dialect("langchain", 'messages such as {"type": "human", "content"}, or {"lc": 1, "kwargs"}', detect, read)
