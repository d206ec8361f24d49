"""The page of laws says what the statements say."""

from __future__ import annotations

import pytest
from laws.page import PAGE, rendered

from scorewright.laws.refuted import REFUTED


def test_the_page_is_made_of_the_statements() -> None:
    """`python tests/laws/page.py` writes it anew."""
    assert PAGE.read_text() == rendered()


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.__name__)
def test_what_is_said_not_to_hold_does_not(claim) -> None:
    """The counterexample is one."""
    assert not claim().agree
