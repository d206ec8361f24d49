"""`scorewright evaluate` and what goes with it, run as a user runs it."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import cast

import attrs
import pytest
from cli.folder import COMMAND, Done, Folder, environment
from fakes.openai_server import Answer, Body, FakeOpenAI, said

from scorewright.cli.app import call

SUITE = """
import os
from scorewright import Judge, create_scorer, ok, pure, score_prompt
from scorewright.suites import Suite

share = (
    create_scorer("share", input=str, output=str)
    .preprocess(pure(lambda s: s.run.output.split()))
    .generate_score(pure(lambda s: s.pre.count("good") / len(s.pre)))
    .generate_reason(lambda s: ok("counted"))
)
same = create_scorer("same", input=str, output=str, expected=str).generate_score(
    pure(lambda s: s.run.output == s.run.expected)
)
judge = Judge("fake", base_url=os.environ.get("JUDGE", "http://127.0.0.1:9"))
judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda step: f"How good is {step.run.output}?")
)
suite = Suite((share, ">= 0.5"), same, name="mine")
asking = Suite(judged, name="asking")
number = 7

def target(question):
    print("asked", question)
    with open("asked.txt", "a") as file:
        file.write(question + "\\n")
    if question == "boom":
        raise ValueError("no such luck")
    return "good " + question
