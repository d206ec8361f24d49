"""Events and metrics, seen by OpenTelemetry's own exporters in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live.watching import number, tone

from scorewright import Run, create_scorer, pure
from scorewright.live import Callback, EvaluationEvents, Live, scored, submit, telemetry

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import metrics
from opentelemetry.metrics import Histogram, NoOpHistogram, NoOpMeter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider


class Events:
    """Logging that is set up as a user does it."""

    def __init__(self) -> None:
        self.exporter = InMemoryLogRecordExporter()
        self.provider = LoggerProvider()
        self.provider.add_log_record_processor(SimpleLogRecordProcessor(self.exporter))

    @property
    def records(self) -> list[tuple[object, dict[str, object], int | None, int | None]]:
        found = [each.log_record for each in self.exporter.get_finished_logs()]
        return [(each.event_name, dict(each.attributes or {}), each.trace_id, each.span_id) for each in found]


reasoned = (
    create_scorer("reasoned", input=str, output=str)
    .generate_score(pure(lambda _: 0.5))
    .generate_reason(pure(lambda s: f"it says {s.run.output}"))
)


def test_a_score_is_an_event_of_the_span_that_was_scored() -> None:
    """With the names of the conventions, and the span's own context."""
    events = Events()
    live = Live(EvaluationEvents(events.provider), metrics=False)
    tracer = TracerProvider().get_tracer("app")

    @scored(reasoned, live=live)
    def answer(question: str) -> str:
        return question

    with tracer.start_as_current_span("request") as span:
        answer("secret")
    live.shutdown()
    [(name, attributes, trace_id, span_id)] = events.records
    context = span.get_span_context()
    assert name == "gen_ai.evaluation.result"
    assert (trace_id, span_id) == (context.trace_id, context.span_id)
    assert attributes.pop("scorewright.scorer.hash")
    assert attributes.pop("scorewright.run.id")
    assert attributes == {"gen_ai.evaluation.name": "reasoned", "gen_ai.evaluation.score.value": 0.5}


def test_the_reason_is_the_explanation_where_that_is_wished() -> None:
    """It may quote what was said."""
    events = Events()
    live = Live(EvaluationEvents(events.provider, content=True), metrics=False)
    submit(Run("in", "out"), reasoned, live=live, step="answer")
    live.shutdown()
    [(_, attributes, _, _)] = events.records
    assert attributes["gen_ai.evaluation.explanation"] == "it says out"
    assert attributes["scorewright.step"] == "answer"


def test_what_was_not_scored_has_an_error_type_and_no_value() -> None:
    """A failure never becomes a number."""
    events = Events()
    live = Live(EvaluationEvents(events.provider), metrics=False)
    for output in ("fail", "none"):
        submit(Run("in", output), number, live=live)
    live.shutdown()
    attributes = [each for _, each, _, _ in events.records]
    assert [each["error.type"] for each in attributes] == ["ValueError", "not_scorable"]
    assert not any("gen_ai.evaluation.score.value" in each for each in attributes)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemoryMetricReader]:
    """Metrics that are set up as a user does it, for one test."""
    kept = InMemoryMetricReader()
    provider = MeterProvider([kept])
    monkeypatch.setattr(metrics, "get_meter", provider.get_meter)
    telemetry._recorder.cache_clear()
    yield kept
    telemetry._recorder.cache_clear()
    provider.shutdown()


Points = dict[tuple[object, ...], object]


def points(reader: InMemoryMetricReader, live: str) -> dict[str, Points]:
    """Every data point of a live, by metric, then by scorer and state; those of scores are of all."""
    found: dict[str, Points] = {}
    read = reader.get_metrics_data()
    assert read is not None
    for metric in read.resource_metrics[0].scope_metrics[0].metrics:
        for point in metric.data.data_points:
            said = dict(point.attributes or {})
            if said.get("scorewright.live", live) == live:
                key = (said["gen_ai.evaluation.name"], said.get("scorewright.state", ""))
                found.setdefault(metric.name, {})[key] = getattr(point, "value", getattr(point, "sum", None))
    return found


def test_counts_and_scores_are_metrics(reader: InMemoryMetricReader) -> None:
    """Read whenever they are collected, by what became of the runs, for every live of the process."""
    one, other = Live(Callback(print), name="one"), Live(name="other")
    for output in ("1", "1", "none"):
        submit(Run("in", output), number, live=one)
    submit(Run("in", "fail"), number, live=other)
    assert one.flush()
    assert other.flush()
    read = points(reader, "one")
    runs = {key: value for key, value in read["scorewright.live.runs"].items() if value}
    assert runs == {("number", "scored"): 2, ("number", "not_scorable"): 1}
    assert read["scorewright.live.stored"] == {("number", "stored"): 3, ("number", "unstored"): 0}
    assert read["scorewright.live.pending"] == {("number", ""): 0}
    assert read["scorewright.evaluation.score"] == {("number", ""): 2.0}
    assert points(reader, "other")["scorewright.live.runs"]["number", "failed"] == 1
    one.shutdown()
    other.shutdown()


class Broken(NoOpMeter):
    """A meter whose histograms fail."""

    def create_histogram(self, name: str, unit: str = "", description: str = "", **_: object) -> Histogram:
        made: Histogram = type("Raises", (NoOpHistogram,), {"record": lambda *_: 1 / 0})(name, unit, description)
        return made


def test_a_meter_that_fails_spoils_no_score(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """It is said, and the score is kept."""
    monkeypatch.setattr(metrics, "get_meter", Broken)
    telemetry._recorder.cache_clear()
    live = Live(Callback(print))
    telemetry._recorder.cache_clear()
    submit(Run("in", "out"), tone, live=live)
    assert live.flush()
    assert live.counts().stored == 1
    assert "ZeroDivisionError" in caplog.text
    live.shutdown()
