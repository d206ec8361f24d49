"""`scorewright report` and `scorewright compare`, as functions: exit codes, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cyclopts import App, Parameter
from reports.samples import number, rows, waste

from scorewright.cli.comparing import compare
from scorewright.cli.loading import UsageError
from scorewright.cli.reporting import report
from scorewright.reports import markdown, report_of
from scorewright.suites import Suite, evaluate_sync


def kept(path: Path, *outputs: str, suite: Suite | None = None) -> str:
    return evaluate_sync(suite or Suite(number), rows(*outputs), store=path).experiment


@pytest.mark.parametrize(
    ("outputs", "code"),
    [(("1", "0.9"), 0), (("0.1", "0.2"), 1), (("1", "fail", "0.1"), 3), (("none", "none"), 3)],
)
def test_the_exit_code_is_that_of_the_verdict(
    tmp_path: Path, outputs: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """`google/adk-python#6740`: what is missed, and what failed, is not 0, and the two differ."""
    path = tmp_path / "runs.db"
    kept(path, *outputs, suite=Suite((number, ">= 0.5")))
    assert report(str(path)) == code
    line = capsys.readouterr().out.strip().splitlines()[-1]
    assert line.startswith({0: "passed", 1: "missed", 3: "inconclusive"}[code])


def test_failures_without_a_threshold_are_incomplete(tmp_path: Path) -> None:
    """`google/adk-python#6740`: three pass, one fails, and the code is 4."""
    kept(tmp_path / "runs.db", "1", "1", "1", "fail")
    assert report(str(tmp_path / "runs.db"), json=True) == 4


def test_files_are_written_by_their_suffix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several at once; stdout stays empty then; none is replaced unasked."""
    path = tmp_path / "runs.db"
    kept(path, "1")
    files = [tmp_path / name for name in ("r.html", "r.md", "r.json", "r.xml")]
    assert report(str(path), output=files) == 0
    assert capsys.readouterr().out == ""
    assert files[1].read_text() == markdown(report_of(path))
    assert json.loads(files[2].read_text())["verdict"] == "passed"
    with pytest.raises(UsageError, match="--force"):
        report(str(path), output=files)
    assert report(str(path), output=files, force=True) == 0
    with pytest.raises(UsageError, match=r"written as \.html"):
        report(str(path), output=[tmp_path / "r.pdf"])


def test_json_goes_to_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the experiment that was named."""
    first = kept(tmp_path / "runs.db", "1")
    kept(tmp_path / "runs.db", "1", suite=Suite(waste))
    assert report(str(tmp_path / "runs.db"), experiment=first[:6], json=True) == 0
    assert json.loads(capsys.readouterr().out)["experiment"] == first


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """It is wrong usage; so is an experiment that is not there."""
    with pytest.raises(UsageError, match="there is no store"):
        report(str(tmp_path / "none.db"))
    assert [*tmp_path.iterdir()] == []
    kept(tmp_path / "runs.db", "1")
    with pytest.raises(UsageError, match="holds 0 experiments"):
        report(str(tmp_path / "runs.db"), experiment="nope")


def test_a_workflow_gets_summary_and_annotations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The summary in the file that GitHub names, the annotations on stdout."""
    path = tmp_path / "runs.db"
    kept(path, "0.1", suite=Suite((number, ">= 0.5")))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    with pytest.raises(UsageError, match="GITHUB_STEP_SUMMARY"):
        report(str(path), github=True)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert report(str(path), github=True) == 1
    assert capsys.readouterr().out.startswith("::error title=number%3A threshold missed::")
    assert "## Gates and thresholds" in (tmp_path / "summary.md").read_text()


def test_worse_is_one_and_noise_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two stores, the same scorers, the same questions."""
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    kept(first, *["0.5"] * 10, "0.6")
    kept(second, *["0.4"] * 10, "0.5")
    assert compare(str(first), str(second)) == 1
    assert "worse" in capsys.readouterr().out
    assert compare(str(second), str(first)) == 0
    assert compare(str(first), str(first), json=True) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["scorers"][0]["n_same"] == 11


def test_experiments_of_one_store_are_named_by_id(tmp_path: Path) -> None:
    """Or each with its store."""
    path = tmp_path / "runs.db"
    kept(path, "0.5")
    one = kept(path, "0.5", suite=Suite(number, waste))
    assert compare(one, one[:6], store=str(path)) == 0
    assert compare(f"{path}#{one}", str(path), output=tmp_path / "c.md", allow_changed=True) == 0
    assert (tmp_path / "c.md").read_text().startswith("# suite ")
    with pytest.raises(UsageError, match="--force"):
        compare(one, one, store=str(path), output=tmp_path / "c.md")
    with pytest.raises(UsageError, match=r"written as \.html, "):
        compare(one, one, store=str(path), output=tmp_path / "c.xml")


def test_what_cannot_be_compared_is_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows differ; nothing has a score in both."""
    first, second, third = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "c.db"
    kept(first, "0.5", "0.5")
    kept(second, "0.5")
    kept(third, "fail")
    assert compare(str(first), str(second), json=True) == 3
    out, errors = capsys.readouterr()
    assert json.loads(out)["not_comparable"] == ["1 row is only in the first: 'r1'"]
    assert "--allow-changed" in errors
    assert compare(str(first), str(second), allow_changed=True) == 0
    assert compare(str(second), str(third)) == 3


def test_both_commands_read_their_command_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Options may be repeated, and stand anywhere."""
    app = App(default_parameter=Parameter(negative=()), result_action="return_value")
    app.command(report, name="report")
    app.command(compare, name="compare")
    path, page, table = (str(tmp_path / name) for name in ("runs.db", "r.html", "r.md"))
    id = kept(tmp_path / "runs.db", "1")
    assert app(["report", path, "--output", page, "--output", table, "--experiment", id]) == 0
    assert Path(page).exists()
    assert Path(table).exists()
    assert app(["compare", "--store", path, id, id, "--json", "--allow-changed"]) == 0
    assert json.loads(capsys.readouterr().out)["differs"] == []
