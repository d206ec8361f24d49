"""Beside other tests and plugins: what does not use us is not disturbed, and async tests need nothing more."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from testing.projects import ROOT, XDIST, Project

pytestmark = pytest.mark.once

PLAIN = "def test_a(): ...\n\ndef test_b(tmp_path): ...\n"
LOADED = """
import sys

def pytest_unconfigure():
    print('loaded:', sorted(name for name in sys.modules if name.startswith('scorewright')))
"""


def test_a_run_that_does_not_use_us_is_left_alone(project: Project) -> None:
    """Nothing of the package is imported, nothing is printed, no fixture is added, with or without xdist."""
    project.put("test_plain.py", PLAIN).put("conftest.py", LOADED)
    for workers in ((), XDIST):
        without, beside = project.run(*workers, "-q", plugin=False), project.run(*workers, "-q")
        assert beside.code == 0
        assert beside.said("loaded: []")
        assert re.sub(r"in [\d.]+s", "", beside.output) == re.sub(r"in [\d.]+s", "", without.output)
    assert "score" not in re.sub(r"scorewright\S*", "", project.run("--fixtures", "-q").output)


def test_other_plugins_may_be_missing(project: Project) -> None:
    """Without terminal, cache and JUnit the gate still decides."""
    project.write(test_bot='@evaluated(ROWS, (equal, 1.0))\ndef test_bot(score):\n    score("no")\n')
    ran = project.run("-p", "no:terminal", "-p", "no:junitxml", "-p", "no:lfplugin", "-p", "no:stepwise")
    assert ran.code == 1


def test_options_are_checked_before_anything_runs(project: Project) -> None:
    """Contradictions and reports of no known kind are usage errors."""
    project.put("test_plain.py", PLAIN)
    both = project.run("--scorewright-live", "--scorewright-record")
    assert both.code == 4
    assert both.said("give one")
    odd = project.run("--scorewright-report", "report.docx")
    assert odd.code == 4
    assert odd.said(".html, .json, .md, .xml, not 'report.docx'")
    assert project.run("--markers").said("@pytest.mark.scorewright(rows, *scorers")


def test_the_entry_point_loads_us(project: Project, tmp_path: Path) -> None:
    """As installed, by the name that pyproject.toml gives; `-p no:scorewright` switches us off."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    place = tmp_path / "site" / "scorewright_as_installed-1.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: scorewright-as-installed\nVersion: 1\n")
    lines = "".join(f"{name} = {module}\n" for name, module in declared.items())
    (place / "entry_points.txt").write_text(f"[pytest11]\n{lines}")
    files = ("scorewright/__init__.py", "_scorewright_pytest/__init__.py", "_scorewright_pytest/plugin.py")
    (place / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    project.put("test_plain.py", PLAIN)
    code = (
        "import sys, importlib.metadata as m\n"
        "real = m.distributions\n"
        "m.distributions = lambda **k: [d for d in real(**k) if d.name == 'scorewright-as-installed']\n"
        "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT / "src")])}
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        env.pop(name, None)

    def run(*options: str) -> str:
        command = [sys.executable, "-W", "error", "-c", code, "-p", "no:cacheprovider", "-c", os.devnull, *options]
        done = subprocess.run(command, cwd=project.folder, env=env, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert "@pytest.mark.scorewright" in run("--markers")
    assert "@pytest.mark.scorewright" not in run("--markers", "-p", "no:scorewright")
    assert "2 passed" in run(str(project.folder / "test_plain.py"))


def test_async_tests_need_no_other_plugin(project: Project) -> None:
    """They run on a loop of their own; where anyio is asked to run them, it does."""
    project.write(
        test_bot="""
import asyncio

@evaluated(ROWS[:2], (equal, 1.0))
async def test_alone(case, score):
    before = asyncio.get_running_loop()
    other = asyncio.create_task(asyncio.sleep(0, "beside"))
    assert (await score.run("yes")).evaluations["equal"].score == 1
    assert await other == "beside"
    assert asyncio.get_running_loop() is before

@evaluated(ROWS[:2], (equal, 1.0))
@pytest.mark.anyio
async def test_anyio(case, score, anyio_backend_name):
    assert anyio_backend_name == "asyncio"
    score("yes")

@pytest.fixture
def anyio_backend():
    return "asyncio"

@evaluated(ROWS[:2], (equal, 1.0))
async def test_failing(case, score):
    raise OSError("no bot")
"""
    )
    ran = project.run("-p", "anyio", "-v")
    assert ran.said("test_alone[gate] PASSED", "test_anyio[gate] PASSED", "test_failing[r0] FAILED")
    assert ran.counts == {"passed": 6, "failed": 3}


def test_scores_are_properties_of_junit(project: Project) -> None:
    """Cases have their scores, the gate its verdict, its coverage and every mean."""
    project.write(test_bot='@evaluated(ROWS, (equal, 1.0), short)\ndef test_bot(case, score):\n    score("yes")\n')
    ran, cases = project.junit()
    assert ran.code == 0
    held = {case.get("name"): {each.get("name"): each.get("value") for each in case.iter("property")} for case in cases}
    assert held["test_bot[r1]"] == {"scorewright.equal": "1.0", "scorewright.short": "1.0"}
    assert held["test_bot[gate]"] == {
        "scorewright.verdict": "passed",
        "scorewright.cases": "4 of 4 cases ran",
        "scorewright.equal.mean": "1",
        "scorewright.equal.coverage": "4/4 scored",
        "scorewright.short.mean": "1",
        "scorewright.short.coverage": "4/4 scored",
    }


def test_targets_agents_and_conversations(project: Project) -> None:
    """`score.call` asks a target as `evaluate` does; a row that holds its output needs none."""
    project.write(
        test_bot="""
turns = [{"id": "talk", "input": "-", "turns": [{"input": "hi", "expected": "2"}, {"input": "and?", "expected": "4"}]}]

async def bot(messages):
    return str(2 * sum(each["role"] == "user" for each in messages))

@evaluated(turns, turns=[equal], thresholds={"equal": 1.0})
def test_talk(score):
    assert [each.turn for each in score.call(bot).scores] == [1, 2]

@evaluated([{"input": "q", "output": "yes", "expected": "yes"}], (equal, 1.0))
def test_recorded(score):
    score()

@evaluated(ROWS[:1], short, steps={"draft": [equal]}, gates=["short", "draft/equal"])
def test_steps(score):
    score(Steps("short", {"draft": "yes"}))

def ill(_input):
    raise OSError("ill")

@evaluated(ROWS[:1], equal)
def test_raising(score):
    score.call(ill)
"""
    )
    ran = project.run("-v")
    assert ran.said("test_talk[gate] PASSED", "test_recorded[gate] PASSED", "test_steps[gate] PASSED", "OSError: ill")
    assert ran.counts == {"passed": 6, "failed": 2}
