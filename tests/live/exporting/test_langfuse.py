"""Scores of Langfuse, held by the bytes that a server of its HTTP receives."""

from __future__ import annotations

import json
from math import nan

import attrs
import pytest
from fakes.exporting import FakeLangfuse, Form, reply
from live.exporting.samples import AT, QUICK, failed, not_scorable, score, scores, span, trace

from scorewright.faults import DefinitionError
from scorewright.live.exporting import Exported, Langfuse, Patience, Score, Sent, export_scores_sync


def to(server: FakeLangfuse, **more: object) -> Langfuse:
    booleans = ("passes",)
    return Langfuse(
        server.url,
        public_key=server.public,
        secret_key=server.secret,
        booleans=booleans,
        ingestion=bool(more.get("ingestion")),
    )


def test_a_score_is_sent_with_its_own_id_and_time() -> None:
    """So that it replaces itself."""
    with FakeLangfuse() as server:
        exported = export_scores_sync([score()], to(server))
        [request] = server.requests
    assert (exported.sent, exported.failed, exported.skipped) == (1, (), ())
    assert json.loads(request.raw) == [
        {
            "id": score().id,
            "traceId": trace(0),
            "observationId": span(0),
            "name": "polite",
            "value": 0.5,
            "dataType": "NUMERIC",
            "comment": "it is so",
            "metadata": {
                "scorewright.score.id": score().id,
                "scorewright.experiment.id": "exp1",
                "scorewright.run.id": "row-0",
                "scorewright.scorer.hash": "hash1",
                "scorewright.state": "scored",
            },
            "timestamp": "2026-03-01T12:30:00.000Z",
        }
    ]


def test_what_has_no_score_is_a_word_and_never_a_number() -> None:
    """A failure, a run that is not scorable, and a score that is not finite."""
    broken = score(2, nan)
    with FakeLangfuse() as server:
        assert export_scores_sync([failed(), not_scorable(1), broken], to(server)).sent == 3
        [request] = server.requests
    said = [(each["dataType"], each["value"], each.get("comment")) for each in json.loads(request.raw)]
    assert said == [
        ("CATEGORICAL", "failed", "too many"),
        ("CATEGORICAL", "not_scorable", "no output"),
        ("CATEGORICAL", "failed", "it is so"),
    ]
    assert b"NaN" not in request.raw


def test_a_score_that_was_mended_replaces_the_failure() -> None:
    """It has the same id, name and day."""
    with FakeLangfuse() as server:
        export_scores_sync([failed()], to(server))
        export_scores_sync([score()], to(server))
    assert [each["value"] for each in server.scores.values()] == [0.5]


def test_the_scorers_that_are_named_are_booleans() -> None:
    """Where they are 0 or 1; each turn of one too."""
    made = [score(0, 1.0, scorer="passes"), score(1, 0.0, scorer="passes[2]"), score(2, 0.5, scorer="passes")]
    with FakeLangfuse() as server:
        export_scores_sync(made, to(server))
        [request] = server.requests
    kinds = [(each["dataType"], each["value"]) for each in json.loads(request.raw)]
    assert kinds == [("BOOLEAN", 1.0), ("BOOLEAN", 0.0), ("NUMERIC", 0.5)]


@pytest.mark.parametrize("ingestion", [False, True])
def test_twice_is_once(ingestion: bool) -> None:
    """The second time leaves the same."""
    with FakeLangfuse() as server:
        export_scores_sync(scores(50), to(server, ingestion=ingestion))
        once = dict(server.scores)
        export_scores_sync(scores(50), to(server, ingestion=ingestion))
        assert len(once) == 50
        assert server.scores == once


@pytest.mark.parametrize("ingestion", [False, True])
def test_those_that_are_refused_are_told_each_and_the_rest_goes(ingestion: bool) -> None:
    """A list is answered by numbers only, so halves find them."""

    def refuses(form: Form) -> str:
        return "no such trace" if form["traceId"] in {trace(3), trace(77)} else ""

    with FakeLangfuse(refuses=refuses) as server:
        exported = export_scores_sync(scores(100), to(server, ingestion=ingestion))
        assert len(server.scores) == exported.sent == 98
        assert len(server.requests) == 1 if ingestion else len(server.requests) < 30
    assert [(each.row_id, each.scorer, each.id) for each in exported.failed] == [
        ("row-3", "polite", score(3).id),
        ("row-77", "polite", score(77).id),
    ]
    assert all("no such trace" in each.why for each in exported.failed)


def test_a_server_that_refuses_everything_is_not_asked_about_each() -> None:
    """A server that knows no lists, for one."""
    refusals = [reply({"message": "expected an object"}, 400)] * 400
    with FakeLangfuse(refusals) as server:
        exported = export_scores_sync(scores(400), to(server))
        assert len(server.requests) < 100
    assert (exported.sent, len(exported.failed)) == (0, 400)
    assert exported.failed[0].why == 'the server answers 400: {"message": "expected an object"}'


