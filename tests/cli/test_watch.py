"""`scorewright watch` as a process: what another one scores and keeps is shown, and judged by monitors."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

import pytest
from cli.folder import COMMAND, Done, Folder, environment
from live.health.hooks import hooked

from scorewright.cli.app import call
from scorewright.cli.loading import UsageError
from scorewright.cli.watched import monitors_of

pytestmark = pytest.mark.once

PATIENCE = 60.0
MONITORS = """
from scorewright.live.health import FAILURE_RATE, MEAN, Baseline, Drift, Monitor, Window

low = Monitor("low", scorer="polite", measure=MEAN, below=0.5, least=3, breaches=3)
drift = Drift("drift", scorer="polite", baseline=Baseline.known(0.9))
all = [low, Monitor("failing", scorer="polite", measure=FAILURE_RATE, above=0.5, least=3), drift]
number = 7
"""
SCORING = """
import sys
from scorewright import Run, create_scorer, pure
from scorewright.live import InStore, JsonLines, Live, submit
from scorewright.suites.journal import open_store

polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda s: float(s.run.output)))
where = sys.argv[1]
if where.endswith(".jsonl"):
    live = Live(JsonLines(where), metrics=False)
else:
    live = Live(InStore(open_store(where)), metrics=False)
for line in sys.stdin:
    for output in line.split():
        submit(Run("secret", output), polite, live=live)
    live.flush(30)
    print("kept", flush=True)
live.shutdown(30)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """With monitors and a program that scores."""
    made = Folder(tmp_path)
    made.write("house.py", MONITORS)
    made.write("scoring.py", SCORING)
    return made


def scores(folder: Folder, *values: float | None, name: str = "scores.jsonl") -> None:
    """As a live sink keeps them, just now."""
    ended = datetime.now(UTC).isoformat(timespec="milliseconds")
    states = ("failed" if value is None else "scored" for value in values)
    shared = {"scorer": "polite", "ended": ended}
    rows = (
        shared | {"state": state, "score": value, "run_id": f"r{at}"}
        for at, (state, value) in enumerate(zip(states, values, strict=True))
    )
    folder.rows(*rows, name=name)


def once(folder: Folder, *options: str) -> Done:
    """One look at the file."""
    return folder.call("watch", "scores.jsonl", "--once", *options)


def test_one_look_shows_numbers_with_their_intervals(folder: Folder) -> None:
    """And ends with 0 where nothing alerts."""
    scores(folder, *[1.0, 0.0] * 10, None)
    done = once(folder)
    assert (done.code, done.err) == (0, "")
    assert "polite: mean 0.50 [0.26, 0.74] · pass 0.50 [0.299, 0.701] · 20/21 scored · 1 failed" in done.out


@pytest.mark.parametrize(
    ("values", "code", "states"),
    [
        ([0.0] * 5, 1, ["alerting", "ok", "alerting"]),  # the first breach is enough
        ([1.0] * 5, 0, ["ok", "ok", "ok"]),
        ([1.0] * 2 + [None] * 5, 1, ["no_data", "alerting", "ok"]),
        ([], 0, ["no_data", "no_data", "no_data"]),
    ],
)
def test_one_look_ends_with_1_where_a_monitor_alerts(
    folder: Folder, values: list[float | None], code: int, states: list[str]
) -> None:
    """As JSON, for other programs."""
    scores(folder, *values)
    done = once(folder, "--monitors", "house.py:all", "--json")
    assert done.code == code
    monitors = cast("list[dict[str, object]]", done.report["monitors"])
    assert [each["state"] for each in monitors] == states
    assert [each["type"] for each in cast("list[dict[str, object]]", done.report["events"])] == [
        "alert"
    ] * states.count("alerting")


def test_lines_say_why_there_is_no_number_and_which_monitor_has_nothing_to_look_at(folder: Folder) -> None:
    """A misspelt scorer is not silence; how many runs it takes stands beside how many there are."""
    scores(folder, 1.0, 0.5, 1.0)
    folder.write(
        "pyproject.toml",
        '[tool.scorewright.monitors.low]\nscorer = "polit"\nmeasure = "mean"\nbelow = 0.5\nleast = 2\n',
    )
    done = once(folder)
    assert (done.code, done.err) == (0, "")
    assert "3/3 scored · 3 of the 10 runs that it takes" in done.out
    assert "no data: low: mean of polit below 0.5" in done.out
    assert "there are scores of polite" in done.out


