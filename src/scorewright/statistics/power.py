"""How many rows a comparison needs, and what a number of rows can show."""

from __future__ import annotations

from functools import cache
from math import ceil, sqrt
from typing import TYPE_CHECKING

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import level_of
from scorewright.statistics.scipy import optimize, special

if TYPE_CHECKING:
    from scorewright.statistics.sample import Floats

_NODES = 400


def power(difference: float, spread: float, n: int, /, *, level: float = 0.95) -> float:
    """The chance that a paired t test of `n` rows sees a true difference.

    `spread` is the standard deviation of the differences of rows, from a pilot. Two-sided, by the noncentral t
    distribution (Cohen 1988, chapter 2).
    """
    import numpy as np

    _check(spread, level)
    if n < 2:  # noqa: PLR2004 - a spread needs two
        raise DefinitionError(f"n is 2 or more, not {n}")
    freedom = n - 1
    limit = float(special().stdtrit(freedom, (1 + level) / 2))
    apart = abs(difference) / spread * sqrt(n)
    # The noncentral t distribution as a normal one over every spread that may be seen: never NaN, as the closed one is.
    nodes, weights = _quadrature()
    seen = np.sqrt(2 * special().gammaincinv(freedom / 2, nodes) / freedom)
    missed = special().ndtr(limit * seen - apart) - special().ndtr(-limit * seen - apart)
    return 1 - float((weights * missed).sum())


@cache
def _quadrature() -> tuple[Floats, Floats]:
    """Gauss and Legendre's nodes and weights for integrals from 0 to 1."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def rows_needed(difference: float, spread: float, /, *, power_wanted: float = 0.8, level: float = 0.95) -> int:
    """The fewest rows with which a paired t test sees a difference with this chance."""
    _check(spread, level)
    if not difference:
        raise DefinitionError("no number of rows shows a difference of 0: say the smallest one that matters")
    _check_power(power_wanted)
    low, high = 2, 4
    while power(difference, spread, high, level=level) < power_wanted:
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        if power(difference, spread, middle, level=level) < power_wanted:
            low = middle + 1
        else:
            high = middle
    return ceil(high)


def detectable(n: int, spread: float, /, *, power_wanted: float = 0.8, level: float = 0.95) -> float:
    """The smallest true difference that a paired t test of `n` rows sees with this chance."""

    _check(spread, level)
    _check_power(power_wanted)
    most = 1.0
    while power(most * spread, spread, n, level=level) < power_wanted:
        most *= 2
    return (
        float(optimize().brentq(lambda size: power(size * spread, spread, n, level=level) - power_wanted, 0.0, most))
        * spread
    )


def _check(spread: float, level: float) -> None:
    level_of(level)
    if not spread > 0:
        raise DefinitionError(f"the standard deviation of the differences is greater than 0, not {spread}")


def _check_power(wanted: float) -> None:
    if not 0 < wanted < 1:
        raise DefinitionError(f"power_wanted= is between 0 and 1, such as 0.8, not {wanted}")
