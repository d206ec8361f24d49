"""A budget is data: what bounds it takes, and what it refuses where it is written."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import DefinitionError
from scorewright.core.budget import Budget

NAMES = ["calls", "tokens", "dollars", "seconds"]
WHOLE = ["calls", "tokens"]
names = pytest.mark.parametrize("name", NAMES)


@names
@pytest.mark.parametrize("bound", [None, 0, 1, 10**12])
def test_every_bound_may_be_left_out_or_nothing_at_all(name: str, bound: int | None) -> None:
    """None bounds nothing, and 0 lets nothing through."""
    assert getattr(Budget(**{name: bound}), name) == bound


@pytest.mark.parametrize("name", ["dollars", "seconds"])
@given(bound=st.floats(0, 1e9))
def test_money_and_time_are_any_number(name: str, bound: float) -> None:
    """From 0 on."""
    assert getattr(Budget(**{name: bound}), name) == bound


@names
@pytest.mark.parametrize("bound", [-1, -0.5, nan, inf, -inf, True, False, "5", [5], 1j], ids=repr)
def test_what_bounds_nothing_is_refused(name: str, bound: object) -> None:
    """The message names the bound and what was given."""
    with pytest.raises(DefinitionError) as mistake:
        Budget(**{name: bound})
    assert str(mistake.value) == f"{name}= of a budget is a number, 0 or more, not {bound!r}"


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("bound", [1.0, 0.5])
def test_calls_and_tokens_are_counted(name: str, bound: float) -> None:
    """No half of one."""
    with pytest.raises(DefinitionError) as mistake:
        Budget(**{name: bound})
    assert str(mistake.value) == f"{name}= of a budget is a whole number, not {bound!r}"
