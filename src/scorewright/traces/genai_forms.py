"""The forms in which GenAI spans have told what was said.

1. attributes: `gen_ai.input.messages`, `gen_ai.output.messages`, `gen_ai.system_instructions`
2. the same attributes on one event, `gen_ai.client.inference.operation.details`
3. an event a message: `gen_ai.system.message`, `gen_ai.user.message`, …, `gen_ai.choice`
4. JSON or text in `gen_ai.prompt` and `gen_ai.completion`, on the span or on events
5. numbered keys: `gen_ai.prompt.0.role`, `gen_ai.completion.0.tool_calls.0.name`

Besides, Google ADK, Logfire and ADOT have forms of their own: the request and the response as JSON, a list of events,
the messages of both sides in one body.

A span is read in the first form that holds anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import final

from msgspec import Struct

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import Gap
from scorewright.traces.adk_spans import REQUEST, RESPONSE, answered_in, asked_in, contents_of
from scorewright.traces.anthropic import messages_of as anthropic_messages
from scorewright.traces.converse import are_blocks, typed
from scorewright.traces.conversing import HIDDEN, role_of
from scorewright.traces.gaps import gap
from scorewright.traces.genai_parts import indexed, known_parts, messages_of, parts_of
from scorewright.traces.json_view import first_value, is_list, is_mapping, list_at, parsed, text_at, value_at
from scorewright.traces.openai_chat import messages_of as openai_messages
from scorewright.traces.opening import Opening, heard, opening_of
from scorewright.traces.spans import Event, Span
from scorewright.traces.told import flattened, told_messages


@final
class Spoken(Struct, frozen=True, gc=False):
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
        if spoken and _is_elided(spoken):
            notes.append(gap("content_redacted", span.id))
        elif spoken:
            return spoken
    elsewhere = (key for key in span.attributes if key.endswith(("messages_ref", "instructions_ref")))
    notes.extend(gap("content_elsewhere", span.id, str(span.attributes[key])) for key in elsewhere)
    return Spoken()


def _is_elided(spoken: Spoken) -> bool:
    """Do placeholders stand for all that was said?"""
    opening = spoken.opening.messages if spoken.opening is not None else None
    asked = [each for each in opening if isinstance(each, Message)] if is_list(opening) else []
    found = False
    for message in (*spoken.output, *asked):
        for part in message.parts:
            if not (isinstance(part, Text) and part.text.strip() in HIDDEN):
                return False
            found = True
    return found


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

    def read(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
        return messages_of(value, f"{where} input", notes, "user", later)

    def instruct(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
        del later
        parts = known_parts(value) or parts_of(value, f"{where} system", notes)
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
    if are_blocks(held) and is_list(held):
        yield from _of_blocks(typed(held), role, f"{where} {event.name}", notes)
        return
    if is_list(value_at(held, "parts")):
        yield from contents_of({"role": "model" if role == "assistant" else role, **_mapping(held)}, where, notes)
        return
    fields = held if is_mapping(held) and ("content" in held or "tool_calls" in held) else {**body, "content": held}
    calls = parsed(first_value(fields, "tool_calls"))
    told = {**fields, "role": role, "tool_calls": calls, "tool_call_id": first_value(body, "id", "tool_call_id")}
    yield from openai_messages([told], f"{where} {event.name}", notes)


def _mapping(held: object) -> dict[str, object]:
    return held if is_mapping(held) else {}


def _of_blocks(blocks: list[object], role: str, where: str, notes: list[Gap]) -> Iterator[Message]:
    """A message of Converse's blocks; one of role "tool" holds results."""
    told = {"role": "user" if role == "tool" else role, "content": blocks}
    yield from anthropic_messages([told], where, notes)


