"""What comes over the wire: protobuf and JSON say the same, and what is no request is told so."""

from __future__ import annotations

import gzip
import json

import pytest

pytest.importorskip("opentelemetry.proto")

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from scorewright.live.otel.bodies import Kind, TooLarge, inflated, read, refused_answer, taken_answer
from scorewright.live.otel.pieces import Piece, document_of
from scorewright.traces.containers import otlp_spans

TRACE, SPAN, PARENT = "0a" * 16, "0b" * 8, "0c" * 8


def value(given: object) -> AnyValue:
    match given:
        case bool():
            return AnyValue(bool_value=given)
        case int():
            return AnyValue(int_value=given)
        case float():
            return AnyValue(double_value=given)
        case str():
            return AnyValue(string_value=given)
        case list():
            return AnyValue(array_value=ArrayValue(values=[value(each) for each in given]))
        case dict():
            return AnyValue(kvlist_value=KeyValueList(values=pairs(given)))
        case bytes():
            return AnyValue(bytes_value=given)
    return AnyValue()


def pairs(given: dict[str, object]) -> list[KeyValue]:
    return [KeyValue(key=key, value=value(each)) for key, each in given.items()]


ATTRIBUTES: dict[str, object] = {
    "text": "é",
    "whole": 2**40,
    "number": 0.5,
    "yes": True,
    "list": ["a", 1],
    "mapping": {"deep": {"er": [1, 2]}, "b": "c"},
}


def wrapped(given: object) -> object:
    """A value in OTLP's JSON."""
    match given:
        case bool():
            return {"boolValue": given}
        case int():
            return {"intValue": str(given)}
        case float():
            return {"doubleValue": given}
        case list():
            return {"arrayValue": {"values": [wrapped(each) for each in given]}}
        case dict():
            return {"kvlistValue": {"values": [{"key": key, "value": wrapped(each)} for key, each in given.items()]}}
    return {"stringValue": given}


def in_protobuf() -> bytes:
    request = ExportTraceServiceRequest()
    scoped = request.resource_spans.add().scope_spans.add()
    scoped.scope.name = "app"
    span = Span(
        trace_id=bytes.fromhex(TRACE),
        span_id=bytes.fromhex(SPAN),
        parent_span_id=bytes.fromhex(PARENT),
        name="work",
        start_time_unix_nano=10**18,
        end_time_unix_nano=10**18 + 5,
        attributes=pairs(ATTRIBUTES),
        events=[Span.Event(name="happened", time_unix_nano=10**18, attributes=pairs({"a": "b"}))],
        dropped_attributes_count=3,
    )
    span.status.code, span.status.message = 2, "went wrong"
    scoped.spans.append(span)
    return request.SerializeToString()


def in_json(**more: object) -> bytes:
    span = {
        "traceId": TRACE.upper(),
        "spanId": SPAN,
        "parentSpanId": PARENT,
        "name": "work",
        "startTimeUnixNano": str(10**18),
        "endTimeUnixNano": str(10**18 + 5),
        "attributes": [{"key": key, "value": wrapped(each)} for key, each in ATTRIBUTES.items()],
        "events": [
            {"name": "happened", "timeUnixNano": str(10**18), "attributes": [{"key": "a", "value": wrapped("b")}]}
        ],
        "droppedAttributesCount": 3,
        "status": {"code": 2, "message": "went wrong"},
        **more,
    }
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"scope": {"name": "app"}, "spans": [span]}]}]}).encode()


def test_both_spellings_say_the_same() -> None:
    """As the readers read them: ids, times, attributes of every kind, events, status, scope."""
    read_as = []
    for kind, body in (("protobuf", in_protobuf()), ("json", in_json())):
        [(raw, scope)] = read("traces", kind, body).spans
        [span] = otlp_spans(document_of([Piece(TRACE, SPAN, PARENT, raw, scope)]))
        read_as.append(span)
    one, other = read_as
    assert one == other
    assert (one.trace_id, one.id, one.parent, one.scope) == (TRACE, SPAN, PARENT, "app")
    assert (one.attributes, one.failed, one.problem, one.dropped) == (ATTRIBUTES, True, "went wrong", 3)


