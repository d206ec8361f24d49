"""`scorewright score`, run as a user runs it."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from pathlib import Path
from typing import cast

import pytest
from cli.folder import COMMAND, Folder, environment

GOOD = {"input": "q", "output": "good good", "expected": "good good", "id": "a"}
SOSO = {"input": "q", "output": "good bad", "expected": "good good", "id": "b"}
BARE = {"input": "q", "output": "bad", "id": "c"}
EMPTY = {"input": "q", "output": "", "expected": "", "id": "d"}
TYPED = {"input": "q", "output": ["good", 2], "expected": "x", "id": "e"}

LIMIT = "the limit is a number of the scorer's scale, 0..1"
FORCE = "give --force to replace it, or another --output"
LISTS = """
from scorewright import create_scorer, pure
n = create_scorer("n", input=str, output=list[str | int]).generate_score(pure(lambda s: 1))
"""
ENDS = """
import sys
from scorewright import create_scorer, pure
x = create_scorer("x", input=str, output=str).generate_score(pure(lambda s: sys.exit(0) if s.run.input else 1))
"""
WAITS = """
import threading
from scorewright import create_scorer, pure

def wait(step):
    if step.run.input == "wait":
        print("waiting", flush=True)
        threading.Event().wait()
    return 1

x = create_scorer("x", input=str, output=str).generate_score(pure(wait))
"""
SEEN = """
import atexit, sys
from scorers import same
heavy = {"aiohttp", "anyio", "openai", "instructor", "sqlalchemy"}
atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))
"""


def of(report: dict[str, object], name: str) -> dict[str, object]:
    """The part of a report on one scorer."""
    return next(each for each in cast("list[dict[str, object]]", report["scorers"]) if each["id"] == name)


def counts(report: dict[str, object], name: str) -> tuple[object, ...]:
    """Mean, scored, not scorable, failed."""
    return tuple(of(report, name)[key] for key in ("mean", "n_scored", "n_not_scorable", "n_failed"))


def test_all_rows_scored_is_fine(folder: Folder) -> None:
    """Exit code 0, a mean with its coverage, nothing on stderr."""
    folder.rows(GOOD, SOSO)
    done = folder.score("runs.jsonl", "--scorers", "scorers")
    assert (done.code, done.err) == (0, "")
    assert re.search(r"^share +0\.75  2/2 scored +0\.50 +0\.75 +1\.00  ▕ {5}█ {3}█▏$", done.out, re.MULTILINE), done.out
    assert "2 rows · 2 scorers" in done.out
    assert "higher is better" not in done.out


def test_what_is_not_scorable_alone_is_fine(folder: Folder) -> None:
    """It is counted apart, beside the mean."""
    folder.rows(GOOD, BARE)
    done = folder.score("runs.jsonl", "--scorers", "scorers:same")
    assert done.code == 0
    assert re.search(r"^same +1\.00  1/2 scored · 1 not scorable ", done.out, re.MULTILINE)
    assert re.search(r"^runs\.jsonl:2  c  same +the run has no reference answer *$", done.out, re.MULTILINE), done.out


def test_a_failed_row_leaves_the_run_incomplete(folder: Folder) -> None:
    """Exit code 4; the failure is listed with row, scorer, step and words; its score is no 0."""
    folder.rows(GOOD, EMPTY)
    done = folder.score("runs.jsonl", "--scorers", "scorers")
    assert done.code == 4
    assert re.search(r"^share +1\.00  1/2 scored · 1 failed ", done.out, re.MULTILINE)
    said = r"^runs\.jsonl:2  d  share +generate_score  The step raised ZeroDivisionError: division by zero, at *$"
    assert re.search(said, done.out, re.MULTILINE), done.out
    assert re.search(r"^ +scorers\.py:7\. *$", done.out, re.MULTILINE), done.out


def test_a_broken_line_leaves_the_run_incomplete(folder: Folder) -> None:
    """Exit code 4; the line is told with file, line and column; it counts against the coverage; the rest is scored."""
    folder.rows(GOOD, '{"input": "q", "output": }', SOSO)
    done = folder.score("runs.jsonl", "--scorers", "scorers:share")
    assert done.code == 4
    assert re.search(r"^share +0\.75  2/3 scored · 1 broken ", done.out, re.MULTILINE)
    assert re.search(r"^runs\.jsonl:2:26  not JSON: expecting value *$", done.out, re.MULTILINE), done.out


def test_a_row_of_other_types_fails_for_that_scorer_alone(folder: Folder) -> None:
    """The fault says where in the row, and another scorer of the right types scores it."""
    folder.write("lists.py", LISTS)
    folder.rows(TYPED, {**TYPED, "id": "f", "output": [None]}, {**TYPED, "id": "g", "output": "x", "expected": [1]})
    done = folder.score("runs.jsonl", "--scorers", "scorers:same", "--scorers", "lists", "--json")
    assert done.code == 4
    assert counts(done.report, "n") == (1.0, 1, 0, 2)
    failures = cast("list[dict[str, object]]", done.report["failures"])
    told = [(each["id"], each["scorer"], each["step"], each["kind"], each["message"]) for each in failures]
    fit = "The row does not fit the scorer at "
    assert told[0] == ("e", "same", "row", "InvalidRun", f"{fit}$.output: expected a string, got a list.")
    assert told[2][:2] == ("f", "n")
    assert str(told[2][4]).startswith(f"{fit}$.output[0]: ")
    assert told[3][1:] == ("same", "row", "InvalidRun", f"{fit}$.expected: expected a string, got a list.")


def test_stdin_is_a_file_too(folder: Folder) -> None:
    """Its name is `-`."""
    done = folder.score("-", "--scorers", "scorers:share", "--json", given=json.dumps(GOOD).encode())
    assert (done.code, done.report["source"], done.report["n_items"]) == (0, "stdin", 1)


def test_json_says_all_that_the_table_says(folder: Folder) -> None:
    """One JSON value on stdout, and nothing else there."""
    folder.rows(GOOD, SOSO, BARE, EMPTY, "nope")
    done = folder.score("runs.jsonl", "--scorers", "scorers", "--json", "--fail-under", "same=0.9")
    assert done.err == ""
    report = done.report
    told = ("schema_version", "source", "n_items", "stopped", "verdict", "exit_code", "n_failed")
    assert {key: report[key] for key in told} == {
        "schema_version": 1, "source": "runs.jsonl", "n_items": 4, "stopped": None, "verdict": "scored",
        "exit_code": 1, "n_failed": 1,
    }  # fmt: skip
    assert of(report, "share") == {
        "id": "share", "name": "share", "better": "higher", "scale": [0.0, 1.0], "mean": 0.5, "n_scored": 3,
        "n_not_scorable": 0, "n_failed": 1, "min": 0.0, "median": 0.5, "max": 1.0,
        "lowest": [
            {"place": "runs.jsonl:3", "line": 3, "column": None, "id": "c", "score": 0.0, "reason": "0 of 1"},
            {"place": "runs.jsonl:2", "line": 2, "column": None, "id": "b", "score": 0.5, "reason": "1 of 2"},
        ],
    }  # fmt: skip
    assert counts(report, "same") == (pytest.approx(2 / 3), 3, 1, 0)
    (threshold,) = cast("list[dict[str, object]]", report["thresholds"])
    assert {**threshold, "value": 0} == {
        "scorer": "same", "wanted": "mean >= 0.9", "value": 0, "n_scored": 3, "n_not_scorable": 1, "n_failed": 0,
        "decision": "missed",  # whatever the broken line had been
    }  # fmt: skip
    assert threshold["value"] == pytest.approx(2 / 3)
    assert report["n_not_scorable"] == 1
    (unscored,) = cast("list[dict[str, object]]", report["not_scorable"])
    assert unscored["place"] == "runs.jsonl:3"
    assert (unscored["line"], unscored["id"], unscored["scorer"]) == (3, "c", "same")
    assert unscored["reason"] == "the run has no reference answer"
    (broken,) = cast("list[dict[str, object]]", report["broken"])
    assert (broken["line"], broken["column"], broken["why"]) == (5, 1, "not JSON: expecting value")


@pytest.mark.parametrize(
    ("rows", "gates", "code"),
    [
        ([GOOD, SOSO], ["share=0.75"], 0),
        ([GOOD, SOSO], ["share=0.76"], 1),
        ([GOOD, SOSO], ["share=0.5", "same=0.6"], 1),
        ([EMPTY], ["share=0.5"], 3),  # nothing was scored
        ([BARE], ["same=0"], 3),  # the same, without a failure
        ([], ["same=0"], 1),  # there is nothing to score
        ([GOOD, EMPTY], ["share=0.5"], 0),  # whatever the other one had been
        ([SOSO, EMPTY], ["share=0.6"], 3),  # the other one decides
        ([SOSO, EMPTY], ["share=0.8"], 1),  # whatever the other one had been
        ([GOOD, EMPTY], [], 4),
    ],
)
def test_a_gate_decides_the_exit_code(folder: Folder, rows: list[object], gates: list[str], code: int) -> None:
    """1 where a mean is below its limit, 3 where what failed could change that, 4 where nothing was asked for."""
    folder.rows(*rows)
    assert folder.score("runs.jsonl", "--scorers=scorers", *(f"--fail-under={gate}" for gate in gates)).code == code


def test_a_gate_is_told(folder: Folder) -> None:
    """With the mean, its coverage and the limit."""
    folder.rows(GOOD, SOSO)
    done = folder.score("runs.jsonl", "--scorers=scorers", "--fail-under=share=0.8", "--fail-under=same=0.5")
    assert "threshold missed  share: mean >= 0.8, 0.75 (2/2 scored) measured" in done.out
    assert "threshold met  same: mean >= 0.5, 0.5 (2/2 scored) measured" in done.out
    assert done.out.rstrip().endswith("a threshold was missed")


LOWER = """
from scorewright import create_scorer, pure
bad = create_scorer("bad", input=str, output=str, better="lower").generate_score(pure(lambda s: 0.25))
"""


def test_a_gate_of_a_scorer_of_which_lower_is_better(folder: Folder) -> None:
    """--fail-over fails a mean above the limit; --fail-under is wrong usage that names the other."""
    folder.write("lower.py", LOWER)
    folder.rows(GOOD)
    assert folder.score("runs.jsonl", "--scorers=lower", "--fail-over=bad=0.25").code == 0
    done = folder.score("runs.jsonl", "--scorers=lower", "--fail-over=bad=0.2", "--json")
    assert done.code == 1
    (threshold,) = cast("list[dict[str, object]]", done.report["thresholds"])
    assert (threshold["wanted"], threshold["value"], threshold["decision"]) == ("mean <= 0.2", 0.25, "missed")
    done = folder.score("runs.jsonl", "--scorers=lower", "--fail-under=bad=0.2")
    said = "--fail-under bad=0.2: of 'bad' lower is better, so use --fail-over bad=0.2"
    assert (done.code, done.err) == (2, f"scorewright: {said}\n")


def test_the_package_runs_as_a_module(folder: Folder) -> None:
    """`python -m scorewright` is the command."""
    done = subprocess.run(
        [*COMMAND[:-1], "scorewright", "--version"],
        cwd=folder.path,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_empty_file_fails(folder: Folder) -> None:
    """And is said to be empty; `--json` still prints its report."""
    folder.lines(["", "  "])
    done = folder.score("runs.jsonl", "--scorers=scorers")
    assert (done.code, done.err) == (1, "")
    assert done.out.rstrip().endswith("failed: there was nothing to evaluate")
    assert folder.score("runs.jsonl", "--scorers=scorers", "--json").report["exit_code"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nowhere.jsonl"], "cannot read nowhere.jsonl: No such file or directory"),
        (["."], ". holds no data set: there are neither .arrow nor .parquet files in it"),
        (["runs.jsonl", "--fail-under=share"], "--fail-under takes ID=LIMIT, such as share=0.8, not 'share'"),
        (["runs.jsonl", "--fail-under=x=0.5"], "--fail-under names 'x'; the scorers are share, same"),
        (["runs.jsonl", "--fail-under=share=nan"], "--fail-under share=nan: " + LIMIT),
        (["runs.jsonl", "--fail-under=share=80"], "--fail-under share=80: " + LIMIT),
        (["runs.jsonl", "--concurrency=0"], "--concurrency is at least 1, not 0"),
        (["runs.jsonl", "--out=runs.jsonl", "--force"], "--output runs.jsonl is a file that is read: give another"),
        (["runs.jsonl", "--out=there.jsonl"], "there.jsonl is there already: " + FORCE),
        (["runs.jsonl", "--out=no/where.jsonl"], "cannot write no/where.jsonl: No such file or directory"),
        (["--nope"], "unknown option --nope; the form is scorewright score RUNS --scorers module:name, and --help "
         "tells the rest"),
        (["runs.jsonl", "b.py"], "one file at a time is scored, not b.py too; several scorers are written --scorers "
         "scorers --scorers b.py"),
        (["runs.jsonl", "--fail-over=share=0.5"], "--fail-over share=0.5: of 'share' higher is better, so use "
         "--fail-under share=0.5"),
        (["runs.jsonl", "--replay=a", "--cache=b"], "--replay and --cache exclude each other: give one of them"),
        (["runs.jsonl", "--replay=a", "--budget-calls=1"], "--replay asks nobody, so there is no budget to hold"),
        (["runs.jsonl", "--budget-dollars=-1"], "--budget-dollars is a number, 0 or more, not -1.0"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told_in_one_line(folder: Folder, options: list[str], said: str) -> None:
    """Exit code 2, nothing on stdout, and no file is touched."""
    folder.rows(GOOD)
    folder.write("there.jsonl", "kept")
    before = {path.name for path in folder.path.iterdir()} | {"__pycache__"}
    done = folder.score(*options, "--scorers=scorers")
    assert (done.code, done.out, done.err) == (2, "", f"scorewright: {said}\n")
    assert {path.name for path in folder.path.iterdir()} | {"__pycache__"} == before
    assert (folder.path / "there.jsonl").read_text() == "kept"
    assert (folder.path / "runs.jsonl").read_text() == json.dumps(GOOD) + "\n"


@pytest.mark.parametrize("words", ["score", "score runs.jsonl", "nope", "score a --scorers=c --concurrency=x"])
def test_what_the_options_cannot_be_is_wrong_usage(folder: Folder, words: str) -> None:
    """Exit code 2, told on stderr in one line, with the form to use."""
    done = folder.call(*words.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "; the form is scorewright " in done.err


def test_help_and_version_are_fine(folder: Folder) -> None:
    """The help names every option and every exit code."""
    told = folder.call("score", "--help")
    for word in (
        "--scorers",
        "--out",
        "--force",
        "--json",
        "--fail-under",
        "--fail-over",
        "--concurrency",
        "--replay",
        "--record",
        "--cache",
        "--estimate",
        "--budget-dollars",
        "--budget-calls",
        "130",
    ):
        assert word in told.out
    assert (told.code, folder.call("--version").code, folder.call().code) == (0, 0, 0)


def test_results_are_written_a_line_for_each_row_and_scorer(folder: Folder) -> None:
    """In the order of the rows, with steps, fault or reason; --force replaces what was there."""
    folder.rows(GOOD, BARE, EMPTY)
    folder.write("results.jsonl", "old")
    assert folder.score("runs.jsonl", "--scorers=scorers", "--out=results.jsonl", "--force").code == 4
    results = folder.results()
    assert [(each["line"], each["id"], each["scorer"], each["score"]) for each in results] == [
        (1, "a", "share", 1.0), (1, "a", "same", 1.0), (2, "c", "share", 0.0), (2, "c", "same", None),
        (3, "d", "share", None), (3, "d", "same", 1.0),
    ]  # fmt: skip
    first, lone, failed = results[0], results[3], results[4]
    steps = cast("list[dict[str, object]]", first["steps"])
    assert [(step["step"], step["value"], step["prompts"]) for step in steps] == [
        ("preprocess", ["good", "good"], []), ("generate_score", 1.0, []), ("generate_reason", "2 of 2", []),
    ]  # fmt: skip
    assert all(isinstance(step["ms"], float) for step in steps)
    assert (first["run_id"], first["reason"], first["fault"]) == ("a", "2 of 2", None)
    assert "not_scorable" not in first
    assert (lone["fault"], lone["not_scorable"], lone["steps"]) == (None, "the run has no reference answer", [])
    said = "The step raised ZeroDivisionError: division by zero, at scorers.py:7."
    fault = cast("dict[str, str]", failed["fault"])
    assert {**fault, "trace": ""} == {"kind": "StepRaised", "message": said, "step": "generate_score", "trace": ""}
    assert fault["trace"].startswith("Traceback (most recent call last):")
    assert fault["trace"].endswith("ZeroDivisionError: division by zero\n")
    assert (first["input"], first["output"], first["expected"]) == ("q", "good good", "good good")
    assert all(each["reason"] is None for each in results if each["scorer"] == "same")
    assert all(each["spent"] is None for each in results)
    assert [step["step"] for step in cast("list[dict[str, object]]", failed["steps"])] == [
        "preprocess",
        "generate_score",
    ]


def test_the_scorers_of_a_row_share_its_run_id(folder: Folder) -> None:
    """Also where it is made of the input: the second row of one input has a number."""
    folder.rows({"input": "q", "output": "a"}, {"input": "q", "output": "a"})
    folder.score("runs.jsonl", "--scorers=scorers", "--out=results.jsonl")
    ids = [each["run_id"] for each in folder.results()]
    assert ids == [ids[0], ids[0], f"{ids[0]}-2", f"{ids[0]}-2"]


def test_a_full_disk_stops_the_run(folder: Folder) -> None:
    """Exit code 4, and said so."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    folder.rows(GOOD)
    done = folder.score("runs.jsonl", "--scorers=scorers", "--out=/dev/full", "--force")
    assert done.code == 4
    assert "No space left on device" in done.err
    assert "Traceback" not in done.err


