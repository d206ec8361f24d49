"""A number with what it is worth: an interval, or the reason why there is none."""

from __future__ import annotations

from typing import TypeAlias, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.suites.coverage import Coverage

LEFT_OUT = "failed runs are left out"


@final
@attrs.frozen
class Interval:
    """Where the true value lies, at a level of confidence, by a named method."""

    low: float
    high: float
    level: float
    method: str

    def __contains__(self, value: float, /) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"[{self.low:.3g}, {self.high:.3g}]"


@final
@attrs.frozen
class Undefined:
    """There is no such number; `why` says what is missing."""

    why: str

    def __str__(self) -> str:
        return f"undefined: {self.why}"


@final
@attrs.frozen
class Estimate:
    """A value, its interval, and what both stand on.

    `caution` names what a reader should know before trusting it, `missing` the rule for failed runs.
    """

    value: float | Undefined
    interval: Interval | Undefined
    coverage: Coverage
    caution: tuple[str, ...] = ()
    missing: str = LEFT_OUT

    def __str__(self) -> str:
        told = f"{self.coverage}" if self.missing == LEFT_OUT else f"{self.coverage}; {self.missing}"
        if isinstance(self.value, Undefined):
            return f"{self.value} ({told})"
        return f"{self.value:.3g} {self.interval} ({told})"


Number: TypeAlias = float | Undefined
FEW = 100  # below this many rows intervals of large-sample theory are too narrow: arXiv 2503.01747


def level_of(level: float, /) -> float:
    """A level of confidence; anything but a number between 0 and 1 is a `DefinitionError`."""
    if not 0 < level < 1:
        raise DefinitionError(f"level= is between 0 and 1, such as 0.95, not {level}")
    return level
