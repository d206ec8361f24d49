"""The five forms in which GenAI spans have told what was said.

1. attributes: `gen_ai.input.messages`, `gen_ai.output.messages`, `gen_ai.system_instructions`
2. the same attributes on one event, `gen_ai.client.inference.operation.details`
3. an event a message: `gen_ai.system.message`, `gen_ai.user.message`, …, `gen_ai.choice`
4. JSON or text in `gen_ai.prompt` and `gen_ai.completion`, on the span or on events
5. numbered keys: `gen_ai.prompt.0.role`, `gen_ai.completion.0.tool_calls.0.name`

A span is read in the first form that holds anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import final

import attrs

from scorewright.agents.messages import Message
from scorewright.agents.run import Gap
from scorewright.traces.adk_spans import REQUEST, RESPONSE, answered_in, asked_in
from scorewright.traces.gaps import gap
from scorewright.traces.genai_parts import indexed, messages_of, parts_of
from scorewright.traces.json_view import first_value, is_mapping, parsed, value_at
from scorewright.traces.openai_chat import messages_of as openai_messages
from scorewright.traces.opening import Opening, opening_of
from scorewright.traces.spans import Event, Span


@final
@attrs.frozen
class Spoken:
    """What one span holds: what the model was given, and what it answered."""

    opening: Opening | None = None
    output: tuple[Message, ...] = ()

    def __bool__(self) -> bool:
        """Does it hold anything?"""
        return bool(self.opening or self.output)


def spoken_in(span: Span, notes: list[Gap], /) -> Spoken:
    """What was said in a span, in whichever form."""
    for form in FORMS:
        spoken = form(span, notes)
        if spoken:
            return spoken
    elsewhere = (key for key in span.attributes if key.endswith(("messages_ref", "instructions_ref")))
    notes.extend(gap("content_elsewhere", span.id, str(span.attributes[key])) for key in elsewhere)
    return Spoken()


def by_attributes(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 1."""
    return _from(span.attributes, span.id, notes)


def by_details(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 2."""
    found = (event for event in span.events if event.name == "gen_ai.client.inference.operation.details")
    spoken = (_from(event.attributes, span.id, notes) for event in found)
    return next((each for each in spoken if each), Spoken())


def _from(attributes: Mapping[str, object], where: str, notes: list[Gap]) -> Spoken:
    given, instructions = attributes.get("gen_ai.input.messages"), attributes.get("gen_ai.system_instructions")

    def read(value: object, notes: list[Gap], /) -> Sequence[Message]:
        return messages_of(value, f"{where} input", notes)

    def instruct(value: object, notes: list[Gap], /) -> Sequence[Message]:
        parts = parts_of(value, f"{where} system", notes)
        return (Message("system", parts),) if parts else ()

    opening = None if given in _EMPTY and instructions in _EMPTY else Opening(given, read, instructions, instruct)
    answer = messages_of(attributes.get("gen_ai.output.messages"), f"{where} output", notes, "assistant")
    return Spoken(opening, tuple(answer))


_EMPTY: tuple[object, ...] = (None, "", "[]", [])


def by_events(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 3: an event, or a log record, a message."""
    given: list[Message] = []
    answers: list[Message] = []
    for event in span.events:
        kind = event.name.removeprefix("gen_ai.")
        if kind == "choice":
            answers.extend(_event_message(event, "assistant", span.id, notes))
        elif kind in _EVENT_ROLES:
            given.extend(_event_message(event, _EVENT_ROLES[kind], span.id, notes))
    return Spoken(opening_of(given), tuple(answers))


_EVENT_ROLES = {
    "system.message": "system",
    "user.message": "user",
    "assistant.message": "assistant",
    "tool.message": "tool",
}


def _event_message(event: Event, role: str, where: str, notes: list[Gap]) -> Iterator[Message]:
    body = event.body if is_mapping(event.body) else dict(event.attributes)
    held = parsed(first_value(body, "message", "content"))
    fields = held if is_mapping(held) and ("content" in held or "tool_calls" in held) else {**body, "content": held}
    calls = parsed(first_value(fields, "tool_calls"))
    told = {**fields, "role": role, "tool_calls": calls, "tool_call_id": first_value(body, "id", "tool_call_id")}
    yield from openai_messages([told], f"{where} {event.name}", notes)


def by_json(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 4."""
    prompt = first_value(span.attributes, "gen_ai.prompt") or _on_event(span, "gen_ai.content.prompt", "gen_ai.prompt")
    answer = first_value(span.attributes, "gen_ai.completion") or _on_event(
        span, "gen_ai.content.completion", "gen_ai.completion"
    )
    return Spoken(
        opening_of(messages_of(prompt, f"{span.id} gen_ai.prompt", notes)),
        tuple(messages_of(answer, f"{span.id} gen_ai.completion", notes, "assistant")),
    )


def _on_event(span: Span, name: str, key: str) -> object:
    return next((event.attributes.get(key) for event in span.events if event.name == name), None)


def by_numbers(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 5."""
    given = {key: value for key, value in span.attributes.items() if key.startswith("gen_ai.prompt.")}
    answer = {key: value for key, value in span.attributes.items() if key.startswith("gen_ai.completion.")}

    def read(value: object, notes: list[Gap], /) -> Sequence[Message]:
        return list(_numbered(value, "gen_ai.prompt.", span.id, notes))

    return Spoken(
        Opening(given, read) if given else None, tuple(_numbered(answer, "gen_ai.completion.", span.id, notes))
    )


def _numbered(given: object, prefix: str, where: str, notes: list[Gap]) -> Iterator[Message]:
    role = "user" if prefix == "gen_ai.prompt." else "assistant"
    for row in indexed(given if is_mapping(given) else {}, prefix):
        content = parsed(row.get("content")) if _is_parts(row.get("content")) else row.get("content")
        told = {"role": role, **row, "content": content}
        yield from openai_messages([told], f"{where} {prefix}", notes)


def _is_parts(content: object) -> bool:
    """Is the content a list of parts, written as JSON?"""
    return isinstance(content, str) and content.startswith('[{"type"') and value_at(parsed(content)) is not content


def by_adk(span: Span, notes: list[Gap], /) -> Spoken:
    """What Google ADK writes instead."""
    opening = asked_in(span.attributes.get(REQUEST), span.id)
    return Spoken(opening, tuple(answered_in(span.attributes.get(RESPONSE), span.id, notes)))


FORMS: tuple[Callable[[Span, list[Gap]], Spoken], ...] = (
    by_attributes,
    by_details,
    by_events,
    by_numbers,
    by_json,
    by_adk,
)
