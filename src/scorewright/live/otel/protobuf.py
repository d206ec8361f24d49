"""OTLP's requests in protobuf, as JSON would have them: ids in hexadecimal, attributes as a plain mapping.

The package `opentelemetry-proto` tells no types, so what is used of its messages is written down here.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Protocol, cast

from scorewright.faults import DefinitionError

MISSING = "protobuf bodies are read with opentelemetry-proto: pip install 'scorewright[receive]'"


class _Value(Protocol):
    string_value: str
    bool_value: bool
    int_value: int
    double_value: float
    bytes_value: bytes

    @property
    def array_value(self) -> _Array: ...
    @property
    def kvlist_value(self) -> _Pairs: ...
    def WhichOneof(self, name: str, /) -> str | None: ...  # noqa: N802 - protobuf's name


class _Array(Protocol):
    @property
    def values(self) -> Iterable[_Value]: ...


class _Pair(Protocol):
    key: str

    @property
    def value(self) -> _Value: ...


class _Pairs(Protocol):
    @property
    def values(self) -> Iterable[_Pair]: ...


class _Event(Protocol):
    name: str
    time_unix_nano: int

    @property
    def attributes(self) -> Iterable[_Pair]: ...


class _Status(Protocol):
    code: int
    message: str


class _Span(Protocol):
    trace_id: bytes
    span_id: bytes
    parent_span_id: bytes
    name: str
    start_time_unix_nano: int
    end_time_unix_nano: int
    dropped_attributes_count: int

    @property
    def attributes(self) -> Iterable[_Pair]: ...
    @property
    def events(self) -> Iterable[_Event]: ...
    @property
    def status(self) -> _Status: ...


class _Record(Protocol):
    trace_id: bytes
    span_id: bytes
    time_unix_nano: int
    observed_time_unix_nano: int
    event_name: str

    @property
    def attributes(self) -> Iterable[_Pair]: ...
    @property
    def body(self) -> _Value: ...


class _Scope(Protocol):
    name: str


class _Scoped(Protocol):
    @property
    def scope(self) -> _Scope: ...
    @property
    def spans(self) -> Iterable[_Span]: ...
    @property
    def log_records(self) -> Iterable[_Record]: ...


class _Resource(Protocol):
    @property
    def scope_spans(self) -> Iterable[_Scoped]: ...
    @property
    def scope_logs(self) -> Iterable[_Scoped]: ...


class _Request(Protocol):
    @property
    def resource_spans(self) -> Iterable[_Resource]: ...
    @property
    def resource_logs(self) -> Iterable[_Resource]: ...


class _Requests(Protocol):
    def FromString(self, body: bytes, /) -> _Request: ...  # noqa: N802 - protobuf's name


def _requests(signal: str) -> _Requests:
    service = "logs" if signal == "logs" else "trace"
    try:
        module = import_module(f"opentelemetry.proto.collector.{service}.v1.{service}_service_pb2")
    except ImportError as missing:
        raise DefinitionError(MISSING) from missing
    return cast("_Requests", getattr(module, f"Export{service.capitalize()}ServiceRequest"))


def check_installed() -> None:
    """Raise `DefinitionError` unless bodies in protobuf can be read."""
    _requests("traces")
    _requests("logs")


def spans_in(body: bytes, /) -> Iterator[tuple[dict[str, object], str]]:
    """The spans of a request, each with the name of its scope; what is no request raises `ValueError`."""
    for resource in _request("traces", body).resource_spans:
        for scoped in resource.scope_spans:
            for span in scoped.spans:
                yield _span(span), scoped.scope.name


def records_in(body: bytes, /) -> Iterator[dict[str, object]]:
    """The log records of a request."""
    for resource in _request("logs", body).resource_logs:
        for scoped in resource.scope_logs:
            yield from map(_record, scoped.log_records)


def _request(signal: str, body: bytes) -> _Request:
    requests = _requests(signal)
    try:
        return requests.FromString(body)
    except Exception as failed:  # DecodeError, of one of protobuf's implementations
        raise ValueError(f"the body is no protobuf request: {failed}") from failed


def _span(span: _Span) -> dict[str, object]:
    return {
        "traceId": span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "parentSpanId": span.parent_span_id.hex(),
        "name": span.name,
        "startTimeUnixNano": span.start_time_unix_nano,
        "endTimeUnixNano": span.end_time_unix_nano,
        "attributes": _mapping(span.attributes),
        "events": [
            {"name": each.name, "timeUnixNano": each.time_unix_nano, "attributes": _mapping(each.attributes)}
            for each in span.events
        ],
        "status": {"code": span.status.code, "message": span.status.message},
        "droppedAttributesCount": span.dropped_attributes_count,
    }


def _record(record: _Record) -> dict[str, object]:
    return {
        "traceId": record.trace_id.hex(),
        "spanId": record.span_id.hex(),
        "timeUnixNano": record.time_unix_nano or record.observed_time_unix_nano,
        "eventName": record.event_name,
        "attributes": _mapping(record.attributes),
        "body": _value(record.body),
    }


def _mapping(pairs: Iterable[_Pair]) -> dict[str, object]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: _Value) -> object:
    match value.WhichOneof("value"):
        case "string_value":
            return value.string_value
        case "int_value":
            return value.int_value
        case "double_value":
            return value.double_value
        case "bool_value":
            return value.bool_value
        case "array_value":
            return [_value(each) for each in value.array_value.values]
        case "kvlist_value":
            return _mapping(value.kvlist_value.values)
        case "bytes_value":
            return b64encode(value.bytes_value).decode()
        case _:
            return None


def varint(number: int, /) -> bytes:
    """A whole number, 0 or more, in protobuf's spelling."""
    written = bytearray()
    while number > 0x7F:  # noqa: PLR2004 - seven bits a byte
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])


def text_field(field: int, text: str, /) -> bytes:
    """A text, or a message, as a field of a message."""
    return bytes_field(field, text.encode("utf-8", "replace"))


def bytes_field(field: int, held: bytes, /) -> bytes:
    """Bytes, or a message, as a field of a message."""
    return varint(field << 3 | 2) + varint(len(held)) + held


def number_field(field: int, number: int, /) -> bytes:
    """A whole number as a field of a message."""
    return varint(field << 3) + varint(number)
