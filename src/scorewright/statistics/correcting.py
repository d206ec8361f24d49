"""What a mean would be if people had judged every row: a judge's bias, taken out with a few labelled rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Interval, Undefined, level_of
from scorewright.statistics.sample import numbers
from scorewright.statistics.scipy import special
from scorewright.suites.coverage import Coverage

_FEWEST = 2


def corrected_mean(
    judged: Sequence[float], labelled: Sequence[tuple[float, float]], /, *, level: float = 0.95
) -> Estimate:
    """The mean of people's scores over all rows, from a judge's scores of all and people's of some.

    `judged`: the judge's scores of the rows that nobody labelled; `labelled`: pairs of the judge's and a person's score
    of rows drawn at random from the same population. Prediction-powered inference with the power-tuned weight, PPI++
    (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453): never wider, for many rows, than the labels alone, and right
    however wrong the judge is.
    """
    import numpy as np

    level_of(level)
    coverage = Coverage(len(judged) + len(labelled), 0, 0)
    if len(labelled) < _FEWEST or len(judged) < _FEWEST:
        few = Undefined("fewer than two labelled or two unlabelled rows")
        return Estimate(few, few, coverage)
    unlabelled = numbers(judged, "corrected_mean")
    said, human = (numbers(column, "corrected_mean") for column in zip(*labelled, strict=True))
    n, m = len(human), len(unlabelled)
    spread = float(np.var(np.concatenate([said, unlabelled]), ddof=1))
    together = float(((said - said.mean()) * (human - human.mean())).sum()) / (n - 1)
    weight = together / (spread * (1 + n / m)) if spread else 0.0
    value = weight * float(unlabelled.mean()) + float((human - weight * said).mean())
    variance = weight**2 * float(unlabelled.var(ddof=1)) / m + float((human - weight * said).var(ddof=1)) / n
    half = float(special().ndtri((1 + level) / 2)) * sqrt(variance)
    caution = ("fewer than 50 labelled rows: the interval may be too narrow",) if n < 50 else ()  # noqa: PLR2004 - a rule of thumb
    return Estimate(value, Interval(value - half, value + half, level, "PPI++"), coverage, caution)


def corrected_rate(
    passed: int, n: int, true_passes: tuple[int, int], true_misses: tuple[int, int], /, *, level: float = 0.95
) -> Estimate:
    """The true pass rate behind a judge that errs: `passed` of `n` rows passed by the judge.

    `true_passes`: of the rows that people passed, how many the judge passed, and how many there are; `true_misses`: of
    the rows that people failed, how many the judge failed, and how many there are. Rogan and Gladen 1978, with the
    adjusted interval of Lang and Reiczigel 2014. Undefined where the judge does no better than a coin.
    """

    level_of(level)
    for hit, all_ in ((passed, n), true_passes, true_misses):
        if not 0 <= hit <= all_ or not all_:
            raise DefinitionError(f"{hit} of {all_} is no share: give counts of at least one row")
    z = float(special().ndtri((1 + level) / 2))
    coverage = Coverage(n, 0, 0)
    if true_passes[0] / true_passes[1] + true_misses[0] / true_misses[1] <= 1:
        blind = Undefined("the judge does no better than a coin on the labelled rows")
        return Estimate(blind, blind, coverage)
    value = _rogan_gladen(passed / n, true_passes[0] / true_passes[1], true_misses[0] / true_misses[1])
    adjusted = [
        ((passed + z * z / 2) / (n + z * z), n + z * z),
        ((true_passes[0] + 1) / (true_passes[1] + 2), float(true_passes[1])),
        ((true_misses[0] + 1) / (true_misses[1] + 2), float(true_misses[1])),
    ]
    (rate, rows), (hits, passes), (rejects, misses) = adjusted
    strength = hits + rejects - 1
    middle = (rate + rejects - 1) / strength
    hit_spread, reject_spread = hits * (1 - hits) / passes, rejects * (1 - rejects) / misses
    shift = 2 * z * z * (middle * hit_spread - (1 - middle) * reject_spread)
    spread = rate * (1 - rate) / rows + (1 - middle) ** 2 * reject_spread + middle**2 * hit_spread
    half = z * sqrt(spread) / strength
    low, high = max(0.0, middle + shift - half), min(1.0, middle + shift + half)
    return Estimate(value, Interval(min(low, value), max(high, value), level, "Lang and Reiczigel"), coverage)


def _rogan_gladen(rate: float, hit: float, reject: float) -> float:
    return min(1.0, max(0.0, (rate + reject - 1) / (hit + reject - 1)))
