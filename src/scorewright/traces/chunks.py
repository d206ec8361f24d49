"""Answers of model APIs that were recorded while they streamed: OpenAI chat and Responses, Anthropic Messages.

The events of one answer are put together to the answer that the API gives without streaming, and that is read by the
API's own reader. A stream that breaks off is a gap, and a call whose arguments break off was not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from scorewright.agents.messages import Message, Part
from scorewright.agents.run import AgentRun, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.anthropic import ANTHROPIC
from scorewright.traces.anthropic_chunks import anthropic_answer
from scorewright.traces.anthropic_chunks import is_event as is_anthropic
from scorewright.traces.dialect import Dialect
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import OPENAI_CHAT
from scorewright.traces.openai_chunks import chat_answer, is_chat_chunk, is_responses_event, responses_answer
from scorewright.traces.openai_responses import OPENAI_RESPONSES

Event: TypeAlias = dict[str, object]
Answer: TypeAlias = tuple[Event, bool]
"""What the events come to, and whether they came to an end."""


def _dialect(
    name: str,
    looks_for: str,
    answers: Dialect,
    /,
    *,
    is_event: Callable[[object], bool],
    begins: Callable[[Event, Event], bool],
    together: Callable[[Sequence[Event]], Answer],
) -> Dialect:
    """The streams of an API: `begins` says whether an event is of another answer than the one before."""

    def detect(value: object, /) -> bool:
        return is_event(value[0] if is_list(value) and value else value)

    def read(value: object, /) -> Iterator[AgentRun]:
        events = [mapping_at(each) for each in (value if is_list(value) else [value])]
        for some in _parted(events, begins):
            answer, ended = together(some)
            failed = next((each for each in some if text_at(each, "type") == "error"), None)
            for run in answers.read(answer):
                told = attrs.evolve(run, source=TraceSource(name))
                yield _failed(told, failed) if failed is not None else told if ended else _cut_off(told)

    return Dialect(name, looks_for, detect, read, lines="together")


def _parted(events: Iterable[Event], begins: Callable[[Event, Event], bool]) -> Iterator[list[Event]]:
    some: list[Event] = []
    for event in events:
        if some and begins(some[-1], event):
            yield some
            some = []
        some.append(event)
    if some:
        yield some


def _failed(run: AgentRun, event: Event) -> AgentRun:
    told = mapping_at(event, "error") or event
    error = AgentError(text_at(told, "message") or "the stream failed", text_at(told, "type") or text_at(told, "code"))
    return attrs.evolve(_cut_off(run), status="error", error=error)


def _cut_off(run: AgentRun) -> AgentRun:
    """A run whose stream breaks off: what it was about to call was not called."""
    messages = tuple(map(_without_open_calls, run.output.messages))
    gaps = (*run.gaps, gap("unfinished", "$", "the stream does not finish"))
    return attrs.evolve(run, output=attrs.evolve(run.output, messages=messages), status="partial", gaps=gaps)


def _without_open_calls(message: Message) -> Message:
    return attrs.evolve(message, parts=tuple(map(_open, message.parts)))


def _open(part: Part) -> Part:
    is_open = isinstance(part, ToolInvocation) and part.args_raw is not None and part.state == "call"
    return attrs.evolve(part, state="partial_call") if isinstance(part, ToolInvocation) and is_open else part


def _other_id(before: Event, event: Event) -> bool:
    return text_at(event, "id") not in {"", text_at(before, "id")}


def _opens(kind: str) -> Callable[[Event, Event], bool]:
    def begins(before: Event, event: Event) -> bool:
        del before
        return value_at(event, "type") == kind

    return begins


def _opens_another(before: Event, event: Event) -> bool:
    """Does a message begin, and not the one that has just begun, which some proxies announce twice?"""
    again = text_at(before, "type") == "message_start" and value_at(before, "message") is not None
    same = again and text_at(before, "message", "id") == text_at(event, "message", "id")
    return text_at(event, "type") == "message_start" and not same


OPENAI_CHAT_STREAM = _dialect(
    "openai-chat-stream",
    'a list, or lines, of {"object": "chat.completion.chunk"}',
    OPENAI_CHAT,
    is_event=is_chat_chunk,
    begins=_other_id,
    together=chat_answer,
)
OPENAI_RESPONSES_STREAM = _dialect(
    "openai-responses-stream",
    'a list, or lines, of events such as {"type": "response.created"} and {"type": "response.output_text.delta"}',
    OPENAI_RESPONSES,
    is_event=is_responses_event,
    begins=_opens("response.created"),
    together=responses_answer,
)
ANTHROPIC_STREAM = _dialect(
    "anthropic-stream",
    'a list, or lines, of events such as {"type": "message_start"} and {"type": "content_block_delta"}',
    ANTHROPIC,
    is_event=is_anthropic,
    begins=_opens_another,
    together=anthropic_answer,
)
