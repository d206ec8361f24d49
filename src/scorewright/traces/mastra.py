"""Mastra's AI tracing: exported spans, flat, stored, or as a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, CallKind, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    value_at,
    whole_at,
)
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.opening import opening_of
from scorewright.traces.telling import runs_of
from scorewright.traces.times import moment
from scorewright.traces.ui_messages import messages_of

_KINDS: dict[str, NodeKind] = {
    "agent_run": "agent",
    "model_generation": "model",
    "model_step": "model",
    "tool_call": "tool",
    "mcp_tool_call": "tool",
    "client_tool_call": "tool",
    "provider_tool_call": "tool",
    "scorer_run": "aside",
    "model_chunk": "aside",
    "llm_generation": "model",  # what the types of models were called at first
    "llm_step": "model",
    "llm_chunk": "aside",
}
_CALL_KINDS: dict[str, CallKind] = {
    "mcp_tool_call": "mcp",
    "client_tool_call": "client",
    "provider_tool_call": "server",
}
_TYPES = {*_KINDS, "workflow_run", "workflow_step", "generic", "model_inference", "processor_run", "memory_operation"}


def detect(value: object, /) -> bool:
    """Spans whose type is one of Mastra's."""
    return any(_type(span) in _TYPES for span, _ in _spans(value))


def _type(span: object) -> str:
    return first_text(span, "spanType", "type")


def _spans(value: object) -> Iterator[tuple[dict[str, object], str]]:
    """The spans with the ids of those that they are nested in; without recursion."""
    listed: Sequence[object] = value if is_list(value) else list_at(value, "spans")
    listed = _exported(listed) or listed
    stack = [(each, "") for each in reversed(listed)]
    while stack:
        each, above = stack.pop()
        span = mapping_at(each, "span") or (each if is_mapping(each) else {})
        if span:
            yield span, above
        id = first_text(span, "spanId", "id")
        stack.extend((child, id) for child in reversed(list_at(each, "children")))


def _exported(events: Sequence[object]) -> list[object]:
    """The spans of what an exporter is told, which is more than once of each: as it began, and as it ended."""
    spans = [mapping_at(event, "exportedSpan") for event in events]
    return [*{text_at(span, "id"): span for span in spans if span}.values()]


def read(value: object, /) -> Iterator[AgentRun]:
    """The runs of all traces."""
    yield from runs_of(
        [_node(span, above, at) for at, (span, above) in enumerate(_spans(value))], TraceSource("mastra")
    )


def _node(span: dict[str, object], above: str, at: int) -> Node:
    kind = _KINDS.get(_type(span), "other")
    attributes = mapping_at(span, "attributes")
    notes: list[Gap] = []
    id = first_text(span, "spanId", "id") or f"#{at}"
    started = moment(first_value(span, "startedAt", "startTime"))
    error = _error(span)
    given = parsed(span.get("input"))
    return Node(
        id,
        kind,
        first_text(span, "parentSpanId", "parentId") or above,
        text_at(span, "traceId"),
        first_text(span, "entityName", "entityId") or text_at(span, "name"),
        started if started is not None else at,
        moment(first_value(span, "endedAt", "endTime")),
        opening_of(_given(given, attributes, id, notes)) if kind in {"agent", "model"} else None,
        tuple(_said(span, notes)) if kind in {"agent", "model"} else (),
        _call(span, given, error, notes) if kind == "tool" else None,
        _object(span) if kind == "agent" else None,
        error,
        first_text(attributes, "responseModel", "model"),
        "mastra",
        text_at(attributes, "conversationId") or text_at(span, "metadata", "threadId"),
        _usage(mapping_at(attributes, "usage")) if kind == "model" else None,
        gaps=tuple(notes),
    )


def _given(given: object, attributes: dict[str, object], where: str, notes: list[Gap]) -> list[Message]:
    instructions = text_at(attributes, "instructions")
    system = [Message("system", (Text(instructions),))] if instructions else []
    if isinstance(given, str):
        return [*system, Message("user", (Text(given),))]
    listed = given if is_list(given) else list_at(given, "messages")
    return [*system, *messages_of(listed, f"{where} input", notes)]


def _said(span: dict[str, object], notes: list[Gap]) -> Iterator[Message]:
    output = parsed(span.get("output"))
    if isinstance(output, str):
        yield Message("assistant", (Text(output),))
        return
    parts: list[Part] = [Reasoning(text) for each in list_at(output, "reasoning") if (text := text_at(each, "text"))]
    if text_at(output, "text"):
        parts.append(Text(text_at(output, "text")))
    for at, each in enumerate(list_at(output, "toolCalls")):
        body = mapping_at(each, "payload") or each
        args, raw = arguments(first_value(body, "args", "input"), f"output.toolCalls[{at}]", notes)
        parts.append(ToolInvocation(text_at(body, "toolName"), args, id=text_at(body, "toolCallId"), args_raw=raw))
    if parts:
        yield Message("assistant", tuple(parts), finish_reason=text_at(span, "attributes", "finishReason"))


def _object(span: dict[str, object]) -> object:
    found = value_at(parsed(span.get("output")), "object")
    return found if is_mapping(found) or is_list(found) else None


def _error(span: dict[str, object]) -> AgentError | None:
    told = first_value(span, "errorInfo", "error")
    if told is not None:
        message = told if isinstance(told, str) else first_text(told, "message", "name")
        return AgentError(message or "error", first_text(told, "id", "code", "name"))
    failed = _type(span) in _KINDS and value_at(span, "attributes", "success") is False
    return AgentError("the tool did not succeed") if failed else None


def _call(span: dict[str, object], given: object, error: AgentError | None, notes: list[Gap]) -> ToolInvocation:
    args, raw = arguments(given, text_at(span, "id"), notes)
    return ToolInvocation(
        first_text(span, "entityName", "entityId") or text_at(span, "name"),
        args,
        lean(span.get("output")),
        "output" in span,
        "error" if error else "result",
        first_text(mapping_at(span, "attributes"), "toolCallId"),
        raw,
        error,
        _CALL_KINDS.get(_type(span), "function"),
        first_text(mapping_at(span, "attributes"), "mcpServer"),
    )


def _usage(usage: dict[str, object]) -> AgentUsage | None:
    return AgentUsage(whole_at(usage, "inputTokens") or 0, whole_at(usage, "outputTokens") or 0) if usage else None


MASTRA = Dialect("mastra", 'spans of the types "agent_run", "model_generation", "tool_call"', detect, read)