def test_a_step_that_ends_the_process_does_not_decide_the_exit_code(folder: Folder) -> None:
    """`sys.exit(0)` in a step is no success; what was scored before is shown."""
    folder.write("ends.py", ENDS)
    folder.rows({"input": "", "output": ""}, {"input": "q", "output": ""})
    done = folder.score("runs.jsonl", "--scorers=ends")
    assert done.code == 4
    assert "stopped: a scorer ended the process: SystemExit(0)" in done.err
    assert re.search(r"^x +1\.00  1/1 scored ", done.out, re.MULTILINE)


def test_an_interrupt_keeps_what_was_written(folder: Folder) -> None:
    """Exit code 130, the table of what was done, and whole lines in the results file."""
    folder.write("waits.py", WAITS)
    folder.rows(*({"input": word, "output": ""} for word in ("a", "b", "wait", "c")))
    with subprocess.Popen(
        [*COMMAND, "score", "runs.jsonl", "--scorers=waits", "--out=results.jsonl"],
        cwd=folder.path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "incomplete: interrupted" in out
    assert re.search(r"^x +1\.00  2/2 scored ", out, re.MULTILINE), out
    assert "Traceback" not in err
    assert [each["line"] for each in folder.results()] == [1, 2]


def test_a_reader_that_goes_away_is_no_error(folder: Folder) -> None:
    """As of `scorewright … | head -0`."""
    folder.rows(*({"input": str(number), "output": "bad"} for number in range(50)))
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, "score", "runs.jsonl", "--scorers=scorers:share"],
            cwd=folder.path, env=environment(), stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_plain_scorers_load_nothing_heavy(folder: Folder) -> None:
    """Neither a judge's client nor a database."""
    folder.write("seen.py", SEEN)
    folder.rows(GOOD)
    assert folder.score("runs.jsonl", "--scorers=seen").err == "[]\n"


