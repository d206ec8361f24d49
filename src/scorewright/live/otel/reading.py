"""A span of the SDK as the readers of traces take it: in the spelling of OTLP, which shares its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from scorewright.live.otel.pieces import Piece, Place, plain, weight_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan


def piece_of(span: ReadableSpan, top: bool, /) -> Piece:
    """The span; `top` says that it is an agent which no other called."""
    context = span.get_span_context()
    if context is None:
        raise ValueError("the span has no context")
    trace_id, span_id = f"{context.trace_id:032x}", f"{context.span_id:016x}"
    parent = f"{span.parent.span_id:016x}" if span.parent is not None else ""
    attributes = _plain(span.attributes)
    events = [
        {"name": each.name, "timeUnixNano": each.timestamp, "attributes": _plain(each.attributes)}
        for each in span.events
    ]
    raw: dict[str, object] = {
        "traceId": trace_id,
        "spanId": span_id,
        "parentSpanId": parent,
        "name": span.name,
        "startTimeUnixNano": span.start_time,
        "endTimeUnixNano": span.end_time,
        "attributes": attributes,
        "events": events,
        "status": {"code": span.status.status_code.value, "message": span.status.description or ""},
        "droppedAttributesCount": span.dropped_attributes,
    }
    scope = span.instrumentation_scope
    place: Place = "top" if top else ""
    begun, ended = span.start_time or 0, span.end_time or 0
    weight = weight_of(attributes) + sum(weight_of(each["attributes"]) for each in events) + 500
    return Piece(
        trace_id, span_id, parent, raw, scope.name if scope else "", place, span.parent is None, begun, ended, weight
    )


def _plain(attributes: object) -> dict[str, object]:
    given = cast("Mapping[str, object]", attributes or {})  # what an AnyValue may be is an object in any case
    return {key: plain(value) for key, value in given.items()}
