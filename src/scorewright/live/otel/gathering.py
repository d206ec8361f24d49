"""Spans that have ended, held by trace until their agent has: a machine of states, without threads and a clock."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterator
from typing import Final, NamedTuple, TypeAlias, final

import attrs

from scorewright.live.otel.cutting import is_nested, of_run
from scorewright.live.otel.limits import SpanLimits
from scorewright.live.otel.pieces import Piece, Told


@final
class Due(NamedTuple):
    """The spans of an agent's run that has ended, and the log records of it."""

    trace_id: str
    pieces: list[Piece]
    told: list[Told]


@final
class Gone(NamedTuple):
    """An agent's run that cannot be scored, and why."""

    trace_id: str
    reason: str


Fate: TypeAlias = Due | Gone

_NONE: Final[frozenset[str]] = frozenset()


@final
@attrs.define
class _Held:
    touched: float
    spans: dict[str, Piece] = attrs.field(factory=dict[str, Piece])
    told: list[Told] = attrs.field(factory=list[Told])
    anchors: dict[str, float] = attrs.field(factory=dict[str, float])  # when each came
    weight: int = 0
    rooted: bool = False


@final
@attrs.define
class Numbers:
    """Spans and traces so far."""

    spans: int = 0
    used: int = 0
    late: int = 0
    lost: int = 0
    repeated: int = 0
    unused: int = 0


