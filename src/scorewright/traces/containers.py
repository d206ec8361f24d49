"""What spans come in: OTLP (also as Tempo and older collectors write it), Jaeger, and plain lists of dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict, cast

from msgspec.structs import replace

from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    value_at,
)
from scorewright.traces.logged import completed, logged_of
from scorewright.traces.recorded import Recorded, recorded_span
from scorewright.traces.spans import Event, Span, attributes_of, event_of, id_of, otlp_span, raised, span_of
from scorewright.traces.times import moment

_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
_LOGS = ("resourceLogs", "resource_logs")
_MARKS = ("gen_ai.", "openinference.", "llm.", "traceloop.", "pydantic_ai.")


def is_otlp(value: object, /) -> bool:
    """OTLP JSON, one object or several."""
    first = value[0] if is_list(value) and value else value
    return any(is_list(value_at(_otlp_of(first), key)) for key in (*_RESOURCES, *_LOGS))


def _otlp_of(document: object) -> object:
    """The document, or what Tempo's answer holds as `trace`."""
    inner = mapping_at(document, "trace")
    return inner if inner.keys() & {*_RESOURCES, *_LOGS} else document


def is_jaeger(value: object, /) -> bool:
    """Traces, all of them, whose spans have `operationName`."""
    traces = _jaeger_traces(value)
    first = ["operationName" in span for trace in traces for span in _mappings(list_at(trace, "spans")[:1])]
    return bool(first) and all(first) and all("spans" in mapping_at(trace) for trace in traces)


def is_plain(value: object, /) -> bool:
    """Dictionaries with a span id and attributes; or the attributes of one span alone."""
    first = next(iter(_listed(value)), dict[str, object]())
    if "spanType" in first or "entityType" in first:
        return False
    named = bool(
        first_value(first, "span_id", "spanId")
        or value_at(first, "context", "span_id")
        or text_at(first, "spanContext", "spanId")
    )
    return (
        _ID in first
        or first.keys() >= _IN_COLUMNS
        or first.keys() >= _JS.keys()
        or (named and (is_mapping(told := parsed(first.get("attributes"))) or is_list(told)))
        or _is_bare(value)
    )


def _is_bare(value: object) -> bool:
    return is_mapping(value) and any(key.startswith(_MARKS) for key in value)


def otlp_spans(value: object, begun: int = 0, /) -> Iterable[Span]:
    """The spans of OTLP; log records that name a span are its events, others tell of calls of their own.

    `begun` spans came before these.
    """
    documents = [_otlp_of(each) for each in (value if is_list(value) else [value])]
    records = [logged_of(record) for record in _log_records(documents)]
    if not records:
        return _spans(documents, {}, begun)
    logged: dict[tuple[str, str], list[Event]] = {}
    for record in records:
        logged.setdefault((record.trace_id, record.span_id), []).append(record.event)
    spans = list(_spans(documents, logged, begun))
    known = {(span.trace_id, span.id) for span in spans}
    return completed(spans, [each for each in records if (each.trace_id, each.span_id) not in known])


def _spans(
    documents: Sequence[object], logged: Mapping[tuple[str, str], Sequence[Event]], begun: int
) -> Iterator[Span]:
    at = begun
    for resource in _under(documents, _RESOURCES):
        for scoped in _under([resource], _SCOPES):
            scope = first_text(mapping_at(scoped, "scope") or mapping_at(scoped, "instrumentationLibrary"), "name")
            for raw in list_at(scoped, "spans"):
                if isinstance(raw, Recorded):
                    key = (id_of(raw.trace_id), id_of(raw.span_id)) if logged else _NO_KEY
                    yield recorded_span(raw, at, scope, logged.get(key, ()))
                elif not is_mapping(raw):
                    continue
                elif "spanId" not in raw:
                    yield span_of(raw, at, scope)
                else:
                    key = (id_of(raw.get("traceId")), id_of(raw.get("spanId"))) if logged else _NO_KEY
                    yield otlp_span(raw, at, scope, logged.get(key, ()))
                at += 1


_NO_KEY = ("", "")


def _log_records(documents: Sequence[object]) -> Iterator[dict[str, object]]:
    for resource in _under(documents, _LOGS):
        for scoped in _under([resource], ("scopeLogs", "scope_logs")):
            yield from _mappings(list_at(scoped, "logRecords") or list_at(scoped, "log_records"))


def _under(holders: Sequence[object], keys: Sequence[str]) -> Iterator[object]:
    for holder in holders:
        for key in keys:
            yield from list_at(holder, key)


def jaeger_spans(value: object, begun: int = 0, /) -> Iterator[Span]:
    """The spans of Jaeger's traces, whose times are microseconds."""
    at = begun
    for trace in _jaeger_traces(value):
        for raw in _mappings(list_at(trace, "spans")):
            yield jaeger_span(raw, at)
            at += 1


_JAEGER = {
    "traceID",
    "spanID",
    "operationName",
    "references",
    "startTime",
    "duration",
    "tags",
    "logs",
    "flags",
    "process",
    "processID",
    "warnings",
}