def test_a_file_of_other_things_is_wrong_usage(folder: Folder) -> None:
    """Rows are no live scores."""
    folder.rows({"input": "q", "output": "a"}, name="scores.jsonl")
    done = once(folder)
    assert (done.code, done.out) == (2, "")
    assert "scores.jsonl holds no live scores" in done.err


def test_the_json_holds_numbers_intervals_and_what_is_missing(folder: Folder) -> None:
    """Null, and why, where there are too few."""
    scores(folder, 1.0, 0.0, None)
    (scorer,) = cast("list[dict[str, object]]", once(folder, "--json").report["scorers"])
    assert (scorer["scored"], scorer["failed"], scorer["dropped"]) == (2, 1, None)
    assert scorer["mean"] == {"value": None, "low": None, "high": None, "why": "2 of the 10 runs that it takes"}
    (scorer,) = cast("list[dict[str, object]]", once(folder, "--json", "--least", "2").report["scorers"])
    assert cast("dict[str, object]", scorer["mean"])["value"] == 0.5


def test_monitors_of_the_project_file_are_watched(folder: Folder) -> None:
    """Beside those of modules."""
    folder.write(
        "pyproject.toml",
        '[tool.scorewright.monitors.rate]\nscorer = "polite"\nmeasure = "pass_rate"\nat = 0.5\nbelow = 0.9\nleast = 2\n'
        "seconds = 60\n"
        '[tool.scorewright.monitors.moved]\nscorer = "polite"\nmeasure = "drift"\nbaseline = 0.5\nalpha = 0.05\n'
        '[tool.scorewright.watch]\nmonitors = "house.py:low"\nleast = 2\n',
    )
    scores(folder, 0.0, 0.0, 0.0)
    done = once(folder, "--json")
    assert done.code == 1
    monitors = cast("list[dict[str, object]]", done.report["monitors"])
    assert [(each["name"], each["state"]) for each in monitors] == [
        ("low", "alerting"),
        ("rate", "alerting"),
        ("moved", "ok"),
    ]
    assert monitors[1]["rule"] == "pass rate at 0.5 of polite below 0.9 in the last 60 s"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nowhere.jsonl", "--once"], "there is no file nowhere.jsonl"),
        (["scores.jsonl", "--once", "--monitors", "house.py:number"], "neither a Monitor nor a Drift"),
        (["scores.jsonl", "--once", "--monitors", "house.py:none"], "house.py has no 'none'"),
        (["scores.jsonl", "--once", "--seconds", "0"], "seconds above 0"),
        (["scores.jsonl", "--once", "--every", "0"], "--every takes seconds above 0"),
        (["scores.jsonl", "--once", "--webhook", "nowhere"], "begins with https://"),
        (
            ["scores.jsonl", "--once", "--monitors", "house.py:low", "--monitors", "house.py:all"],
            "two monitors have the name 'low'",
        ),
        (["house.py", "--once"], "not a database"),
    ],
)
def test_wrong_usage_says_how_to_mend_it(
    folder: Folder, options: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And ends with 2."""
    monkeypatch.chdir(folder.path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    scores(folder, 1.0)
    code = call(["watch", *options])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('scorer = "s"\nmeasure = "mean"\nbelow = 0.5\nbelw = 1', "'m' has 'belw'"),
        ('scorer = "s"\nmeasure = "median"', "the measure of 'm' is"),
        ('scorer = "s"\nmeasure = "mean"', "one threshold"),
        ('measure = "mean"\nbelow = 0.5', "takes a text"),
        ('scorer = "s"\nmeasure = "drift"', "takes a mean"),
        ('scorer = "s"\nmeasure = "drift"\nbaseline = 0.5\nbelow = 1', "'m' has 'below'"),
    ],
)
def test_a_mistake_in_the_project_file_names_the_monitor(folder: Folder, table: str, said: str) -> None:
    """And what would be right."""
    folder.write("pyproject.toml", f"[tool.scorewright.monitors.m]\n{table}\n")
    with pytest.raises(UsageError, match=r"pyproject.toml: \[tool.scorewright.monitors\]") as mistake:
        monitors_of((), once=False, folder=folder.path)
    assert said in str(mistake.value)


def test_lines_that_cannot_be_read_are_said_and_left_out(folder: Folder) -> None:
    """On stderr."""
    scores(folder, 1.0)
    with (folder.path / "scores.jsonl").open("a") as file:
        file.write("{broken\n")
    done = once(folder)
    assert done.code == 0
    assert "left out: 1" in done.err


def test_names_cannot_write_on_the_terminal(folder: Folder) -> None:
    """They are shown as what they are."""
    ended = datetime.now(UTC).isoformat()
    folder.rows(
        {"scorer": "\x1b[31mred", "state": "scored", "score": 1.0, "run_id": "r", "ended": ended}, name="scores.jsonl"
    )
    done = once(folder)
    assert "\x1b" not in done.out
    assert "\\x1b[31mred" in done.out


def test_an_alert_is_posted_signed(folder: Folder) -> None:
    """The secret comes from the environment."""
    scores(folder, 0.0, 0.0, 0.0)
    with hooked() as hook:
        done = folder.call(
            "watch", "scores.jsonl", "--once", "--monitors", "house.py:low", "--webhook", hook.url,
            SCOREWRIGHT_WEBHOOK_SECRET="s3cret",
        )  # fmt: skip
    assert done.code == 1
    (request,) = hook.requests
    assert json.loads(request.body)["monitor"]["name"] == "low"
    assert request.headers["webhook-signature"].startswith("v1,")
    assert "s3cret" not in done.out + done.err


@contextmanager
def running(folder: Folder, *command: str, columns: str = "100", **more: int) -> Iterator[subprocess.Popen[str]]:
    """A process while the block lasts."""
    pipes: dict[str, int] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.PIPE} | more
    process = subprocess.Popen(command, cwd=folder.path, env=environment(COLUMNS=columns), text=True, **pipes)  # type: ignore[call-overload]  # its overloads know no mapping
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("where", ["scores.jsonl", "runs.db"])
def test_one_process_scores_while_another_watches(folder: Folder, where: str) -> None:
    """It begins before there is anything, sees an alert and that it is resolved, and ends when it is told to."""
    with (
        running(
            folder, *COMMAND, "watch", where, "--monitors", "house.py:low", "--every", "0.05", "--count", "5", "--json"
        ) as watcher,
        running(folder, sys.executable, "scoring.py", where) as scorer,
    ):
        assert next(looks(watcher))["scorers"] == []
        say(scorer, "0 0 0 0 0")
        (alert,) = next(
            events for look in looks(watcher) if (events := cast("list[dict[str, object]]", look["events"]))
        )
        assert alert["type"] == "alert"
        say(scorer, " ".join("1" * 50))
        (resolved,) = next(
            events for look in looks(watcher) if (events := cast("list[dict[str, object]]", look["events"]))
        )
        assert resolved["type"] == "resolved"
        last = next(looks(watcher))
        assert cast("list[dict[str, object]]", last["scorers"])[0]["scored"] == 5
        watcher.send_signal(signal.SIGINT)
        _, said = watcher.communicate(timeout=PATIENCE)
        assert watcher.returncode == 130
        assert said == ""


def looks(watcher: subprocess.Popen[str]) -> Iterator[dict[str, object]]:
    """The lines that it prints, for as long as one is patient."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        line = cast("IO[str]", watcher.stdout).readline()
        assert line, cast("IO[str]", watcher.stderr).read()
        yield cast("dict[str, object]", json.loads(line))
    raise AssertionError("it never came")


def say(scorer: subprocess.Popen[str], line: str) -> None:
    """Have runs scored and kept."""
    stdin = cast("IO[str]", scorer.stdin)
    stdin.write(line + "\n")
    stdin.flush()
    assert cast("IO[str]", scorer.stdout).readline() == "kept\n"


def test_on_a_terminal_a_table_is_drawn_again_and_again(folder: Folder) -> None:
    """With monitors and their states."""
    scores(folder, *[0.0] * 12)
    ours, theirs = pty.openpty()
    command = (*COMMAND, "watch", "scores.jsonl", "--monitors", "house.py:all", "--every", "0.05")
    with running(folder, *command, columns="180", stdout=theirs) as watcher:
        os.close(theirs)
        said = b""
        while b"alerting" not in said or said.count(b"polite") < 3:
            said += os.read(ours, 4096)
        watcher.send_signal(signal.SIGINT)
        while True:  # a process that writes to a terminal that nobody reads does not end
            try:
                said += os.read(ours, 4096)
            except OSError:
                break
        assert watcher.wait(PATIENCE) == 130
    os.close(ours)
    for each in (b"scorer", b"not scorable", b"monitor", b"low", b"drift"):
        assert each in said
