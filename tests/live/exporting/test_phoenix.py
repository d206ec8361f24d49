"""Annotations of Phoenix, held by the bytes that a server of its HTTP receives."""

from __future__ import annotations

import attrs
from fakes.exporting import FakePhoenix, reply
from live.exporting.samples import QUICK, failed, not_scorable, score, scores, span, trace

from scorewright.live.exporting import Phoenix, export_scores_sync


def to(server: FakePhoenix) -> Phoenix:
    return Phoenix(server.url, api_key=server.key)


def test_a_score_annotates_its_span() -> None:
    """By an identifier that stays the same."""
    judged = attrs.evolve(score(), judge="gpt-5", label="pass")
    with FakePhoenix() as server:
        assert export_scores_sync([judged], to(server)).sent == 1
        [request] = server.requests
    assert request.target == "/v1/span_annotations?sync=true"
    assert request.json == {
        "data": [
            {
                "span_id": span(0),
                "name": "polite",
                "annotator_kind": "LLM",
                "identifier": judged.id,
                "result": {"score": 0.5, "label": "pass", "explanation": "it is so"},
                "metadata": judged.told,
            }
        ]
    }
    assert judged.told["scorewright.judge.model"] == "gpt-5"


def test_without_a_span_the_trace_is_annotated() -> None:
    """And with neither nothing."""
    of_trace, of_none = attrs.evolve(score(1), span_id=""), attrs.evolve(score(2), span_id="", trace_id="")
    with FakePhoenix() as server:
        exported = export_scores_sync([score(0), of_trace, of_none], to(server))
        assert {each.target for each in server.requests} == {
            "/v1/span_annotations?sync=true",
            "/v1/trace_annotations?sync=true",
        }
        assert {place for place, _, _ in server.annotations} == {span(0), trace(1)}
    assert exported.sent == 2
    assert [each.why for each in exported.skipped] == ["Phoenix annotates spans and traces, and the row has neither"]


def test_what_has_no_score_has_a_label_only() -> None:
    """With the reason as its explanation, and the kind of the fault beside it."""
    with FakePhoenix() as server:
        export_scores_sync([failed(), not_scorable(1)], to(server))
        first, second = server.annotations.values()
    assert first["result"] == {"label": "failed", "explanation": "too many"}
    assert second["result"] == {"label": "not_scorable", "explanation": "no output"}
    assert first["metadata"] == {**failed().told, "error.type": "RateLimited"}


def test_twice_is_once_and_a_mended_score_replaces_the_failure() -> None:
    """The identifier is the same."""
    with FakePhoenix() as server:
        export_scores_sync([failed(0), *scores(20)[1:]], to(server))
        export_scores_sync(scores(20), to(server))
        once = dict(server.annotations)
        export_scores_sync(scores(20), to(server))
        assert len(once) == 20
        assert server.annotations == once
    assert once[span(0), "polite", score(0).id]["result"] == {"score": 0.0, "explanation": "it is so"}


def test_spans_that_are_not_there_are_told_each_and_the_rest_goes() -> None:
    """Phoenix refuses the batch, and names them."""
    missing = {span(3), span(150), span(151)}
    with FakePhoenix(knows=lambda place: place not in missing) as server:
        exported = export_scores_sync(scores(300), to(server))
        assert len(server.annotations) == exported.sent == 297
        assert len(server.requests) == 3  # with them, without them, and the second batch
    assert [each.row_id for each in exported.failed] == ["row-150", "row-151", "row-3"]
    assert "do not exist" in exported.failed[0].why


def test_an_address_that_is_no_phoenix_is_asked_once_a_batch() -> None:
    """A 404 that names nobody is of the address."""
    with FakePhoenix() as server:
        exported = export_scores_sync(scores(1000), Phoenix(f"{server.url}/elsewhere", api_key=server.key))
        assert len(server.requests) == 5
    assert len(exported.failed) == 1000


def test_a_busy_or_broken_server_is_tried_again() -> None:
    """With the same bytes."""
    first = [reply({}, 429, {"Retry-After": "0"}), reply({}, 500), reply({}, 500)]
    with FakePhoenix(first) as server:
        exported = export_scores_sync(scores(10), to(server), patience=QUICK)
        assert len({each.raw for each in server.requests}) == 1
        assert len(server.requests) == 4
        assert len(server.annotations) == exported.sent == 10


def test_an_answer_that_is_lost_leaves_nothing_twice() -> None:
    """What was worked on is sent again, and replaces itself."""
    with FakePhoenix() as server:
        server.lose = lambda _: len(server.requests) == 1
        exported = export_scores_sync(scores(10), to(server), patience=QUICK)
        assert len(server.requests) == 2
        assert len(server.annotations) == exported.sent == 10


def test_a_wrong_key_ends_it_and_a_key_is_not_needed() -> None:
    """Phoenix may run without one; the key is in no text."""
    with FakePhoenix() as server:
        target = Phoenix(server.url, api_key="wrong-and-secret")
        exported = export_scores_sync(scores(1000), target)
        assert len(exported.failed) == 1000
        assert len(server.requests) <= target.side_by_side
        assert "wrong-and-secret" not in f"{target!r} {exported!r} {target.name}"
        export_scores_sync([score()], Phoenix(server.url, api_key=""))
        assert "authorization" not in server.requests[-1].headers


def test_ten_thousand_scores_go_in_batches() -> None:
    """Each once."""
    with FakePhoenix() as server:
        exported = export_scores_sync(scores(10_000), to(server))
        assert len(server.annotations) == exported.sent == 10_000
        assert len(server.requests) == 50


def test_any_text_arrives_as_it_is() -> None:
    """In UTF-8."""
    with FakePhoenix() as server:
        export_scores_sync([score(why="größer 中文 🎉 \u202e", scorer="höflich")], to(server))
        [request] = server.requests
    assert "größer 中文 🎉 \u202e" in request.raw.decode()
    assert "höflich" in request.raw.decode()
