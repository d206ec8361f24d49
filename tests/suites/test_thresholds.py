"""Bounds: how they are written, and which are mistakes."""

from __future__ import annotations

import pytest
from suites.scoring import number

from scorewright import UNBOUNDED, DefinitionError, Scale, create_scorer, pure
from scorewright.suites import Gate, Threshold, at_least, at_most, pass_rate
from scorewright.suites.thresholds import gate_for, threshold_for

low = create_scorer("low", input=str, output=str, better="lower").generate_score(pure(lambda _: 0.5))
free = create_scorer("free", input=str, output=str, scale=UNBOUNDED).generate_score(pure(lambda _: 0.5))
stars = create_scorer("stars", input=str, output=str, scale=Scale(1, 5)).generate_score(pure(lambda _: 3))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (">= 0.8", at_least(0.8)),
        ("mean >= 0.8", at_least(0.8)),
        (0.8, at_least(0.8)),
        ("  >=0.8 ", at_least(0.8)),
        ("pass_rate >= 0.9", pass_rate(0.9)),
        ("pass_rate(0.5) >= 0.9", pass_rate(0.9, passing=0.5)),
        (pass_rate(0.9, passing=0.5), pass_rate(0.9, passing=0.5)),
    ],
)
def test_a_threshold_is_a_text_a_number_or_a_value(written: str | float | Threshold, meant: Threshold) -> None:
    """All are read to the same value."""
    assert threshold_for(number, "number", written).threshold == meant


def test_a_number_is_on_the_good_side() -> None:
    """At most, where lower is better."""
    assert threshold_for(low, "low", 0.2).threshold == at_most(0.2)
    assert gate_for(low, "low", 0.2) == Gate("low", "<=", 0.2)
    assert gate_for(low, "low", None) == Gate("low", "<=", 0.0)
    assert gate_for(stars, "stars", None) == Gate("stars", ">=", 5.0)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("0.8", "write '>= 0.8'"),
        ("> 0.8", "write '>= 0.8'"),
        (">= much", "no number"),
        (">= 1.5", "a number of 0..1"),
        (">= nan", "a number of 0..1"),
        ("<= 0.5", "higher is better"),
        ("mean(0.5) >= 0.5", "no passing score"),
        ("pass_rate(2) >= 0.5", "a number of 0..1"),
        ("pass_rate <= 0.5", "write >="),
        (True, "write '>= 0.8'"),
    ],
)
def test_what_is_no_threshold_is_a_mistake(written: str | float, said: str) -> None:
    """Told where it is written, with what to write."""
    with pytest.raises(DefinitionError, match=said):
        threshold_for(number, "number", written)


def test_a_gate_is_on_items_not_on_aggregates() -> None:
    """And a scale without a good end needs a limit."""
    with pytest.raises(DefinitionError, match="on every item"):
        gate_for(number, "number", "mean >= 0.5")
    with pytest.raises(DefinitionError, match="no good end"):
        gate_for(free, "free", None)
    with pytest.raises(DefinitionError, match="no good end"):
        threshold_for(free, "free", "pass_rate >= 0.5")
    assert gate_for(free, "free", ">= -3") == Gate("free", ">=", -3.0)


def test_a_limit_itself_is_on_the_right_side() -> None:
    """Of thresholds and of gates."""
    assert at_least(0.5).met(0.5)
    assert not at_least(0.5).met(0.49)
    assert at_most(0.5).met(0.5)
    assert Gate("x", ">=", 0.5).holds(0.5)
    assert not Gate("x", "<=", 0.5).holds(0.51)
