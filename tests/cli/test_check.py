from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
BAD = sorted((ROOT / "typings" / "bad").glob("*.py"))
GOOD = """
from scorewright import Judge, Run, create_scorer, prompt, pure
short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) < 20))
"""


def checked(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scorewright.cli", "check", *arguments]
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cwd.parent / "mypy")}  # shared: the library is checked once
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=environment)


def findings(*arguments: str, cwd: Path) -> list[dict[str, object]]:
    done = checked(*arguments, "--json", cwd=cwd)
    assert done.returncode in {0, 1}, done.stderr
    said = json.loads(done.stdout)
    assert said["ok"] is (done.returncode == 0)
    assert said["ok"] is all(found["kind"] == "note" for found in said["findings"])
    return said["findings"]


@pytest.mark.typing
@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_every_misuse_of_the_contract_is_found_on_its_line(file: Path, tmp_path: Path) -> None:
    """A user's file with all the misuses of the typing contract is reported line by line, and no other line is."""
    copied = tmp_path / f"users_{file.name}"
    copied.write_bytes(file.read_bytes())
    marked = {number for number, line in enumerate(file.read_text("utf-8").splitlines(), 1) if "# E:" in line}
    found = findings(copied.name, cwd=tmp_path)
    assert {said["line"] for said in found if said["kind"] == "type"} == marked
    assert {said["file"] for said in found if said["kind"] == "type"} == {copied.name}


@pytest.mark.typing
def test_modules_without_a_fault_pass(tmp_path: Path) -> None:
    """Nothing to mend is exit code 0, for files and for dotted modules."""
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "__init__.py").write_text("")
    (tmp_path / "evals" / "length.py").write_text(GOOD)
    for place in ("evals/length.py", "evals.length"):
        done = checked(place, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "1 module, 1 scorer, nothing to mend\n"), done.stderr


@pytest.mark.typing
def test_what_only_shows_when_modules_are_loaded(tmp_path: Path) -> None:
    """Duplicate ids, prompts without a judge, judges without a model and definition mistakes are found by loading."""
    (tmp_path / "one.py").write_text(GOOD)
    (tmp_path / "two.py").write_text(GOOD)
    (tmp_path / "three.py").write_text(
        "from scorewright import Run, create_scorer, prompt, pure\n\n"
        'create_scorer("asks", input=str, output=str).analyze(prompt(int, lambda s: "How many?"))\n'
    )
    (tmp_path / "four.py").write_text(
        "from scorewright import Judge, create_scorer, score_prompt\n"
        'vague = create_scorer("vague", input=str, output=str, judge=Judge(instructions="Be strict."))\n'
        'vague_score = vague.generate_score(score_prompt(lambda s: "How good?"))\n'
    )
    found = findings("one.py", "two.py", "three.py", "four.py", cwd=tmp_path)
    kinds = {said["kind"]: said for said in found}
    assert set(kinds) == {"duplicate id", "definition", "no judge"}
    said = "2 scorers have the id 'short': short in one.py, short in two.py"
    assert kinds["duplicate id"]["message"] == said
    assert (kinds["definition"]["file"], kinds["definition"]["line"]) == ("three.py", 3)
    assert "none is given" in str(kinds["definition"]["message"])
    assert "'vague': the judge of generate_score names no model" in str(kinds["no judge"]["message"])


@pytest.mark.typing
def test_rows_that_no_scorer_could_take_are_named(tmp_path: Path) -> None:
    """With rows, missing references, wrong types and broken lines are found, each with its line."""
    (tmp_path / "evals.py").write_text(
        "from scorewright import create_scorer, pure\n"
        'exact = create_scorer("exact", input=str, output=str, expected=str)'
        ".generate_score(pure(lambda s: s.run.output == s.run.expected))\n"
    )
    rows = [
        '{"input": "a", "output": "b", "expected": "b"}',
        '{"input": "a", "output": "b"}',
        "{",
        '{"input": 1, "output": "b"}',
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows))
    found = findings("evals.py", "--rows", "rows.jsonl", cwd=tmp_path)
    assert [(said["kind"], said["line"]) for said in found] == [("note", 2), ("row", 3), ("row", 4)]
    assert "needs a reference answer" in str(found[0]["message"])
    assert "$.input" in str(found[2]["message"])


@pytest.mark.typing
def test_a_row_without_a_reference_is_a_fault_only_when_that_is_asked(tmp_path: Path) -> None:
    """`score` counts it as not scorable, so it is a note that does not fail."""
    (tmp_path / "evals.py").write_text(
        "from scorewright import create_scorer, pure\n"
        'exact = create_scorer("exact", input=str, output=str, expected=str)'
        ".generate_score(pure(lambda s: s.run.output == s.run.expected))\n"
    )
    (tmp_path / "rows.jsonl").write_text('{"input": "a", "output": "b"}')
    line = "rows.jsonl:1: {}: 'exact': needs a reference answer, and the row has no 'expected'\n"
    done = checked("evals.py", "--rows", "rows.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, line.format("note") + "1 module, 1 scorer, nothing to mend\n")
    done = checked("evals.py", "--rows", "rows.jsonl", "--require-reference", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, line.format("row") + "1 module, 1 scorer, 1 to mend\n")


@pytest.mark.typing
def test_what_keeps_a_module_from_being_checked_is_a_finding(tmp_path: Path) -> None:
    """No Python, no file, no scorer, half a scorer; the other modules are checked all the same."""
    (tmp_path / "bad.py").write_text("x = 1\n\nx = = 2\n")
    (tmp_path / "imports.py").write_text("import bad\n")
    (tmp_path / "none.py").write_text("x = 1\n")
    (tmp_path / "half.py").write_text(
        "from scorewright import create_scorer, pure\n"
        'half = create_scorer("half", input=str, output=str).preprocess(pure(lambda s: 1))\n'
        'draft = create_scorer("whole", input=str, output=str)\n'
        "whole = draft.generate_score(pure(lambda s: 1))\n"
    )
    found = findings("bad.py", "nowhere.py", "none.py", "half.py", cwd=tmp_path)
    told = [(said["kind"], said["file"], said["line"]) for said in found]
    assert told == [
        ("missing", "nowhere.py", 0),
        ("syntax", "bad.py", 3),
        ("note", "none.py", 0),
        ("half-built", "half.py", 0),
    ]
    assert str(found[3]["message"]).startswith("half: its score is missing")
    assert found[1]["column"] == 5
    done = checked("bad.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "bad.py:3:5: syntax: invalid syntax\n1 module, 0 scorers, 1 to mend\n")
    assert {(said["kind"], said["file"]) for said in findings("imports.py", cwd=tmp_path)} == {("syntax", "bad.py")}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere.py"], "there is no file"),
        (["no.such.module"], "no module"),
        (["evals.py", "--rows", "no.jsonl"], "no.jsonl"),
    ],
)
def test_wrong_usage(arguments: list[str], word: str, tmp_path: Path) -> None:
    """What does not exist is exit code 2 and says what was looked for."""
    (tmp_path / "evals.py").write_text(GOOD)
    done = checked(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert word in done.stderr
