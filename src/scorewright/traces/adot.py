"""Spans whose content went to log records (`body.input.messages`, `body.output.messages`), as ADOT writes them."""

from __future__ import annotations

from collections.abc import Iterator

from scorewright.agents.messages import Message, Role
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.genai import error_of
from scorewright.traces.json_view import is_mapping, list_at, parsed, text_at, value_at
from scorewright.traces.nodes import Node
from scorewright.traces.opening import opening_of
from scorewright.traces.spans import Span
from scorewright.traces.told import told_messages


def adot(span: Span, /) -> Node | None:
    """The node of a span whose event carries input and output; None where none does.

    What the span did is known by its content: generations are a model's, a tool message a tool's, and a conversation
    an agent's. A state with `remaining_steps` is the inside of a graph.
    """
    body = next((event.body for event in span.events if is_mapping(event.body) and "output" in event.body), None)
    if body is None:
        return None
    given, answer = _contents(body, "input"), _contents(body, "output")
    first, last = (parsed(contents[0]) if contents else None for contents in (given, answer))
    notes: list[Gap] = []
    common = (span.parent, span.trace_id, span.name, span.start, span.end)
    if text_at(last, "type") == "tool" and is_mapping(last):
        call = _call(given, last, span, notes)
        named = (span.parent, span.trace_id, call.name, span.start, span.end)
        return Node(span.id, "tool", *named, call=call, framework=span.scope, gaps=tuple(notes))
    is_state = is_mapping(first) and bool(list_at(first, "messages")) and bool(list_at(last, "messages"))
    is_model = bool(list_at(last, "generations"))
    if not (is_state or is_model) or value_at(first, "remaining_steps") is not None:
        return Node(span.id, "other", *common)
    return Node(
        span.id,
        "model" if is_model else "agent",
        *common,
        opening=opening_of(list(_messages(given, "user", span.id, notes))),
        output=tuple(_messages(answer, "assistant", span.id, notes)),
        framework=span.scope,
        error=error_of(span),
        gaps=tuple(notes),
    )


def _contents(body: object, side: str) -> list[object]:
    return [value_at(message, "content") for message in list_at(body, side, "messages")]


def _messages(contents: list[object], role: Role, where: str, notes: list[Gap]) -> Iterator[Message]:
    for content in contents:
        yield from told_messages(content, role, where, notes)


def _call(given: list[object], told: dict[str, object], span: Span, notes: list[Gap]) -> ToolInvocation:
    said = parsed(given[0]) if given else None
    args, raw = arguments(said if is_mapping(said) else None, span.id, notes)
    failed = span.failed or text_at(told, "status") == "error"
    result = told.get("content")
    return ToolInvocation(
        text_at(told, "name") or span.name,
        args,
        result,
        "content" in told,
        "error" if failed else "result",
        text_at(told, "tool_call_id"),
        raw,
        AgentError(span.problem or str(result)) if failed else None,
    )
