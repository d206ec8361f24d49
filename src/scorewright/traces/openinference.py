"""Spans with OpenInference attributes, read as nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentUsage, Gap
from scorewright.agents.tools import AgentError, ToolDefinition, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.genai import error_of
from scorewright.traces.genai_parts import indexed
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    structured,
    text_at,
    text_in,
    value_at,
    whole_at,
)
from scorewright.traces.nodes import Node, NodeKind, Offered
from scorewright.traces.openai_chat import definitions
from scorewright.traces.openai_chat import messages_of as openai_messages
from scorewright.traces.opening import Opening, opening_of
from scorewright.traces.spans import Span
from scorewright.traces.told import told_messages

_KINDS: dict[str, NodeKind] = {
    "LLM": "model",
    "AGENT": "agent",
    "TOOL": "tool",
    "EVALUATOR": "aside",
    "GUARDRAIL": "aside",
}
_PHOENIX = {*_KINDS, "CHAIN", "RETRIEVER", "EMBEDDING", "RERANKER"}
_ASIDE = {"tool-call", "tool-response"}


def openinference(span: Span, /) -> Node | None:
    """The node of a span with OpenInference's kind; None where it has none."""
    said = text_in(span.attributes, "openinference.span.kind") or _of_phoenix(span)
    if not said:
        return None
    attributes = dict(span.attributes)
    kind = _KINDS.get(said.upper(), "other")
    if kind == "agent" and "langgraph_step" in text_at(attributes, "metadata"):
        kind = "other"  # a step of a graph, which the instrumentation takes for an agent by its name
    notes: list[Gap] = []
    if span.dropped:
        notes.append(gap("attributes_dropped", span.id, str(span.dropped)))
    opening, answer = spoken(attributes, kind, span.id, notes)
    return Node(
        span.id,
        kind,
        span.parent,
        span.trace_id,
        _tool_name(span) if kind == "tool" else first_text(attributes, "agent.name") or span.name,
        span.start,
        span.end,
        opening,
        tuple(answer),
        _call(span, notes) if kind == "tool" else None,
        None,
        error_of(span),
        first_text(attributes, "llm.model_name"),
        span.scope,
        first_text(attributes, "session.id"),
        _usage(attributes) if kind == "model" else None,
        _offered(attributes),
        tuple(notes),
    )


def _of_phoenix(span: Span) -> str:
    return span.kind if span.kind and span.kind.upper() in _PHOENIX else ""


def spoken(
    attributes: dict[str, object], kind: NodeKind, where: str, notes: list[Gap], /
) -> tuple[Opening | None, Sequence[Message]]:
    """Input and output: from the numbered messages, else from `input.value` and `output.value`."""
    if kind == "tool":
        return None, ()
    opening = _opening(attributes, where)
    if opening is None:
        opening = opening_of(told_messages(attributes.get("input.value"), "user", f"{where} input.value", notes))
    answer = _messages(_rows(attributes, "llm.output_messages"), "llm.output_messages", where, notes)
    if not answer:
        answer = told_messages(attributes.get("output.value"), "assistant", f"{where} output.value", notes)
        answer = _new(answer) if kind != "model" else answer
    return opening, answer


def _opening(attributes: dict[str, object], where: str) -> Opening | None:
    def read(value: object, notes: list[Gap], /) -> Sequence[Message]:
        return _messages(value, "llm.input_messages", where, notes)

    rows = _rows(attributes, "llm.input_messages")
    return Opening(rows, read) if rows else None


def _rows(attributes: dict[str, object], key: str) -> object:
    """The numbered messages as they stand: a list, or the attributes whose names begin so."""
    listed = attributes.get(key)
    if is_list(listed):
        return listed
    return {name: value for name, value in attributes.items() if name.startswith(key)}


def _new(messages: list[Message]) -> list[Message]:
    """Of a state that repeats the whole conversation, what was answered last."""
    at = len(messages)
    while at > 0 and messages[at - 1].role in {"assistant", "tool"}:
        at -= 1
    return messages[at:]


