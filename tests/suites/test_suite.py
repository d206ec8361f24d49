"""Putting a suite together."""

from __future__ import annotations

import pytest
from suites.scoring import number, same, words

from scorewright import DefinitionError, create_scorer
from scorewright.core import Scorers
from scorewright.suites import Suite, at_least


def test_scorers_stand_alone_in_pairs_and_in_collections() -> None:
    """In the order given; a pair holds its scorer to a threshold."""
    suite = Suite((number, ">= 0.5"), Scorers(words), same, thresholds={"same": 0.9}, gates=["words"])
    assert suite.ids == ("number", "words", "same")
    assert [str(each) for each in suite.thresholds] == ["number: mean >= 0.5", "same: mean >= 0.9"]
    assert [str(each) for each in suite.gates] == ["words >= 1"]


def test_two_scorers_never_share_an_id() -> None:
    """Nor do those that a function makes, nor one given twice; steps have ids of their own."""
    with pytest.raises(DefinitionError, match=r"two scorers have the id 'number': give one another with \.named"):
        Suite(number, number)
    with pytest.raises(DefinitionError, match="two scorers have the id 'draft/number'"):
        Suite(number, steps={"draft": [number, number]})
    with pytest.raises(DefinitionError, match="two scorers have the id 'words'"):
        Suite(words, turns=[words])
    assert Suite(number, steps={"draft": [number]}).ids == ("number", "draft/number")


def test_what_a_suite_cannot_be_made_of_is_told() -> None:
    """Half a scorer, a list, a threshold for nobody."""
    half = create_scorer("half", input=str, output=str)
    with pytest.raises(DefinitionError, match=r"not list; a list is given as Suite\(\*listed\)"):
        Suite([number])  # type: ignore[arg-type]  # the mistake
    with pytest.raises(DefinitionError, match="not Draft"):
        Suite(half)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(DefinitionError, match="no scorer 'other' in the suite; its scorers are number"):
        Suite(number, thresholds={"other": 0.5})
    with pytest.raises(DefinitionError, match="a threshold beside it and one in thresholds="):
        Suite((number, 0.5), thresholds={"number": 0.6})
    with pytest.raises(DefinitionError, match=r"gates=\['number'\]"):
        Suite(number, gates="number")
    with pytest.raises(DefinitionError, match="concurrency= is at least 1"):
        Suite(number, concurrency=0)
    with pytest.raises(DefinitionError, match="timeout="):
        Suite(number, timeout=0)


def test_other_bounds_make_another_suite() -> None:
    """Those on the same scorer are replaced, all others are kept."""
    suite = Suite((number, 0.5), (words, 0.6), gates=["number"])
    held = suite.held_to({"number": at_least(0.7)}, {"number": 0.1, "words": None})
    assert [str(each) for each in held.thresholds] == ["number: mean >= 0.7", "words: mean >= 0.6"]
    assert [str(each) for each in held.gates] == ["number >= 0.1", "words >= 1"]
    assert [str(each) for each in suite.thresholds] == ["number: mean >= 0.5", "words: mean >= 0.6"]
