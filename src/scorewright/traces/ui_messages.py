"""UI messages of the AI SDK, versions 4 to 7, and the messages that Mastra stores, which are made of the same parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from scorewright.agents.messages import Message, Part
from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.traces.conversing import told_run, with_roles
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, text_at, value_at
from scorewright.traces.times import moment
from scorewright.traces.ui_parts import parts_of


def detect(value: object, /) -> bool:
    """Messages with typed parts, with `toolInvocations`, or with Mastra's `content.format`; or Mastra's run."""
    if is_list(value_at(value, "input", "inputMessages")):
        return True
    messages = [message for message in _messages(value) if is_mapping(message) and "role" in message]
    return any(map(_is_marked, messages)) and all(map(_fits, messages))


def _messages(value: object) -> Sequence[object]:
    if is_list(value):
        return value
    if is_list(value_at(value, "parts")):
        return [value]
    return list_at(value, "messages") or list_at(value, "response", "messages")  # the latter of what was generated


def _is_marked(message: object) -> bool:
    content = mapping_at(message, "content")
    parts = [*list_at(message, "parts"), *list_at(content, "parts")]
    if any(text_at(part, "type") in _OF_MODELS for part in list_at(message, "content")):
        return True
    return "format" in content or bool(list_at(message, "toolInvocations")) or any(map(_is_part, parts))


_OF_MODELS = {"tool-call", "tool-result"}  # what the AI SDK hands to models, and gets from them


def _is_part(part: object) -> bool:
    """Has it a type, and what it says where UI messages have it? (OpenTelemetry's parts have `content` instead.)"""
    kind = text_at(part, "type")
    return (
        bool(kind)
        and (kind != "text" or "text" in mapping_at(part))
        and "content" not in mapping_at(part)
        and kind not in {"tool_call", "tool_call_response"}
    )


def _fits(message: object) -> bool:
    parts = list_at(message, "parts")
    return all(map(_is_part, parts)) if parts else True


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: a list is one conversation without a boundary; Mastra's run says itself what was remembered."""
    notes: list[Gap] = []
    known = AgentRun(id=text_at(value, "runId"), source=TraceSource(UI_MESSAGES.name))
    given = mapping_at(value, "input")
    if "inputMessages" not in given:
        yield told_run(messages_of(_messages(value), "$.messages", notes), 0, notes, known=known)
        return
    tagged = mapping_at(given, "taggedSystemMessages")
    system = [*list_at(given, "systemMessages"), *(each for tag in tagged for each in list_at(tagged, tag))]
    remembered = messages_of(list_at(given, "rememberedMessages"), "$.input.rememberedMessages", notes)
    before = [*messages_of(system, "$.input.systemMessages", notes), *remembered]
    asked = messages_of(list_at(given, "inputMessages"), "$.input.inputMessages", notes)
    after = messages_of(list_at(value, "output"), "$.output", notes)
    yield told_run([*before, *asked, *after], len(before), notes, known=known)


def messages_of(given: Sequence[object], where: str, notes: list[Gap], /) -> list[Message]:
    """The messages; a message of several steps is one message a step, as the model gave it."""
    read: list[Message] = []
    for place, role, each in with_roles(enumerate(given), where, notes):
        whole = Message(role, id=text_at(each, "id"), created_at=moment(each.get("createdAt")))
        read.extend(attrs.evolve(whole, parts=step) for step in _steps(parts_of(each, place, notes)))
    return read


def _steps(parts: Sequence[Part | None]) -> Iterator[tuple[Part, ...]]:
    step: list[Part] = []
    empty = True
    for part in parts:
        if part is not None:
            step.append(part)
        elif step:
            empty = False
            yield tuple(step)
            step = []
    if step or empty:
        yield tuple(step)


UI_MESSAGES = Dialect(
    "ui-messages",
    'messages with {"role", "parts": [{"type": "text", "text"}, {"type": "tool-…"}]}, or {"content": {"format": 2}}',
    detect,
    read,
)
