"""Sums of what was spent."""

from __future__ import annotations

from typing import Final

from scorewright.core import Usage
from scorewright.judges.usage import Spent

NOTHING_SPENT: Final = Spent(attempts=0, usage=Usage(), uncounted=0, dollars=0.0, avoided=Usage())


def added(one: Spent, other: Spent, /) -> Spent:
    """Both together; what has no known price makes the sum unknown, never smaller."""
    dollars = None if one.dollars is None or other.dollars is None else one.dollars + other.dollars
    return Spent(
        one.attempts + other.attempts,
        one.usage + other.usage,
        one.uncounted + other.uncounted,
        dollars,
        one.avoided + other.avoided,
    )
