"""Spans, whatever they were exported as: OTLP, Jaeger, Tempo, or dictionaries in the spelling of some SDK."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict, cast, final

from msgspec import Struct

from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    text_in,
    value_at,
    whole_at,
)
from scorewright.traces.times import moment

NESTED = ("gen_ai", "llm", "openinference", "input", "output", "tool", "agent", "session", "message", "error")


_NONE: Mapping[str, object] = MappingProxyType({})


@final
class Event(Struct, frozen=True, gc=False):
    """Something that happened in a span; of a log record, `body` is what it says."""

    name: str
    attributes: Mapping[str, object]
    body: object = None


@final
class Span(Struct, frozen=True, gc=False):
    """One span with its attributes unwrapped. Ids are text as exported; those that were numbers are hexadecimal.

    A struct, as is a node: a trace file makes one for each of its spans, an attrs value takes far longer to make, and a
    tuple more than twice as long. None is watched by the garbage collector, as nothing that they hold leads back here.
    """

    id: str
    parent: str = ""
    trace_id: str = ""
    name: str = ""
    start: int | None = None
    end: int | None = None
    attributes: Mapping[str, object] = _NONE
    events: tuple[Event, ...] = ()
    failed: bool = False
    problem: str = ""
    scope: str = ""
    dropped: int = 0
    kind: str = ""


def span_of(raw: Mapping[str, object], at: int, scope: str = "", logged: Iterable[Event] = (), /) -> Span:
    """The span that a dictionary of any spelling describes; one without an id is known by its place."""
    context = mapping_at(raw, "context") or mapping_at(raw, "spanContext")
    parent = first_value(raw, "parentSpanId", "parent_span_id", "parent_id", "parentId", "parent")
    told = (parsed(raw.get(key)) for key in ("events", "span_events", "otel_events", "logs"))
    events = [event for listed in told if is_list(listed) for event in listed]
    read = tuple(event_of(event) for event in events if is_mapping(event))
    attributes = attributes_of(first_value(raw, "attributes", "tags"))
    return Span(
        id_of(first_value(raw, "spanId", "span_id", "spanID") or value_at(context, "span_id") or context.get("spanId"))
        or id_of(raw.get("id"))
        or f"#{at}",
        id_of(parent if not is_mapping(parent) else first_value(parent, "span_id", "spanId"))
        or id_of(value_at(raw, "parentSpanContext", "spanId")),
        id_of(first_value(raw, "traceId", "trace_id", "traceID") or first_value(context, "trace_id", "traceId")),
        first_text(raw, "name", "operationName", "span_name"),
        moment(first_value(raw, *_STARTS)),
        moment(first_value(raw, *_ENDS)),
        attributes,
        (*read, *logged),
        *_failure(raw, attributes, read),
        scope or _scope(raw, attributes),
        whole_at(raw, "droppedAttributesCount") or whole_at(raw, "dropped_attributes") or 0,
        first_text(raw, "span_kind", "kind"),
    )


_STARTS = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "start_timestamp", "start")
_ENDS = ("endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime", "end_timestamp", "end")


def _failure(raw: Mapping[str, object], attributes: Mapping[str, object], events: Iterable[Event]) -> tuple[bool, str]:
    """Whether a span says that something went wrong, and what: by its status, its attributes or an exception."""
    status = raw.get("status")
    code = first_value(raw, "status_code", "otel_status_code") or first_value(status, "code", "status_code") or status
    failed = is_error(code) or attributes.get("error") is True or attributes.get("otel.status_code") == "ERROR"
    said = first_text(status, "message", "description") or first_text(raw, "status_message", "otel_status_message")
    return failed, said or raised(events)


def _scope(raw: Mapping[str, object], attributes: Mapping[str, object]) -> str:
    """The name of the library that recorded a span."""
    named = (text_at(raw, key, "name") for key in ("scope", "instrumentationScope", "instrumentationLibrary"))
    return next(filter(None, named), "") or text_at(raw, "otel_scope_name") or text_at(attributes, "otel.scope.name")


def is_error(code: object, /) -> bool:
    """Does a status say that something went wrong?"""
    return code == 2 or (isinstance(code, str) and code.upper().removeprefix("STATUS_CODE_") == "ERROR")  # noqa: PLR2004 - OTLP's number


def raised(events: Iterable[Event], /) -> str:
    """The message of a recorded exception."""
    raised = (event.attributes for event in events if "exception" in event.name)
    return next((text for each in raised if (text := text_at(each, "exception.message"))), "")


def id_of(value: object, /) -> str:
    """An id as text; a number as hexadecimal, as wide as spans have it."""
    if isinstance(value, str):
        return value.removeprefix("0x") if value[1:2] == "x" else value
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return f"{value:032x}" if value >> 64 else f"{value:016x}"
    return ""


def event_of(raw: Mapping[str, object], /) -> Event:
    """An event of a span, an entry of a Jaeger log, or a log record."""
    attributes = attributes_of(first_value(raw, "attributes", "fields"))
    name = first_text(raw, "name", "event_name", "eventName") or first_text(
        attributes, "event.name", "otel.event.name", "event"
    )
    return Event(name, attributes, any_value(raw.get("body")))


def attributes_of(given: object, /) -> dict[str, object]:
    """Attributes as a flat mapping: from OTLP's pairs, from Jaeger's tags, or from a mapping, perhaps a nested one."""
    if is_list(given):
        return _paired(given)
    if isinstance(given, str):  # a column of a table
        given = parsed(given)
    if not is_mapping(given):
        return {}
    if not any(is_mapping(given[key]) for key in NESTED if key in given):
        return given
    flat: dict[str, object] = {}
    for key, value in given.items():
        flat.update(_flattened(key, value) if key in NESTED else {key: value})
    return flat


class _Pair(TypedDict):
    key: str
    value: dict[str, object]


def _paired(pairs: Sequence[object]) -> dict[str, object]:
    """Pairs of keys and values as a mapping; what is no pair is left out."""
    flat: dict[str, object] = {}
    wrapped = cast("Sequence[_Pair]", pairs)  # as OTLP has them: what most of a trace file is
    try:
        for pair in wrapped:  # anything else is caught, and read with care
            value = pair["value"]
            flat[pair["key"]] = value["stringValue"] if "stringValue" in value else any_value(value)
        "".join(flat)  # are all keys text?
    except (TypeError, KeyError, IndexError):
        return _checked(pairs)
    return flat


def _checked(pairs: Sequence[object]) -> dict[str, object]:
    given = ((pair.get("key"), pair.get("value")) for pair in pairs if is_mapping(pair))
    return {key: any_value(value) for key, value in given if isinstance(key, str)}


def _flattened(prefix: str, value: object) -> dict[str, object]:
    if not is_mapping(value):
        return {prefix: value}
    return {name: each for key, inner in value.items() for name, each in _flattened(f"{prefix}.{key}", inner).items()}


def otlp_span(raw: Mapping[str, object], at: int, scope: str, logged: Iterable[Event], /) -> Span:
    """`span_of` for OTLP's own spelling, which most traces have."""
    get = raw.get
    status, happened, dropped = get("status"), get("events"), get("droppedAttributesCount")
    read = tuple(map(event_of, filter(is_mapping, happened))) if happened and is_list(happened) else ()
    told = status if status and is_mapping(status) else _NONE
    name = get("name")
    return Span(
        id_of(get("spanId")) or f"#{at}",
        id_of(get("parentSpanId")),
        id_of(get("traceId")),
        name if isinstance(name, str) else "",
        moment(get("startTimeUnixNano")),
        moment(get("endTimeUnixNano")),
        attributes_of(get("attributes")),
        (*read, *logged),
        bool(told) and is_error(told.get("code")),
        (text_in(told, "message") if told else "") or (raised(read) if read else ""),
        scope,
        dropped if isinstance(dropped, int) else 0,
    )


VALUES = ("stringValue", "intValue", "arrayValue", "kvlistValue", "boolValue", "doubleValue", "bytesValue")
"""The fields of AnyValue, of which one is to be set; where several are, in the order in which they count."""
LONGEST = 20
"""Digits of a number of 64 bits."""


def any_value(value: object, /) -> object:
    """OTLP's AnyValue as what it says, of several fields the first of `VALUES`; what is not wrapped as it is."""
    if not is_mapping(value):
        return value
    if len(value) != 1:
        first = next((kind for kind in VALUES if kind in value), None)
        return value if first is None else any_value({first: value[first]})
    [(kind, held)] = value.items()
    if kind == "stringValue":
        return held
    if kind == "intValue" and isinstance(held, str) and held.isdecimal() and len(held) < LONGEST:
        return int(held)
    match kind.replace("_v", "V"):
        case "stringValue" | "boolValue" | "bytesValue" | "doubleValue":
            return held
        case "intValue":
            return whole_at(value, kind)
        case "arrayValue":
            return [any_value(each) for each in list_at(held, "values")]
        case "kvlistValue":
            return {text_at(pair, "key"): any_value(value_at(pair, "value")) for pair in list_at(held, "values")}
        case _:
            return value
