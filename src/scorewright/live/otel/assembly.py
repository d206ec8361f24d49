"""Spans on their way to the scorers: put in on the caller's thread, gathered and read on a thread of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Sequence
from time import monotonic, sleep
from typing import Generic, final

import attrs
from typing_extensions import TypeVar

from scorewright.live.agent_runs import AgentWatch
from scorewright.live.otel.gathering import Due, Gatherer, Gone
from scorewright.live.otel.limits import SpanLimits
from scorewright.live.otel.pieces import Piece, Told, document_of
from scorewright.live.otel.pump import TICK, Pump
from scorewright.live.settings import LOG
from scorewright.traces.span_traces import OTLP

T = TypeVar("T")

_SWEEP = 1.0  # seconds between two looks for traces that are over
_AT_A_TIME = 32  # spans, after which another thread may have the interpreter
_MOST_OVERFLOWN = 10_000  # traces of spans that found no room


@final
@attrs.frozen
class SpanCounts:
    """What became of the spans of traces that some scorer may see; those of others are not looked at.

    Law: `spans` is the sum of `used`, `late`, `lost`, `repeated`, `unused` and `held`. `late` came after their agent's
    run was handed on, `lost` are beyond a limit, `unused` belong to no agent. `overflown` found no room and never came
    in. `runs` were handed to the scorers, `traces` and `bytes` are held now.
    """

    spans: int = 0
    used: int = 0
    late: int = 0
    lost: int = 0
    repeated: int = 0
    unused: int = 0
    held: int = 0
    overflown: int = 0
    runs: int = 0
    traces: int = 0
    bytes: int = 0

    @property
    def adds_up(self) -> bool:
        """Whether the law holds."""
        return self.spans == self.used + self.late + self.lost + self.repeated + self.unused + self.held

    def __str__(self) -> str:
        return ", ".join(f"{getattr(self, field.name):,} {field.name}" for field in attrs.fields(SpanCounts))


@final
class Assembly(Generic[T]):
    """`pieces` makes spans and log records of what is put in; `going_on` names the traces with open spans, if known.

    `each_second` is called now and then on the thread, with the time of the clock.
    """

    def __init__(
        self,
        watch: AgentWatch,
        limits: SpanLimits,
        clock: Callable[[], float],
        pieces: Callable[[T], Sequence[Piece | Told]],
        going_on: Callable[[float], Container[str] | None] = lambda _: None,
    ) -> None:
        self._watch = watch
        self._limits = limits
        self._clock = clock
        self._pieces = pieces
        self._going_on = going_on
        self._gatherer = Gatherer(limits)
        self._others = Gatherer(attrs.evolve(limits, traces=10 * limits.traces))  # of them there are only ids
        self._overflown: deque[str] = deque(maxlen=_MOST_OVERFLOWN)
        self._n_overflown = 0
        self._runs = 0
        self._swept = clock()
        self._counts = SpanCounts()
        self._pump: Pump[T] = Pump("scorewright-live-spans", limits.waiting, self._turn)

    @property
    def room(self) -> int:
        """How many more are taken now."""
        return self._pump.room

    @property
    def counts(self) -> SpanCounts:
        """As they were at the last look."""
        return self._counts

    def put(self, item: T, /) -> bool:
        """Take it in; False where there is no room."""
        return self._pump.put(item)

    def look(self) -> None:
        """Begin to look for what is over, though nothing was put."""
        self._pump.look()

    def overflow(self, trace_id: str, /) -> None:
        """Something of a trace found no room, so that no run of it would be whole."""
        self._overflown.append(trace_id)
        self._pump.look()

    def flush(self, timeout: float, /) -> bool:
        """Hand on all that has ended, without waiting for late spans, and wait until it is scored and kept."""
        until = monotonic() + timeout
        return self._pump.flush(timeout) and self._watch.live.flush(max(0.0, until - monotonic()))

    def stop(self, timeout: float, /) -> bool:
        """Hand on all that has ended, and end the thread; whether it was done in time."""
        until = monotonic() + timeout
        done = self._pump.flush(timeout)
        self._pump.stop(max(0.1, until - monotonic()))
        return done

    # the thread

    def _turn(self, items: Sequence[T], at_once: bool) -> float:
        now = self._clock()
        for at, item in enumerate(items, 1):
            self._add(item, now)
            if not at % _AT_A_TIME:
                sleep(0)
        while self._overflown:
            self._n_overflown += 1
            self._gatherer.lose(self._overflown.popleft(), "too many spans ended at once")
        for fate in self._gatherer.ripe(now, at_once=at_once):
            self._decide(fate)
            sleep(0)
        for _ in self._others.ripe(now, at_once=at_once):
            self._watch.sampled_out()
        goes_on = True
        if at_once or not 0 <= now - self._swept < _SWEEP:
            self._swept = now
            going_on = self._going_on(now)
            self._gatherer.sweep(now, going_on)
            self._others.sweep(now, going_on)
            goes_on = bool(going_on) or bool(items)
        numbers, held = self._gatherer.numbers, self._gatherer
        self._counts = SpanCounts(
            **attrs.asdict(numbers),
            held=held.spans,
            overflown=self._n_overflown,
            runs=self._runs,
            traces=held.traces,
            bytes=held.weight,
        )
        if held.ripens or self._others.ripens:
            return min(_SWEEP, max(TICK, self._limits.grace / 10))
        return _SWEEP if goes_on or held.traces + self._others.traces > 0 else 0.0

    def _add(self, item: T, now: float) -> None:
        try:
            pieces = self._pieces(item)
        except Exception as failed:  # noqa: BLE001 - a span may hold anything
            LOG.warning("a span could not be taken in: %s: %s", type(failed).__name__, failed)
            return
        for piece in pieces:
            if isinstance(piece, Told):
                self._gatherer.tell(piece, now)
            else:
                (self._gatherer if piece.kept else self._others).add(piece, now)

    def _decide(self, fate: Due | Gone) -> None:
        if isinstance(fate, Gone):
            self._watch.lost(fate.trace_id, fate.reason)
            return
        try:
            runs = [*OTLP.read(document_of(fate.pieces, fate.told))]
        except Exception as failed:  # noqa: BLE001 - it is told, with where it was raised
            LOG.exception("a trace could not be read")
            self._watch.lost(fate.trace_id, f"reading it raised {type(failed).__name__}")
            return
        for run in runs:
            self._runs += 1
            try:
                self._watch.take(run)
            except BaseException as failed:  # noqa: BLE001 - a predicate may exit: this thread must not, nor lose count
                LOG.warning("live scoring could not take an agent's run: %s: %s", type(failed).__name__, failed)
                self._watch.lost(run.trace_id, f"taking it raised {type(failed).__name__}")
        if not runs:
            self._watch.filtered("there is no run of an agent in it")
