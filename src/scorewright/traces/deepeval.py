"""Traces of DeepEval: spans in lists by kind, in no order."""

from __future__ import annotations

from collections.abc import Iterator

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.json_view import (
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    structured,
    text_at,
    value_at,
    whole_at,
)
from scorewright.traces.langfuse_io import given_messages, said_messages
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.openai_responses import is_item, messages_of
from scorewright.traces.opening import opening_of
from scorewright.traces.telling import runs_of
from scorewright.traces.times import moment

_LISTS: dict[str, NodeKind] = {
    "baseSpans": "other",
    "agentSpans": "agent",
    "llmSpans": "model",
    "retrieverSpans": "other",
    "toolSpans": "tool",
}


def detect(value: object, /) -> bool:
    """`llmSpans` and `agentSpans` beside each other."""
    return is_list(value_at(value, "llmSpans")) and is_list(value_at(value, "agentSpans"))


def read(value: object, /) -> Iterator[AgentRun]:
    """The runs of the trace."""
    trace = text_at(value, "uuid")
    nodes = [_node(each, kind, trace) for name, kind in _LISTS.items() for each in list_at(value, name)]
    yield from runs_of(nodes, TraceSource("deepeval"))


def _node(span: object, kind: NodeKind, trace: str) -> Node:
    notes: list[Gap] = []
    id = text_at(span, "uuid")
    failed = text_at(span, "status") in {"ERRORED", "ERROR", "FAILED"}
    error = AgentError(text_at(span, "error") or "error") if failed else None
    speaks = kind in {"agent", "model"}
    return Node(
        id,
        kind,
        text_at(span, "parentUuid"),
        trace,
        text_at(span, "name").removeprefix("Function tool: "),
        moment(value_at(span, "startTime")),
        moment(value_at(span, "endTime")),
        opening_of(_given(span, id, notes)) if speaks else None,
        tuple(_said(span, kind, id, notes)) if speaks else (),
        _call(span, error, notes) if kind == "tool" else None,
        None,
        error,
        text_at(span, "model"),
        text_at(span, "integration"),
        usage=_usage(span) if kind == "model" else None,
        gaps=tuple(notes),
    )


def _given(span: object, where: str, notes: list[Gap]) -> list[Message]:
    value = parsed(value_at(span, "input"))
    if is_list(value) and any(map(is_item, value)):
        return messages_of(value, f"{where} input", notes)
    return given_messages(_without_tools(value), f"{where} input", notes)


def _without_tools(value: object) -> object:
    """The messages without the definitions of tools that stand among them."""
    return [each for each in value if text_at(each, "role") != "Tool Input"] if is_list(value) else value


def _said(span: object, kind: NodeKind, where: str, notes: list[Gap]) -> list[Message]:
    value = parsed(value_at(span, "output"))
    if is_mapping(value) and {"call_id", "name", "arguments"} <= value.keys():
        args, raw = arguments(value["arguments"], where, notes)
        return [
            Message(
                "assistant", (ToolInvocation(text_at(value, "name"), args, id=text_at(value, "call_id"), args_raw=raw),)
            )
        ]
    return said_messages(value, kind, f"{where} output", notes)


def _call(span: object, error: AgentError | None, notes: list[Gap]) -> ToolInvocation:
    given, told = parsed(value_at(span, "input")), structured(value_at(span, "output"))
    args, raw = arguments(given if is_mapping(given) or is_list(given) else None, text_at(span, "uuid"), notes)
    wrapped = is_mapping(told) and "tool_call_id" in told
    if error is None and wrapped and text_at(told, "status") == "error":
        error = AgentError(text_at(told, "content"))
    return ToolInvocation(
        text_at(span, "name").removeprefix("Function tool: "),
        args,
        lean(value_at(told, "content") if wrapped else told),
        "output" in mapping_at(span),
        "error" if error else "result",
        text_at(told, "tool_call_id"),
        raw,
        error,
    )


def _usage(span: object) -> AgentUsage | None:
    asked, said = whole_at(span, "inputTokenCount"), whole_at(span, "outputTokenCount")
    return None if asked is None and said is None else AgentUsage(asked or 0, said or 0)


DEEPEVAL = Dialect("deepeval", '{"agentSpans", "llmSpans", "toolSpans"}', detect, read)
