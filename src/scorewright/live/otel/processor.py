"""`ScoringSpanProcessor`: the agents of a program that is traced by OpenTelemetry, scored while it runs."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Container, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias, final

from typing_extensions import override

from scorewright.core import Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_function, shown
from scorewright.faults import DefinitionError
from scorewright.live.agent_runs import WhichRuns, agent_watch
from scorewright.live.around import AROUND
from scorewright.live.forking import anew_in_children
from scorewright.live.live import Live
from scorewright.live.otel.anchors import Anchor, is_agent, unraising
from scorewright.live.otel.assembly import Assembly, SpanCounts
from scorewright.live.otel.limits import SpanLimits
from scorewright.live.otel.pieces import Piece
from scorewright.live.otel.reading import piece_of
from scorewright.live.sampling import ALWAYS
from scorewright.live.scored import Samples
from scorewright.live.settings import LOG

try:
    from opentelemetry.sdk.trace import SpanProcessor
except ImportError as _missing:
    raise ImportError("spans are scored with OpenTelemetry's SDK: pip install 'scorewright[otel]'") from _missing

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan, Span
    from opentelemetry.trace import SpanContext

_Open: TypeAlias = "tuple[Span, bool, float]"  # with whether its trace is kept, and when it began
_Item: TypeAlias = "tuple[ReadableSpan, bool]"  # with whether it is an agent that no other called

_OURS: Final = "scorewright"
_DEEPEST = 1000  # spans above one
_MOST_OPEN = 200_000


@final
class ScoringSpanProcessor(SpanProcessor):
    """Scores every run of an agent once the agent's span has ended; give it to `TracerProvider.add_span_processor`.

    `anchor` says which spans are agents. A run is that of the outermost, with all that is below it. `sample` is by the
    id of the trace and decided when it begins: of a trace that no scorer will see nothing is kept. `where` admits runs,
    `nested` scores called agents too, `limits` say how long is waited and how much is held. Spans that begin inside a
    scorer or inside `unscored()` are not seen, nor are those of the judges. `clock` gives seconds that go forward.
    """

    def __init__(
        self,
        *scorers: SomeScorer | str,
        live: Live,
        among: Scorers | None = None,
        sample: Samples = ALWAYS,
        where: WhichRuns | None = None,
        nested: bool = False,
        anchor: Anchor = is_agent,
        limits: SpanLimits | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        expect_function(anchor, "anchor=", "is_agent")
        if limits is not None and not _are_limits(limits):
            raise DefinitionError(f"limits= takes SpanLimits, such as SpanLimits(grace=5), not {shown(limits)}")
        self._watch = agent_watch(*scorers, live=live, among=among, sample=sample, where=where, nested=nested)
        self._anchor = unraising(anchor)
        self._limits = limits or SpanLimits()
        self._clock = clock
        self._stopped = False
        self.forked()
        anew_in_children(self)
        atexit.register(self._exit)  # before that of the live, which was made first: what it hands on is taken still

    def __repr__(self) -> str:
        return f"ScoringSpanProcessor({self.counts()})"

    def counts(self) -> SpanCounts:
        """What became of the spans; what became of the runs is `live.counts()`."""
        return self._assembly.counts

    @override
    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Note that the span is open. It never raises."""
        try:
            scope = span.instrumentation_scope
            context = span.get_span_context()
            if AROUND.get().off or self._stopped or (scope is not None and scope.name == _OURS):
                return
            parent = span.parent
            above = self._open.get(parent.span_id) if parent is not None else None
            if above is not None:
                kept = above[1]
            else:
                self._assembly.look()  # now and then, for what never ends
                if len(self._open) >= _MOST_OPEN:
                    return
                kept = self._watch.keeps(f"{context.trace_id:032x}")
            self._open[context.span_id] = (span, kept, self._clock())
        except Exception as failed:  # noqa: BLE001 - a program's tracing must not break by being scored
            LOG.warning("live scoring did not see a span: %s: %s", type(failed).__name__, failed)

    @override
    def on_end(self, span: ReadableSpan) -> None:
        """Hand the span over. It never raises, and reads no content."""
        try:
            context = span.get_span_context()
            found = None if context is None else self._open.pop(context.span_id, None)
            if context is None or found is None:
                return
            attributes, parent = span.attributes, span.parent
            is_root = parent is None or parent.is_remote
            top = self._anchor(span.name, attributes or {}, is_root) and self._is_top(parent)
            if not found[1]:
                if top:
                    self._watch.sampled_out()
            elif not self._assembly.put((span, top)):
                self._overflow(f"{context.trace_id:032x}", top)
        except Exception as failed:  # noqa: BLE001 - as above
            LOG.warning("live scoring lost a span: %s: %s", type(failed).__name__, failed)

    @override
    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Score all agents that have ended, without waiting for late spans; False where it takes longer."""
        return self._assembly.flush(timeout_millis / 1000)

    @override
    def shutdown(self) -> None:
        """Hand all agents that have ended to the scorers, within five seconds; the `Live` is shut down by itself."""
        self._end(5.0)

    def _end(self, timeout: float) -> None:
        if self._stopped:
            return
        self._stopped = True
        atexit.unregister(self._exit)
        for span, kept, _ in self._open.copy().values():
            self._unended(span, kept, "shut down before it ended")
        if not self._assembly.stop(timeout):
            LOG.warning("live scoring of spans was shut down before all were looked at: %s", self.counts())
        LOG.info("live scoring of spans ended: %s", self.counts())

    def _exit(self) -> None:
        self._end(2.0)

    def forked(self) -> None:
        """Begin anew in a child: what began before belongs to the parent."""
        self._open: dict[int, _Open] = {}
        self._assembly: Assembly[_Item] = Assembly(self._watch, self._limits, self._clock, _pieces, self._going_on)

    def _is_top(self, parent: SpanContext | None) -> bool:
        """Whether no span above is an agent; those above are open, or of another process."""
        for _ in range(_DEEPEST):
            above = None if parent is None or parent.is_remote else self._open.get(parent.span_id)
            if above is None:
                return True
            span = above[0]
            parent = span.parent
            if self._anchor(span.name, span.attributes or {}, parent is None or parent.is_remote):
                return False
        return True

    def _overflow(self, trace_id: str, top: bool) -> None:
        if top:
            self._watch.lost(trace_id, "too many spans ended at once")
        self._assembly.overflow(trace_id)

    def _going_on(self, now: float) -> Container[str]:
        """The traces with open spans, without those that have been open for too long."""
        going_on: set[str] = set()
        for id, (span, kept, since) in self._open.copy().items():
            if now - since >= self._limits.ttl:
                self._open.pop(id, None)
                self._unended(span, kept, f"it did not end within {self._limits.ttl:g} s")
            elif kept:
                going_on.add(f"{span.get_span_context().trace_id:032x}")
        return going_on

    def _unended(self, span: Span, kept: bool, reason: str) -> None:
        parent = span.parent
        is_root = parent is None or parent.is_remote
        if self._anchor(span.name, span.attributes or {}, is_root) and self._is_top(parent):
            if kept:
                self._watch.lost(f"{span.get_span_context().trace_id:032x}", reason)
            else:
                self._watch.sampled_out()


def _pieces(item: _Item) -> Sequence[Piece]:
    return (piece_of(*item),)


def _are_limits(given: object) -> bool:
    return isinstance(given, SpanLimits)
