"""Scorers by their ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import DefinitionError, create_scorer, pure
from scorewright.core import Scorer, Scorers


def scorer(id: str) -> Scorer[str, str]:
    return create_scorer(id, input=str, output=str).generate_score(pure(lambda _: 1))


ONE, TWO = scorer("one"), scorer("two")


def test_a_scorer_is_found_by_its_id() -> None:
    """As in a mapping; iteration gives the scorers, in order."""
    scorers = Scorers(ONE, TWO)
    assert (scorers["two"], scorers.get("one"), scorers.get("three")) == (TWO, ONE, None)
    assert ("one" in scorers, "three" in scorers, len(scorers)) == (True, False, 2)
    assert [*scorers] == [ONE, TWO]
    assert scorers.ids == ("one", "two")
    with pytest.raises(KeyError):
        scorers["three"]


def test_an_id_is_borne_once() -> None:
    """Also when two collections are joined, and also by the very same scorer."""
    with pytest.raises(DefinitionError, match="two scorers have the id 'one'"):
        Scorers(ONE, TWO.named("one"))
    with pytest.raises(DefinitionError, match="two scorers have the id 'one'"):
        Scorers(ONE) | Scorers(ONE)


@pytest.mark.parametrize("given", ["one", [ONE], create_scorer("half", input=str, output=str)])
def test_only_scorers_go_in(given: Scorer[str, str]) -> None:
    """A list, an id and a half-built scorer are told apart from one."""
    with pytest.raises(DefinitionError, match="takes scorers"):
        Scorers(given)


def test_it_does_not_change() -> None:
    """No field can be set, and joining makes a new one."""
    scorers = Scorers(ONE)
    with pytest.raises(AttributeError):
        scorers.all = ()  # type: ignore[misc]  # what is tried here is wrong
    assert (scorers | Scorers(TWO)) == Scorers(ONE, TWO)
    assert len(scorers) == 1


@given(st.permutations([ONE, TWO, scorer("three"), scorer("four")]), st.integers(0, 4), st.integers(0, 4))
def test_joining_is_a_monoid(scorers: list[Scorer[str, str]], one: int, other: int) -> None:
    """Associative, with the empty collection as unit."""
    first, last = sorted((one, other))
    a, b, c = Scorers(*scorers[:first]), Scorers(*scorers[first:last]), Scorers(*scorers[last:])
    assert (a | b) | c == a | (b | c) == Scorers(*scorers)
    assert a | Scorers() == a == Scorers() | a
