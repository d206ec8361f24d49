"""Events of OpenTelemetry, sent by its own SDK and exporter to a receiver on the loopback."""

from __future__ import annotations

from typing import cast

import attrs
import pytest
from fakes.exporting import FakeOtlp, Form, Reply
from live.exporting.samples import AT, failed, not_scorable, score, scores, span, trace

pytest.importorskip("opentelemetry.exporter.otlp.proto.http")

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter

from scorewright.faults import DefinitionError
from scorewright.live.exporting import Exported, OtelEvents, Score, Sent, export_scores_sync


def sent(server: FakeOtlp, made: list[Score], path: object = None) -> Exported:
    exporter = OTLPLogExporter(endpoint=f"{server.url}/v1/logs", timeout=5)
    try:
        kept = None if path is None else Sent(f"{path}/sent")
        return export_scores_sync(made, OtelEvents(exporter, address=server.url), sent=kept)
    finally:
        exporter.shutdown()


def test_a_score_is_an_event_of_its_span() -> None:
    """By the names of the conventions."""
    judged = attrs.evolve(score(), judge="gpt-5", label="pass")
    with FakeOtlp() as server:
        assert sent(server, [judged]).sent == 1
    assert server.records == [
        {
            "event": "gen_ai.evaluation.result",
            "trace_id": trace(0),
            "span_id": span(0),
            "time": int(AT.timestamp() * 1e9),
            "attributes": {
                "gen_ai.evaluation.name": "polite",
                "gen_ai.evaluation.score.value": 0.5,
                "gen_ai.evaluation.score.label": "pass",
                "gen_ai.evaluation.explanation": "it is so",
                "scorewright.scorer.hash": "hash1",
                "scorewright.run.id": "row-0",
                "scorewright.experiment.id": "exp1",
                "scorewright.score.id": judged.id,
                "scorewright.judge.model": "gpt-5",
            },
        }
    ]


def test_what_has_no_score_has_an_error_type_and_no_value() -> None:
    """And a row without a trace has no context."""
    alone = attrs.evolve(not_scorable(1), trace_id="", span_id="", why=None)
    with FakeOtlp() as server:
        assert sent(server, [failed(), alone]).sent == 2
    first, second = [cast("Form", each["attributes"]) for each in server.records]
    assert (first["error.type"], first["gen_ai.evaluation.explanation"]) == ("RateLimited", "too many")
    assert second["error.type"] == "not_scorable"
    assert "gen_ai.evaluation.explanation" not in second
    assert not any("gen_ai.evaluation.score.value" in each for each in (first, second))
    assert (server.records[1]["trace_id"], server.records[1]["span_id"]) == ("", "")


def test_a_live_score_has_its_run_and_its_step_apart() -> None:
    """As the event that is emitted at once has them."""
    with FakeOtlp() as server:
        assert sent(server, [attrs.evolve(score(), row_id="r1/answer", step="answer")]).sent == 1
    [said] = [cast("Form", each["attributes"]) for each in server.records]
    assert (said["scorewright.run.id"], said["scorewright.step"]) == ("r1", "answer")
    assert said["scorewright.score.id"]


def test_with_a_file_a_second_export_sends_nothing(tmp_path: object) -> None:
    """An event has no key by which it would replace another."""
    with FakeOtlp() as server:
        assert sent(server, scores(500), tmp_path).sent == 500
        again = sent(server, scores(500), tmp_path)
    assert (again.sent, again.unchanged) == (0, 500)
    assert len(server.records) == 500


def test_a_batch_that_was_refused_is_told_and_sent_the_next_time(tmp_path: object) -> None:
    """The others are not sent again."""
    with FakeOtlp([Reply(400)]) as server:
        first = sent(server, scores(500), tmp_path)
        assert (first.sent, len(first.failed)) == (300, 200)
        assert first.failed[0].why == "the exporter could not send it; OpenTelemetry's log says why"
        second = sent(server, scores(500), tmp_path)
    assert (second.sent, second.unchanged, second.failed) == (200, 300, ())
    ids = [cast("Form", each["attributes"])["scorewright.score.id"] for each in server.records]
    assert len(ids) == len(set(ids)) == 500


def test_a_busy_receiver_is_waited_for_by_the_exporter() -> None:
    """Which retries by itself."""
    with FakeOtlp([Reply(503)]) as server:
        assert sent(server, [score()]).sent == 1
    assert len(server.requests) == 2
    assert len(server.records) == 1


def test_ten_thousand_scores_go_in_batches() -> None:
    """Each once, any text as it is."""
    with FakeOtlp() as server:
        assert sent(server, [attrs.evolve(each, why="größer 中文 🎉") for each in scores(10_000)]).sent == 10_000
    said = [cast("Form", each["attributes"]) for each in server.records]
    assert len({each["scorewright.score.id"] for each in said}) == 10_000
    assert {each["gen_ai.evaluation.explanation"] for each in said} == {"größer 中文 🎉"}
    assert len(server.requests) == 50


def test_it_takes_an_exporter() -> None:
    """Anything else is a mistake; the address is in no text."""
    with pytest.raises(DefinitionError, match="exporter of log records"):
        OtelEvents("http://localhost:4318")  # type: ignore[arg-type]  # that is the mistake
    with FakeOtlp() as server:
        exporter = OTLPLogExporter(endpoint=server.url)
        assert (
            server.url
            not in f"{OtelEvents(exporter, address=server.url)!r} {OtelEvents(exporter, address=server.url).name}"
        )
        exporter.shutdown()
