"""Limits, and how far beyond one a run may go before nothing is left."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, isfinite
from typing import Final

from scorewright.core.definition import is_number, shown
from scorewright.faults import DefinitionError

_NUDGE: Final = 2.220446049250313e-16  # so that 0.285, which is a little less as a float, becomes 0.29


def expect_limit(name: str, given: object, /) -> None:
    """Raise unless it is a finite number from 0."""
    if not (is_number(given) and isinstance(given, (int, float)) and isfinite(given) and given >= 0):
        raise DefinitionError(f"{name}= takes a finite number from 0, not {shown(given)}")


def within(found: float, limit: float, /) -> float:
    """1 within the limit; beyond it one less the share by which it is exceeded, never below 0.

    >>> within(12, 10), within(30, 10)
    (0.8, 0.0)
    """
    if found <= limit:
        return 1.0
    return max(0.0, 1 - (found - limit) / limit) if limit else 0.0


def rounding(places: int | None, /) -> Callable[[float], float]:
    """A function that rounds to so many places, halves up; one that changes nothing where `places` is None."""
    if places is None:
        return _same
    if type(places) is not int or not 0 <= places <= 12:  # noqa: PLR2004 - a float has no more to give
        raise DefinitionError(
            f"places= takes a whole number from 0 to 12, or None for the exact score, not {shown(places)}"
        )
    factor = 10.0**places
    return lambda score: floor((score + _NUDGE) * factor + 0.5) / factor


def _same(score: float) -> float:
    return score
