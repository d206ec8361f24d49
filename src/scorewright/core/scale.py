"""The numbers that a scorer may give."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from math import inf, isfinite
from numbers import Real
from typing import final

import attrs

from scorewright.faults import DefinitionError, InvalidScore
from scorewright.wording import safely


@final
@attrs.frozen
class Scale:
    """The closed range of a score: 0 to 1 unless said otherwise.

    Real numbers of any make count (int, bool, Decimal, Fraction, numpy scalars) and become floats.
    """

    low: float = 0.0
    high: float = 1.0

    def __attrs_post_init__(self) -> None:
        low, high = _end(self.low), _end(self.high)
        if low is None or high is None or not low < high:
            told = f"{_shown(self.low)}..{_shown(self.high)}"
            raise DefinitionError(f"a scale runs from a lower to a higher number that a float can hold, not {told}")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def check(self, score: object, /) -> float | InvalidScore:
        """The score as a float, when it is a finite number of this scale."""
        if type(score) is float and self.low <= score <= self.high and -inf < score < inf:
            return score
        number = _number(score)
        if number is None:
            return InvalidScore(_shown(score), f"not a number but {type(score).__name__}")
        if not isfinite(number):
            return InvalidScore(_shown(score), "not finite")
        if not self.low <= number <= self.high:
            return InvalidScore(_shown(score), f"outside {self.low:g}..{self.high:g}")
        return number

    @property
    def bounds(self) -> Mapping[str, float]:
        """Its finite ends as JSON Schema says them; whole numbers are written without a fraction."""
        ends = {"minimum": self.low, "maximum": self.high}
        return {keyword: int(end) if end == int(end) else end for keyword, end in ends.items() if isfinite(end)}

    @property
    def spoken(self) -> str:
        """Its finite ends in words."""
        if isfinite(self.low) and isfinite(self.high):
            return f"from {self.low:g} to {self.high:g}"
        return f"not below {self.low:g}" if isfinite(self.low) else f"not above {self.high:g}"


def _end(given: object) -> float | None:
    """The end of a scale as a float."""
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        return None
    try:
        return float(given)
    except OverflowError:
        return None


UNIT = Scale()
UNBOUNDED = Scale(-inf, inf)


def _number(score: object) -> float | None:
    from decimal import Decimal

    try:
        if isinstance(score, (Real, Decimal)):
            return float(score)
        numpy = sys.modules.get("numpy")
        return float(bool(score)) if numpy is not None and isinstance(score, numpy.bool_) else None
    except OverflowError:
        return inf
    except ValueError:  # a signalling NaN
        return float("nan")
    except Exception:  # noqa: BLE001 - a user's __float__ and __class__ may raise anything; a numpy duration counts as real and has no float
        return None


def _shown(score: object) -> str:
    return safely(repr, score)[:200]
