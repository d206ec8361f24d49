"""What a mark may say, where it may stand, and what stands beside it."""

from __future__ import annotations

import json
import re

import pytest
from testing.projects import XDIST, Project

pytestmark = pytest.mark.once

CASES = """{"id": "a", "input": {"text": "hi", "n": 1}, "expected": "yes"}
{"id": "b", "input": {"text": "ho", "n": "two"}, "expected": "yes"}
{"id": "c", "input": {"text": "he", "n": 3}
{"id": "ä/ö [1]", "input": {"text": "he", "n": 3}, "expected": "no"}
"""


def test_rows_are_read_from_a_file_beside_the_test_and_typed(project: Project) -> None:
    """A row that cannot be read, or does not fit the test's types, fails its own case, and counts as failed."""
    project.put("tests/cases.jsonl", CASES).put(
        "tests/test_bot.py",
        """
import attrs
from scorewright import create_scorer, pure
from scorewright.testing import Case, Score, evaluated

@attrs.frozen
class Question:
    text: str
    n: int

said = create_scorer("said", input=Question, output=str, expected=str).generate_score(
    pure(lambda s: float(s.run.output == s.run.expected)))

@evaluated("cases.jsonl", (said, ">= 0.6"))
def test_bot(case: "Case[Question, str]", score: Score) -> None:
    assert type(case.input) is Question and case.row.input["n"] == case.input.n
    score("yes" if case.input.n < 3 else "no")
""",
    )
    ran = project.run("-rA")
    assert (ran.code, ran.counts) == (1, {"passed": 2, "failed": 1, "error": 2})
    assert ran.said(
        "PASSED tests/test_bot.py::test_bot[a]",
        "the row does not fit: input at $.n: expected an integer, got a string",
        "cases.jsonl:3:",
        "said: mean >= 0.6; 1 measured (2/4 scored · 2 failed)",
    )


def test_classes_fixtures_and_parameters_stand_beside(project: Project) -> None:
    """Methods, marks of classes and modules, fixtures that take the case; other parameters are evaluations apart."""
    project.write(
        test_bot="""
@pytest.fixture
def answer(case, score):
    return score("yes" if case.id != "r0" else "no")

@evaluated(ROWS, (equal, ">= 0.7"))
class TestBot:
    def test_by_fixture(self, answer):
        assert answer.row.id

    def test_without(self):
        pass

    @evaluated(ROWS[:2], (equal, ">= 0.4"), name="of its own")
    def test_own(self, case, score):
        score(case.expected if case.id != "r0" else "no")

class TestMore(TestBot):
    pass

@evaluated(ROWS[:2], (equal, ">= 0.8"))
@pytest.mark.parametrize("model", ["good", "bad"])
@pytest.mark.parametrize("n", [1, object()], ids=["one", "thing"])
def test_models(model, case, score, n, tmp_path):
    score("yes" if model == "good" else "no")

@pytest.mark.scorewright(ROWS, equal, thresholds={"equal": pass_rate(0.5)}, gates={"equal": ">= 0"})
async def test_by_the_plain_mark(case, score):
    score("yes" if case.id < "r2" else "no")
"""
    )
    ran = project.run("-v")
    assert ran.said(
        "test_bot.py::TestBot::test_by_fixture[gate] PASSED",
        "test_bot.py::TestBot::test_own[gate] PASSED",
        "test_bot.py::TestMore::test_by_fixture[gate] PASSED",
        "test_bot.py::test_models[gate model=good, n=1] PASSED",
        "test_bot.py::test_models[gate model=bad, n=1] FAILED",
        "test_bot.py::test_models[gate model=bad, n=object] FAILED",
        "test_bot.py::test_by_the_plain_mark[gate] PASSED",
    )
    assert (ran.code, ran.counts) == (1, {"passed": 4 + 1 + 2 + 4 + 1 + 2 + 8 + 4 + 7, "failed": 2})


def test_collecting_only_runs_and_gates_nothing(project: Project) -> None:
    """The cases are shown under the ids of their rows."""
    project.write(test_bot="@evaluated(ROWS, equal)\ndef test_bot(score): 1 / 0\n")
    ran = project.run("--collect-only", "-q")
    assert ran.code == 0
    assert [line for line in ran.output.splitlines() if "::" in line] == [
        f"test_bot.py::test_bot[r{n}]" for n in range(4)
    ]