def test_log_records_in_both_spellings() -> None:
    """Bodies with something in them, and records that belong to no trace."""
    request = ExportLogsServiceRequest()
    record = LogRecord(trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(SPAN), time_unix_nano=7)
    record.body.CopyFrom(value({"content": "hello", "raw": b"\x00\x01"}))
    request.resource_logs.add().scope_logs.add().log_records.append(record)
    [raw] = read("logs", "protobuf", request.SerializeToString()).records
    assert (raw["traceId"], raw["spanId"], raw["timeUnixNano"]) == (TRACE, SPAN, 7)
    assert raw["body"] == {"content": "hello", "raw": "AAE="}
    written = {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": TRACE.upper(), "body": {}}, {}]}]}]}
    read_as = read("logs", "json", json.dumps(written).encode()).records
    assert [each["traceId"] for each in read_as] == [TRACE, ""]


@pytest.mark.parametrize("signal", ["traces", "logs"])
@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("protobuf", b"no protobuf", "no protobuf request"),
        ("json", b"{", "not JSON"),
        ("json", b"[]", "no request of OTLP"),
        ("json", b'{"spans": []}', "no request of OTLP"),
        ("json", b"\xff\xfe", "not JSON"),
        ("json", b"[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_request_is_told(signal: str, kind: Kind, body: bytes, why: str) -> None:
    """In one sentence."""
    with pytest.raises(ValueError, match=why):
        read(signal, kind, body)  # type: ignore[arg-type]  # one of the two


@pytest.mark.parametrize("kind", ["protobuf", "json"])
def test_an_empty_request_is_fine(kind: Kind) -> None:
    """Exporters send them."""
    body = b"" if kind == "protobuf" else b"{}"
    assert read("traces", kind, body).spans == ()
    assert read("logs", kind, body).records == ()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"traceId": "abc"}, "traceId is not 32"),
        ({"traceId": "0" * 32}, "traceId is not 32"),
        ({"spanId": ""}, "spanId is not 16"),
        ({"spanId": None}, "spanId is not 16"),
        ({"endTimeUnixNano": "0"}, "has not ended"),
        ({"endTimeUnixNano": None}, "has not ended"),
    ],
)
def test_a_span_without_proper_ids_or_end_is_rejected(more: dict[str, object], why: str) -> None:
    """It alone, and it is said why. opik#6049: what is sent at its start is not scored."""
    body = read("traces", "json", in_json(**more))
    assert (body.spans, body.rejected) == ((), 1)
    assert why in body.why


def test_what_is_not_as_it_should_be_inside_is_left_out() -> None:
    """Lists that are none, spans that are none."""
    for inner in ('[{"scopeSpans": 3}]', "[3]", '[{"scopeSpans": [{"spans": [3, null]}]}]', "null"):
        assert read("traces", "json", f'{{"resourceSpans": {inner}}}'.encode()).spans == ()


def test_gzip_is_inflated_within_a_bound() -> None:
    """A bomb is not: never more is inflated than may be."""
    body = b"x" * 1000
    assert inflated(gzip.compress(body), 1000) == body
    assert inflated(gzip.compress(body) + gzip.compress(body), 2000) == body * 2
    for small in (999, 1):
        with pytest.raises(TooLarge, match=f"more than {small} bytes when inflated"):
            inflated(gzip.compress(body), small)
    with pytest.raises(TooLarge):
        inflated(gzip.compress(body) * 2, 1500)
    for broken in (b"no gzip", gzip.compress(body)[:-9]):
        with pytest.raises(ValueError, match="not gzip"):
            inflated(broken, 1000)
    assert inflated(b"", 10) == b""


def test_a_bomb_of_small_things_is_not_read() -> None:
    """Empty members of gzip, and empty spans and records, of which two bytes are one."""
    with pytest.raises(ValueError, match="more than 100 members"):
        inflated(gzip.compress(b"") * 101, 1000)
    for signal, kind, body in (
        ("traces", "protobuf", length_of(0x0A, length_of(0x12, b"\x12\x00" * 11))),
        ("logs", "protobuf", length_of(0x0A, length_of(0x12, b"\x12\x00" * 11))),
        ("traces", "json", json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [{}] * 11}]}]}).encode()),
    ):
        with pytest.raises(TooLarge, match="more than 10 spans or records"):
            read(signal, kind, body, 10)  # type: ignore[arg-type]  # one of the two
        read(signal, kind, body, 11)  # type: ignore[arg-type]  # one of the two


def length_of(tag: int, held: bytes) -> bytes:
    return bytes([tag, len(held)]) + held


def test_answers_are_those_of_otlp() -> None:
    """As its own messages, in the spelling that was asked in."""
    assert taken_answer("protobuf", "traces") == ExportTraceServiceResponse().SerializeToString()
    partial = ExportTraceServiceResponse.FromString(taken_answer("protobuf", "traces", 300, "why é"))
    assert partial.partial_success == ExportTracePartialSuccess(rejected_spans=300, error_message="why é")
    assert json.loads(taken_answer("json", "traces")) == {}
    said = {"partialSuccess": {"rejectedSpans": "2", "errorMessage": "why"}}
    assert json.loads(taken_answer("json", "traces", 2, "why")) == said
    assert "rejectedLogRecords" in json.loads(taken_answer("json", "logs", 2, "why"))["partialSuccess"]
    assert json.loads(refused_answer("json", 3, "why")) == {"code": 3, "message": "why"}
    assert refused_answer("protobuf", 3, "why") == b"\x08\x03\x12\x03why"
