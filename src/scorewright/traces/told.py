"""Messages inside a value that frameworks put on their spans whole: graph states, generations, prompts, plain text."""

from __future__ import annotations

from collections.abc import Sequence

from scorewright.agents.messages import Message, Role, Text
from scorewright.agents.run import Gap
from scorewright.traces.genai_parts import messages_of as genai_messages
from scorewright.traces.json_view import (
    first_text,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    value_at,
)
from scorewright.traces.langchain_messages import is_message, messages_of

_PLAIN = ("text", "output", "input", "prompt", "query", "question", "task", "content", "result", "answer")


def told_messages(said: object, role: Role, where: str, notes: list[Gap], /) -> list[Message]:
    """The messages that a value holds, whatever it wraps them in; text is one message of this role."""
    value = parsed(said)
    if value is None:
        return []
    if isinstance(value, str):
        return [Message(role, (Text(value),))] if value.strip() else []
    generated = list_at(value, "generations")
    if generated:
        return messages_of(_generated(generated), where, notes, role)
    listed = value if is_list(value) else list_at(value, "messages") or list_at(value, "input")
    if listed:
        return _listed(listed, role, where, notes)
    if is_mapping(value) and (is_message(value) or "role" in value):
        return _listed([value], role, where, notes)
    inner = next(
        (held for key in ("message", "output", "input", "response") if is_mapping(held := value_at(value, key))), None
    )
    if inner is not None:
        return told_messages(inner, role, where, notes)
    text = first_text(value, *_PLAIN)
    return [Message(role, (Text(text),))] if text else []


def _listed(items: Sequence[object], role: Role, where: str, notes: list[Gap]) -> list[Message]:
    first = items[0]
    if is_list(first):
        return _listed(first, role, where, notes) if first else []
    if any(map(is_message, items)):
        return messages_of(items, where, notes, role)
    return genai_messages(list(items), where, notes, role)


def _generated(generations: Sequence[object]) -> Sequence[object]:
    """The first answer of each prompt of LangChain's generations."""
    rows = [row if is_list(row) else [row] for row in generations]
    return [_answer(row[0]) for row in rows if row]


def _answer(generation: object) -> object:
    message = mapping_at(generation, "message")
    fields = mapping_at(message, "kwargs") or mapping_at(message, "data") or message
    content = fields.get("content") or text_at(generation, "text")
    return {"type": "ai", **fields, "content": content}