def test_repeated_rows_are_cases_of_one_cluster(project: Project) -> None:
    """`repeat=` makes several cases of a row; the pass rate over all of them is what the gate sees."""
    project.write(
        test_bot="""
said = iter([0.71, 0.68, 0.73])
number = create_scorer("number", input=str, output=float).generate_score(pure(lambda s: s.run.output))

@evaluated(ROWS[:1], (number, pass_rate(0.7, passing=0.7)), repeat=3)
def test_majority(case, score):
    score(next(said))

@evaluated(ROWS[:1], equal)
def test_twice(score):
    score("yes")
    score("no")
"""
    )
    ran = project.run("-v")
    assert ran.said(
        "test_majority[r0#1] PASSED",
        "pass_rate(0.7) >= 0.7; 0.6667 measured (3/3 scored)",
        "a case is scored once",
    )


def test_a_threshold_of_zero_is_a_threshold(project: Project) -> None:
    """0 passes whatever the scores are; without a threshold there is no verdict on the mean, but all must be scored."""
    project.write(
        test_bot="""
@evaluated(ROWS, (equal, 0))
def test_zero(score):
    score("no")

@evaluated(ROWS, equal)
def test_none(case, score):
    score("no") if case.id != "r0" else score(3)
"""
    )
    ran = project.run()
    assert ran.said("threshold equal: mean >= 0; 0 measured (4/4 scored)", "incomplete: something failed")
    assert (ran.code, ran.counts) == (1, {"passed": 9, "failed": 1})


def test_rows_have_limits_of_their_own(project: Project) -> None:
    """A setting of some rows changes their gate, and the verdict, the table and the report say the same."""
    project.write(
        test_bot="""
from scorewright.suites import For

rows = [{**row, "tags": ["hard"] if row["id"] == "r3" else []} for row in ROWS]

@evaluated(rows, equal, gates=["equal"], settings=[For("hard", gates={"equal": ">= 0"})])
def test_looser(case, score):
    score("yes" if case.id != "r3" else "no")

@evaluated(rows, equal, settings=[For("hard", gates={"equal": ">= 1"})])
def test_stricter(case, score):
    score("no")
"""
    )
    ran = project.run("-v", "--scorewright-report", "out.json")
    assert ran.said("test_looser[gate] PASSED", "test_stricter[gate] FAILED", "1 item missed it", "limit of its row")
    verdicts = [json.loads((project.folder / f"out-{n}.json").read_text())["verdict"] for n in (1, 2)]
    assert verdicts == ["passed", "failed"]


MISTAKES = [
    ("@evaluated(ROWS, equal)\ndef test_bot(case): ...", "test_bot takes no `score`"),
    ("@evaluated([], equal)\ndef test_bot(score): ...", "there is nothing to evaluate"),
    ("@evaluated('no.jsonl', equal)\ndef test_bot(score): ...", "no.jsonl"),
    ("@evaluated(ROWS, equal)\n@evaluated(ROWS, short)\ndef test_bot(score): ...", "two scorewright marks"),
    ("@pytest.mark.scorewright(ROWS, equal, scorers=[equal])\ndef test_bot(score): ...", "'scorers'"),
    ("@pytest.mark.scorewright()\ndef test_bot(score): ...", "takes what evaluated(…) takes"),
    ("@evaluated(ROWS)\ndef test_bot(score): ...", "an evaluation needs scorers"),
    ("@evaluated(ROWS, Suite(equal), equal)\ndef test_bot(score): ...", "a suite holds all scorers"),
    ("@evaluated(ROWS, equal, repeat=0)\ndef test_bot(score): ...", "repeat= is at least 1, not 0"),
    ("@evaluated(ROWS, equal)\ndef test_bot(case: 'Case[Unknown]', score): ...", "outside of TYPE_CHECKING"),
]


