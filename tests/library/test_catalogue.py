"""The catalogue is whole, true, and told by the scorers."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module

import pytest
from library.page import PAGE, RECORD, record, rendered

from scorewright.library.catalogue import ROOMS, Ready, catalogue, found

ALL = catalogue()


def makers() -> set[str]:
    """Every function that a room hands on and that gives a scorer, but for those that take one."""
    names: set[str] = set()
    for room in ROOMS:
        module = import_module(f"scorewright.library.{room}")
        for name in module.__all__:
            given = getattr(module, name)
            if inspect.isfunction(given):
                signature = inspect.signature(given)
                gives = str(signature.return_annotation).partition("[")[0]
                takes = [str(each.annotation) for each in signature.parameters.values()]
                if gives.endswith(("Scorer", "Check")) and not any(each.startswith("Scorer[") for each in takes):
                    names.add(f"{room}.{name}")
    return names


def test_every_maker_is_in_the_catalogue() -> None:
    """Whatever of the library makes a scorer, once, and nothing else."""
    assert sorted(ready.name for ready in ALL) == sorted(makers())


def test_the_page_is_made_of_the_scorers() -> None:
    """`python tests/library/page.py` writes it anew."""
    assert PAGE.read_text() == rendered()
    assert RECORD.read_text() == record()


@pytest.mark.parametrize("ready", ALL, ids=lambda ready: ready.name)
def test_the_example_runs_as_it_is_shown(ready: Ready) -> None:
    """What is shown as source gives the score that is told, by itself."""
    space: dict[str, object] = {}
    exec(compile(ready.example.code, ready.name, "exec"), space)
    assert space["evaluation"].score == ready.made.score  # type: ignore[attr-defined]  # an evaluation


@pytest.mark.parametrize("ready", ALL, ids=lambda ready: ready.name)
def test_what_it_says_is_one_sentence(ready: Ready) -> None:
    """With a full stop, and on an example whose end can be read."""
    assert ready.says.endswith((".", "?"))
    assert ready.made.reason


def test_what_a_run_must_hold_is_found_by_leaving_it_out() -> None:
    """References, context, questions, tokens: as the scorers themselves demand them."""
    needs = {ready.name: ready.made.needs for ready in ALL if ready.made.needs}
    assert needs["text.bleu"] == ("reference",)
    assert needs["trajectory.token_budget"] == ("tokens",)
    assert needs["judged.faithfulness"] == ("context",)
    assert needs["judged.role_adherence"] == ("system",)
    assert "checks.includes" not in needs


def test_one_is_found_with_or_without_its_room() -> None:
    """And what is not there is not."""
    assert [ready.name for ready in found("bleu")] == [ready.name for ready in found("text.bleu")] == ["text.bleu"]
    assert found("checks.bleu") == found("blue") == found("nowhere.bleu") == found("") == ()


BROUGHT = {"embedding", "presidio"}  # whose examples bring what does the work

BLOCKED = """
import importlib.util, sys
from importlib.metadata import requires
BARE = {"attr", "attrs", "cattrs", "returns", "scorewright", "typing_extensions", "aiohttp", "anyio", "yaml"}
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: real(name, package) if name.partition(".")[0] in BARE else None
from scorewright.library import defining
from scorewright.library.catalogue import catalogue
print(*(f"{ready.name}={ready.extra}" for ready in catalogue() if ready.lacks))
"""


def test_a_scorer_without_its_extra_is_still_listed() -> None:
    """Where no extra is installed, those that cannot be made are told with the extra that they lack."""
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
    lacking = dict(each.split("=") for each in done.stdout.split())
    told = {ready.name: ready.extra for ready in ALL if ready.extra}
    assert lacking == {name: extra for name, extra in told.items() if extra not in BROUGHT}


def test_the_library_is_light_until_a_room_is_used() -> None:
    """`import scorewright.library` loads no room; an attribute does."""
    code = "import sys, scorewright.library as library\n"
    code += "print(*(name for name in sys.modules if name.startswith('scorewright.library.')), '|')\n"
    code += "print(library.checks.__name__, 'text' in dir(library), hasattr(library, 'chekcs'))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("|")[0].strip() == ""
    assert done.stdout.split("|")[1].split() == ["scorewright.library.checks", "True", "False"]
