"""One gate over all cases of a test: met, missed, open, and never passed on a part of them."""

from __future__ import annotations

import json
import re

import pytest
from testing.projects import XDIST, Project

pytestmark = pytest.mark.once

MET_AND_MISSED = """
@evaluated(ROWS, (equal, ">= 0.7"))
def test_met(case: Case[str, str], score: Score) -> None:
    score(case.expected if case.id != "r3" else "no")

@evaluated(ROWS, (equal, at_least(0.8)))
def test_missed(case, score):
    score(case.expected if case.id != "r3" else "no")

@evaluated(ROWS, equal, short, gates=["equal"])
def test_every_item(case, score):
    score(case.expected if case.id != "r3" else "no")

def test_of_another_kind(): ...
"""


def test_one_verdict_over_all_cases(project: Project) -> None:
    """A low score fails no case; the gate says what was missed, by which rule, and decides the exit code."""
    project.write(test_bot=MET_AND_MISSED)
    ran = project.run("-v", "--scorewright-report", "out/report.json")
    assert (ran.code, ran.counts) == (1, {"passed": 14, "failed": 2})
    assert ran.said(
        "test_bot.py::test_met[r3] PASSED",
        "test_bot.py::test_met[gate] PASSED",
        "test_bot.py::test_missed[gate] FAILED",
        "missed: a threshold is missed (4 of 4 cases ran)",
        "missed     threshold equal: mean >= 0.8; 0.75 measured (4/4 scored)",
        "failed: an item missed a gate (4 of 4 cases ran)",
        "missed     gate equal: every item >= 1; 1 item missed it (4/4 scored)",
        "[100%]",
    )
    written = [json.loads(path.read_text()) for path in sorted((project.folder / "out").glob("*.json"))]
    assert [each["verdict"] for each in written] == ["passed", "scored", "failed"]


@pytest.mark.parametrize(
    "dist",
    [
        "load",
        "loadfile",
        "worksteal",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("loadscope", "loadgroup")),
    ],
)
def test_cases_spread_over_workers_gate_once(project: Project, dist: str) -> None:
    """Under every way to spread tests the gate is one, over all cases, in the same words."""
    project.write(test_bot=MET_AND_MISSED, test_other=MET_AND_MISSED)
    ran = project.run(*XDIST, "--dist", dist, "-q")
    assert (ran.code, ran.counts) == (1, {"passed": 28, "failed": 4})
    assert len(re.findall(r"^missed: a threshold is missed \(4 of 4 cases ran\)", ran.output, re.MULTILINE)) == 2
    assert ran.output.count("FAILED test_other.py::test_missed[gate]") == 1


def test_each_worker_has_its_own_gates(project: Project) -> None:
    """`--dist each` runs everything on every worker: no worker's cases stand in for another's."""
    project.write(
        test_bot="""
import os

@evaluated(ROWS, (equal, ">= 0.7"))
def test_met(case, score):
    score("yes" if os.environ["PYTEST_XDIST_WORKER"] == "gw0" else "no")
"""
    )
    ran = project.run("-p", "xdist.plugin", "--tx", "2*popen", "--dist", "each", "-v")
    assert ran.code == 1
    assert ran.counts == {"passed": 9, "failed": 1}
    assert re.search(r"\[gw0\].*PASSED.*test_met\[gate\]", ran.output)
    assert re.search(r"\[gw1\].*FAILED.*test_met\[gate\]", ran.output)


PART = """
@evaluated(ROWS, (equal, ">= 0.5"))
def test_bot(case, score):
    score("yes")

@evaluated(ROWS, short, gates=["short"])
def test_long(case, score):
    score("far too long")
"""


@pytest.mark.parametrize("workers", [(), XDIST], ids=["alone", "xdist"])
def test_a_part_of_the_cases_passes_no_gate(project: Project, workers: tuple[str, ...]) -> None:
    """What `-k` left out is counted: the gate is skipped, or fails when asked; what is decided already is decided."""
    project.write(test_part=PART)
    some = project.run(*workers, "-k", "test_bot and (r1 or r2)", "-rs")
    assert (some.code, some.counts["passed"], some.counts["skipped"]) == (0, 2, 1)
    assert some.said("2 of 4 cases ran, 2 not selected", "a gate is held against all cases")
    whole = project.run(*workers, "-k", "test_bot and (r1 or r2)", "--scorewright-whole")
    assert (whole.code, whole.counts["failed"]) == (1, 1)
    decided = project.run(*workers, "test_part.py::test_long[r2]")
    assert (decided.code, decided.counts) == (1, {"passed": 1, "failed": 1})
    assert decided.said("1 item missed it", "1 of 4 cases ran, 3 not selected")


