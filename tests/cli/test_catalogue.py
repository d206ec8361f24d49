"""`scorewright list`: the ready scorers as people and programs read them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from cli.folder import Folder, environment

from scorewright.cli.catalogue import list_scorers
from scorewright.cli.loading import UsageError
from scorewright.library.catalogue import catalogue

BARE = """
import importlib.util, sys
from scorewright.cli.app import call

real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: (
    None if name.partition(".")[0] in {"rapidfuzz", "sacrebleu"} else real(name, package)
)
sys.exit(call(sys.argv[1:]))
"""


def test_all_are_listed_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """Whole names, whatever the width; what they say is cut."""
    assert list_scorers() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == [ready.name for ready in catalogue()]


def test_one_is_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    """Types, scale, questions, source, and an example that runs."""
    assert list_scorers("hallucination") == 0
    told = capsys.readouterr().out
    assert told.startswith("judged.hallucination(judge, /, *, require_context=True, scale=1.0, batch_size=20)\n")
    for line in (
        "judges      Asked → str",
        "needs       context",
        "asks        2 in its example, more by batch_size",
        "scale       0..1, lower is better",
        "source      scorewright.library.judged.grounding",
        '    judge = Judge("openai/gpt-4o-mini")',
    ):
        assert line in told.splitlines()


def test_as_json_all_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """One object, with a version; a maker's extra and its scale among the rest."""
    assert list_scorers("text.bleu", as_json=True) == 0
    [told] = json.loads(capsys.readouterr().out)["scorers"]
    assert (told["name"], told["extra"], told["made"]["needs"], told["made"]["high"]) == (
        "text.bleu",
        "library",
        ["reference"],
        1.0,
    )


def test_an_unknown_name_is_wrong_usage() -> None:
    """With what to do instead."""
    with pytest.raises(UsageError, match="scorewright list names all"):
        list_scorers("nothing_like_it")


@pytest.mark.parametrize(
    ("wrong", "right"), [("faithfullness", "faithfulness"), ("text.blue", "text.bleu"), ("chekcs", "checks")]
)
def test_a_name_that_is_nearly_one_is_told(wrong: str, right: str) -> None:
    """Of a scorer, with or without its room, and of a room."""
    with pytest.raises(UsageError, match=f"did you mean {right};"):
        list_scorers(wrong)


def test_a_room_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """As all are, but only its scorers."""
    assert list_scorers("checks") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == [each.name for each in catalogue() if each.name[:7] == "checks."]


@pytest.mark.parametrize("width", [80, 100, 140])
def test_what_is_cut_says_so(width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line fits, and is whole or ends in an ellipsis."""
    monkeypatch.setenv("COLUMNS", str(width))
    assert list_scorers() == 0
    for line, ready in zip(capsys.readouterr().out.splitlines()[2:], catalogue(), strict=True):
        assert len(line) <= width
        assert line.rstrip().endswith(("…", ready.says)), line


def test_a_scorer_without_its_extra_is_told_in_full(folder: Folder) -> None:
    """As where it is installed, and the extra is named."""
    folder.write("bare.py", BARE)

    def bare(*words: str) -> str:
        command = [sys.executable, "bare.py", *words]
        done = subprocess.run(
            command, cwd=folder.path, env=environment(), capture_output=True, check=True, encoding="utf-8"
        )
        return done.stdout

    for words in (("list", "levenshtein"), ("list", "text", "--json")):
        told = bare(*words)
        assert told.replace('"lacks": true', '"lacks": false') == folder.call(*words).out
    assert '"lacks": true' in told
    assert "extra libr" in bare("list", "text")
