"""Which of a trace's spans are of one agent's run."""

from __future__ import annotations

from collections.abc import Mapping

from scorewright.live.otel.pieces import Piece


def is_nested(piece: Piece, spans: Mapping[str, Piece], /) -> bool | None:
    """Whether an agent is above the span; None where that cannot be told, as a span above has not come."""
    seen = {piece.span_id}
    parent = piece.parent_id
    while parent and parent not in seen:
        seen.add(parent)
        above = spans.get(parent)
        if above is None:
            return None
        if above.anchor:
            return True
        parent = above.parent_id
    return False


def of_run(anchor: Piece, spans: Mapping[str, Piece], /) -> list[Piece]:
    """The anchor and all below it.

    What hangs nowhere, and began while the agent ran, comes along where it is the only agent: some instrumentations
    lose the parents of their tools.
    """
    known = {anchor.span_id: anchor.span_id}
    tops = {id: _top(piece, spans, known) for id, piece in spans.items()}
    home = _top(anchor, spans, {})
    alone = not any(each.anchor and tops[each.span_id] != anchor.span_id for each in spans.values())

    def belongs(piece: Piece) -> bool:
        top = tops[piece.span_id]
        if top == anchor.span_id:
            return True
        return alone and top != home and anchor.start <= spans[top].start <= anchor.end

    return [piece for piece in spans.values() if belongs(piece)]


def _top(piece: Piece, spans: Mapping[str, Piece], known: dict[str, str]) -> str:
    """The highest span above that is there, or what is known of one on the way; all on the way are known then."""
    way: dict[str, None] = {}
    while piece.span_id not in known and piece.span_id not in way:
        way[piece.span_id] = None
        above = spans.get(piece.parent_id)
        if above is None:
            break
        piece = above
    top = known.get(piece.span_id, piece.span_id)
    known.update(dict.fromkeys(way, top))
    return top