def test_a_skipped_case_leaves_the_gate_open(project: Project) -> None:
    """A case that its test skips did not run, and one that is expected to fail is a failed row."""
    project.write(
        test_bot="""
@evaluated(ROWS, (equal, ">= 0.5"))
def test_skipping(case, score):
    if case.id == "r2":
        pytest.skip("not today")
    score("yes")

@evaluated(ROWS, (equal, ">= 1.0"))
def test_expected(case, score):
    if case.id == "r2":
        pytest.xfail("known")
    score("yes")
"""
    )
    ran = project.run("-rs")
    assert (ran.code, ran.counts) == (1, {"passed": 6, "skipped": 2, "xfailed": 1, "failed": 1})
    assert ran.said("3 of 4 cases ran, 1 skipped", "inconclusive: what is missing could change the answer")


def test_what_did_not_run_fails_the_gate(project: Project) -> None:
    """After `-x`, cases are missing that were selected: the gate fails, and says how many."""
    project.write(
        test_bot="""
@evaluated(ROWS, (equal, ">= 0.1"))
def test_bot(case, score):
    score("yes")
    assert case.id != "r1"
"""
    )
    ran = project.run("-x")
    assert (ran.code, ran.counts) == (1, {"passed": 1, "failed": 2})
    assert ran.said("incomplete: ", "2 of 4 cases ran, 2 did not run")


def test_a_worker_that_crashes_loses_its_case_only(project: Project) -> None:
    """The case that a worker died with did not run, so the gate cannot pass."""
    project.write(
        test_bot="""
import os

@evaluated(ROWS, (equal, ">= 0.1"))
def test_bot(case, score):
    if case.id == "r2":
        os._exit(9)
    score("yes")
"""
    )
    ran = project.run(*XDIST)
    assert (ran.code, ran.counts["passed"], ran.counts["failed"]) == (1, 3, 2)
    assert ran.said("crashed while running 'test_bot.py::test_bot[r2]'", "3 of 4 cases ran, 1 did not run")


def test_a_target_that_raises_is_a_failed_row(project: Project) -> None:
    """The test's own error stands, the row has no score, and it counts as failed, never as 0."""
    project.write(
        test_bot="""
@evaluated(ROWS, (equal, ">= 0.5"))
def test_decided(case, score):
    if case.id == "r1":
        raise RuntimeError("the bot is ill")
    score("yes")

@evaluated(ROWS, (equal, ">= 0.8"))
def test_open(case, score):
    if case.id == "r1":
        raise RuntimeError("the bot is ill")
    score("yes")

@evaluated(ROWS, (equal, ">= 0.9"))
def test_asserting(case, score):
    assert score("yes").evaluations["equal"].score == 1
    assert case.id != "r1", "an assertion of its own"

@evaluated(ROWS, equal)
def test_forgetting(case, score): ...
"""
    )
    ran = project.run()
    assert ran.code == 1
    failed = set(re.findall(r"^FAILED test_bot.py::(\S+)", ran.output, re.MULTILINE))
    assert failed == {
        *("test_decided[r1]", "test_open[r1]", "test_open[gate]", "test_asserting[r1]", "test_forgetting[gate]"),
        *(f"test_forgetting[r{n}]" for n in range(4)),
    }
    assert ran.said(
        "RuntimeError: the bot is ill",
        "equal: mean >= 0.8; 1 measured (3/4 scored · 1 failed)",
        "1 of 4 failed; most common cause: The target raised RuntimeError",
        "the test did not call score(…), so the case has no scores",
        "4 of 4 failed; most common cause: The test did not call score(…), so the case has no scores",
    )
    assert "The target raised Failed" not in ran.output


def test_a_rerun_replaces_what_it_repeats(project: Project) -> None:
    """Plugins that run a failed test again leave one record of it, the last."""
    project.put(
        "conftest.py",
        """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for attempt in range(2):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if attempt or not any(report.failed for report in reports):
            break
        for report in reports:
            if report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    return True
""",
    ).write(
        test_bot="""
tried = []

@evaluated(ROWS, (equal, ">= 1.0"))
def test_bot(case, score):
    tried.append(case.id)
    score("yes" if tried.count(case.id) == 2 or case.id != "r1" else "no")
    assert tried.count(case.id) == 2 or case.id != "r1"
"""
    )
    ran = project.run("--tb=no", "-p", "no:terminalreporter")
    assert project.run().said("passed: every gate holds and every threshold is met (4 of 4 cases ran)")
    assert ran.code == 0


def test_last_failed_runs_a_gates_cases_again(project: Project) -> None:
    """A gate is no test of its own: `--lf` runs the cases that it is held against, and so the gate."""
    project.write(
        test_bot="""
import os

@evaluated(ROWS, (equal, ">= 0.5"))
def test_bot(case, score):
    score(os.environ["SAID"])

@evaluated(ROWS, (equal, ">= 0.5"))
def test_fine(case, score):
    score("yes")
"""
    )
    assert project.run(cached=True, env={"SAID": "no"}).counts == {"passed": 9, "failed": 1}
    again = project.run("--lf", cached=True, env={"SAID": "yes"})
    assert (again.code, again.counts["passed"]) == (0, 5)
    assert project.run("--lf", cached=True, env={"SAID": "yes"}).counts == {"passed": 10}