MEASURED = """
import atexit, resource, sys
from scorewright import create_scorer, pure
atexit.register(lambda: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr))
size = create_scorer("size", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) > 5_000))
"""


def test_memory_does_not_grow_with_the_file(folder: Folder) -> None:
    """20,000 rows of 10,000 letters, every third of them failing, take less than 40 MB more than one row does."""
    folder.write("measured.py", MEASURED)

    def megabytes(rows: int) -> int:
        with (folder.path / "runs.jsonl").open("w") as file:
            for number in range(rows):
                output = "x" * 10_000 if number % 3 else 7
                file.write(json.dumps({"id": f"row-{number}", "input": "q", "output": output}) + "\n")
        done = folder.score("runs.jsonl", "--scorers=measured", "--out=results.jsonl", "--force", "--json")
        assert done.report["n_items"] == rows
        return int(done.err)

    assert megabytes(20_000) - megabytes(1) < 40


def test_a_progress_bar_is_drawn_on_a_terminal_only(folder: Folder) -> None:
    """On stderr; stdout holds the report alone, and nothing of the bar is left."""
    folder.rows(GOOD, SOSO)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "score", "runs.jsonl", "--scorers=scorers", "--json"],
        cwd=folder.path,
        env=environment(TERM="xterm-256color"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    ) as process:
        os.close(theirs)
        drawn = b""
        try:
            while part := os.read(ours, 65536):
                drawn += part
        except OSError:  # the other end is closed
            pass
        out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert json.loads(out)["n_items"] == 2
    assert b"evaluating" in drawn
    assert b"2 items" in drawn
    assert drawn.endswith(b"\x1b[2K")  # the line is wiped
