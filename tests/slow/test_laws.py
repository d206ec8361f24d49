"""Every law that the tests of the laws know, on many more cases."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from laws.test_laws import KEPT

from scorewright.algebra import maximum, minimum
from scorewright.laws import COMBINATOR_LAWS, EVERY_COMBINATOR, PROMISES, Combinators, Sides, check_law
from scorewright.laws.strategies import combinator_cases

pytestmark = pytest.mark.slow
CASES = combinator_cases()
ALL = [
    *KEPT,
    *((law, Combinators(), CASES) for law in COMBINATOR_LAWS),
    *((law, combine, CASES) for law in (*EVERY_COMBINATOR, *PROMISES) for combine in (minimum, maximum)),
]


def test_the_profile_is_the_thorough_one() -> None:
    """`-m slow` chooses it, and each law below is tried with what is loaded."""
    tried: list[int] = []
    assert settings().max_examples >= 2_000

    def counted(_: object, case: int) -> object:
        tried.append(case)
        return Sides(None, None, case)

    check_law(counted, None, st.integers())
    assert len(tried) >= 2_000


@pytest.mark.parametrize(("law", "implementation", "cases"), ALL, ids=[law.__name__ for law, _, _ in ALL])
def test_the_law_holds_on_many_cases(law, implementation, cases) -> None:
    """Hypothesis finds no case on which the two sides differ."""
    check_law(law, implementation, cases)