def test_mistakes_are_told_when_tests_are_collected(project: Project) -> None:
    """A mark that is written down wrongly is an error of its file, and says how to mend it."""
    ran = project.write(**{f"test_{number}": test for number, (test, _) in enumerate(MISTAKES)}).run()
    assert ran.code == 2
    assert ran.counts == {"error": len(MISTAKES)}
    parts = re.split(r"_ ERROR collecting test_\d+\.py _", ran.output)[1:]
    assert [said for (_, said), part in zip(MISTAKES, parts, strict=True) if said not in part] == []
    assert "During handling" not in ran.output  # each is told once


def test_a_mark_without_effect_fails(project: Project) -> None:
    """A test of a `unittest.TestCase` takes no parameters, and would pass unscored."""
    project.write(
        test_bot="""
import unittest

class Test(unittest.TestCase):
    @evaluated(ROWS, equal)
    def test_bot(self): ...

class TestOther(unittest.TestCase):
    def test_bot(self): ...
"""
    )
    ran = project.run()
    assert (ran.code, ran.counts) == (1, {"passed": 1, "error": 1})
    assert ran.said("the scorewright mark has no effect here")


WITHOUT_EFFECT = {
    "a class": ("@evaluated(ROWS, equal)\nclass TestBot:\n    def test_bot(self): ...", "TestBot"),
    "with a case": ("@evaluated(ROWS, equal)\nclass TestBot:\n    def test_bot(self, tmp_path): ...", "TestBot"),
    "a TestCase": (
        "import unittest\n@evaluated(ROWS, equal)\nclass TestBot(unittest.TestCase):\n    def test_bot(self): ...",
        "TestBot",
    ),
    "inherited": (
        "@evaluated(ROWS, equal)\nclass Base: ...\nclass TestBot(Base):\n    def test_bot(self): ...",
        "TestBot",
    ),
    "a class in it": (
        "@evaluated(ROWS, equal)\nclass TestBot:\n    class TestIn:\n        def test_bot(self): ...",
        "TestBot",
    ),
    "a module": (
        "pytestmark = evaluated(ROWS, equal)\ndef test_bot(): ...\nclass TestA:\n    def test_a(self): ...",
        "test_",
    ),
    "the plain mark": ("@pytest.mark.scorewright(ROWS, equal)\nclass TestBot:\n    def test_bot(self): ...", "TestBot"),
}


def test_a_mark_of_a_class_or_a_module_needs_a_test_that_is_scored(project: Project) -> None:
    """Else all of its tests would pass unscored: it is an error when they are collected, and says how to mend it."""
    files = {f"test_{number}": test for number, (test, _) in enumerate(WITHOUT_EFFECT.values())}
    ran = project.write(**files).run()
    assert (ran.code, ran.counts) == (2, {"error": len(WITHOUT_EFFECT)})
    told = re.findall(r"^no test of (\w+).* takes `score`, so the scorewright mark has", ran.output, re.MULTILINE)
    assert [name[:7] for name in told] == [name if name != "test_" else "test_5" for _, name in WITHOUT_EFFECT.values()]
    assert ran.said("def test_bot(self, case, score)")
    spread = project.run(*XDIST)  # which runs what other files hold, whatever cannot be collected
    assert spread.code == 1
    assert spread.said("so the scorewright mark has no effect")


WITH_EFFECT = """
class Scored:
    @pytest.fixture
    def scored(self, score):
        return score("yes")

@evaluated(ROWS, equal)
class TestByAFixture(Scored):
    def test_bot(self, scored): ...

@evaluated(ROWS, equal)
class TestBeside:
    def test_other(self): ...
    class TestIn:
        def test_bot(self, score): score("yes")

@evaluated(ROWS, equal)
class TestOfOthers: ...

class TestInherits(TestOfOthers):
    def test_bot(self, score): score("yes")
"""


def test_one_scored_test_is_enough(project: Project) -> None:
    """Also by a fixture, and in a class in the class; and where a test beside it was named alone."""
    project.write(test_bot=WITH_EFFECT)
    ran = project.run()
    assert (ran.code, ran.counts) == (0, {"passed": 3 * 5 + 1})
    alone = project.run("test_bot.py::TestBeside::test_other")
    assert (alone.code, alone.counts) == (0, {"passed": 1})
