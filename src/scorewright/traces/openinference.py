"""Spans with OpenInference attributes, read as nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import final

from scorewright.agents.messages import Message, Role, Text
from scorewright.agents.run import AgentUsage, Gap
from scorewright.agents.tools import AgentError, ToolDefinition, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.genai import error_of
from scorewright.traces.genai_parts import KEPT, LONGEST_KEPT, indexed
from scorewright.traces.json_view import (
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
    whole,
)
from scorewright.traces.nodes import Node, NodeKind, Offered
from scorewright.traces.openai_chat import calls_of, definitions, parts_of
from scorewright.traces.openai_chat import messages_of as openai_messages
from scorewright.traces.openinference_rows import of_columns, plain_texts
from scorewright.traces.opening import Opening, heard, opening_of
from scorewright.traces.spans import Span
from scorewright.traces.told import told_messages
from scorewright.traces.tools import handoff_name

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
    said = span.attributes.get("openinference.span.kind") or _of_phoenix(span)
    if not said or not isinstance(said, str):
        return None
    attributes = span.attributes
    kind = _KINDS.get(said.upper(), "other")
    if kind == "agent" and "langgraph_step" in text_in(attributes, "metadata"):
        kind = "other"  # a step of a graph, which the instrumentation takes for an agent by its name
    notes: list[Gap] = []
    if span.dropped:
        notes.append(gap("attributes_dropped", span.id, str(span.dropped)))
    numbered = _Numbered(attributes) if kind != "tool" else None
    opening, answer = (None, ()) if numbered is None else _spoken(attributes, numbered, kind, span.id, notes)
    return Node(
        span.id,
        kind,
        span.parent,
        span.trace_id,
        _tool_name(span) if kind == "tool" else text_in(attributes, "agent.name") or span.name,
        span.start,
        span.end,
        opening,
        tuple(answer),
        _call(span, notes) if kind == "tool" else None,
        None,
        error_of(span),
        text_in(attributes, "llm.model_name"),
        span.scope,
        text_in(attributes, "session.id"),
        _usage(attributes) if kind in {"model", "agent"} else None,
        _offered(numbered),
        tuple(notes),
    )


def _of_phoenix(span: Span) -> str:
    return span.kind if span.kind and span.kind.upper() in _PHOENIX else ""


@final
class _Numbered:
    """The attributes whose names are numbered, sorted in one pass: what was given, what was answered, which tools."""

    __slots__ = ("answer", "given", "tools")

    def __init__(self, attributes: Mapping[str, object]) -> None:
        given: dict[str, object] = {}
        answer: dict[str, object] = {}
        tools: dict[str, object] = {}
        for name, value in attributes.items():
            if name.startswith(_GIVEN):
                given[name] = value
            elif name.startswith(_TOLD):
                (answer if name.startswith(_ANSWER) else tools)[name] = value
        self.given, self.answer, self.tools = _listed(given, _GIVEN), _listed(answer, _ANSWER), tools


_GIVEN, _ANSWER = "llm.input_messages", "llm.output_messages"
_TOLD = (_ANSWER, "llm.tools.")


def _listed(rows: dict[str, object], key: str) -> object:
    """The messages as they stand: a list, or the attributes whose names begin so."""
    listed = rows.get(key)
    return listed if is_list(listed) else rows


def spoken(
    attributes: Mapping[str, object], kind: NodeKind, where: str, notes: list[Gap], /
) -> tuple[Opening | None, Sequence[Message]]:
    """Input and output: from the numbered messages, else from `input.value` and `output.value`."""
    return _spoken(attributes, _Numbered(attributes), kind, where, notes)


def _spoken(
    attributes: Mapping[str, object], numbered: _Numbered, kind: NodeKind, where: str, notes: list[Gap]
) -> tuple[Opening | None, Sequence[Message]]:
    opening = Opening(numbered.given, partial(_read, where)) if numbered.given else None
    if opening is None:
        plain = plain_texts(attributes, "llm.prompts.", "prompt", "user") if kind == "model" else ()
        given = plain or told_messages(attributes.get("input.value"), "user", f"{where} input.value", notes)
        opening = opening_of(given)
    answer: Sequence[Message] = _messages(numbered.answer, _ANSWER, where, notes) if numbered.answer else ()
    if not answer and kind == "model":
        answer = plain_texts(attributes, "llm.choices.", "completion", "assistant")[:1]
    if not answer:
        answer = told_messages(attributes.get("output.value"), "assistant", f"{where} output.value", notes)
        answer = _new(answer) if kind != "model" else answer
    return opening, answer


def _read(where: str, value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
    return _messages(value, _GIVEN, where, notes, later)


def _new(messages: list[Message]) -> list[Message]:
    """Of a state that repeats the whole conversation, what was answered last."""
    at = len(messages)
    while at > 0 and messages[at - 1].role in {"assistant", "tool"}:
        at -= 1
    return messages[at:]


def _messages(rows: object, key: str, where: str, notes: list[Gap], later: bool = False) -> list[Message]:
    listed: Sequence[object] = rows if is_list(rows) else indexed(rows if is_mapping(rows) else {}, f"{key}.")
    given = [mapping_at(row, "message") or of_columns(row) for row in listed]
    return [
        message
        for at, row in enumerate(heard(given) if later else given)
        for message in _message(row, f"{where} {key}[{at}]", notes)
    ]


def _message(row: object, where: str, notes: list[Gap]) -> Sequence[Message]:
    fields = row if is_mapping(row) else {}
    role = text_in(fields, "role")
    said = fields.get("content")
    plain = _PLAIN.get(role)
    if plain is not None and len(fields) == 2 and said and isinstance(said, str):  # noqa: PLR2004 - role and content
        return (Message(plain, (Text(said),)),)
    if role == "user" and fields.get("tool_call_id"):
        role = "tool"
    if role == "assistant" and fields.keys() <= _USUAL and (said is None or isinstance(said, str)):
        calls = [mapping_at(each, "tool_call") or each for each in list_at(fields, "tool_calls")]
        words = parts_of(said, where, notes)
        return (Message("assistant", (*words, *calls_of({"tool_calls": calls}, f"{where}[0]", notes))),)
    if role in _ASIDE:
        return ()  # a text protocol's own notes: the tool's span says what was called and what came back
    content = list_at(fields, "content") or [
        mapping_at(each, "message_content") for each in list_at(fields, "contents")
    ]
    texts = [_content(part) for part in content]
    told = {
        **fields,
        "role": role or "assistant",
        "content": texts or first_value(fields, "content"),
        "function_call": _function(fields),
        "tool_calls": [mapping_at(each, "tool_call") or each for each in list_at(fields, "tool_calls")],
    }
    return openai_messages([told], where, notes)


def _function(fields: dict[str, object]) -> object:
    """The one call of the older form."""
    name = text_in(fields, "function_call_name")
    return {"name": name, "arguments": fields.get("function_call_arguments_json")} if name else None


_USUAL = frozenset({"role", "content", "tool_calls"})
_PLAIN: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant"}


def _content(part: object) -> object:
    kind = text_at(part, "type")
    if kind == "image" or "image" in mapping_at(part):
        address = text_at(part, "image", "image", "url") or text_at(part, "image", "url")
        return {"type": "image_url", "image_url": {"url": address}}
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "text", "text": text_at(part, "text")} if kind in {"", "text"} else part


def _tool_name(span: Span) -> str:
    said = text_in(span.attributes, "tool.name")
    return said or (handoff_name(span.name.removeprefix(_HANDOFF)) if _is_handoff(span) else span.name)


_HANDOFF = "handoff to "  # so OpenAI Agents' instrumentation calls what the model called `transfer_to_…`


def _is_handoff(span: Span) -> bool:
    return span.name.startswith(_HANDOFF) and "tool.name" not in span.attributes


def _call(span: Span, notes: list[Gap]) -> ToolInvocation:
    attributes = span.attributes
    given = parsed(attributes.get("input.value"))
    handoff = _is_handoff(span)
    args, raw = arguments(None if handoff else _given(given, attributes), span.id, notes)
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
        text_in(attributes, "tool_call.id", "tool.id") or text_at(inner, "tool_call_id"),
        raw,
        error,
        "handoff" if handoff else "function",
        "",
        "",
        span.start,
        span.end,
        "span_only",
    )


def _given(given: object, attributes: Mapping[str, object]) -> object:
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


def _usage(attributes: Mapping[str, object]) -> AgentUsage | None:
    asked, said = whole(attributes.get("llm.token_count.prompt")), whole(attributes.get("llm.token_count.completion"))
    return None if asked is None and said is None else AgentUsage(asked or 0, said or 0)


def _offered(numbered: _Numbered | None) -> Offered | None:
    return partial(_definitions, numbered.tools) if numbered is not None and numbered.tools else None


def _definitions(told: dict[str, object]) -> tuple[ToolDefinition, ...]:
    schemas = [value_at(row, "tool", "json_schema") for row in indexed(told, "llm.tools.")]
    return tuple(each for schema in schemas for each in _defined(schema))


def _defined(schema: object) -> tuple[ToolDefinition, ...]:
    if isinstance(schema, str) and len(schema) < LONGEST_KEPT:
        return _known(schema)
    value = parsed(schema)
    return definitions([value]) if is_mapping(value) else ()


@lru_cache(KEPT)
def _known(schema: str) -> tuple[ToolDefinition, ...]:
    value = parsed(schema)
    return definitions([value]) if is_mapping(value) else ()
