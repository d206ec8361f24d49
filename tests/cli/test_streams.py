"""Stdout holds the results and nothing else, whatever prints; a stream that is closed or full is no crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.folder import COMMAND, Folder, environment

pytestmark = pytest.mark.once

NOISY = """
import os, subprocess, sys
from scorewright import create_scorer, pure
from scorewright.suites import Suite

def answer(given):
    print("printed")
    if sys.__stdout__ is not None:
        sys.__stdout__.write("past sys.stdout")
    os.write(1, b"from C")
    subprocess.run(["echo", "from a program"], check=True)
    return "good"

share = create_scorer("share", input=str, output=str).generate_score(pure(lambda s: 1.0))
suite = Suite(share)
"""
EVALUATE = ("evaluate", "rows.jsonl", "--suite=noisy:suite", "--target=noisy:answer")


@pytest.fixture
def noisy(folder: Folder) -> Folder:
    """Two rows, and a target that prints in every way there is."""
    folder.write("noisy.py", NOISY)
    folder.rows({"id": "a", "input": "x"}, {"id": "b", "input": "y"}, name="rows.jsonl")
    return folder


def ended(folder: Folder, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command with its streams as a shell has them."""
    line = ["sh", "-c", f'"$@" {script}', "sh", *COMMAND, *arguments]
    return subprocess.run(
        line, cwd=folder.path, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("workers", [(), ("--workers=1",)])
def test_nothing_that_prints_gets_between_the_results(noisy: Folder, workers: tuple[str, ...]) -> None:
    """Not by `print`, past `sys.stdout`, out of C, by a program, or in a worker process."""
    done = ended(noisy, "", *EVALUATE, "--json", *workers)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n_items"] == 2
    for said in ("printed", "past sys.stdout", "from C", "from a program"):
        assert done.stderr.count(said) == 2


def test_items_go_to_stdout_where_that_is_asked(noisy: Folder) -> None:
    """A line for each item, and the summary."""
    done = ended(noisy, "", *EVALUATE, "--json", "--output=/dev/stdout", "--force")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(line["id"] for line in lines[:2]) == ["a", "b"]
    assert lines[2]["verdict"] == "passed"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_changes_nothing(noisy: Folder, closed: str) -> None:
    """Nor does a store take its place, to be written into by whatever prints."""
    store = noisy.path / "runs.db"
    assert ended(noisy, closed, *EVALUATE, f"--store={store}").returncode == 0
    again = ended(noisy, "", *EVALUATE, f"--store={store}", "--json")
    assert json.loads(again.stdout)["n_before"] == 2
    assert ended(noisy, "", "doctor", f"--store={store}").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "line", [EVALUATE, (*EVALUATE, "--json"), ("list", "--json"), ("score", "rows.jsonl", "--scorers=noisy:share")]
)
def test_a_full_disk_under_stdout_is_told(noisy: Folder, line: tuple[str, ...]) -> None:
    """In one line, with the code of what is not whole."""
    done = ended(noisy, ">/dev/full", *line)
    assert done.returncode == 4
    assert "scorewright: the results cannot be written to stdout: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_whoever_reads_no_further_is_no_fault(noisy: Folder) -> None:
    """`| head` ends the command quietly."""
    read, write = os.pipe()
    os.close(read)
    line = [sys.executable, "-m", "scorewright.cli", "list", "--json"]
    done = subprocess.run(
        line, cwd=noisy.path, env=environment(), stdout=write, stderr=subprocess.PIPE, timeout=60, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    "line",
    [
        (*EVALUATE, "--output=rows.jsonl", "--force"),
        (*EVALUATE, "--store=runs.db", "--output=runs.db", "--force"),
        ("rescore", "--store=runs.db", "--scorers=noisy:share", "--output=runs.db", "--force"),
        ("resume", "--store=runs.db", "--output=runs.db", "--force"),
        ("resume", "--store=runs.db", "--output=rows.jsonl", "--force"),
        ("export", "--store=runs.csv", "--output=runs.csv", "--force"),
        ("report", "runs.md", "--output=runs.md", "--force"),
        ("compare", "runs.md", "runs.csv", "--output=runs.md", "--force"),
        ("compare", "runs.db", "runs.md", "--output=runs.md", "--force"),
        ("calibrate", "rows.json", "--scorer=noisy:share", "--output=rows.json", "--force"),
        ("score", "rows.jsonl", "--scorers=noisy:share", "--out=rows.jsonl", "--force"),
    ],
)
def test_nothing_is_written_over_what_is_read(noisy: Folder, line: tuple[str, ...]) -> None:
    """Not even where a file may be replaced: the rows and the paid answers would be gone."""
    assert ended(noisy, "", *EVALUATE, "--store=runs.db").returncode == 0
    for name in ("runs.csv", "runs.md"):
        (noisy.path / name).write_bytes((noisy.path / "runs.db").read_bytes())
    (noisy.path / "rows.json").write_text('[{"input": "x", "output": "y", "human": 1}]', encoding="utf-8")
    before = {path.name: path.read_bytes() for path in noisy.path.glob("r*.*") if "-" not in path.suffix}
    done = ended(noisy, "", *line)
    assert done.returncode == 2, done.stdout
    assert "is a file that is read: give another" in done.stderr
    assert {name: (noisy.path / name).read_bytes() for name in before} == before