def by_json(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 4."""
    prompt = first_value(span.attributes, "gen_ai.prompt")
    lines = _on_event(span, "gen_ai.content.prompt", "gen_ai.prompt") if prompt is None else None
    answer = first_value(span.attributes, "gen_ai.completion") or _on_event(
        span, "gen_ai.content.completion", "gen_ai.completion"
    )
    given = list(flattened(lines)) if isinstance(lines, str) else []  # OpenLIT has `role: words` in lines
    told = lines if prompt is None else prompt
    return Spoken(
        opening_of(given or messages_of(told, f"{span.id} gen_ai.prompt", notes)),
        tuple(messages_of(answer, f"{span.id} gen_ai.completion", notes, "assistant")),
    )


def _on_event(span: Span, name: str, key: str) -> object:
    return next((event.attributes.get(key) for event in span.events if event.name == name), None)


def by_numbers(span: Span, notes: list[Gap], /) -> Spoken:
    """Form 5."""
    given = {key: value for key, value in span.attributes.items() if key.startswith("gen_ai.prompt.")}
    answer = {key: value for key, value in span.attributes.items() if key.startswith("gen_ai.completion.")}

    def read(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
        return list(_numbered(value, "gen_ai.prompt.", span.id, notes, later))

    return Spoken(
        Opening(given, read) if given else None, tuple(_numbered(answer, "gen_ai.completion.", span.id, notes))
    )


def _numbered(given: object, prefix: str, where: str, notes: list[Gap], later: bool = False) -> Iterator[Message]:
    role = "user" if prefix == "gen_ai.prompt." else "assistant"
    rows: Sequence[dict[str, object]] = indexed(given if is_mapping(given) else {}, prefix)
    for row in heard(rows) if later else rows:
        if not is_mapping(row):
            continue
        content = parsed(row.get("content")) if _is_parts(row.get("content")) else row.get("content")
        told = {"role": role, **row, "content": content}
        yield from openai_messages([told], f"{where} {prefix}", notes)


def _is_parts(content: object) -> bool:
    """Is the content a list of parts, written as JSON?"""
    return isinstance(content, str) and content.startswith('[{"type"') and value_at(parsed(content)) is not content


def by_event_list(span: Span, notes: list[Gap], /) -> Spoken:
    """What Logfire and older releases of pydantic-ai write instead of events: a list of them in an attribute."""
    told = list(listed_events(span.attributes.get("events"), span.id, notes))
    at = next((at for at, (is_answer, _) in enumerate(told) if is_answer), None)
    if at is None:  # no choice: what the assistant said last is the answer
        at = len(told)
        while at > 0 and told[at - 1][1].role == "assistant":
            at -= 1
    messages = [message for _, message in told]
    return Spoken(opening_of(messages[:at]), tuple(messages[at:]))


def listed_events(said: object, where: str, notes: list[Gap], /) -> Iterator[tuple[bool, Message]]:
    """The messages of a list of events, each with whether it is an answer."""
    value = parsed(said)
    for each in value if is_list(value) else ():
        name = text_at(each, "event.name")
        kind = name.removeprefix("gen_ai.")
        role = "assistant" if kind == "choice" else _EVENT_ROLES.get(kind)
        if is_mapping(each) and role is not None:
            for message in _event_message(Event(name, each), role, where, notes):
                yield kind == "choice", message


def by_request(span: Span, notes: list[Gap], /) -> Spoken:
    """What Logfire writes for clients of OpenAI and Anthropic: `request_data` and `response_data`."""
    request, response = parsed(span.attributes.get("request_data")), parsed(span.attributes.get("response_data"))
    system = first_value(request, "system", "instructions")
    given = first_value(request, "messages", "input")
    asked = [{"role": "user", "content": given}] if isinstance(given, str) else given
    before = [{"role": "system", "content": system}] if system else []
    said = value_at(response, "message")
    answer = first_value(response, "combined_chunk_content") if said is None else said
    told = [{"role": "assistant", "content": answer}] if isinstance(answer, str) else [answer] if answer else []
    listed = [*before, *(asked if is_list(asked) else [])]
    return Spoken(
        opening_of(messages_of(listed, f"{span.id} request_data", notes)),
        tuple(messages_of(told, f"{span.id} response_data", notes, "assistant")),
    )


def by_adk(span: Span, notes: list[Gap], /) -> Spoken:
    """What Google ADK writes instead."""
    opening = asked_in(span.attributes.get(REQUEST), span.id)
    return Spoken(opening, tuple(answered_in(span.attributes.get(RESPONSE), span.id, notes)))


def by_bodies(span: Span, notes: list[Gap], /) -> Spoken:
    """What ADOT writes instead: an event, or a log record, whose body has the messages of both sides."""
    body = next((event.body for event in span.events if is_mapping(value_at(event.body, "output"))), None)
    given, answers = (
        [message for each in list_at(body, side, "messages") for message in _of_body(each, span.id, notes)]
        for side in ("input", "output")
    )
    return Spoken(opening_of(given), tuple(answers))


def _of_body(each: object, where: str, notes: list[Gap]) -> Sequence[Message]:
    """A message whose content may be wrapped once more, and written as JSON."""
    role = role_of(text_at(each, "role")) or "user"
    said = value_at(each, "content")
    held = parsed(first_value(said, "content", "message") if is_mapping(said) else said)
    if are_blocks(held) and is_list(held):
        return list(_of_blocks(typed(held), role, where, notes))
    return told_messages(held, role, where, notes)


FORMS: tuple[Callable[[Span, list[Gap]], Spoken], ...] = (
    by_attributes,
    by_details,
    by_events,
    by_numbers,
    by_json,
    by_adk,
    by_event_list,
    by_request,
    by_bodies,
)
