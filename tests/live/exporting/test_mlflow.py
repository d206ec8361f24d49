"""Feedback of MLflow, held by what a server of its HTTP holds."""

from __future__ import annotations

from typing import cast

import attrs
from fakes.exporting import FakeMlflow, Form, reply
from live.exporting.samples import QUICK, failed, not_scorable, score, scores, span, trace

from scorewright.live.exporting import Mlflow, Sent, export_scores_sync
from scorewright.live.exporting.mlflow import trace_of


def without_id(assessment: Form) -> Form:
    return {name: value for name, value in assessment.items() if name not in {"assessment_id", "valid"}}


def test_a_score_is_feedback_on_its_trace() -> None:
    """With its id in the metadata."""
    judged = attrs.evolve(score(), judge="gpt-5")
    with FakeMlflow() as server:
        assert export_scores_sync([judged, score(1)], Mlflow(server.url, token="secret-token-1")).sent == 2
        first, second = server.all
    assert without_id(first) == {
        "assessment_name": "polite",
        "trace_id": f"tr-{trace(0)}",
        "span_id": span(0),
        "source": {"source_type": "LLM_JUDGE", "source_id": "gpt-5"},
        "feedback": {"value": 0.5},
        "rationale": "it is so",
        "metadata": judged.metadata,
        "create_time": "2026-03-01T12:30:00.000Z",
        "last_update_time": "2026-03-01T12:30:00.000Z",
    }
    assert second["source"] == {"source_type": "CODE", "source_id": "polite"}
    assert {each.headers["authorization"] for each in server.requests} == {"Bearer secret-token-1"}


def test_what_has_no_score_is_an_error_without_a_value() -> None:
    """Of the kind of the fault."""
    with FakeMlflow() as server:
        export_scores_sync([failed(), not_scorable(1)], Mlflow(server.url))
        said = [each["feedback"] for each in server.all]
    assert said == [
        {"value": None, "error": {"error_code": "RateLimited", "error_message": "too many"}},
        {"value": None, "error": {"error_code": "not_scorable", "error_message": "no output"}},
    ]


def test_twice_is_once() -> None:
    """The second time only reads."""
    with FakeMlflow() as server:
        export_scores_sync(scores(30), Mlflow(server.url))
        once = server.all
        asked = len(server.requests)
        assert export_scores_sync(scores(30), Mlflow(server.url)).sent == 30
        assert server.all == once
        assert {each.method for each in server.requests[asked:]} == {"GET"}
        assert len(once) == 30


def test_what_has_changed_is_changed_in_its_place() -> None:
    """A failure that was mended is a score, and says nothing of an error any more."""
    with FakeMlflow() as server:
        export_scores_sync([failed()], Mlflow(server.url))
        export_scores_sync([score()], Mlflow(server.url))
        [only] = server.all
        assert only["feedback"] == {"value": 0.5}
        assert cast("Form", only["metadata"])["error.type"] == ""
        changes = [each for each in server.requests if each.method == "PATCH"]
        export_scores_sync([score()], Mlflow(server.url))
        assert [each for each in server.requests if each.method == "PATCH"] == changes
    assert [each.json["update_mask"] for each in changes] == ["feedback,rationale,metadata"]


def test_the_scores_of_a_trace_are_looked_up_once() -> None:
    """However many scorers there are."""
    several = [score(0, 0.5, scorer=f"s{number}") for number in range(10)]
    with FakeMlflow() as server:
        export_scores_sync(several, Mlflow(server.url))
        assert [each.method for each in server.requests] == ["GET", *["POST"] * 10]


def test_an_answer_that_is_lost_leaves_nothing_twice() -> None:
    """MLflow would make a second one, so it is asked what is there before it is told again."""
    with FakeMlflow() as server:
        posts: list[str] = []

        def lose(request: object) -> bool:
            method = str(getattr(request, "method", ""))
            posts.extend([method] if method == "POST" else [])
            return method == "POST" and len(posts) in {1, 3}

        server.lose = lose
        exported = export_scores_sync([score(0, 0.1 * number, scorer=f"s{number}") for number in range(4)],
                                      Mlflow(server.url), patience=QUICK)  # fmt: skip
        assert exported.sent == len(server.all) == 4
        assert len(posts) == 4


def test_a_busy_or_broken_server_is_tried_again() -> None:
    """On every request."""
    first = [reply({}, 429, {"Retry-After": "0"}), reply({}, 500), reply({}, 500)]
    with FakeMlflow(first) as server:
        assert export_scores_sync(scores(5), Mlflow(server.url), patience=QUICK).sent == 5
        assert len(server.all) == 5


def test_a_trace_that_is_not_there_fails_alone() -> None:
    """With what the server says."""
    with FakeMlflow(knows=lambda id: id != f"tr-{trace(3)}") as server:
        exported = export_scores_sync([*scores(10), attrs.evolve(score(11), trace_id="")], Mlflow(server.url))
        assert len(server.all) == exported.sent == 9
    assert [each.row_id for each in exported.failed] == ["row-3"]
    assert "not found" in exported.failed[0].why
    assert [each.row_id for each in exported.skipped] == ["row-11"]


def test_a_wrong_key_ends_it_at_once() -> None:
    """And a password is in no text."""
    with FakeMlflow([reply({"message": "no"}, 401)] * 100) as server:
        target = Mlflow(server.url, username="me", password="very-secret-word")
        exported = export_scores_sync(scores(500), target)
        assert len(server.requests) <= target.side_by_side
        assert server.requests[0].headers["authorization"].startswith("Basic ")
    assert len(exported.failed) == 500
    assert "very-secret-word" not in f"{target!r} {exported!r}"


def test_a_file_of_what_was_sent_spares_the_look_up(tmp_path: object) -> None:
    """A second export asks nobody."""
    with FakeMlflow() as server:
        export_scores_sync(scores(200), Mlflow(server.url), sent=Sent(f"{tmp_path}/sent"))
        asked = len(server.requests)
        again = export_scores_sync(scores(200), Mlflow(server.url), sent=Sent(f"{tmp_path}/sent"))
        assert (again.unchanged, len(server.requests)) == (200, asked)


def test_ids_of_opentelemetry_are_named_as_mlflow_does() -> None:
    """Others, which are of MLflow already, stay."""
    assert trace_of(score()) == f"tr-{trace(0)}"
    assert trace_of(attrs.evolve(score(), trace_id="tr-abc")) == "tr-abc"
    with FakeMlflow() as server:
        export_scores_sync([attrs.evolve(score(), trace_id="a/../b?c")], Mlflow(server.url))
        assert server.requests[0].target == "/api/3.0/mlflow/traces/a%2F..%2Fb%3Fc"
