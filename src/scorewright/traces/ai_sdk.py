"""Spans of the AI SDK (`ai.*`), read as nodes: the outer call is the agent, the inner ones its model calls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec.structs import replace

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import AgentUsage, Gap
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import results_as_tools, role_of
from scorewright.traces.files import lean
from scorewright.traces.genai import error_of
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    parsed,
    structured,
    text_at,
    text_in,
    whole,
)
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.opening import opening_of
from scorewright.traces.spans import Span
from scorewright.traces.ui_messages import messages_of

_OUTER = {"ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"}


def ai_sdk(span: Span, /) -> Node | None:
    """The node of a span with an `ai.operationId`; None where it has none."""
    operation = span.attributes.get("ai.operationId")
    if not operation or not isinstance(operation, str):
        return None
    attributes = dict(span.attributes)
    kind: NodeKind = "tool" if operation == "ai.toolCall" else "other"
    kind = "agent" if operation in _OUTER else "model" if operation.endswith((".doGenerate", ".doStream")) else kind
    notes: list[Gap] = []
    given = _prompt(attributes, span.id, notes)
    answer = _answer(attributes, span.id, notes)
    return Node(
        span.id,
        kind,
        span.parent,
        span.trace_id,
        text_at(attributes, "ai.toolCall.name") or text_at(attributes, "ai.telemetry.functionId") or span.name,
        span.start,
        span.end,
        opening_of(given),
        answer,
        _call(span, notes) if kind == "tool" else None,
        _final(attributes) if kind != "tool" else None,
        error_of(span),
        first_text(attributes, "ai.response.model", "ai.model.id"),
        span.scope or "ai",
        usage=_usage(attributes) if kind == "model" else None,
        gaps=tuple(notes),
    )


def _prompt(attributes: dict[str, object], where: str, notes: list[Gap]) -> list[Message]:
    prompt = parsed(first_value(attributes, "ai.prompt.messages", "ai.prompt"))
    system = text_at(prompt, "system")
    before = [Message("system", (Text(system),))] if system else []
    text = prompt if isinstance(prompt, str) else text_at(prompt, "prompt")
    listed = prompt if is_list(prompt) else list_at(prompt, "messages")
    told = messages_of(listed, f"{where} ai.prompt", notes)
    asked = [Message("user", (Text(text),))] if text else []
    return [*before, *asked, *(each for message in told for each in _sorted(message))]


def _sorted(message: Message) -> tuple[Message, ...]:
    return results_as_tools(message) if role_of(message.role) == "user" else (message,)


def _answer(attributes: dict[str, object], where: str, notes: list[Gap]) -> tuple[Message, ...]:
    text = first_text(attributes, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
    told = parsed(first_value(attributes, "ai.response.toolCalls", "ai.result.toolCalls"))
    calls: list[ToolInvocation] = []
    for at, each in enumerate(told if is_list(told) else ()):
        args, raw = arguments(first_value(each, "input", "args"), f"{where} ai.response.toolCalls[{at}]", notes)
        calls.append(ToolInvocation(text_at(each, "toolName"), args, id=text_at(each, "toolCallId"), args_raw=raw))
    parts = (*((Text(text),) if text else ()), *calls)
    reason = text_at(attributes, "ai.response.finishReason")
    return (Message("assistant", parts, finish_reason=reason),) if parts else ()


def _final(attributes: dict[str, object]) -> object:
    value = structured(first_value(attributes, "ai.response.object", "ai.result.object"))
    return value if is_mapping(value) or is_list(value) else None


def _call(span: Span, notes: list[Gap]) -> ToolInvocation:
    attributes = span.attributes
    args, raw = arguments(attributes.get("ai.toolCall.args"), span.id, notes)
    result = attributes.get("ai.toolCall.result")
    error = error_of(span)
    return ToolInvocation(
        text_at(dict(attributes), "ai.toolCall.name") or span.name,
        args,
        lean(parsed(result)),
        result is not None,
        "error" if error else "result",
        text_at(dict(attributes), "ai.toolCall.id"),
        raw,
        error,
    )


def _usage(attributes: dict[str, object]) -> AgentUsage | None:
    asked = whole(first_value(attributes, "ai.usage.inputTokens", "ai.usage.promptTokens"))
    said = whole(first_value(attributes, "ai.usage.outputTokens", "ai.usage.completionTokens"))
    return None if asked is None and said is None else AgentUsage(asked or 0, said or 0)


def linked(spans: Sequence[Span], /) -> Sequence[Span]:
    """Inner calls whose parent was not exported, put under the outer call of the same function that ran around them."""
    outers: dict[str, list[Span]] = {}
    for span in spans:
        if "ai.operationId" in span.attributes and text_in(span.attributes, "ai.operationId") in _OUTER:
            outers.setdefault(_function(span), []).append(span)
    if not outers:
        return spans
    begun = {name: sorted(group, key=_start) for name, group in outers.items()}
    known = {span.id for span in spans}
    return [span if span.parent in known else _under(span, begun.get(_function(span), [])) for span in spans]


def _under(inner: Span, outers: Sequence[Span]) -> Span:
    """The inner call under the last outer call that began before it, if that ended after it."""
    if text_in(inner.attributes, "ai.operationId") in _OUTER or inner.start is None:
        return inner
    at = bisect_right(outers, inner.start, key=_start) - 1
    if at < 0 or (inner.end or inner.start) > (outers[at].end or 0):
        return inner
    return replace(inner, parent=outers[at].id, trace_id=outers[at].trace_id)


def _function(span: Span) -> str:
    return text_in(span.attributes, "ai.telemetry.functionId")


def _start(span: Span) -> int:
    return span.start or 0