def jaeger_span(raw: Mapping[str, object], at: int, /) -> Span:
    """A span of Jaeger's; where it has no fields but those that Jaeger writes, they are read in a third of the time."""
    start, took = raw.get("startTime"), raw.get("duration")
    if not (raw.keys() <= _JAEGER and isinstance(start, int) and isinstance(took, int)):
        return span_of(_from_jaeger(raw), at)
    attributes = attributes_of(_tagged(list_at(raw, "tags")))
    read = tuple(map(event_of, _mappings(list_at(raw, "logs"))))
    return Span(
        id_of(raw.get("spanID")) or f"#{at}",
        id_of(_parent(raw)),
        id_of(raw.get("traceID")),
        first_text(raw, "operationName"),
        moment(start * 1000),
        moment(start * 1000 + took * 1000),
        attributes,
        read,
        attributes.get("error") is True or attributes.get("otel.status_code") == "ERROR",
        raised(read) if read else "",
        text_at(attributes, "otel.scope.name"),
    )


def _jaeger_traces(value: object) -> Sequence[object]:
    """The traces of an answer of the API, one alone, or spans of several as its storage has them."""
    if is_list(value) and "operationName" in mapping_at(value[0] if value else None):
        return [{"spans": value}]
    return list_at(value, "data") or ([value] if is_mapping(value) and "spans" in value else [])


def _from_jaeger(raw: Mapping[str, object]) -> dict[str, object]:
    start, took = value_at(raw, "startTime"), value_at(raw, "duration")
    begun = start * 1000 if isinstance(start, int) else None
    tags = list_at(raw, "tags")
    return {
        **raw,
        "attributes": _tagged(tags) if tags else raw.get("attributes"),
        "parentSpanId": _parent(raw),
        "startTimeUnixNano": begun,
        "endTimeUnixNano": begun + took * 1000 if begun is not None and isinstance(took, int) else None,
    }


def _parent(raw: Mapping[str, object]) -> str:
    references = list_at(raw, "references")
    return text_at(next((each for each in references if text_at(each, "refType") == "CHILD_OF"), None), "spanID")


def _tagged(tags: Sequence[object]) -> dict[str, object]:
    tagged = cast("Sequence[_Tag]", tags)  # as Jaeger has them; anything else is caught, and read with care
    try:
        flat = {tag["key"]: tag["value"] for tag in tagged}
        "".join(flat)  # are all keys text?
    except (TypeError, KeyError):
        return {text_at(tag, "key"): value_at(tag, "value") for tag in tags}
    return flat


class _Tag(TypedDict):
    key: str
    value: object


def plain_spans(value: object, begun: int = 0, /) -> Iterator[Span]:
    """The spans of a list, or of one dictionary; rows of logs are not among them."""
    if _is_bare(value) and is_mapping(value):
        yield Span(f"#{begun}", attributes=value)
        return
    listed = [*_listed(value)]
    told: dict[tuple[str, str], list[Event]] = {}
    for record in filter(_is_record, listed):
        logged = logged_of(record)
        told.setdefault((logged.trace_id, logged.span_id), []).append(logged.event)
    for at, raw in enumerate(listed, begun):
        if text_at(raw, "kind") != "log" and not _is_record(raw):
            span = span_of(_plain(raw), at)
            own = told.get((span.trace_id, span.id)) if told else None
            yield span if own is None else replace(span, events=(*span.events, *own))


def _is_record(raw: dict[str, object]) -> bool:
    """Is it a log record, which stands among the spans that it tells of?"""
    return "body" in raw and ("timeUnixNano" in raw or "observedTimeUnixNano" in raw)


def _plain(raw: dict[str, object]) -> dict[str, object]:
    if _ID in raw:
        return _from_columns(raw)
    names = _COLUMNS if raw.keys() >= _IN_COLUMNS else _JS if raw.keys() >= _JS.keys() else None
    return raw if names is None else {names.get(key, key): held for key, held in raw.items()}


_COLUMNS = {
    "SpanId": "spanId",
    "SpanAttributes": "attributes",
    "TraceId": "traceId",
    "SpanName": "name",
    "ParentSpanId": "parentSpanId",
    "Timestamp": "start",
    "StatusCode": "status_code",
    "StatusMessage": "status_message",
}
"""Columns of the collector's tables, as what they hold."""
_IN_COLUMNS = {"SpanAttributes", "SpanId", "TraceId"}
_JS = {"traceId": "traceId", "id": "spanId", "attributes": "attributes", "timestamp": "start", "links": "links"}
"""Fields that OpenTelemetry's console exporter for JavaScript writes, as what they hold."""


_ID = "context.span_id"


def _from_columns(raw: dict[str, object]) -> dict[str, object]:
    """A row of a table of spans, as Phoenix gives it: names of columns are paths."""
    context = {key.removeprefix("context."): held for key, held in raw.items() if key.startswith("context.")}
    told = {key.removeprefix("attributes."): held for key, held in raw.items() if key.startswith("attributes.")}
    return {**raw, "context": context, "attributes": {key: held for key, held in told.items() if held is not None}}


def _listed(value: object) -> Iterator[dict[str, object]]:
    if is_list(value):
        yield from _mappings(value)
    elif is_mapping(value) and is_list(value.get("spans")):
        yield from _mappings(list_at(value, "spans"))
    elif is_mapping(value) and value and all(map(is_list, value.values())):
        for group in value.values():
            yield from _mappings(group if is_list(group) else [])
    elif is_mapping(value):
        yield value


def _mappings(values: Sequence[object]) -> Iterator[dict[str, object]]:
    return (value for value in values if is_mapping(value))
