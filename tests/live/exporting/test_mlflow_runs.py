"""Metrics of a run of MLflow, held by what a server of its HTTP holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import attrs
import pytest
from fakes.exporting import FakeMlflow, Form, MlflowRun, Request, reply
from hypothesis import given
from hypothesis import strategies as st
from live.exporting.samples import QUICK

from scorewright import DefinitionError, create_scorer, err, pure
from scorewright.cli.app import call
from scorewright.faults import NotScorable
from scorewright.live.exporting import Mlflow, Phoenix, export_metrics_sync
from scorewright.live.exporting.mlflow_runs import metrics_of, name_of
from scorewright.reports import Report, report_of, report_of_items
from scorewright.suites import Suite, evaluate_sync

ROWS = [{"id": f"r{n}", "input": "q", "output": "yes" if n % 4 else "no"} for n in range(8)]

equal = create_scorer("equal", input=str, output=str).generate_score(pure(lambda s: float(s.run.output == "yes")))
odd = create_scorer("ä/odd: [1]", input=str, output=str).generate_score(
    lambda s: err(NotScorable("no")) if s.run.output == "no" else 1 / 0
)


def reported(*scorers: object, rows: object = ROWS) -> Report:
    items: list[object] = []
    suite = Suite(*scorers, name="shop")  # type: ignore[arg-type]  # scorers of any kind
    evaluate_sync(suite, rows, on_item=items.append)  # type: ignore[arg-type]  # as above
    return report_of_items(items, suite)  # type: ignore[arg-type]  # as above


def only(server: FakeMlflow) -> MlflowRun:
    [run] = server.runs.values()
    return run


def test_the_aggregates_of_a_report_are_the_metrics_of_a_run() -> None:
    """A mean with its interval, coverage and counts; what is undefined is not there."""
    report = reported(equal, odd)
    with FakeMlflow() as server:
        exported = export_metrics_sync(report, Mlflow(server.url, token="secret-token-1"), run="nightly")
        run = only(server)
    assert (exported.run_id, exported.sent, exported.unchanged, exported.is_complete) == (run.id, 11, 0, True)
    mean = report.by_id["equal"].mean
    assert (mean.low, mean.high) != (None, None)
    strange = name_of("ä/odd: [1]")
    assert run.metrics == {
        "equal/mean": 0.75,
        "equal/mean_low": mean.low,
        "equal/mean_high": mean.high,
        "equal/coverage": 1.0,
        "equal/n_scored": 8.0,
        "equal/n_failed": 0.0,
        "equal/n_not_scorable": 0.0,
        f"{strange}/coverage": 0.0,
        f"{strange}/n_scored": 0.0,
        f"{strange}/n_failed": 6.0,
        f"{strange}/n_not_scorable": 2.0,
    }
    assert (run.experiment, run.name, run.status) == ("0", "shop", "FINISHED")
    assert run.tags["scorewright.experiment.id"] == "nightly"
    assert {each.headers["authorization"] for each in server.requests} == {"Bearer secret-token-1"}


def test_twice_is_once() -> None:
    """The second time only reads; another evaluation is another run."""
    report = reported(equal)
    with FakeMlflow() as server:
        target = Mlflow(server.url, experiment="shop bots")
        export_metrics_sync(report, target, run="one")
        once, asked = only(server).history.copy(), len(server.requests)
        again = export_metrics_sync(report, target, run="one")
        assert (again.sent, again.unchanged) == (0, 7)
        assert only(server).history == once
        assert [each.target.rpartition("/")[2].partition("?")[0] for each in server.requests[asked:]] == [
            "get-by-name",
            "search",
        ]
        export_metrics_sync(report, target, run="two")
        assert len(server.runs) == 2
        assert server.experiments == {"Default": "0", "shop bots": "1"}
        assert {run.experiment for run in server.runs.values()} == {"1"}


def test_a_lower_value_replaces_a_higher_one() -> None:
    """MLflow shows the greatest of values of one time, so a change is of a later one."""
    with FakeMlflow() as server:
        target = Mlflow(server.url)
        export_metrics_sync(reported(equal), target, run="x")
        changed = reported(equal, rows=[{**row, "output": "no" if n else "yes"} for n, row in enumerate(ROWS)])
        exported = export_metrics_sync(changed, target, run="x")
        assert only(server).metrics["equal/mean"] == 0.125
        assert (exported.sent, exported.unchanged) == (3, 4)
        assert export_metrics_sync(changed, target, run="x").sent == 0


def test_what_there_is_no_number_for_any_more_is_told() -> None:
    """MLflow takes no metric back; it is not said that all is well."""
    with FakeMlflow() as server:
        target = Mlflow(server.url)
        export_metrics_sync(reported(equal), target, run="x")
        server.runs["run-1"].history.add(("their own", 0, 0, 1.0))
        broken = reported(equal, rows=[{**row, "output": 7} for row in ROWS])
        exported = export_metrics_sync(broken, target, run="x")
    assert exported.stale == ("equal/mean", "equal/mean_high", "equal/mean_low")
    assert not exported.is_complete
    assert "cannot be taken back: delete the run first" in str(exported)


@pytest.mark.parametrize("path", ["experiments/create", "runs/create", "runs/log-batch", "runs/update"])
def test_an_answer_that_is_lost_leaves_nothing_twice(path: str) -> None:
    """What may have been made is looked up before it is made again."""
    with FakeMlflow() as server:
        lost: list[Request] = []

        def lose(request: Request) -> bool:
            if lost or not request.target.endswith(path):
                return False
            lost.append(request)
            return True

        server.lose = lose
        exported = export_metrics_sync(reported(equal), Mlflow(server.url, experiment="e"), run="x", patience=QUICK)
        assert exported.is_complete
        assert len(lost) == 1
        assert len(only(server).history) == 7
        assert len(server.experiments) == 2


@pytest.mark.parametrize("n", range(5))
def test_a_busy_or_broken_server_is_tried_again_and_a_refusal_is_told(n: int) -> None:
    """Whichever request it is; a key is in no text."""
    paths = ["experiments/get-by-name", "runs/search", "runs/create", "runs/log-batch", "runs/update"]
    with FakeMlflow() as server:
        target = Mlflow(server.url, token="very-secret-word")
        for status, is_fine in ((503, True), (400, False)):
            server.runs.clear()
            answers = iter([reply({"message": f"very-secret-word {status}"}, status)])
            server.first.clear()
            answer = server.answer
            server.answer = lambda request, answer=answer, answers=answers: (
                (  # type: ignore[misc, method-assign]  # in the way
                    next(answers, None) if paths[n] in request.target else None
                )
                or answer(request)
            )
            exported = export_metrics_sync(reported(equal), target, run="x", patience=QUICK)
            server.answer = answer  # type: ignore[method-assign]  # as it was
            assert exported.is_complete is is_fine, exported
            assert bool(exported.failed) is not is_fine
            assert "very-secret-word" not in f"{exported} {exported!r} {target!r}"


def test_many_metrics_go_in_requests_of_a_thousand() -> None:
    """As many as the server takes at once."""
    one = reported(equal)
    [scorer] = one.scorers
    report = attrs.evolve(one, scorers=tuple(attrs.evolve(scorer, id=f"s{n}") for n in range(300)))
    with FakeMlflow() as server:
        assert export_metrics_sync(report, Mlflow(server.url), run="x").sent == 2100
        batches = [each.json for each in server.requests if each.target.endswith("log-batch")]
    assert [len(cast("list[Form]", each["metrics"])) for each in batches] == [1000, 1000, 100]


@given(st.lists(st.text(min_size=1, max_size=300), unique=True, max_size=8))
def test_every_scorer_has_names_that_the_server_takes_and_its_own(ids: list[str]) -> None:
    """Whatever its id is."""
    run = MlflowRun("r", "0", "", {})
    names = [name_of(id) for id in ids]
    assert len({*names}) == len(ids)
    forms: list[Form] = [{"key": f"{name}/n_not_scorable", "value": 1.0, "timestamp": 0, "step": 0} for name in names]
    assert run.log(forms).status == 200


def test_a_report_without_an_experiment_is_named() -> None:
    """Else two evaluations would be one run."""
    with FakeMlflow() as server, pytest.raises(DefinitionError, match="run=…"):
        export_metrics_sync(reported(equal), Mlflow(server.url))
    with pytest.raises(DefinitionError, match="takes an Mlflow"):
        export_metrics_sync(reported(equal), Phoenix("http://localhost:1"), run="x")  # type: ignore[arg-type]  # it is refused


def test_the_command_line_sends_metrics_of_rows_without_traces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which have no place for feedback; the account names both."""
    db = tmp_path / "runs.db"
    evaluate_sync(Suite(equal, name="shop"), ROWS, store=db)
    with FakeMlflow() as server:
        line = ["export", "--store", str(db), "--to", "mlflow", "--url", server.url]
        assert call(line) == 0
        assert "7 metrics sent, 0 unchanged, run run-1" in capsys.readouterr().err
        assert call([*line, "--json"]) == 0
        told = cast("Form", json.loads(capsys.readouterr().out))
        assert (cast("Form", told["metrics"])["unchanged"], len(cast("list[object]", told["skipped"]))) == (7, 8)
        assert only(server).metrics == metrics_of(report_of(db))
        server.first.append(reply({"message": "no"}, 403))
        assert call(line) == 4
