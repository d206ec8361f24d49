"""What breaks around scoring breaks neither the program nor the counts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from live.watching import Seen

pytest.importorskip("opentelemetry.sdk")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http")

from live.otel.collecting import collecting
from live.otel.tracing import Traced, agent, answered
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider

from scorewright.live import Callback, EvaluationEvents, Live, LiveScore, Sink
from scorewright.live.otel import ScoringSpanProcessor


class Failing(Sink):
    """A store that is away."""

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        raise OSError(f"no space left for {len(scores)}")


@pytest.mark.parametrize("status", [0, 503])
def test_an_exporter_that_is_down_holds_up_nothing(status: int) -> None:
    """Nobody listens, or it answers that it is broken: every score is still counted, and other sinks get it."""
    with collecting(status or 200) as collector:
        port = collector.port if status else 9  # the discard port, where nobody listens
        exporter = OTLPLogExporter(endpoint=f"http://127.0.0.1:{port}/v1/logs", timeout=1)
        provider = LoggerProvider(shutdown_on_exit=False)
        provider.add_log_record_processor(BatchLogRecordProcessor(exporter, schedule_delay_millis=10))
        scores: list[LiveScore] = []
        live = Live(EvaluationEvents(provider), Callback(scores.append), metrics=False)
        tracers = TracerProvider(shutdown_on_exit=False)
        tracers.add_span_processor(ScoringSpanProcessor(answered, live=live))
        for _ in range(5):
            agent(tracers.get_tracer("app"))
        assert tracers.force_flush()
        assert len(scores) == live.counts().scored == live.counts().stored == 5
        tracers.shutdown()
        live.shutdown()
        exporter.shutdown()
        provider.shutdown()


def test_a_sink_that_fails_is_counted_and_the_agents_go_on() -> None:
    """Scored, and not stored."""
    live = Live(Failing(), metrics=False)
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(ScoringSpanProcessor(answered, live=live))
    for _ in range(3):
        agent(tracers.get_tracer("app"))
    assert tracers.force_flush()
    counts = live.counts()
    assert (counts.scored, counts.stored, counts.unstored) == (3, 0, 3)
    tracers.shutdown()
    live.shutdown()


def test_a_live_that_is_shut_down_drops_and_counts() -> None:
    """Spans that end afterwards harm nobody."""
    traced = Traced()
    traced.seen.live.shutdown()
    agent(traced.tracer)
    traced.provider.force_flush()
    counts = traced.seen.live.counts()
    assert (counts.triggered, counts.dropped) == (1, 1)
    traced.end()


def test_scorers_of_every_kind_of_end_are_counted() -> None:
    """Scored, not scorable, failed: to the unit."""
    seen = Seen()
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(ScoringSpanProcessor(answered, live=seen.live))
    for answer in ("1", "0.5", "no number", ""):
        agent(tracers.get_tracer("app"), answer)
    assert tracers.force_flush()
    counts = seen.counts()
    assert (counts.triggered, counts.scored, counts.failed + counts.not_scorable) == (4, 2, 2)
    tracers.shutdown()
    seen.live.shutdown()
