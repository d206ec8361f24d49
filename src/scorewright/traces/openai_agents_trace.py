"""OpenAI Agents: the spans that its tracing exports, one object a span.

A span of the Responses API is exported with the id of its response alone: what was said is elsewhere then, unless a
processor of the user's wrote `input` and `response` beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, CallState, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import (
    first_text,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    structured,
    text_at,
    value_at,
)
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.openai_chat import definitions, usage_of
from scorewright.traces.openai_chat import messages_of as chat_messages
from scorewright.traces.openai_responses import messages_of as response_messages
from scorewright.traces.opening import opening_of
from scorewright.traces.telling import runs_of
from scorewright.traces.times import moment
from scorewright.traces.tools import handoff_name

_KINDS: dict[str, NodeKind] = {
    "agent": "agent",
    "function": "tool",
    "handoff": "tool",
    "generation": "model",
    "response": "model",
    "guardrail": "aside",
}


def detect(value: object, /) -> bool:
    """Objects that call themselves `trace.span`; alone, in a list, or in `data` as they are sent."""
    return any(text_at(each, "object") == "trace.span" and "span_data" in each for each in _spans(value))


def _spans(value: object) -> Iterator[dict[str, object]]:
    if is_list(value):
        return (each for each in value if is_mapping(each))
    spans = list_at(value, "spans")
    listed: Sequence[object] = [value_at(value, "trace"), *spans] if spans else list_at(value, "data") or [value]
    return (each for each in listed if is_mapping(each))


def read(value: object, /) -> Iterator[AgentRun]:
    """The runs of all traces; the agents that a run was handed on to are runs of their own."""
    spans = [each for each in _spans(value) if text_at(each, "object") == "trace.span"]
    groups = {text_at(each, "id"): text_at(each, "group_id") for each in _spans(value) if "workflow_name" in each}
    yield from runs_of([_node(span, at, groups) for at, span in enumerate(spans)], TraceSource(NAME))


def _node(span: dict[str, object], at: int, groups: dict[str, str]) -> Node:
    told = mapping_at(span, "span_data")
    sort, trace = text_at(told, "type"), text_at(span, "trace_id")
    kind = _KINDS.get(sort, "other")
    id = text_at(span, "id") or f"#{at}"
    notes: list[Gap] = []
    error = _error(span)
    given, answer = _said(told, sort, id, notes) if kind == "model" else ([], [])
    call = _call(told, sort, error, id, notes) if kind == "tool" else None
    response = mapping_at(told, "response")
    return Node(
        id,
        kind,
        text_at(span, "parent_id"),
        trace,
        call.name if call is not None else text_at(told, "name"),
        moment(span.get("started_at")),
        moment(span.get("ended_at")),
        opening_of(given),
        tuple(answer),
        call,
        error=error,
        model=text_at(told, "model") or text_at(response, "model"),
        framework="openai-agents",
        conversation_id=groups.get(trace, ""),
        usage=_usage(told) if kind == "model" else None,
        offered=lambda: definitions(list_at(response, "tools")),
        gaps=tuple(notes),
    )


def _error(span: dict[str, object]) -> AgentError | None:
    said = span.get("error")
    if not said:
        return None
    return AgentError(text_at(said, "message") or str(said), first_text(mapping_at(said, "data"), "type", "error"))


def _said(told: dict[str, object], sort: str, id: str, notes: list[Gap]) -> tuple[list[Message], list[Message]]:
    given, response = parsed(told.get("input")), mapping_at(told, "response")
    if sort == "generation":
        return _listed(given, f"{id} input", notes), chat_messages(_of_chat(told), f"{id} output", notes)
    if given is None and not response:
        notes.append(gap("content_elsewhere", id, text_at(told, "response_id")))
        return [], []
    instructions = text_at(response, "instructions")
    system = [Message("system", (Text(instructions),))] if instructions else []
    asked = [Message("user", (Text(given),))] if isinstance(given, str) else []
    listed = given if is_list(given) else []
    return (
        [*system, *asked, *response_messages(listed, f"{id} input", notes)],
        response_messages(list_at(response, "output"), f"{id} output", notes),
    )


def _listed(given: object, where: str, notes: list[Gap]) -> list[Message]:
    if isinstance(given, str):
        return [Message("user", (Text(given),))]
    return chat_messages(given if is_list(given) else [], where, notes)


def _of_chat(told: dict[str, object]) -> list[object]:
    """The output: messages, or whole completions, of which the first choice counts."""
    output = parsed(told.get("output"))
    choices = [list_at(each, "choices") for each in (output if is_list(output) else [output])]
    messages = [value_at(each[0], "message") for each in choices if each]
    return messages or (output if is_list(output) else [])


def _call(told: dict[str, object], sort: str, error: AgentError | None, id: str, notes: list[Gap]) -> ToolInvocation:
    if sort == "handoff":
        to = text_at(told, "to_agent")
        name = handoff_name(to)
        state: CallState = "error" if error else "result"
        return ToolInvocation(name, {}, {"assistant": to}, bool(to), state, error=error, kind="handoff")
    args, raw = arguments(told.get("input"), id, notes)
    output = told.get("output")
    mcp = mapping_at(told, "mcp_data")
    return ToolInvocation(
        text_at(told, "name"),
        args,
        lean(structured(output)),
        output is not None,
        "error" if error else "result",
        args_raw=raw,
        error=error,
        kind="mcp" if mcp else "function",
        server=text_at(mcp, "server"),
    )


def _usage(told: dict[str, object]) -> AgentUsage | None:
    return usage_of(mapping_at(told, "usage") or mapping_at(told, "response", "usage"))


NAME = "openai-agents-trace"
OPENAI_AGENTS_TRACE = Dialect(
    NAME,
    'objects with {"object": "trace.span", "span_data"}, in a list, in lines or in "data"',
    detect,
    read,
    "together",
)
