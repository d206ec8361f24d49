"""`scorewright calibrate`: rows that people labelled, or a store's scores beside them; files, JSON, exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from cli.folder import Folder
from fakes.openai_server import FakeOpenAI, said

pytestmark = pytest.mark.once

JUDGED = """
from scorewright import Judge, create_scorer, score_prompt

judge = Judge(model="fake", base_url={url!r})
judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda s: f"How good is {{s.run.output}}?")
)
"""


def labelled(n: int = 40, *, name: str = "human") -> Iterator[dict[str, object]]:
    for at in range(n):
        good = at % 4
        words = ["good"] * good + ["odd"] * (4 - good)
        yield {"id": f"r{at}", "input": "q", "output": " ".join(words), name: good > 1 or at == 8}


def test_a_scorer_is_compared_with_people(folder: Folder) -> None:
    """On the terminal: agreement, threshold, errors, means."""
    folder.rows(*labelled())
    done = folder.call("calibrate", "runs.jsonl", "--scorer", "scorers.py:share")
    assert (done.code, done.err) == (0, "")
    for text in ("share  40 labelled rows", "Cohen's kappa", "A row passes with a score >= 0.375", "Brier score"):
        assert text in done.out


def test_json_and_files(folder: Folder) -> None:
    """JSON alone on stdout; pages and Markdown in files, none replaced unasked."""
    folder.rows(*labelled(name="ann"))
    call = ("calibrate", "runs.jsonl", "--scorer", "scorers.py:share", "--human", "ann")
    done = folder.call(*call, "--json", "--html", "c.html", "--output", "c.md")
    assert done.code == 0
    assert done.report["kind"] == "pass_fail"
    assert done.report["n_scored"] == 40
    assert (folder.path / "c.html").read_text().startswith("<!doctype html>")
    assert (folder.path / "c.md").read_text().startswith("# Calibration of share")
    again = folder.call(*call, "--html", "c.html")
    assert (again.code, again.out) == (2, "")
    assert "or another --output" in again.err
    forced = folder.call(*call, "--html", "c.html", "--force")
    assert (forced.code, forced.out) == (0, "")
    assert "the calibration of share is in c.html" in forced.err


def test_levels_thresholds_costs_and_annotators(folder: Folder) -> None:
    """Options reach the numbers."""
    names = ["bad", "poor", "fair", "good"]
    folder.rows(
        *({**row, "ann": names[at % 4], "bob": names[min(at % 4 + at % 2, 3)]} for at, row in enumerate(labelled()))
    )
    call = ("calibrate", "runs.jsonl", "--scorer", "scorers.py:share", "--json")
    levels = folder.call(*call, "--human", "ann", "--human", "bob", "--levels", "bad,poor,fair,good").report
    assert levels["kind"] == "levels"
    assert levels["annotators"] is not None
    cut = folder.call(*call, "--threshold", "0.6").report["cut"]
    assert isinstance(cut, dict)
    assert (cut["value"], cut["chosen"]) == (0.6, False)
    costly = folder.call(*call, "--criterion", "cost", "--costs", "5", "1").report["cut"]
    assert isinstance(costly, dict)
    assert (costly["criterion"], costly["value"]) == ("cost", 0.375)


def test_scores_of_a_store_are_taken_and_nobody_is_asked(folder: Folder) -> None:
    """The judge answered once, when the rows were scored."""
    answers = [said(json.dumps({"score": at % 10 / 10})) for at in range(20)]
    with FakeOpenAI(answers) as server:
        folder.write("judged.py", JUDGED.format(url=server.base_url))
        folder.rows(*({name: row[name] for name in ("id", "input")} | {"output": row["id"]} for row in labelled(20)))
        done = folder.call("evaluate", "runs.jsonl", "--scorers", "judged.py:judged", "--store", "runs.db")
        assert done.code == 0, done.err
        asked = len(server.requests)
        folder.rows(*labelled(20), name="labels.jsonl")
        found = folder.call("calibrate", "labels.jsonl", "--scorer", "judged", "--scores", "runs.db", "--json")
        assert found.code == 0, found.err
        assert found.report["n_scored"] == 20
        assert len(server.requests) == asked == 20


def test_rows_that_fail_are_four_and_nothing_is_three(folder: Folder) -> None:
    """A failure is counted, and what cannot be told is told."""
    rows = [*labelled(20)]
    rows[0] = {**rows[0], "output": ""}
    folder.rows(*rows)
    done = folder.call("calibrate", "runs.jsonl", "--scorer", "scorers.py:share")
    assert done.code == 4
    assert "1 failed" in done.out
    folder.rows(*({name: row[name] for name in ("id", "input", "output")} for row in labelled(5)))
    none = folder.call("calibrate", "runs.jsonl", "--scorer", "scorers.py:share", "--json")
    assert (none.code, none.out) == (2, "")
    folder.rows(*({**row, "human": None} for row in labelled(5)))
    none = folder.call("calibrate", "runs.jsonl", "--scorer", "scorers.py:share", "--json")
    assert none.code == 3
    assert none.report["n_unlabelled"] == 5


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--scorer", "scorers.py:both"), "holds 2 scorers"),
        (("--scorer", "scorers.py:share", "--human", "id2", "--html", "c.txt"), "a calibration is written as"),
        (("--scorer", "scorers.py:share", "--output", "c.pdf"), "a calibration is written as"),
        (("--scorer", "scorers.py:share", "--criterion", "best"), "--criterion is"),
        (("--scorer", "scorers.py:share", "--levels", "a,b"), "--levels are 'a', 'b'"),
        (("--scorer", "share", "--scores", "none.db"), "there is no store"),
        (("--scorer", "scorers.py:share", "--replay", "a", "--cache", "b"), "exclude each other"),
    ],
)
def test_what_is_asked_wrongly_is_two(folder: Folder, options: tuple[str, ...], why: str) -> None:
    """And says what to mend."""
    folder.rows(*labelled(8))
    done = folder.call("calibrate", "runs.jsonl", *options)
    assert (done.code, done.out) == (2, "")
    assert why in done.err


@pytest.mark.parametrize("human", [(), ("--human", "an"), ("--human", "ann", "--human", "bob")])
def test_a_column_that_no_row_has_is_wrong_usage(folder: Folder, human: tuple[str, ...]) -> None:
    """Nobody is asked for nothing; the columns that there are are named."""
    folder.rows(*labelled(name="ann"))
    done = folder.call("calibrate", "runs.jsonl", "--scorer", "scorers.py:share", *human)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "no row has the column" in done.err
    assert "there are ann" in done.err
