"""Scores read from a store, from items in memory and from live scores, and exported by the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
from fakes.exporting import FakeLangfuse, FakeMlflow, FakeOtlp, FakePhoenix, Form, reply
from fakes.openai_server import FakeOpenAI
from fakes.openai_server import said as answered
from live.exporting.samples import AT, QUICK, span, trace
from live.watching import number

from scorewright import Judge, Run, create_scorer, pure, score_prompt
from scorewright.cli.app import call
from scorewright.faults import DefinitionError
from scorewright.live import Callback, InStore, Live, LiveScore, Origin, submit
from scorewright.live.exporting import (
    Exported,
    ExportTo,
    Langfuse,
    Left,
    Phoenix,
    Score,
    Unexported,
    export_scores_sync,
    item_scores,
    live_score,
    stored_scores,
)
from scorewright.suites import ItemRecord, Suite, evaluate_sync
from scorewright.suites.journal import open_store

reasoned = (
    create_scorer("reasoned", input=str, output=str)
    .generate_score(pure(lambda _: 0.5))
    .generate_reason(pure(lambda s: f"it says {s.run.output}"))
)
suite = Suite(number, reasoned, name="shop")
ROWS: Sequence[dict[str, object]] = [
    {"id": "a", "input": "?", "output": "0.25", "metadata": {"trace_id": trace(0), "span_id": span(0)}},
    {"id": "b", "input": "?", "output": "none", "metadata": {"trace_id": trace(1)}},
    {"id": "c", "input": "?", "output": "fail", "trace": {"trace_id": trace(2), "span_id": span(2)}},
    {"id": "d", "input": "?", "output": "1"},
]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    evaluate_sync(suite, ROWS, store=path)
    return path


def of(path: Path, **how: bool) -> list[Score]:
    with open_store(path) as store:
        return [each for each in stored_scores(store, **how) if isinstance(each, Score)]


def test_a_store_has_the_scores_in_the_order_of_the_rows(stored: Path) -> None:
    """With the trace of each row, wherever the row names it, and the time of the experiment."""
    made = of(stored)
    assert [(each.row_id, each.scorer, each.state, each.value) for each in made] == [
        ("a", "number", "scored", 0.25),
        ("a", "reasoned", "scored", 0.5),
        ("b", "number", "not_scorable", None),
        ("b", "reasoned", "scored", 0.5),
        ("c", "number", "failed", None),
        ("c", "reasoned", "scored", 0.5),
        ("d", "number", "scored", 1.0),
        ("d", "reasoned", "scored", 0.5),
    ]
    places = {each.row_id: (each.trace_id, each.span_id) for each in made}
    assert places == {"a": (trace(0), span(0)), "b": (trace(1), ""), "c": (trace(2), span(2)), "d": ("", "")}
    whys = {(each.row_id, each.scorer): each.why for each in made}
    assert whys["b", "number"] == "it says none"
    assert "it says fail" in str(whys["c", "number"])
    assert whys["a", "reasoned"] == "it says 0.25"
    assert made[4].fault == "StepRaised"
    assert len({each.at for each in made}) == 1
    assert made == of(stored)


def test_without_reasons_nothing_of_what_was_said_is_in_them(stored: Path) -> None:
    """Neither reasons nor messages of faults."""
    made = of(stored, reasons=False)
    assert {each.why for each in made} == {None}
    assert [each.id for each in made] == [each.id for each in of(stored)]


def test_items_in_memory_are_what_a_store_holds(stored: Path) -> None:
    """But for what only a store knows, which is given."""
    items: list[ItemRecord] = []
    evaluate_sync(suite, ROWS, on_item=items.append, in_order=True)
    held = of(stored)
    made = [*item_scores(items, experiment=held[0].experiment, at=held[0].at, suite=suite)]
    assert [each.id for each in made] == [each.id for each in held]
    told = [(e.state, e.value, e.trace_id, e.span_id, e.fault) for e in made if isinstance(e, Score)]
    assert told == [(e.state, e.value, e.trace_id, e.span_id, e.fault) for e in held]


def test_a_time_without_a_zone_is_a_mistake() -> None:
    """It would be another one on another machine."""
    with pytest.raises(DefinitionError, match="with a zone"):
        item_scores([], experiment="e", at=AT.replace(tzinfo=None))


def test_a_label_says_what_a_score_is_called(stored: Path) -> None:
    """Only where there is a score."""
    with open_store(stored) as store:
        read = stored_scores(store, label=lambda _, value: "pass" if value >= 0.5 else "fail")
        labels = [each.label for each in read if isinstance(each, Score) and each.scorer == "number"]
    assert labels == ["fail", None, None, "pass"]


def test_a_row_whose_target_failed_is_told_as_left(tmp_path: Path) -> None:
    """No scorer saw it, so that there is nothing to send."""

    def target(question: str) -> str:
        if question == "bad":
            raise ValueError("no")
        return "1"

    rows = [{"id": "good", "input": "?"}, {"id": "bad", "input": "bad"}]
    evaluate_sync(Suite(reasoned, name="s"), rows, target=target, store=tmp_path / "t.db")
    with open_store(tmp_path / "t.db") as store:
        made = [*stored_scores(store)]
    [gone] = [each for each in made if isinstance(each, Left)]
    assert (gone.row_id, gone.why) == ("bad", "the target failed, so that no scorer saw the row")
    assert [each.row_id for each in made if isinstance(each, Score)] == ["good"]


def test_a_judge_that_was_asked_is_named(tmp_path: Path) -> None:
    """So that the annotation is of a model, and not of code."""
    with FakeOpenAI([answered('{"score": 0.5}', model="gpt-5")]) as server:
        judge = Judge(model="gpt-5", base_url=server.base_url)
        judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
            score_prompt(lambda s: f"Rate {s.run.output}")
        )
        evaluate_sync(Suite(judged, name="s"), ROWS[:1], store=tmp_path / "j.db")
    made = of(tmp_path / "j.db")
    assert [(each.value, each.judge) for each in made] == [(0.5, "gpt-5")]


def test_live_scores_in_a_store_have_their_own_time_and_span(tmp_path: Path) -> None:
    """As their spans had them."""
    with open_store(tmp_path / "live.db") as store:
        live = Live(InStore(store), metrics=False)
        submit(Run("in", "0.5", run_id="r1"), number, live=live, step="answer")
        assert live.shutdown()
        [made] = [each for each in stored_scores(store, "live") if isinstance(each, Score)]
    assert (made.row_id, made.step, made.value) == ("r1/answer", "answer", 0.5)


def some_live_score() -> LiveScore:
    found: list[LiveScore] = []
    live = Live(Callback(found.append), metrics=False)
    submit(Run("in", "0.5", run_id="r1"), number, live=live)
    assert live.shutdown()
    [score] = found
    return LiveScore(score.scorer, "hash", score.run, Origin(trace(0), span(0), "", AT.timestamp()), score.found)


def test_a_live_score_goes_to_a_target_as_to_any_sink() -> None:
    """Twice is once; what does not arrive is raised, so that it is counted."""
    score = some_live_score()
    assert live_score(score, "live").at == AT
    with FakePhoenix() as server:
        sink = ExportTo(Phoenix(server.url, api_key=server.key), patience=QUICK)
        sink.keep([score])
        sink.keep([score])
        assert len(server.annotations) == 1
        server.first.append(reply({"detail": "no"}, 403))
        with pytest.raises(Unexported, match="1 of 1 scores did not arrive"):
            sink.keep([score])


def test_the_command_line_sends_what_a_store_holds(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each system gets the rows that it has a place for, and the account names the others."""
    with FakeLangfuse() as langfuse, FakePhoenix() as phoenix, FakeMlflow() as mlflow, FakeOtlp() as otlp:
        monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", langfuse.public)
        monkeypatch.setenv("LANGFUSE_SECRET_KEY", langfuse.secret)
        monkeypatch.setenv("PHOENIX_API_KEY", phoenix.key)
        for to, url, took, skipped in (
            ("langfuse", langfuse.url, langfuse.scores, 2),
            ("phoenix", phoenix.url, phoenix.annotations, 2),
            ("mlflow", mlflow.url, mlflow.assessments, 2),
            ("otel", f"{otlp.url}/v1/logs", otlp.records, 0),
        ):
            line = ["export", "--store", str(stored), "--to", to, "--url", url, "--json"]
            assert call(line) == 0
            told = cast("Form", json.loads(capsys.readouterr().out))
            assert (told["sent"], len(cast("list[object]", told["skipped"])), told["failed"]) == (
                8 - skipped,
                skipped,
                [],
            )
            assert took
        assert len(langfuse.scores) == len(phoenix.annotations) == len(mlflow.all) == 6
        assert len(otlp.records) == 8


