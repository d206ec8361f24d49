"""From `module:name` to scorers, through the command: what it says of each mistake."""

from __future__ import annotations

from textwrap import dedent

import pytest
from cli.folder import Folder

ODD = """
import socket
from scorewright import create_scorer, pure
x = create_scorer("x", input=socket.socket, output=str).generate_score(pure(lambda s: 1))
"""
PARTLY = """
from scorers import *
from scorewright import create_scorer, pure
half = create_scorer("half", input=str, output=str).preprocess(pure(lambda s: 1))
"""
HALVES = """
from scorewright import create_scorer, pure
one = pure(lambda s: 1)
draft = create_scorer("x", input=str, output=str)
"""
ROW = {"input": "q", "output": "good", "expected": "good"}


def ids(folder: Folder, *specs: str) -> list[str]:
    """The scorers that these specs mean."""
    done = folder.score("runs.jsonl", *(f"--scorers={spec}" for spec in specs), "--json")
    assert done.code == 0, done.err
    scorers = done.report["scorers"]
    assert isinstance(scorers, list)
    return [scorer["id"] for scorer in scorers]


def refused(folder: Folder, *specs: str) -> str:
    """What the command says of specs that it cannot use: one line, without a traceback, and nothing on stdout."""
    done = folder.score("runs.jsonl", *(f"--scorers={spec}" for spec in specs), "--json")
    assert (done.code, done.out) == (2, ""), done
    assert len(done.err.splitlines()) == 1, done.err
    return done.err.removeprefix("scorewright: ").rstrip()


@pytest.fixture(autouse=True)
def _one_row(folder: Folder) -> None:
    folder.rows(ROW)


def test_a_scorer_can_be_named_in_many_ways(folder: Folder) -> None:
    """A module or a file; one scorer, a list of them, or all."""
    assert ids(folder, "scorers:same") == ["same"]
    assert ids(folder, "scorers.py:same", "scorers.py:share") == ["same", "share"]
    assert ids(folder, "scorers:both") == ["share", "same"]
    assert ids(folder, "scorers") == ["share", "same"]
    assert ids(folder, f"{folder.path}/scorers.py") == ["share", "same"]


def test_a_module_in_a_package_is_found_from_here(folder: Folder) -> None:
    """The current folder is on the path."""
    (folder.path / "checks").mkdir()
    folder.write("checks/__init__.py", "")
    folder.write("checks/deep.py", "from scorers import same as alias, same")
    assert ids(folder, "checks.deep") == ["same"]  # one scorer, though it has two names


def test_a_file_can_import_its_neighbours(folder: Folder) -> None:
    """As a script can; also one whose name is taken, and one that defines classes."""
    (folder.path / "elsewhere").mkdir()
    folder.write("elsewhere/near.py", "LIMIT = 3")
    folder.write(
        "elsewhere/json.py",
        dedent("""
            from __future__ import annotations
            import attrs
            from near import LIMIT
            from scorewright import create_scorer, pure

            @attrs.frozen
            class Answer:
                words: list[str]

            few = create_scorer("few", input=str, output=Answer).generate_score(
                pure(lambda s: len(s.run.output.words) < LIMIT)
            )
        """),
    )
    folder.rows({"input": "q", "output": {"words": ["a"]}})
    assert ids(folder, "elsewhere/json.py") == ["few"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nowhere.py:x", "there is no file nowhere.py"),
        ("nowhere:x", "there is no module 'nowhere' here or among the installed packages"),
        ("scorers.nowhere:x", "there is no module 'scorers.nowhere' here or among the installed packages"),
        ("no where", "--scorers takes module:name or file.py:name, not 'no where'"),
        ("partly:sam", "partly has no 'sam'; its scorers are share, same, both; half is half-built, its score is "
         "missing: call .generate_score(…) on it, perhaps after .analyze(…)"),
        ("partly:half", "partly:half is not a scorer: its score is missing: call .generate_score(…) on it, perhaps "
         "after .analyze(…)"),
        ("scorers:number", "scorers:number is not a scorer: it is of type int"),
        ("suites:suite", "suites:suite is not a scorer: it is a Suite, which scorewright evaluate --suite takes"),
        ("scorers:pure", "scorers:pure is not a scorer: it is a function: give a name to the scorer that it makes"),
        ("scorers:Scale", "scorers:Scale is not a scorer: it is Scale"),
    ],
)  # fmt: skip
def test_a_wrong_spec_says_how_to_mend_it(folder: Folder, spec: str, said: str) -> None:
    """File, module or name missing; not a scorer; a scorer that is not finished."""
    folder.write("partly.py", PARTLY)
    folder.write("suites.py", "from scorers import share\nfrom scorewright.suites import Suite\nsuite = Suite(share)\n")
    assert refused(folder, spec) == said


