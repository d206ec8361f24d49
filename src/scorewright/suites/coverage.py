"""How many items a number is of: an aggregate cannot be had without it."""

from __future__ import annotations

from typing import final

import attrs


@final
@attrs.frozen
class Coverage:
    """The items that a scorer scored, those that do not hold what it judges, and those where something failed."""

    n_scored: int
    n_not_scorable: int
    n_failed: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.n_scored + self.n_not_scorable + self.n_failed

    @property
    def is_whole(self) -> bool:
        """Whether every item has a score."""
        return self.n_scored == self.n

    def __str__(self) -> str:
        parts = [f"{self.n_scored}/{self.n} scored"]
        if self.n_not_scorable:
            parts.append(f"{self.n_not_scorable} not scorable")
        if self.n_failed:
            parts.append(f"{self.n_failed} failed")
        return " · ".join(parts)


@final
@attrs.frozen
class Measured:
    """A number over items, and which of them it is of; None where there is nothing that it could be of.

    >>> str(Measured(0.75, Coverage(98, 0, 2)))
    '0.75 (98/100 scored · 2 failed)'
    """

    value: float | None
    coverage: Coverage

    def __str__(self) -> str:
        return f"{'nothing' if self.value is None else format(self.value, '.6g')} ({self.coverage})"
