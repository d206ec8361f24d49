"""The numbers that a scorer may give."""

from __future__ import annotations

import sys
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
        if not _are_numbers(self.low, self.high) or not self.low < self.high:
            raise DefinitionError(f"a scale runs from a lower to a higher number, not {self.low!r}..{self.high!r}")

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


def _are_numbers(*ends: object) -> bool:
    return all(isinstance(end, (int, float)) for end in ends)


UNIT = Scale()
UNBOUNDED = Scale(-inf, inf)


def _number(score: object) -> float | None:
    from decimal import Decimal

    if isinstance(score, (Real, Decimal)):
        try:
            return float(score)
        except OverflowError:
            return inf
        except ValueError:  # a signalling NaN
            return float("nan")
        except Exception:  # noqa: BLE001 - a user's __float__ may raise anything; a numpy duration counts as real and has no float
            return None
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(score, numpy.bool_):
        return float(bool(score))
    return None


def _shown(score: object) -> str:
    return safely(repr, score)[:200]