@final
class Gatherer:
    """Holds at most so much, the traces that were silent longest going first. Times are seconds of one clock."""

    def __init__(self, limits: SpanLimits) -> None:
        self._limits = limits
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._ripening: dict[str, None] = {}  # traces with an anchor that is waited with
        self._done: OrderedDict[str, set[str]] = OrderedDict()  # the spans that were used, to know late ones
        self._lost: OrderedDict[str, str] = OrderedDict()
        self._gone: list[Gone] = []
        self.weight: int = 0
        self.numbers: Numbers = Numbers()

    @property
    def traces(self) -> int:
        """The traces that are held."""
        return len(self._held)

    @property
    def spans(self) -> int:
        """The spans that are held."""
        return sum(len(held.spans) for held in self._held.values())

    @property
    def ripens(self) -> bool:
        """Whether some agent has ended, and is waited with."""
        return bool(self._ripening)

    def add(self, piece: Piece, now: float, /) -> None:
        """Take in a span."""
        numbers, trace = self.numbers, piece.trace_id
        numbers.spans += 1
        if trace in self._lost:
            numbers.lost += 1
            self._note(piece)
            return
        done = self._done.get(trace)
        if done is not None and (piece.span_id in done or piece.parent_id in done):
            if piece.span_id in done:
                numbers.repeated += 1
            else:
                numbers.late += 1
                if len(done) < 2 * self._limits.trace_spans:
                    done.add(piece.span_id)  # so that what is below it is late too
            return
        held = self._of(trace, now)
        if piece.span_id in held.spans:
            numbers.repeated += 1
            return
        held.spans[piece.span_id] = piece
        held.rooted = held.rooted or piece.root
        if piece.anchor:
            held.anchors[piece.span_id] = now
            self._ripening[trace] = None
        self._weigh(trace, held, piece.weight)

    def tell(self, told: Told, now: float, /) -> None:
        """Take in a log record."""
        if told.trace_id in self._lost or told.span_id in self._done.get(told.trace_id, _NONE):
            return
        held = self._of(told.trace_id, now)
        held.told.append(told)
        self._weigh(told.trace_id, held, told.weight)

    def lose(self, trace: str, reason: str, /) -> None:
        """Let go of a trace: its agents' runs are gone, those that are still to end too."""
        held = self._drop(trace)
        if held is not None:
            self.numbers.lost += len(held.spans)
            waited = [held.spans[id] for id in held.anchors if id in held.spans]
            outer = [each for each in waited if not is_nested(each, held.spans)]
            self._gone.extend(Gone(trace, reason) for _ in outer)
            if any(each.anchor == "maybe" for each in outer):
                reason = ""  # it has been counted
        self._lost[trace] = reason
        while len(self._lost) > 10 * self._limits.traces:
            self._lost.popitem(last=False)

    def ripe(self, now: float, /, *, at_once: bool = False) -> Iterator[Fate]:
        """The runs whose fate is decided by now; `at_once` waits for nothing any more."""
        gone, self._gone = self._gone, list[Gone]()
        yield from gone
        for trace in [*self._ripening]:
            held = self._held[trace]
            for anchor in [*held.anchors]:
                if anchor not in held.spans:  # it went with an agent above it
                    del held.anchors[anchor]
                    continue
                nested = self._nested(held, anchor, now, at_once=at_once)
                if nested is not None:
                    del held.anchors[anchor]
                if nested is False:
                    yield self._taken(trace, held, held.spans[anchor])
            if not held.anchors:
                del self._ripening[trace]
                if not held.spans:
                    self._drop(trace)

    def sweep(self, now: float, going_on: Container[str] | None, /) -> None:
        """Let go of traces without an agent that are over: none of their spans goes on, or their root has ended.

        `going_on` are the traces with open spans; None where that is not known.
        """
        for trace, held in [*self._held.items()]:
            held.touched = min(held.touched, now)  # a clock that went back
            silent = now - held.touched
            if held.anchors or silent < min(self._limits.grace, self._limits.ttl):
                continue
            goes_on = not held.rooted if going_on is None else trace in going_on
            if not goes_on:
                self._drop(trace)
                self.numbers.unused += len(held.spans)
            elif silent >= self._limits.ttl:
                self.lose(trace, f"its trace was silent for {self._limits.ttl:g} s")

    def _of(self, trace: str, now: float) -> _Held:
        held = self._held.get(trace)
        if held is None:
            if len(self._held) >= self._limits.traces:
                self.lose(next(iter(self._held)), f"more than {self._limits.traces} traces were held")
            held = self._held[trace] = _Held(now)
        else:
            held.touched = now
            self._held.move_to_end(trace)
        return held

    def _weigh(self, trace: str, held: _Held, weight: int) -> None:
        held.weight += weight
        self.weight += weight
        limits = self._limits
        if len(held.spans) > limits.trace_spans:
            self.lose(trace, f"more than {limits.trace_spans} spans in its trace")
        elif held.weight > limits.trace_bytes:
            self.lose(trace, f"more than {limits.trace_bytes} bytes in its trace")
        while self.weight > limits.bytes:
            self.lose(next(iter(self._held)), f"more than {limits.bytes} bytes were held")

    def _drop(self, trace: str) -> _Held | None:
        held = self._held.pop(trace, None)
        self._ripening.pop(trace, None)
        if held is not None:
            self.weight -= held.weight
        return held

    def _note(self, piece: Piece) -> None:
        """Count an anchor of a trace that is lost; of those that may be nested one, as what is above shows no more."""
        reason = self._lost[piece.trace_id]
        if piece.anchor and reason:
            self._gone.append(Gone(piece.trace_id, reason))
            if piece.anchor == "maybe":
                self._lost[piece.trace_id] = ""

    def _nested(self, held: _Held, anchor: str, now: float, *, at_once: bool) -> bool | None:
        """Whether it is another agent's part; None while it is waited with."""
        came = held.anchors[anchor] = min(held.anchors[anchor], now)  # a clock that went back
        piece, waited = held.spans[anchor], now - came
        if waited < self._limits.grace and not at_once:
            return None
        nested = False if piece.anchor == "top" else is_nested(piece, held.spans)
        return False if nested is None and (at_once or waited >= self._limits.parent) else nested

    def _taken(self, trace: str, held: _Held, anchor: Piece) -> Due:
        pieces = of_run(anchor, held.spans)
        ids = {piece.span_id for piece in pieces}
        for id in ids:
            del held.spans[id]
        told = [each for each in held.told if each.span_id in ids or each.span_id not in held.spans]
        held.told = [each for each in held.told if each.span_id in held.spans]
        freed = sum(each.weight for each in pieces) + sum(each.weight for each in told)
        held.weight -= freed
        self.weight -= freed
        self.numbers.used += len(pieces)
        self._done.setdefault(trace, set()).update(ids)
        self._done.move_to_end(trace)
        while len(self._done) > self._limits.traces:
            self._done.popitem(last=False)
        return Due(trace, pieces, told)
