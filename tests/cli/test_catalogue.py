"""`scorewright list`: the ready scorers as people and programs read them."""

from __future__ import annotations

import json

import pytest

from scorewright.cli.catalogue import list_scorers
from scorewright.cli.loading import UsageError
from scorewright.library.catalogue import catalogue


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
        list_scorers("blue")