"""
ROWS = (
    {"id": "a", "input": "day", "output": "good day", "expected": "good day", "lang": "en"},
    {"id": "b", "input": "good", "output": "good good", "expected": "good", "lang": "de"},
    {"id": "c", "input": "night", "output": "bad night", "expected": "x", "lang": "en", "tags": ["hard"]},
)


@attrs.frozen
class Here(Folder):
    """The same folder, where commands run in this process: a new interpreter for each takes seconds."""

    def call(self, *tokens: str, given: bytes = b"", **more: str) -> Done:
        """`scorewright …`, as if it were the first."""
        assert not given
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.path)
            patch.setattr(sys, "path", [*sys.path])
            for name, value in more.items():
                patch.setenv(name, value)
            sys.modules.pop("mine", None)
            with redirect_stdout(out), redirect_stderr(err):
                code = call(tokens)
        return Done(code, out.getvalue(), err.getvalue())


@pytest.fixture
def mine(tmp_path: Path) -> Here:
    """Three rows, two scorers, a target."""
    here = Here(tmp_path)
    here.write("mine.py", SUITE)
    here.rows(*ROWS, name="rows.jsonl")
    return here


def mean(report: dict[str, object], id: str) -> tuple[object, object]:
    scorer = next(each for each in cast("list[dict[str, object]]", report["scorers"]) if each["id"] == id)
    return scorer["mean"], scorer["n_scored"]


def test_a_suite_is_evaluated_and_told(mine: Here) -> None:
    """Table on stdout, nothing on stderr; every number with its coverage."""
    done = mine.call("evaluate", "rows.jsonl", "--suite=mine:suite")
    assert (done.code, done.err) == (0, "")
    assert "rows.jsonl  3 rows · 2 scorers" in done.out
    assert "0.50  3/3 scored" in done.out
    assert "threshold met  share: mean >= 0.5, 0.5 (3/3 scored) measured" in done.out
    assert done.out.rstrip().endswith("passed")


@pytest.mark.parametrize(
    ("options", "code", "verdict"),
    [
        ((), 0, "passed"),
        (("--fail-under=share=0.6",), 1, "scored"),
        (("--gate=share>=0.1",), 1, "failed"),
        (("--gate=same",), 1, "failed"),
        (("--gate=same", "--filter=id=a"), 0, "passed"),
        (("--filter=lang=fr",), 1, "failed"),
        (("--fail-fast", "--gate=share"), 1, "failed"),
        (("--target=mine:target",), 0, "passed"),
    ],
)
def test_the_exit_code_is_the_verdict(mine: Here, options: tuple[str, ...], code: int, verdict: str) -> None:
    """0 fine, 1 a gate or threshold was missed, or there was nothing to evaluate."""
    done = mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--json", *options)
    assert (done.code, done.report["verdict"], done.report["exit_code"]) == (code, verdict, code)


def test_what_is_missing_may_leave_it_open(mine: Here) -> None:
    """3 where a failed target could change the answer, 4 where nothing was asked for; the table says why."""
    mine.rows(*ROWS[:1], {"id": "d", "input": "boom"}, "nope", name="rows.jsonl")
    done = mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--target=mine:target")
    assert done.code == 3
    assert "The target raised ValueError at mine.py:" in done.out
    assert "rows.jsonl:3:1  not JSON: expecting value" in done.out
    assert "asked day" in done.err  # what a target prints is no result
    done = mine.call("evaluate", "rows.jsonl", "--scorers=mine:share", "--target=mine:target")
    assert done.code == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "give --suite module:name, or --scorers"),
        (("--suite=mine:suite", "--scorers=mine:share"), "not both"),
        (("--suite=mine:number",), "is no Suite but int"),
        (("--suite=mine:other",), "mine has no 'other'"),
        (("--suite=mine:share",), "is no Suite but a scorer: give --scorers mine:share"),
        (("--suite=mine",), "--suite is written module:name"),
        (("--suite=mine:suite", "--gate=other"), "there is no scorer 'other'"),
        (("--suite=mine:suite", "--fail-under=share"), "ID=LIMIT"),
        (("--suite=mine:suite", "--fail-over=share=0.5"), "higher is better"),
        (("--suite=mine:suite", "--map=input"), "FIELD=COLUMN"),
        (("--suite=mine:suite", "--filter=lang"), "FIELD=VALUE"),
        (("--suite=mine:suite", "--filter=id~("), "--filter id~("),
        (("--suite=mine:suite", "--limit=0"), "--limit is at least 1"),
        (("--suite=mine:suite", "--target=mine:number"), "--target is a function"),
        (("--suite=mine:suite", "--concurrency=0"), "--concurrency is at least 1"),
        (("--suite=mine:suite", "--store=nowhere/runs.db"), "does not exist"),
        (("--scorers=mine:share", "--workers=2"), "--workers needs --suite"),
        (("--suite=mine:suite", "--target=mine.py:target", "--workers=2"), "--workers needs --target module:name"),
        (("--suite=mine:suite", "--store="), "a store has to outlive the process"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_done(mine: Here, options: tuple[str, ...], said: str) -> None:
    """Exit code 2, one sentence, no traceback."""
    done = mine.call("evaluate", "rows.jsonl", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_rows_are_picked(mine: Here) -> None:
    """By filters, by a sample that its seed decides, by their number."""

    def picked(*options: str) -> list[object]:
        done = mine.call(
            "evaluate", "rows.jsonl", "--scorers=mine:share", "--output=out.jsonl", "--force", "--json", *options
        )
        assert done.code in {0, 1}, done.err
        return [each["id"] for each in mine.results("out.jsonl")]

    assert picked("--filter=lang=en") == ["a", "c"]
    assert picked("--filter=metadata.lang!=en") == ["b"]
    assert picked("--filter=tag=hard") == ["c"]
    assert picked("--filter=output~^good", "--limit=1") == ["a"]
    mine.rows(*({"id": str(n), "input": "q", "output": "good"} for n in range(50)), name="rows.jsonl")
    one, other = picked("--sample=10", "--seed=1"), picked("--sample=10", "--seed=2")
    assert len(one) == len(other) == 10
    assert one != other
    assert one == picked("--sample=10", "--seed=1")
    assert one == sorted(one, key=lambda id: int(str(id)))


def test_columns_can_be_named(mine: Here) -> None:
    """A CSV of other names."""
    mine.write("rows.csv", "frage,antwort\nq,good good\n")
    done = mine.call(
        "evaluate", "rows.csv", "--scorers=mine:share", "--map=input=frage", "--map=output=antwort", "--json"
    )
    assert done.code == 0, done.err
    assert mean(done.report, "share") == (1.0, 1)


def test_items_are_written_as_they_are_done(mine: Here) -> None:
    """One JSON object each, with every step; a file that is there is not overwritten."""
    options = ("evaluate", "rows.jsonl", "--suite=mine:suite", "--target=mine:target", "--output=out.jsonl")
    assert mine.call(*options).code == 0
    items = {str(each["id"]): each for each in mine.results("out.jsonl")}
    assert items["a"]["output"] == "good day"
    scores = cast("list[dict[str, object]]", items["a"]["scores"])
    assert [(each["scorer"], each["score"], each["reason"]) for each in scores] == [
        ("share", 0.5, "counted"),
        ("same", 1.0, None),
    ]
    done = mine.call(*options)
    assert done.code == 2
    assert "--force" in done.err


def test_a_store_continues_lists_scores_again_and_exports(mine: Here) -> None:
    """The whole life of an experiment; the target is asked once for each row that it answered."""
    mine.rows(*ROWS, {"id": "d", "input": "boom"}, name="rows.jsonl")
    options = ("--suite=mine:suite", "--target=mine:target", "--store=runs.db", "--json")
    first = mine.call("evaluate", "rows.jsonl", *options, "--limit=2")
    assert first.report["n_items"] == 2
    whole = mine.call("evaluate", "rows.jsonl", *options)
    assert (whole.report["n_items"], whole.report["n_before"]) == (2, 2)
    again = mine.call("resume", "--store=runs.db", "--json")
    assert (again.report["n_items"], again.report["n_before"]) == (1, 3)  # as it was called last, of all rows
    asked = (mine.path / "asked.txt").read_text().split()
    assert sorted(asked) == ["boom", "boom", "day", "good", "night"]  # the one that failed was asked again

    rescored = mine.call("rescore", "--scorers=mine:share", "--store=runs.db", "--json", "--fail-under=share=0.9")
    assert rescored.code == 1
    assert mean(rescored.report, "share") == (pytest.approx(2 / 3), 3)
    assert (mine.path / "asked.txt").read_text().split() == asked

    listed = mine.call("list", "--store=runs.db", "--json").report
    experiments = cast("list[dict[str, str]]", listed["experiments"])
    assert [each["source"] for each in experiments] == ["rows.jsonl", f"experiment {experiments[0]['id']}"]
    assert "rows.jsonl" in mine.call("list", "--store=runs.db").out

    done = mine.call("export", experiments[0]["id"][:6], "--store=runs.db", "--output=all.jsonl")
    assert (done.code, done.out) == (0, "")
    assert len(mine.results("all.jsonl")) == 7  # two scores for each of three rows, and the row that failed
    assert mine.call("export", "--store=runs.db", "--output=all.jsonl").code == 2
    assert mine.call("export", "--store=runs.db", "--output=all.xml").code == 2
    assert mine.call("export", "nobody", "--store=runs.db", "--output=x.csv").code == 2

    examined = mine.call("doctor", "--store=runs.db", "--json")
    assert examined.code == 0
    assert examined.report["findings"]
    assert mine.call("doctor", "--store=runs.db").code == 0


def test_resume_names_what_is_missing_before_any_call(mine: Here) -> None:
    """`UKGovernmentBEIS/inspect_ai#2300`: a target that is gone, an experiment without a command line."""
    mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--target=mine:target", "--store=runs.db")
    mine.write("mine.py", SUITE.replace("def target", "def renamed"))
    done = mine.call("resume", "--store=runs.db")
    assert done.code == 2
    assert "mine has no 'target'" in done.err
    assert mine.call("resume", "other", "--store=runs.db").code == 2
    assert mine.call("resume", "--store=empty.db").code == 2


def test_scoring_again_keeps_to_a_budget(mine: Here) -> None:
    """As evaluating does: nothing is asked that it does not cover."""
    mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--store=runs.db")
    done = mine.call("rescore", "--store=runs.db", "--scorers=mine:judged", "--budget-calls=0", "--json")
    assert (done.code, done.report["verdict"]) == (3, "inconclusive"), done.err
    assert {each["kind"] for each in cast("list[dict[str, str]]", done.report["failures"])} == {"BudgetExhausted"}


def test_resume_tells_that_it_is_another_experiment(mine: Here) -> None:
    """Where a scorer has changed meanwhile: before its target is asked anew, and with the way round that."""
    mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--target=mine:target", "--store=runs.db")
    assert "another experiment" not in mine.call("resume", "--store=runs.db").err
    mine.write(
        "mine.py", SUITE.replace("def target", "WORSE = 1\n\n\ndef target").replace('count("good")', 'count("bad")')
    )
    done = mine.call("resume", "--store=runs.db", "--json")
    assert "this is another experiment, begun anew" in done.err
    (before, _) = cast("list[dict[str, str]]", mine.call("list", "--store=runs.db", "--json").report["experiments"])
    assert f"scorewright rescore {before['id']}" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
def test_a_store_that_is_full_stops_the_run(mine: Here) -> None:
    """Nothing more is asked, no row is called failed for it, and what was committed is there when there is room."""
    mine.rows(*[{"id": f"{number}", "input": "good " * 200} for number in range(400)], name="many.jsonl")
    line = ["evaluate", "many.jsonl", "--suite=mine:suite", "--target=mine:target", "--store=runs.db", "--json"]
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 200; "$@"', "sh", *COMMAND, *line],
        cwd=mine.path, env=environment(), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"], report["n_failed"]) == (4, "incomplete", 0)
    assert str(report["stopped"]).startswith("the journal cannot be written")
    asked = len((mine.path / "asked.txt").read_text().splitlines())
    assert asked < 400
    again = mine.call("resume", "--store=runs.db", "--json")
    assert cast("int", again.report["n_items"]) + cast("int", again.report["n_before"]) == 400


def test_lines_of_another_format_are_told(mine: Here) -> None:
    """Of stdin nobody knows a suffix."""
    given, called = b"input,output\nq,good\n", Folder(mine.path).call
    for command in ("evaluate", "score"):
        done = called(command, "-", "--scorers=mine:share", given=given)
        assert done.code == 3
        assert "no line of stdin is JSON: where it is of another format, such as csv, --format names it" in done.err
        assert called(command, "-", "--scorers=mine:share", "--format=csv", given=given).err == ""


def test_a_filter_for_what_no_row_has_is_told(mine: Here) -> None:
    """By the names that rows have; one that a row has, or that is a field, is not."""
    mine.rows({"input": "q", "output": "good", "lang": "en"}, name="rows.jsonl")
    done = mine.call("evaluate", "rows.jsonl", "--scorers=mine:share", "--filter=nosuch.deep=x", "--filter=tag!=a")
    assert done.code == 1
    assert "--filter nosuch.deep=x: no row has 'nosuch'; rows have id, input, output" in " ".join(done.err.split())
    assert done.err.count("\n") == 1
    assert mine.call("evaluate", "rows.jsonl", "--scorers=mine:share", "--filter=lang=de").err == ""


def test_defaults_stand_in_pyproject(mine: Here) -> None:
    """For all commands, or for one; the command line goes before them, and a wrong key is told."""
    mine.write(
        "pyproject.toml",
        """[tool.scorewright]