def _messages(rows: object, key: str, where: str, notes: list[Gap]) -> list[Message]:
    listed: Sequence[object] = rows if is_list(rows) else indexed(rows if is_mapping(rows) else {}, f"{key}.")
    return [
        message
        for at, row in enumerate(listed)
        for message in _message(mapping_at(row, "message") or row, f"{where} {key}[{at}]", notes)
    ]


def _message(row: object, where: str, notes: list[Gap]) -> Iterator[Message]:
    fields = row if is_mapping(row) else {}
    role = text_in(fields, "role")
    if role in _ASIDE:
        return  # a text protocol's own notes: the tool's span says what was called and what came back
    content = list_at(fields, "content") or [
        mapping_at(each, "message_content") for each in list_at(fields, "contents")
    ]
    texts = [_content(part) for part in content]
    told = {
        **fields,
        "role": role or "assistant",
        "content": texts or first_value(fields, "content"),
        "tool_calls": [mapping_at(each, "tool_call") or each for each in list_at(fields, "tool_calls")],
    }
    yield from openai_messages([told], where, notes)


def _content(part: object) -> object:
    kind = text_at(part, "type")
    if kind == "image" or "image" in mapping_at({"": part}, ""):
        address = text_at(part, "image", "image", "url") or text_at(part, "image", "url")
        return {"type": "image_url", "image_url": {"url": address}}
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "text", "text": text_at(part, "text")} if kind in {"", "text"} else part


def _tool_name(span: Span) -> str:
    return first_text(span.attributes, "tool.name") or span.name


def _call(span: Span, notes: list[Gap]) -> ToolInvocation:
    attributes = dict(span.attributes)
    given = parsed(attributes.get("input.value"))
    args, raw = arguments(_given(given, attributes), span.id, notes)
    told = structured(attributes.get("output.value"))
    inner = mapping_at(told, "kwargs") or (told if is_mapping(told) else {})
    wrapped = "tool_call_id" in inner or (inner.get("type") == "tool" and "content" in inner)
    result = inner.get("content") if wrapped else told
    error = error_of(span)
    if error is None and text_at(inner, "status") == "error" and wrapped:
        error = AgentError(str(result))
    present = "output.value" in attributes
    return ToolInvocation(
        _tool_name(span),
        args,
        lean(result) if present else None,
        present,
        "error" if error else "result",
        first_text(attributes, "tool_call.id", "tool.id") or text_at(inner, "tool_call_id"),
        raw,
        error,
    )


def _given(given: object, attributes: dict[str, object]) -> object:
    """The arguments: unwrapped from `kwargs`, or from `tool.parameters` where these are no schema."""
    if is_mapping(given) and {"args", "kwargs"} <= given.keys():
        positional, named = list_at(given, "args"), mapping_at(given, "kwargs")
        return {"args": positional} if positional and not named else named
    if is_mapping(given) or is_list(given):
        return given
    parameters = parsed(attributes.get("tool.parameters"))
    is_schema = is_mapping(parameters) and all(is_mapping(value_at(parameters, key)) for key in parameters)
    if is_mapping(parameters) and not is_schema and "properties" not in parameters:
        return parameters
    return dict[str, object]() if given is None else {"input": given}


def _usage(attributes: dict[str, object]) -> AgentUsage | None:
    asked, said = whole_at(attributes, "llm.token_count.prompt"), whole_at(attributes, "llm.token_count.completion")
    return None if asked is None and said is None else AgentUsage(asked or 0, said or 0)


def _offered(attributes: dict[str, object]) -> Offered | None:
    told = {name: value for name, value in attributes.items() if name.startswith("llm.tools.")}
    return partial(_definitions, told) if told else None


def _definitions(told: dict[str, object]) -> tuple[ToolDefinition, ...]:
    schemas = [parsed(value_at(row, "tool", "json_schema")) for row in indexed(told, "llm.tools.")]
    return definitions([schema for schema in schemas if is_mapping(schema)])