def test_the_command_line_continues_by_its_file(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What failed is 4 and goes the next time; what went is not sent again."""
    monkeypatch.setenv("PHOENIX_API_KEY", FakePhoenix.key)
    missing = {trace(1)}
    with FakePhoenix(knows=lambda place: place not in missing) as server:
        line = ["export", "--store", str(stored), "--to", "phoenix", "--url", server.url, "--sent", str(tmp_path / "s")]
        assert call(line) == 4
        told = capsys.readouterr().err
        assert "4 sent, 0 unchanged, 2 skipped, 2 failed" in told
        assert "failed b, number: the server answers 404" in told
        missing.clear()
        assert call(line) == 0
        assert "2 sent, 4 unchanged, 2 skipped, 0 failed" in capsys.readouterr().err
        assert len(server.annotations) == 6
        assert call([*line, "--no-reasons"]) == 0
        assert all("explanation" not in cast("Form", each["result"]) for each in server.annotations.values())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "give --output or --to"),
        (["--output", "x.jsonl", "--sent", "s"], "belong to --to"),
        (["--to", "phoenix", "--output", "x.jsonl"], "writes no file"),
        (["--to", "phoenix", "--url", "nowhere"], "no http"),
        (["--to", "mlflow"], "MLFLOW_TRACKING_URI"),
        (["--to", "langfuse"], "LANGFUSE_PUBLIC_KEY"),
        (["--to", "otel", "--url", "nowhere"], "no http"),
        (["--to", "elsewhere"], "elsewhere"),
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(
    stored: Path, options: list[str], why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a sentence that says how to mend it."""
    for name in ("MLFLOW_TRACKING_URI", "LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert call(["export", "--store", str(stored), *options]) == 2
    told = capsys.readouterr()
    assert why in " ".join((told.err + told.out).split())


def test_a_suite_is_exported_while_it_is_in_memory() -> None:
    """Without a store; the same experiment and time are the same scores."""
    items: list[ItemRecord] = []
    evaluate_sync(suite, ROWS, on_item=items.append)

    def export(server: FakeLangfuse) -> Exported:
        target = Langfuse(server.url, public_key=server.public, secret_key=server.secret)
        return export_scores_sync(item_scores(items, experiment="nightly", at=AT, suite=suite), target)

    with FakeLangfuse() as server:
        assert export(server) == export(server)
        assert len(server.scores) == 6
