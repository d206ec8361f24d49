"""Ids that carry their options, and packages that are missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import DefinitionError
from scorewright.library.defining import listed, needs, spelled, told, written

VALUES = st.text() | st.integers() | st.booleans() | st.none() | st.lists(st.text(), max_size=3)


@given(VALUES, VALUES)
def test_different_values_are_written_differently(one: object, other: object) -> None:
    """In one line, however long they are."""
    assert (written(one) == written(other)) == (repr(one) == repr(other))
    assert written(one).isprintable()
    assert len(written(one)) <= 80


def test_an_id_carries_what_differs_from_the_default() -> None:
    """Sets and mappings by what they hold, not by the order it stands in."""
    assert spelled("check") == "check"
    assert spelled("check", 1, "a", strict=(True, True)) == "check(1, 'a')"
    assert spelled("check", strict=(False, True)) == "check(strict=False)"
    assert spelled("check", {"b": 1, "a": {"c", "b"}}) == "check({'a': {'b', 'c'}, 'b': 1})"


def test_a_missing_package_is_named_with_its_extra() -> None:
    """So that a reader knows what to install."""
    with pytest.raises(
        DefinitionError, match=r"needs the package no_such_package: pip install 'scorewright\[library\]'"
    ):
        needs("no_such_package", "library", "check(…)")


def test_texts_in_reasons_are_short_and_can_be_saved() -> None:
    """Whatever an output holds."""
    assert told("a\nb") == "'a\\nb'"
    assert len(told("x" * 500)) == 80
    assert listed(["a", "\ud83d", "b"], 2) == "a, ?, …"
