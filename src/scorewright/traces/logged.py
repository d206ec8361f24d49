"""Log records that tell what was said, where they name no span that is there: the calls of models they are of.

The older GenAI conventions log a message a record, and some exporters keep the trace's id of it, but not the span's.
Each choice ends a call. Where as many spans of the trace asked a model, the calls are theirs, in order; where not, each
is a span of its own. Records without even a trace's id cannot be told apart, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, final

from msgspec.structs import replace

from scorewright.traces.json_view import first_value, text_at
from scorewright.traces.spans import Event, Span, event_of, id_of
from scorewright.traces.times import moment

_CALLS = {"chat", "generate_content", "text_completion"}
_DETAILS = "gen_ai.client.inference.operation.details"  # one record that tells a whole call


@final
class Logged(NamedTuple):
    """A log record: which trace and span it names, when it was written, what it tells."""

    trace_id: str
    span_id: str
    time: int
    event: Event


def logged_of(record: Mapping[str, object], /) -> Logged:
    """The record in any spelling."""
    return Logged(
        id_of(first_value(record, "traceId", "trace_id")),
        id_of(first_value(record, "spanId", "span_id")),
        moment(first_value(record, "timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "timestamp")) or 0,
        event_of(record),
    )


def completed(spans: Sequence[Span], records: Iterable[Logged], /) -> list[Span]:
    """The spans with the calls that these records tell, none of which names a span of them."""
    told: dict[str, list[Logged]] = {}
    for record in records:
        if record.trace_id and record.event.name.startswith("gen_ai."):
            told.setdefault(record.trace_id, []).append(record)
    if not told:
        return [*spans]
    asking: dict[str, list[Span]] = {}
    for span in spans:
        if text_at(span.attributes, "gen_ai.operation.name") in _CALLS and not span.events:
            asking.setdefault(span.trace_id, []).append(span)
    given: dict[tuple[str, str], Span] = {}
    alone: list[Span] = []
    for trace, own in told.items():
        calls = _calls(sorted(own, key=lambda record: record.time))
        asked = sorted(asking.get(trace, ()), key=lambda span: span.start or 0)
        if len(calls) == len(asked):
            for span, call in zip(asked, calls, strict=True):
                given[trace, span.id] = replace(span, events=_events(call))
        else:
            alone.extend(_span(call, trace, at) for at, call in enumerate(calls))
    return [*(given.get((span.trace_id, span.id), span) for span in spans), *alone]


def _calls(records: Iterable[Logged]) -> list[list[Logged]]:
    """What was logged of one call after the other: it begins with the first record after a choice."""
    calls: list[list[Logged]] = []
    ended = True
    for record in records:
        is_choice = record.event.name == "gen_ai.choice"
        whole = record.event.name == _DETAILS
        if whole or (ended and not (is_choice and calls)):
            calls.append([])
        calls[-1].append(record)
        ended = is_choice or whole
    return calls


def _events(call: Iterable[Logged]) -> tuple[Event, ...]:
    return tuple(record.event for record in call)


def _span(call: Sequence[Logged], trace: str, at: int) -> Span:
    named = next((record.span_id for record in call if record.span_id), "") or f"{trace}#{at}"
    attributes = {"gen_ai.operation.name": "chat"}
    begun, ended = call[0].time or None, call[-1].time or None
    return Span(named, "", trace, "chat", begun, ended, attributes, _events(call))
