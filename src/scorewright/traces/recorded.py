"""Spans as most files of OTLP JSON have them, decoded straight into what is read of them.

Four fifths of such a file are keys and wrappers. Here they never become objects: 1.4 MB of OTLP take 4 ms, where
`json.loads` takes 15 ms and unwrapping its attributes 4 ms more. A document of any other shape is left to the parser
that takes all JSON, so that nothing is read differently here, only faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from scorewright.traces.spans import LONGEST, Event, Span, any_value, event_of, id_of, is_error, raised
from scorewright.traces.times import NANOS, moment

T = TypeVar("T")


@final
class Wrapped(Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    """OTLP's AnyValue; where several of its fields are set, they count in the order of `VALUES`."""

    string_value: str | UnsetType = UNSET
    int_value: str | int | UnsetType = UNSET
    bool_value: bool | UnsetType = UNSET
    double_value: int | float | UnsetType = UNSET
    array_value: _Array | UnsetType = UNSET
    kvlist_value: dict[str, object] | UnsetType = UNSET
    bytes_value: str | UnsetType = UNSET


@final
class _Array(Struct, gc=False):
    values: tuple[Wrapped, ...] = ()


@final
class Pair(Struct, gc=False):
    """One attribute."""

    key: str
    value: Wrapped


@final
class Ended(Struct, gc=False):
    """How a span ended."""

    code: object = None
    message: object = None


@final
class Recorded(Struct, gc=False, rename="camel"):
    """A span of OTLP; the fields that are not read are not kept."""

    span_id: str
    trace_id: str = ""
    parent_span_id: str | None = ""
    name: str = ""
    start_time_unix_nano: str | int | None = None
    end_time_unix_nano: str | int | None = None
    attributes: tuple[Pair, ...] = ()
    events: tuple[dict[str, object], ...] = ()
    status: Ended | None = None
    dropped_attributes_count: int = 0


@final
class _Named(Struct, gc=False):
    """A scope, or a resource, of which nothing but a name is read."""

    name: object = None


@final
class _Scoped(Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    spans: list[Recorded]
    scope: _Named | UnsetType = UNSET
    instrumentation_library: _Named | UnsetType = UNSET  # as older collectors, and Tempo, name the scope
    schema_url: str | UnsetType = UNSET

    @property
    def named(self) -> object:
        """What the scope is called. Raises `ValidationError` where it stands twice: which counts is not known here."""
        scope, older = self.scope, self.instrumentation_library
        if older is UNSET:
            return None if scope is UNSET else scope.name
        if scope is UNSET:
            return older.name
        raise msgspec.ValidationError("one scope too many")


@final
class _Resource(Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    scope_spans: tuple[_Scoped, ...] = ()
    instrumentation_library_spans: tuple[_Scoped, ...] = ()
    resource: _Named | UnsetType = UNSET
    schema_url: str | UnsetType = UNSET


@final
class _Otlp(Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    resource_spans: list[_Resource]


@final
class _Tempo(Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    batches: list[_Resource]


_OTLP, _TEMPO = msgspec.json.Decoder(_Otlp), msgspec.json.Decoder(_Tempo)
_SPANS = msgspec.json.Decoder(list[Recorded])


def recorded_document(text: str | bytes, /) -> dict[str, object] | None:
    """The document with its spans as `Recorded`; None where its shape is another."""
    otlp = _decoded(_OTLP, text)
    tempo = _decoded(_TEMPO, text) if otlp is None else None
    try:
        if otlp is not None:
            return {"resourceSpans": list(map(_resource, otlp.resource_spans))}
        return None if tempo is None else {"batches": list(map(_resource, tempo.batches))}
    except msgspec.ValidationError:
        return None


def recorded_lines(block: bytes, count: int, /) -> dict[str, object] | None:
    """So many lines of documents as one; None where any is of another shape, or begins otherwise than the first.

    The spans of one scope after the other are put together, as some exporters write a line a span.
    """
    head = block[:_HEAD]
    if not head.startswith(b"{") or block.count(b"}\n" + head) != count - 1:  # so no document lies across lines
        return None
    try:
        documents = _OTLP.decode_lines(block if block.isascii() else block.decode())
        return {"resourceSpans": [{"scopeSpans": _together(documents)}]} if len(documents) == count else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


_HEAD = len('{"resourceSpans"')  # a long text is counted in a third of the time of a short one


def _together(documents: Sequence[_Otlp]) -> list[dict[str, object]]:
    scopes: list[dict[str, object]] = []
    last: object = UNSET
    gathered: list[Recorded] = []
    for document in documents:
        for resource in document.resource_spans:
            for scoped in _scoped(resource):
                name = scoped.named
                if name != last:
                    gathered = []
                    scopes.append({"scope": {"name": name}, "spans": gathered})
                    last = name
                gathered.extend(scoped.spans)
    return scopes


def recorded_spans(text: str, /) -> list[object] | None:
    """The spans of an array; None where any is of another shape, and where the text is no whole array."""
    spans = _decoded(_SPANS, text)
    return None if spans is None else [*spans]


def recorded_span(raw: Recorded, at: int, scope: str, logged: Sequence[Event], /) -> Span:
    """`otlp_span` of it."""
    attributes: dict[str, object] = {}
    for pair in raw.attributes:
        value = pair.value
        said = value.string_value
        attributes[pair.key] = said if said is not UNSET else _unwrapped(value)
    start, end = raw.start_time_unix_nano, raw.end_time_unix_nano
    status, id, parent, trace = raw.status, raw.span_id, raw.parent_span_id, raw.trace_id
    events = tuple(map(event_of, raw.events)) if raw.events else ()
    problem = status.message if status is not None else None
    return Span(
        (id_of(id) if id[1:2] == "x" else id) or f"#{at}",
        (id_of(parent) if parent[1:2] == "x" else parent) if parent else "",
        id_of(trace) if trace[1:2] == "x" else trace,
        raw.name,
        int(start) if isinstance(start, str) and len(start) == NANOS and start.isdecimal() else moment(start),
        int(end) if isinstance(end, str) and len(end) == NANOS and end.isdecimal() else moment(end),
        attributes,
        (*events, *logged) if logged else events,
        status is not None and is_error(status.code),
        problem if problem and isinstance(problem, str) else raised(events) if events else "",
        scope,
        raw.dropped_attributes_count,
    )


def _unwrapped(value: Wrapped) -> object:
    if value.string_value is not UNSET:
        return value.string_value
    number = value.int_value
    if number is not UNSET:
        if isinstance(number, str) and number.isdecimal() and len(number) < LONGEST:
            return int(number)
        return any_value({"intValue": number})
    if value.array_value is not UNSET:
        return list(map(_unwrapped, value.array_value.values))
    if value.kvlist_value is not UNSET:
        return any_value({"kvlistValue": value.kvlist_value})
    if value.bool_value is not UNSET:
        return value.bool_value
    if value.double_value is not UNSET:
        return value.double_value
    return value.bytes_value if value.bytes_value is not UNSET else dict[str, object]()


def _resource(held: _Resource) -> dict[str, object]:
    return {"scopeSpans": [{"scope": {"name": each.named}, "spans": each.spans} for each in _scoped(held)]}


def _scoped(held: _Resource) -> Sequence[_Scoped]:
    older = held.instrumentation_library_spans
    return (*held.scope_spans, *older) if older else held.scope_spans


def _decoded(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T | None:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