def test_a_wrong_key_ends_it_at_once_and_is_not_told() -> None:
    """One request, however many scores."""
    with FakeLangfuse() as server:
        target = Langfuse(server.url, public_key=server.public, secret_key="sk-lf-wrong-and-secret")
        exported = export_scores_sync(scores(1000), target)
        assert len(server.requests) <= target.side_by_side
    assert len(exported.failed) == 1000
    assert "401" in exported.failed[0].why
    token = server.requests[0].headers["authorization"].removeprefix("Basic ")
    for text in (repr(target), repr(exported), str(exported), target.name):
        assert "wrong-and-secret" not in text
        assert token not in text


def test_a_key_that_a_server_repeats_is_taken_out() -> None:
    """Plain, and as it was sent."""
    with FakeLangfuse() as server:
        target = to(server)
        token = target.headers()["authorization"].removeprefix("Basic ")
        server.first.append(reply({"message": f"bad key {server.secret} in {token}"}, 401))
        exported = export_scores_sync([score()], target)
    assert exported.failed[0].why.startswith('the server answers 401: {"message": "bad key [key] in [key]"}')


def test_a_body_that_is_too_large_is_halved() -> None:
    """A proxy in front may take less than Langfuse does."""
    with FakeLangfuse() as server:
        server.most_bytes = 5_000
        exported = export_scores_sync(scores(100), to(server))
        assert len(server.scores) == exported.sent == 100
        assert max(len(each.raw) for each in server.requests[1:]) < len(server.requests[0].raw)


def test_one_score_that_is_too_large_fails_alone() -> None:
    """The rest goes."""
    with FakeLangfuse() as server:
        server.most_bytes = 5_000
        exported = export_scores_sync([score(0), score(1, why="x" * 9_000), score(2)], to(server))
        assert len(server.scores) == exported.sent == 2
    assert [each.row_id for each in exported.failed] == ["row-1"]
    assert "413" in exported.failed[0].why


def test_batches_are_cut_by_bytes() -> None:
    """Langfuse takes a megabyte."""
    with FakeLangfuse() as server:
        exported = export_scores_sync([score(number, why="ü" * 15_000) for number in range(100)], to(server))
        assert exported.sent == 100
        assert max(len(each.raw) for each in server.requests) < 1_000_000


def test_a_busy_server_is_waited_for() -> None:
    """429 with Retry-After, then twice 500, then it takes them."""
    busy = reply({"message": "slow down"}, 429, {"Retry-After": "0"})
    broken = reply({"message": "oops"}, 500)
    with FakeLangfuse([busy, broken, broken]) as server:
        exported = export_scores_sync(scores(10), to(server), patience=QUICK)
        assert len(server.requests) == 4
        assert len({each.raw for each in server.requests}) == 1
        assert len(server.scores) == exported.sent == 10


def test_a_server_that_asks_for_too_long_is_not_waited_for() -> None:
    """The scores are told as failed, with the reason."""
    with FakeLangfuse([reply({"message": "slow down"}, 429, {"Retry-After": "3600"})]) as server:
        target = to(server)
        target.side_by_side = 1
        exported = export_scores_sync(scores(1000), target, patience=QUICK)
        assert len(server.requests) == 1
    assert len(exported.failed) == 1000
    assert "429" in exported.failed[0].why
    assert "asks to wait 3600 s" in exported.failed[999].why


def test_one_budget_of_retries_serves_the_whole_export() -> None:
    """When it is exhausted nothing more is sent."""
    with FakeLangfuse([reply({}, 503)] * 1000) as server:
        patience = Patience(retries=6, in_a_row=4, wait=0.0)
        exported = export_scores_sync(scores(2000), to(server), patience=patience)
        assert len(server.requests) <= 6 + 4  # the retries, and the first of each batch that was under way
    assert (exported.sent, len(exported.failed)) == (0, 2000)


def test_nobody_there_is_told() -> None:
    """As a fault, not as an exception."""
    with FakeLangfuse() as server:
        target = to(server)
    exported = export_scores_sync(scores(3), target, patience=Patience(retries=1, wait=0.0))
    assert len(exported.failed) == 3
    assert all("not reached" in each.why or "exhausted" in each.why for each in exported.failed)


def test_a_redirect_is_not_followed() -> None:
    """The keys would go with it."""
    with (
        FakeLangfuse() as other,
        FakeLangfuse([reply({}, 307, {"Location": f"{other.url}/api/public/scores"})]) as server,
    ):
        exported = export_scores_sync([score()], to(server))
        assert other.requests == []
    assert "307" in exported.failed[0].why


