"""What came over the wire, as the pieces that are gathered: all of a trace that is kept, the ids of any other."""

from __future__ import annotations

from typing import final

import attrs

from scorewright.live.agent_runs import AgentWatch
from scorewright.live.otel.anchors import Anchor
from scorewright.live.otel.bodies import Body
from scorewright.live.otel.pieces import Piece, Place, Told, weight_of
from scorewright.traces.json_view import first_value, is_mapping, text_at
from scorewright.traces.logged import logged_of
from scorewright.traces.spans import attributes_of
from scorewright.traces.times import moment

_IDS = 400  # bytes of a piece without content
_SAID = {"input", "output"}


@final
@attrs.frozen
class Sorting:
    """Decides by the trace id what is kept, and by the anchor which spans are agents."""

    watch: AgentWatch
    anchor: Anchor

    def __call__(self, body: Body, /) -> list[Piece | Told]:
        """The pieces of a body."""
        kept: dict[str, bool] = {}
        pieces: list[Piece | Told] = []
        for raw, scope in body.spans:
            attributes = attributes_of(raw.get("attributes"))
            if attributes.get("logfire.span_type") == "pending_span":
                continue  # it announces a span that has not ended
            trace = text_at(raw, "traceId")
            if trace not in kept:
                kept[trace] = self.watch.keeps(trace)
            pieces.append(self._piece(raw, scope, attributes, kept=kept[trace]))
        for raw in body.records:
            trace = text_at(raw, "traceId")
            if trace and _tells(raw) and self.watch.keeps(trace):
                pieces.append(Told(trace, text_at(raw, "spanId"), raw, weight_of(raw)))
        return pieces

    def _piece(self, raw: dict[str, object], scope: str, attributes: dict[str, object], *, kept: bool) -> Piece:
        trace, parent = text_at(raw, "traceId"), text_at(raw, "parentSpanId")
        is_root = not parent
        place: Place = ""
        if self.anchor(text_at(raw, "name"), attributes, is_root):
            place = "top" if is_root else "maybe"
        span = text_at(raw, "spanId")
        if not kept:
            return Piece(trace, span, parent, {}, "", place, is_root, weight=_IDS, kept=False)
        begun = moment(first_value(raw, "startTimeUnixNano", "start_time_unix_nano")) or 0
        ended = moment(first_value(raw, "endTimeUnixNano", "end_time_unix_nano")) or 0
        weight = weight_of(attributes) + weight_of(raw.get("events")) + _IDS
        return Piece(trace, span, parent, raw, scope, place, is_root, begun, ended, weight)


def _tells(record: dict[str, object]) -> bool:
    """Whether a log record tells what was said, as the readers look for it; most are of another kind."""
    event = logged_of(record).event
    return event.name.startswith("gen_ai.") or (is_mapping(event.body) and not event.body.keys().isdisjoint(_SAID))
