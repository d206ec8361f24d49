"""Bodies of very many parts are refused before they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("opentelemetry.proto")

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList

from scorewright.live.otel.bodies import Kind, Signal, TooLarge, read
from scorewright.live.otel.parts import LOGS, TRACES, Fields, too_many_in_json, too_many_in_protobuf
from scorewright.live.otel.protobuf import bytes_field


def unknown(message: Descriptor, fields: Fields, path: str, seen: frozenset[str]) -> Iterator[str]:
    """The fields of a message, and of those in it, that hold messages and that the table does not have."""
    for field in message.fields:
        inner = field.message_type
        if inner is None:
            continue
        if field.number not in fields:
            yield f"{path}.{field.name}"
        elif inner.name not in seen:
            yield from unknown(inner, fields[field.number], f"{path}.{field.name}", seen | {inner.name})


@pytest.mark.parametrize(
    ("request_", "fields"), [(ExportTraceServiceRequest, TRACES), (ExportLogsServiceRequest, LOGS)]
)
def test_every_message_in_a_request_is_known(request_: type[Message], fields: Fields) -> None:
    """Of the installed version of OTLP: one that was not looked into could hold millions."""
    assert [*unknown(cast("Descriptor", request_.DESCRIPTOR), fields, "", frozenset())] == []


values = st.recursive(
    st.one_of(
        st.builds(lambda text: AnyValue(string_value=text), st.text(max_size=5)),
        st.builds(lambda number: AnyValue(int_value=number), st.integers(0, 2**40)),
        st.builds(lambda number: AnyValue(double_value=number), st.floats(allow_nan=False)),
    ),
    lambda inner: st.one_of(
        st.builds(lambda each: AnyValue(array_value=ArrayValue(values=each)), st.lists(inner, max_size=3)),
        st.builds(
            lambda each: AnyValue(kvlist_value=KeyValueList(values=[KeyValue(key="k", value=one) for one in each])),
            st.lists(inner, max_size=3),
        ),
    ),
    max_leaves=6,
)


def parts_of(message: Message) -> int:
    """The fields that are set, of messages in it too."""
    count = 0
    for field, value in message.ListFields():
        for each in value if field.is_repeated else [value]:
            count += 1 + (parts_of(each) if isinstance(each, Message) else 0)
    return count


@given(st.lists(st.lists(values, max_size=4), max_size=3))
def test_the_parts_of_a_request_are_counted(spans: list[list[AnyValue]]) -> None:
    """Exactly: as many are not too many, one fewer are."""
    request = ExportTraceServiceRequest()
    scoped = request.resource_spans.add().scope_spans.add()
    scoped.scope.name = "app"
    for attributes in spans:
        span = scoped.spans.add(trace_id=b"t" * 16, name="a name", start_time_unix_nano=5)
        span.status.message = "fine"
        span.events.add(name="e", attributes=[KeyValue(key="k", value=each) for each in attributes])
        span.attributes.extend(KeyValue(key="k", value=each) for each in attributes)
    body, n = request.SerializeToString(), parts_of(request)
    assert not too_many_in_protobuf(body, TRACES, n)
    assert too_many_in_protobuf(body, TRACES, n - 1)


def nested(inner: bytes, *fields: int) -> bytes:
    for field in reversed(fields):
        inner = bytes_field(field, inner)
    return inner


MANY = 600_000  # of two bytes: enough to be looked at
MOST = 100_000
BOMBS: dict[str, tuple[Signal, Kind, bytes]] = {
    "spans": ("traces", "protobuf", nested(b"\x12\x00" * MANY, 1, 2)),
    "attributes": ("traces", "protobuf", nested(b"\x4a\x00" * MANY, 1, 2, 2)),
    "events": ("traces", "protobuf", nested(b"\x5a\x00" * MANY, 1, 2, 2)),
    "values": ("traces", "protobuf", nested(b"\x0a\x00" * MANY, 1, 2, 2, 9, 2, 5)),
    "records": ("logs", "protobuf", nested(b"\x12\x00" * MANY, 1, 2)),
    "bodies": ("logs", "protobuf", nested(b"\x0a\x00" * MANY, 1, 2, 2, 5, 6)),
    "objects": ("traces", "json", b'{"resourceSpans":[' + b"{}," * MANY + b"{}]}"),
    "lists": ("logs", "json", b'{"resourceLogs":[' + b"[]," * MANY + b"[]]}"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_would_take_too_much_memory_is_refused(bomb: str) -> None:
    """Wherever the many parts are."""
    signal, kind, body = BOMBS[bomb]
    with pytest.raises(TooLarge, match="parts"):
        read(signal, kind, body, MANY, MOST)


@given(st.binary(max_size=60))
def test_what_is_no_protobuf_is_looked_at_all_the_same(body: bytes) -> None:
    """Whatever it is; it is read, and refused, afterwards."""
    assert not too_many_in_protobuf(body, TRACES, len(body))


def test_texts_with_commas_are_no_parts() -> None:
    """A long answer is not a large request."""
    assert not too_many_in_json(b'{"text":"' + b"one, two, " * 10_000 + b'"}', 1)
