"""How far two numbers of the same rows rise together, and how far a number tells passes from failures."""

from __future__ import annotations

from collections.abc import Sequence
from math import atanh, sqrt, tanh
from typing import TYPE_CHECKING

from scorewright.faults import DefinitionError
from scorewright.statistics.agreement import Agreement
from scorewright.statistics.estimate import Interval, Undefined, level_of
from scorewright.statistics.resampling import Groups, jackknifed
from scorewright.statistics.sample import numbers
from scorewright.statistics.scipy import special

if TYPE_CHECKING:
    from scorewright.statistics.resampling import Picked
    from scorewright.statistics.sample import Floats

_TAKES = "pearson, spearman and auc"
_FEWEST = 4  # an interval on Fisher's scale divides by n - 3


def pearson(
    first: Sequence[float], second: Sequence[float], /, *, groups: Groups = None, level: float = 0.95
) -> Agreement:
    """Pearson's correlation: how far two numbers lie on a line; a jackknife over rows, or clusters."""

    one, other = _columns(first, second, level)
    measure, n = "Pearson's r", len(one)
    if n < _FEWEST:
        return _undefined(f"fewer than {_FEWEST} rows", n, measure)
    if not (_varies(one) and _varies(other)):
        return _undefined("one of the two does not vary", n, measure)
    value = _correlation(one, other)
    interval = jackknifed(value, n, lambda picked: _correlation(one[picked], other[picked]), groups, level=level)
    return Agreement(value, interval, n, measure)


def spearman(
    first: Sequence[float], second: Sequence[float], /, *, groups: Groups = None, level: float = 0.95
) -> Agreement:
    """Spearman's correlation of ranks, ties sharing one (Spearman 1904).

    The interval is that of Bonett and Wright 2000 on Fisher's scale; with groups a jackknife over clusters.
    """

    one, other = _columns(first, second, level)
    measure, n = "Spearman's rho", len(one)
    if n < _FEWEST:
        return _undefined(f"fewer than {_FEWEST} rows", n, measure)
    if not (_varies(one) and _varies(other)):
        return _undefined("one of the two does not vary", n, measure)
    value = _correlation(ranks(one), ranks(other))
    if groups is not None:

        def again(picked: Picked) -> float:
            return _correlation(ranks(one[picked]), ranks(other[picked]))

        return Agreement(value, jackknifed(value, n, again, groups, level=level), n, measure)
    if abs(value) >= 1 - 1e-12:
        return Agreement(value, Undefined("the ranks are the same: no spread was seen"), n, measure)
    half = float(special().ndtri((1 + level) / 2)) * sqrt((1 + value**2 / 2) / (n - 3))
    middle = atanh(value)
    return Agreement(value, Interval(tanh(middle - half), tanh(middle + half), level, "Bonett and Wright"), n, measure)


def auc(scores: Sequence[float], passed: Sequence[bool], /, *, groups: Groups = None, level: float = 0.95) -> Agreement:
    """How often a row that passed has the higher score than one that failed, a tie counting half: 0.5 is chance.

    The area under the ROC curve, with the interval of DeLong, DeLong and Clarke-Pearson 1988 on the logit scale; with
    groups a jackknife over clusters. It needs no threshold.
    """
    import numpy as np

    values, truth = _columns(scores, [float(each) for each in passed], level)
    measure, n = "AUC", len(values)
    above, below = values[truth > 0], values[truth == 0]
    if not (len(above) and len(below)):
        return _undefined("people passed every row, or none", n, measure)
    value = _area(values, truth)
    if groups is not None:
        return Agreement(value, _clustered_area(values, truth, groups, level), n, measure)
    if min(len(above), len(below)) < 2:  # noqa: PLR2004 - a spread needs two
        return Agreement(value, Undefined("one row of a kind has no spread"), n, measure)
    all_ranks = ranks(values)
    for_passes = (all_ranks[truth > 0] - ranks(above)) / len(below)
    for_failures = 1 - (all_ranks[truth == 0] - ranks(below)) / len(above)
    error = sqrt(float(for_passes.var(ddof=1)) / len(above) + float(for_failures.var(ddof=1)) / len(below))
    if not 0 < value < 1 or not error:
        return Agreement(value, Undefined(_no_spread(value)), n, measure)
    half = float(special().ndtri((1 + level) / 2)) * error / (value * (1 - value))
    logit = np.log(value / (1 - value))
    low, high = (float(1 / (1 + np.exp(-(logit + end)))) for end in (-half, half))
    return Agreement(value, Interval(low, high, level, "DeLong, logit"), n, measure)


def _no_spread(value: float) -> str:
    """Why an area has no interval."""
    if 0 < value < 1:
        return "the scores do not vary: no spread was seen"
    return f"every pass lies {'above' if value else 'below'} every failure: no spread was seen"


def ranks(values: Floats, /) -> Floats:
    """Ranks from 1; equal values share the middle one."""
    import numpy as np

    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[places]


def _correlation(one: Floats, other: Floats) -> float:
    import numpy as np

    first, second = _unit(one), _unit(other)
    spread = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / spread if spread else float("nan")


def _clustered_area(values: Floats, truth: Floats, groups: Groups, level: float) -> Interval | Undefined:
    """On -1 to 1, where 0 is chance, as the jackknife takes it."""
    found = jackknifed(
        2 * _area(values, truth) - 1,
        len(values),
        lambda picked: 2 * _area(values[picked], truth[picked]) - 1,
        groups,
        level=level,
    )
    if isinstance(found, Undefined):
        return found
    return Interval((1 + found.low) / 2, (1 + found.high) / 2, level, found.method)


def _varies(values: Floats) -> bool:
    return bool(values.min() < values.max())


def _unit(values: Floats) -> Floats:
    """How far each is from the mean, the farthest 1 away: products of very large and very small numbers are none."""
    import numpy as np

    most = float(np.abs(values).max()) or 1.0
    apart: Floats = values / most - (values / most).mean()
    return apart / (float(np.abs(apart).max()) or 1.0)


def _area(values: Floats, truth: Floats) -> float:
    passes = float(truth.sum())
    failures = len(truth) - passes
    if not passes or not failures:
        return float("nan")
    return (float(ranks(values)[truth > 0].sum()) - passes * (passes + 1) / 2) / (passes * failures)


def _columns(first: Sequence[float], second: Sequence[float], level: float) -> tuple[Floats, Floats]:
    level_of(level)
    if len(first) != len(second):
        raise DefinitionError(f"two numbers of each row: there are {len(first)} and {len(second)}")
    return numbers(first, _TAKES), numbers(second, _TAKES)


def _undefined(why: str, n: int, measure: str) -> Agreement:
    return Agreement(Undefined(why), Undefined(why), n, measure)
