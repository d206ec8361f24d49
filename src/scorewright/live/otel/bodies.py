"""The bodies of OTLP/HTTP: what a request holds, within bounds; and what is answered, in the same spelling."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias, final

import attrs
import msgspec
from typing_extensions import TypeVar

from scorewright.live.otel import protobuf
from scorewright.live.otel.parts import LOGS, TRACES, too_many_in_json, too_many_in_protobuf
from scorewright.traces.json_view import first_text, first_value, is_mapping, list_at, mapping_at, text_at
from scorewright.traces.times import moment

T = TypeVar("T")

Kind: TypeAlias = Literal["protobuf", "json"]
Signal: TypeAlias = Literal["traces", "logs"]

CONTENT_TYPES: Final[dict[Kind, str]] = {"protobuf": "application/x-protobuf", "json": "application/json"}
INVALID, EXHAUSTED, UNIMPLEMENTED = 3, 8, 12  # codes of google.rpc.Status

_MOST_MEMBERS = 100  # of gzip in a body; an exporter sends one, and to go to the next costs the length of all the rest
_SMALL = 1 << 20  # bytes that are no danger, whatever is in them

_TRACE_ID: Final = re.compile("(?!0{32})[0-9a-f]{32}")
_SPAN_ID: Final = re.compile("(?!0{16})[0-9a-f]{16}")


class TooLarge(Exception):
    """A body beyond the bound."""


@final
@attrs.frozen
class Body:
    """What a request holds: spans with the names of their scopes, or log records; and what could not be taken."""

    spans: tuple[tuple[dict[str, object], str], ...] = ()
    records: tuple[dict[str, object], ...] = ()
    rejected: int = 0
    why: str = ""


def inflated(body: bytes, most: int, /) -> bytes:
    """A gzipped body as it was, never more of it than so many bytes; anything else raises `ValueError`."""
    parts: list[bytes] = []
    left, size = body, 0
    while left:
        if len(parts) >= _MOST_MEMBERS:
            raise ValueError(f"the body is gzip of more than {_MOST_MEMBERS} members")
        gzip = zlib.decompressobj(wbits=31)
        try:
            part = gzip.decompress(left, most + 1 - size)
        except zlib.error as failed:
            raise ValueError(f"the body is not gzip: {failed}") from failed
        parts.append(part)
        size += len(part)
        if size > most:
            raise TooLarge(f"the body is more than {most} bytes when inflated")
        if not gzip.eof:
            raise ValueError("the body is not gzip: it ends in the middle")
        left = gzip.unused_data
    return b"".join(parts)


def read(signal: Signal, kind: Kind, body: bytes, most: int = 50_000, parts: int = 1_000_000, /) -> Body:
    """What a body holds. One that is no request raises `ValueError`; spans without proper ids are rejected each.

    Of more spans or records than `most` no more are read, and of a body with more `parts` (fields, or objects and
    lists) nothing: two bytes are one, and a thousand times fewer before they were inflated.
    """
    if len(body) > _SMALL and _too_many(signal, kind, body, parts):
        raise TooLarge(f"the body has more than {parts} parts")
    if signal == "logs":
        records = protobuf.records_in(body) if kind == "protobuf" else _records_in_json(body)
        return Body(records=tuple(_bounded(records, most)))
    spans = protobuf.spans_in(body) if kind == "protobuf" else _spans_in_json(body)
    return _sorted_out(_bounded(spans, most))


def _too_many(signal: Signal, kind: Kind, body: bytes, most: int) -> bool:
    if kind == "json":
        return too_many_in_json(body, most)
    return too_many_in_protobuf(body, LOGS if signal == "logs" else TRACES, most)


def _bounded(items: Iterable[T], most: int) -> Iterator[T]:
    for at, item in enumerate(items):
        if at >= most:
            raise TooLarge(f"more than {most} spans or records in a request")
        yield item


def _sorted_out(spans: Iterable[tuple[dict[str, object], str]]) -> Body:
    good: list[tuple[dict[str, object], str]] = []
    rejected, why = 0, ""
    for span, scope in spans:
        wrong = _wrong(span)
        if wrong:
            rejected, why = rejected + 1, why or wrong
        else:
            good.append((span, scope))
    return Body(tuple(good), (), rejected, why)


def _wrong(span: dict[str, object]) -> str:
    for key, pattern, digits in (("traceId", _TRACE_ID, 32), ("spanId", _SPAN_ID, 16)):
        if not pattern.fullmatch(text_at(span, key)):
            return f"a span's {key} is not {digits} hexadecimal digits, or all of them are 0"
    return "" if moment(first_value(span, "endTimeUnixNano", "end_time_unix_nano")) else "a span has not ended"


def _document(body: bytes, *keys: str) -> dict[str, object]:
    try:
        document: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as failed:
        raise ValueError(f"the body is not JSON: {failed}") from failed
    if not is_mapping(document) or (document and not any(key in document for key in keys)):
        raise ValueError(f'the body is no request of OTLP: it has no "{keys[0]}"')
    return document


def _scoped(body: bytes, *names: tuple[str, ...]) -> Iterator[tuple[dict[str, object], str]]:
    """What lies two levels below a document, in the camel case of OTLP or the snake case that some write."""
    documents: list[object] = [_document(body, *names[0])]
    for either in names[:2]:
        documents = [each for held in documents for key in either for each in list_at(held, key)]
    for held in documents:
        scope = first_text(mapping_at(held, "scope"), "name")
        for each in (item for key in names[2] for item in list_at(held, key)):
            if is_mapping(each):
                yield each, scope


def _spans_in_json(body: bytes) -> Iterator[tuple[dict[str, object], str]]:
    resources, scopes = ("resourceSpans", "resource_spans"), ("scopeSpans", "scope_spans")
    for span, scope in _scoped(body, resources, scopes, ("spans",)):
        ids = {
            name: str(first_value(span, name, snake) or "").lower()
            for name, snake in (("traceId", "trace_id"), ("spanId", "span_id"), ("parentSpanId", "parent_span_id"))
        }
        yield span | ids, scope


def _records_in_json(body: bytes) -> Iterator[dict[str, object]]:
    names = ("resourceLogs", "resource_logs"), ("scopeLogs", "scope_logs"), ("logRecords", "log_records")
    for record, _ in _scoped(body, *names):
        ids = {name: text_at(record, name).lower() for name in ("traceId", "spanId")}
        yield record | ids


def taken_answer(kind: Kind, signal: Signal, rejected: int = 0, why: str = "", /) -> bytes:
    """The answer to a request that was taken, with how many of its spans or records were not."""
    if kind == "protobuf":
        if not rejected:
            return b""
        return protobuf.bytes_field(1, protobuf.number_field(1, rejected) + protobuf.text_field(2, why))
    if not rejected:
        return b"{}"
    name = "rejectedLogRecords" if signal == "logs" else "rejectedSpans"
    return json.dumps({"partialSuccess": {name: str(rejected), "errorMessage": why}}).encode()


def refused_answer(kind: Kind, code: int, message: str, /) -> bytes:
    """A `google.rpc.Status`, as OTLP answers what it does not take."""
    if kind == "protobuf":
        return protobuf.number_field(1, code) + protobuf.text_field(2, message)
    return json.dumps({"code": code, "message": message}).encode()