@pytest.mark.parametrize(
    ("built", "lack"),
    [
        ("draft", "it has no step yet: call .generate_score(…) on it, perhaps after .preprocess(…) and .analyze(…)"),
        ("draft.preprocess(one)", "its score is missing: call .generate_score(…) on it, perhaps after .analyze(…)"),
        ("draft.analyze(one)", "its score is missing: call .generate_score(…) on it"),
        ("draft.preprocess(one).analyze(one)", "its score is missing: call .generate_score(…) on it"),
    ],
)
def test_a_half_built_scorer_says_what_it_lacks(folder: Folder, built: str, lack: str) -> None:
    """Every stage names the method to call next."""
    folder.write("halves.py", f"{HALVES}given = [{built}]")
    assert refused(folder, "halves:given") == f"halves:given[0] is not a scorer: {lack}"


def test_what_is_left_out_of_a_module_is_told(folder: Folder) -> None:
    """A half-built scorer beside whole ones."""
    folder.write("partly.py", PARTLY)
    folder.rows(ROW)
    done = folder.score("runs.jsonl", "--scorers=partly", "--json")
    assert (done.code, done.err.count("\n")) == (0, 1)
    assert done.err.startswith("scorewright: left out of partly: half is half-built, its score is missing")


def test_a_module_without_scorers_is_told(folder: Folder) -> None:
    """So is an empty list."""
    folder.write("empty.py", "none = []")
    assert refused(folder, "empty") == "empty holds no scorer"
    assert refused(folder, "empty:none") == "empty:none is empty"


def test_two_scorers_of_one_id_are_refused(folder: Folder) -> None:
    """Results could not be told apart. One scorer in a list and by its name is one."""
    folder.write("listed.py", "from scorers import both as these")
    assert ids(folder, "listed") == ["share", "same"]
    said = "two scorers have the id 'same': one of scorers, one of scorers.py:same"
    assert refused(folder, "scorers", "scorers.py:same") == said


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x = 1\nimport nowhere_at_all", 2, "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("def f():\n    return 1 / 0\n\nf()", 2, "ZeroDivisionError: division by zero"),
        ("x = 1\n\nx = = 2", 3, "SyntaxError: invalid syntax"),
        ("import sys\nsys.exit(0)", 2, "SystemExit: 0"),
        ("from scorewright import create_scorer\ncreate_scorer('', input=str, output=str)", 2,
         'DefinitionError: a scorer needs an id, a text that is not blank: create_scorer("coverage", …)'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("spec", ["broken:x", "broken.py:x"])
def test_an_error_in_the_module_is_shown_at_its_place(
    folder: Folder, spec: str, text: str, line: int, said: str
) -> None:
    """File and line are the user's own, not those of a library."""
    folder.write("broken.py", text)
    place = spec.removesuffix(":x")
    assert refused(folder, spec) == f"importing {place} failed at {folder.path}/broken.py:{line}: {said}"


def test_a_type_that_no_row_can_have_is_told_before_anything_is_scored(folder: Folder) -> None:
    """Instead of one failure a row."""
    folder.write("odd.py", ODD)
    assert refused(folder, "odd").startswith("rows cannot be read for the scorer 'x': ")


def test_what_modules_print_does_not_mix_with_the_results(folder: Folder) -> None:
    """It goes to stderr."""
    folder.write("loud.py", "print('hello')\nfrom scorers import same")
    done = folder.score("runs.jsonl", "--scorers=loud", "--json")
    assert (done.code, done.err, done.report["n_items"]) == (0, "hello\n", 1)