def test_an_export_that_was_ended_half_way_continues(tmp_path: object) -> None:
    """What was taken is in the file, and is not sent again; nothing is there twice."""
    path = f"{tmp_path}/sent"

    def dying() -> object:
        for each in scores(1000):
            if each.row_id == "row-900":
                raise KeyboardInterrupt
            yield each

    with FakeLangfuse() as server:
        with pytest.raises(KeyboardInterrupt):
            export_scores_sync(dying(), to(server), sent=Sent(path))  # type: ignore[arg-type]  # a generator
        before = len(server.scores)
        assert 0 < before < 1000
        with open(path, "ab") as file:  # noqa: PTH123 - a line that was cut off
            file.write(b"0123")
        exported = export_scores_sync(scores(1000), to(server), sent=Sent(path))
        assert len(server.scores) == 1000
        assert exported.sent + exported.unchanged == 1000
        assert exported.unchanged > 0
        asked = len(server.requests)
        again = export_scores_sync(scores(1000), to(server), sent=Sent(path))
        assert (again.sent, again.unchanged, len(server.requests)) == (0, 1000, asked)
        changed = export_scores_sync([score(5, 0.9)], to(server), sent=Sent(path))
        assert (changed.sent, len(server.scores)) == (1, 1000)


def test_a_row_without_a_trace_is_skipped_with_the_reason() -> None:
    """Nothing is sent for it."""
    with FakeLangfuse() as server:
        exported = export_scores_sync([attrs.evolve(score(), trace_id="")], to(server))
        assert server.requests == []
    assert str(exported.skipped[0]) == ("row-0, polite: Langfuse keeps scores of traces, and the row has no trace id")


def test_any_text_arrives_as_it_is() -> None:
    """What no database takes arrives as an escape."""
    why = 'größer "als" 中文 🎉 \u202e <b> \n half \ud800 nul \x00'
    with FakeLangfuse() as server:
        assert export_scores_sync([score(why=why)], to(server)).sent == 1
        [request] = server.requests
    [form] = json.loads(request.raw.decode())
    assert form["comment"] == 'größer "als" 中文 🎉 \u202e <b> \n half \\ud800 nul \\x00'


def test_ten_thousand_scores_go_in_batches() -> None:
    """Each once."""
    with FakeLangfuse() as server:
        exported = export_scores_sync(iter(scores(10_000)), to(server))
        assert len(server.scores) == exported.sent == 10_000
        assert len(server.requests) == 10_000 // to(server).at_once
    assert str(exported).endswith("10000 sent, 0 unchanged, 0 skipped, 0 failed")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://host", "no http"),
        ("host:3000", "no http"),
        ("http://", "no http"),
        ("http://user:secret-word@host", "would be logged"),
        ("http://host/?key=secret-word", "without a query"),
        ("http://ho st", "spaces"),
        ("http://host:99999", "cannot be read"),
        ("", "takes the base URL"),
    ],
)
def test_an_address_that_is_none_is_a_mistake(url: str, why: str) -> None:
    """It says how to mend it, and does not repeat what may be a secret."""
    with pytest.raises(DefinitionError, match=why) as raised:
        Langfuse(url, public_key="a", secret_key="b")
    assert "secret-word" not in str(raised.value)


def test_keys_are_needed_and_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line break at the end does no harm; one inside is a mistake."""
    for name in ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY", "LANGFUSE_BASE_URL", "LANGFUSE_HOST"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DefinitionError, match="needs public_key="):
        Langfuse()
    with pytest.raises(DefinitionError, match="no header"):
        Langfuse(public_key="a\nb", secret_key="b")
    with FakeLangfuse() as server:
        monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", server.public)
        monkeypatch.setenv("LANGFUSE_SECRET_KEY", f"{server.secret}\n")
        monkeypatch.setenv("LANGFUSE_HOST", f"{server.url}/")
        assert export_scores_sync([score()], Langfuse()).sent == 1


def test_an_export_takes_a_target() -> None:
    """Anything else is a mistake."""
    with pytest.raises(DefinitionError, match="takes a target"):
        export_scores_sync([], "langfuse")  # type: ignore[arg-type]  # that is the mistake
    with pytest.raises(DefinitionError, match="Patience"):
        Patience(wait=-1)


def test_an_export_of_nothing_is_complete() -> None:
    """And asks nobody."""
    with FakeLangfuse() as server:
        exported = export_scores_sync([], to(server))
        assert exported == Exported(to(server).name)
        assert exported.is_complete
        assert server.requests == []


def test_the_id_is_of_experiment_row_scorer_and_version() -> None:
    """And of nothing else."""
    base = score()
    others = [
        attrs.evolve(base, experiment="exp2"),
        attrs.evolve(base, row_id="row-9"),
        attrs.evolve(base, scorer="kind"),
        attrs.evolve(base, scorer_hash="hash2"),
    ]
    assert len({base.id, *(each.id for each in others)}) == 5
    assert attrs.evolve(base, value=0.9, why="other").id == base.id
    assert Score("e", "r", "s", AT, "failed", 0.0).value is None
