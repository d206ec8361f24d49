"""What is wrong usage of every command, and how it is told."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.folder import Folder

from scorewright.cli.app import COMMANDS, call
from scorewright.cli.defaults import options_of
from scorewright.cli.options import Whole
from scorewright.cli.usage import FORMS

NEEDED = {"score": ["runs.jsonl", "--scorers=s"], "receive": ["--scorers=s"], "calibrate": ["r.jsonl", "--scorer=s"]}


def wholes() -> Iterator[tuple[str, str]]:
    """Every option of every command whose values are whole numbers."""
    for name, command in COMMANDS.items():
        for option, hint in options_of(command):
            if hint in {Whole, Whole | None}:
                yield name, f"--{option.replace('_', '-')}"


def test_every_command_has_a_form_and_no_option_is_of_rounded_numbers() -> None:
    """A whole number is read as one wherever it is wanted."""
    assert [*FORMS] != []
    assert {*FORMS} == {*COMMANDS}
    hints = [(name, option, hint) for name, command in COMMANDS.items() for option, hint in options_of(command)]
    assert [each for each in hints if each[2] in {int, int | None}] == []
    assert ("evaluate", "--limit") in [*wholes()]


@pytest.mark.parametrize(("command", "option"), [*wholes()])
def test_a_fraction_is_no_whole_number(command: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused, not rounded."""
    assert call([command, *NEEDED.get(command, ["x.jsonl"]), option, "2.7"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert f"{option}: it is a whole number, not 2.7" in told.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("more", [["--nosuch"], ["--nosuch=1"], ["a.db", "b", "c", "d"]])
def test_what_nothing_takes_is_told_in_one_line(
    command: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the form that the command takes, where it is the form that is wrong."""
    monkeypatch.chdir(tmp_path)
    assert call([command, *more]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "form is scorewright" in told.err or command == "check"


@pytest.mark.parametrize("command", COMMANDS)
def test_output_is_the_one_name_of_what_is_written(command: str) -> None:
    """And --out is taken too."""
    parameters = inspect.signature(COMMANDS[command]).parameters
    assert {"out", "html"} & {*parameters} == set()


@pytest.mark.parametrize("name", ["--output", "--out"])
def test_both_names_write_the_file(folder: Folder, name: str) -> None:
    """Also where the other one stands in pyproject.toml."""
    folder.rows({"input": "q", "output": "good"})
    folder.write(
        "pyproject.toml", f'[tool.scorewright.score]\n{"out" if name == "--output" else "output"} = "no.jsonl"\n'
    )
    assert folder.score("runs.jsonl", "--scorers=scorers:share", name, "yes.jsonl").code == 0
    assert [row["score"] for row in folder.results("yes.jsonl")] == [1.0]
    assert not (folder.path / "no.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("score runs.jsonl --scorers=scorers:share --replay=none.jsonl", "--record none.jsonl"),
        ("score runs.jsonl --scorers=scorers:share --budget-calls=-1", "--budget-calls"),
        ("receive --scorers=scorers:share --output=x --share=10", "--share"),
        ("receive --scorers=scorers:share --output=x --sample=-1", "--share"),
        ("receive --scorers=scorers:share --output=x --queue=0", "--queue"),
        ("receive --scorers=scorers:share --output=x --rate=-1", "--rate"),
        ("receive --scorers=scorers:share --output=x --grace=-1", "--grace"),
        ("receive --scorers=scorers:share --output=x --max-body=0", "--max-body"),
        ("receive --scorers=scorers:share --output=x --port=99999", "--port"),
        ("receive --scorers=scorers:share --output=x --budget-dollars=-1", "--budget-dollars"),
        ("evaluate runs.jsonl --scorers=scorers:share --concurrency=0", "--concurrency"),
        ("watch live.jsonl --count=0", "--count"),
        ("watch live.jsonl --seconds=-1", "--seconds"),
        ("watch live.jsonl --pass-at=nan", "--pass-at"),
        ("watch live.jsonl --least=0", "--least"),
        ("calibrate runs.jsonl --scorer=scorers:share --human=stars", "--levels"),
        ("calibrate runs.jsonl --scorer=scorers:share --human=stars --levels=a", "--levels"),
        ("calibrate runs.jsonl --scorer=scorers:share --criterion=best", "--criterion"),
    ],
)
def test_a_mistake_is_told_by_the_names_of_options(folder: Folder, words: str, option: str) -> None:
    """Not by those of Python's functions and keywords."""
    rows = ({"input": "q", "output": word, "stars": f"so {word}", "human": word == "good"} for word in ("good", "bad"))
    folder.rows(*rows)
    done = folder.call(*words.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
    assert option in done.err
    assert "= " not in done.err
    assert "(…)" not in done.err