store = "runs.db"
fail-fast = false
[tool.scorewright.evaluate]
suite = "mine:suite"
gate = ["same"]
json = true
""",
    )
    done = mine.call("evaluate", "rows.jsonl")
    assert (done.code, done.report["verdict"]) == (1, "failed")
    assert mine.call("evaluate", "rows.jsonl", "--gate=share>=0").report["verdict"] == "passed"
    assert "rows.jsonl" in mine.call("list").out
    mine.write("pyproject.toml", '[tool.scorewright]\nstoer = "runs.db"\n')
    done = mine.call("list")
    assert done.code == 2
    assert "[tool.scorewright] has 'stoer'" in done.err
    mine.write("pyproject.toml", "[tool.scorewright\n")
    assert mine.call("list").code == 2
    assert mine.call("--help").code == 0


def test_worker_processes_give_the_same(mine: Here) -> None:
    """Found by name, in the folder where the command is called."""
    alone = mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--json")
    several = Folder(mine.path).call("evaluate", "rows.jsonl", "--suite=mine:suite", "--json", "--workers=1")
    assert several.code == 0, several.err
    assert several.report == alone.report


def test_an_interrupt_keeps_what_was_paid_and_says_how_to_go_on(mine: Here) -> None:
    """A real signal while one question waits: 130, the summary of what was done, a resume that pays for the rest."""
    asked: list[str] = []
    released, waits = threading.Event(), threading.Event()

    def answer(body: Body, number: int) -> Answer:
        text = str(body["messages"])
        asked.append(text)
        if "bad night" in text and not released.is_set():
            waits.set()
            released.wait(timeout=60)
        return said('{"score": 0.5}')

    with FakeOpenAI(answer) as server:
        options = ("evaluate", "rows.jsonl", "--suite=mine:asking", "--store=runs.db", "--json", "--output=out.jsonl")
        with subprocess.Popen(
            [*COMMAND, *options],
            cwd=mine.path,
            env=environment(JUDGE=server.base_url),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert waits.wait(timeout=60)
            while len(mine.results("out.jsonl")) < 2:  # the other two are done
                threading.Event().wait(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            released.set()
        assert process.returncode == 130, err
        report = json.loads(out)
        assert (report["stopped"], report["verdict"], report["n_items"]) == ("interrupted", "incomplete", 2)
        assert f"scorewright resume {report['experiment']} --store runs.db" in err
        done = mine.call("resume", "--store=runs.db", "--json", JUDGE=server.base_url)
    assert (done.code, done.report["n_items"], done.report["n_before"]) == (0, 1, 2)
    assert len(asked) == 4  # three, and the one that was under way


def test_what_is_resumed_is_what_was_begun_here(mine: Here) -> None:
    """Not a rescoring that came after it, which its own command continues: that the message says."""
    begun = mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--store=runs.db", "--json")
    again = mine.call("rescore", "--store=runs.db", "--scorers=mine:share", "--json")
    resumed = mine.call("resume", "--store=runs.db", "--json")
    assert (resumed.report["experiment"], resumed.report["n_before"]) == (begun.report["experiment"], 3)
    once_more = mine.call("rescore", "--store=runs.db", "--scorers=mine:share", "--json")
    assert (once_more.report["experiment"], once_more.report["n_before"]) == (again.report["experiment"], 3)
    refused = mine.call("resume", str(again.report["experiment"]), "--store=runs.db")
    assert (refused.code, "the call that began it continues it" in refused.err) == (2, True)


@pytest.mark.parametrize(
    "command", [["resume"], ["rescore", "--scorers=mine:share"], ["export", "--output=out.csv"], ["list"]]
)
def test_a_store_that_is_not_there_is_not_made(mine: Here, command: list[str]) -> None:
    """Where something is to be read, another name is a mistake."""
    done = mine.call(*command, "--store=other.db")
    assert (done.code, done.err.strip()) == (2, "scorewright: there is no store other.db")
    assert not (mine.path / "other.db").exists()


def test_results_that_cannot_be_written_leave_it_incomplete(mine: Here) -> None:
    """Exit code 4, no traceback."""
    done = mine.call("evaluate", "rows.jsonl", "--suite=mine:suite", "--output=/dev/full", "--force")
    assert done.code == 4
    assert "No space left on device" in done.err
    assert "Traceback" not in done.err


def test_help_tells_the_exit_codes(mine: Here) -> None:
    """Of every command."""
    for command in ("evaluate", "resume", "rescore", "export", "doctor", "list"):
        assert "Exit codes" in mine.call(command, "--help").out
