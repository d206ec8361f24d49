"""`ScoringTraceProcessor`: the agents of an OpenAI Agents program, scored when their trace ends."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, final

from typing_extensions import override

from scorewright.core import Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_count
from scorewright.live.agent_runs import WhichRuns, agent_watch
from scorewright.live.forking import anew_in_children
from scorewright.live.frameworks.sight import Sight, plain, sighted
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS
from scorewright.live.scored import Samples
from scorewright.live.settings import LOG
from scorewright.traces.openai_agents_trace import OPENAI_AGENTS_TRACE

try:
    from agents.tracing import TracingProcessor
except ImportError as _missing:
    raise ImportError(
        "agents of OpenAI Agents are scored by its tracing: pip install 'openai-agents>=0.24'"
    ) from _missing

if TYPE_CHECKING:
    from agents.tracing import Span, Trace
    from agents.tracing.span_data import SpanData


@final
class _Open:
    """A trace that goes on: its spans if it is kept, and else no more than which of them are agents."""

    def __init__(self, trace: Trace, sight: Sight) -> None:
        self.trace = trace
        self.sight = sight
        self.spans: list[Span[SpanData]] = []
        self.below: dict[str, bool] = {}  # open spans: is one an agent, or called by one?
        self.tops = 0  # agents that have ended and that no other called

    def lose(self, reason: str) -> None:
        """Count the runs that are in it as dropped, or as what else they are."""
        for _ in range(max(1, self.tops)):
            self.sight.pass_by()
            if self.sight.kept:
                self.sight.lost(reason)


@final
class ScoringTraceProcessor(TracingProcessor):
    """Scores the runs of all agents: `add_trace_processor(ScoringTraceProcessor(polite, live=live))`.

    A trace is handed over when it ends, read as `read_runs` would read it: each agent that no other called in a tool is
    a run, also one that was handed on to; with `nested` the called ones are runs too. It sees nothing of what is run
    with tracing switched off. At most `traces` traces are held that have not ended, each with `trace_spans` spans at
    most; what is beyond is dropped and counted.
    """

    def __init__(
        self,
        *scorers: SomeScorer | str,
        live: Live,
        among: Scorers | None = None,
        sample: Samples = ALWAYS,
        where: WhichRuns | None = None,
        nested: bool = False,
        traces: int = 1000,
        trace_spans: int = 5000,
    ) -> None:
        expect_count(traces, "ScoringTraceProcessor(traces=…)", 1)
        expect_count(trace_spans, "ScoringTraceProcessor(trace_spans=…)", 1)
        self._watch = agent_watch(*scorers, live=live, among=among, sample=sample, where=where, nested=nested)
        self._most = traces
        self._most_spans = trace_spans
        self.forked()
        anew_in_children(self)

    def forked(self) -> None:
        """Begin anew in a child: what goes on belongs to the parent."""
        self._lock = RLock()
        self._open: dict[str, _Open] = {}

    @override
    def on_trace_start(self, trace: Trace) -> None:
        """Decide whether its spans are kept."""
        opened = _Open(trace, sighted(self._watch, trace.trace_id))
        with self._lock:
            self._open[trace.trace_id] = opened
            oldest = next(iter(self._open)) if len(self._open) > self._most else None
            forgotten = None if oldest is None else self._open.pop(oldest)
        if forgotten is not None:
            forgotten.lose("too many traces had not ended")

    @override
    def on_span_start(self, span: Span[SpanData]) -> None:
        """Note whether it is an agent, or called by one."""
        opened = self._open.get(span.trace_id)
        if opened is not None:
            above = opened.below.get(span.parent_id or "", False)
            opened.below[span.span_id] = above or span.span_data.type == "agent"

    @override
    def on_span_end(self, span: Span[SpanData]) -> None:
        """Keep a reference to it; nothing of it is read."""
        opened = self._open.get(span.trace_id)
        if opened is None:
            return
        opened.below.pop(span.span_id, None)
        if span.span_data.type == "agent" and not opened.below.get(span.parent_id or "", False):
            opened.tops += 1
        if opened.sight.kept:
            opened.spans.append(span)
            if len(opened.spans) > self._most_spans:
                with self._lock:
                    self._open.pop(span.trace_id, None)
                opened.lose(f"its trace had more than {self._most_spans} spans")

    @override
    def on_trace_end(self, trace: Trace) -> None:
        """Hand its runs over."""
        with self._lock:
            opened = self._open.pop(trace.trace_id, None)
        if opened is None:
            return
        sight = opened.sight
        if not sight.kept:
            for _ in range(opened.tops):
                sight.pass_by()
        elif opened.tops:
            self._hand_over(opened)

    def _hand_over(self, opened: _Open) -> None:
        try:
            document = [plain(opened.trace.export()), *map(_written, opened.spans)]
            runs = [*OPENAI_AGENTS_TRACE.read(document)]
        except Exception as raised:  # noqa: BLE001 - writing a framework's objects as JSON runs their code
            opened.lose(f"reading the trace raised {type(raised).__name__}")
            LOG.warning("live scoring could not read a trace: %s: %s", type(raised).__name__, raised)
            return
        for run in runs:
            opened.sight.pass_by()
            opened.sight.take(run)
        for _ in range(opened.tops - len(runs)):
            opened.sight.pass_by()
            opened.sight.watch.filtered("the agent asked no model and called no tool")

    @override
    def shutdown(self) -> None:
        """Drop the traces that have not ended; the `Live` is shut down by itself."""
        with self._lock:
            left = [*self._open.values()]
            self._open.clear()
        for each in left:
            each.lose("shut down before it ended")

    @override
    def force_flush(self) -> None:
        """Nothing waits here: a trace is handed over as it ends."""


def _written(span: Span[SpanData]) -> object:
    """A span as it is exported, with what the export leaves out of a response."""
    told = span.span_data
    held = {name: getattr(told, name, None) for name in ("input", "response")}
    export = span.export()
    kept = {name: each for name, each in held.items() if each is not None}
    written = {"span_data": {**told.export(), **kept}}
    return plain(written if export is None else {**export, **written})
