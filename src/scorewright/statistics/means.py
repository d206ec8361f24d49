"""Means and proportions of one sample, with intervals that hold for few rows, skewed scores and clustered rows."""

from __future__ import annotations

from contextlib import AbstractContextManager
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs

from scorewright.core.averaging import mean_of
from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import FEW, Estimate, Interval, Number, Undefined, level_of
from scorewright.statistics.missing import LEFT_OUT, Missing, settled
from scorewright.statistics.sample import Sample
from scorewright.statistics.scipy import special, stats

if TYPE_CHECKING:
    from scorewright.statistics.sample import Clusters, Floats

Method: TypeAlias = Literal["t", "bca"]
MOST_FOR_BCA = 2000  # rows; beyond them the bootstrap takes seconds and the t interval is as good
_RESAMPLES = 9999
TOO_LARGE = Undefined("the scores are too large to be added up")


def mean(
    sample: Sample, /, *, level: float = 0.95, method: Method = "t", seed: int = 0, missing: Missing = LEFT_OUT
) -> Estimate:
    """The mean score and its confidence interval.

    `"t"`: Student's t, for means of independent runs; `"bca"`: the bias-corrected and accelerated bootstrap with 9,999
    resamples (Efron 1987), for skewed scores of up to 2,000 runs, beyond which t is used and said. With groups the
    standard error is clustered, with one degree of freedom less than there are groups (Liang and Zeger 1986; Miller
    2024, arXiv 2411.00640). One run, or one cluster, has no interval. Scores that are all the same have a t interval of
    no width: read it as "no spread was seen". Failed runs are left out and counted, unless `missing` says otherwise.
    """
    level_of(level)
    if method not in ("t", "bca"):
        raise DefinitionError(f"method= is 't' or 'bca', not {method!r}")
    held = settled(sample, missing)
    if isinstance(held, Undefined) or not len(held.values):
        nothing = held if isinstance(held, Undefined) else Undefined("no run has a score")
        return Estimate(nothing, nothing, sample.coverage, (), str(missing))
    with _large():
        value = mean_of(held.values.tolist())
        interval = _around(value, held, level, method, seed) if isfinite(value) else TOO_LARGE
    known: Number = value if isfinite(value) else TOO_LARGE
    return Estimate(known, interval, sample.coverage, _cautions(held, missing), str(missing))


def _large() -> AbstractContextManager[object]:
    """Sums of numbers near the greatest that there is are infinite, without a warning."""
    import numpy as np

    return np.errstate(over="ignore", invalid="ignore")


def _around(value: float, sample: Sample, level: float, method: Method, seed: int) -> Interval | Undefined:
    values, clusters = sample.values, sample.clusters
    if clusters is None and len(values) == 1:
        return Undefined("one run has no spread")
    if clusters is None and method == "bca" and len(values) <= MOST_FOR_BCA and values.min() < values.max():
        return _bca(values, level, seed)
    error = standard_error(sample)
    if isinstance(error, Undefined) or not isfinite(error):
        return error if isinstance(error, Undefined) else TOO_LARGE
    groups = len(values) if clusters is None else int(clusters.max()) + 1
    half = float(special().stdtrit(groups - 1, (1 + level) / 2)) * error
    named = "t" if clusters is None else f"t, clustered by {groups} groups"
    return Interval(value - half, value + half, level, named)


def standard_error(sample: Sample, /) -> Number:
    """The standard error of the mean, clustered where the sample has groups."""
    if sample.clusters is not None:
        return cluster_error(sample.values, sample.clusters)
    if len(sample.values) < 2:  # noqa: PLR2004 - a spread needs two
        return Undefined("fewer than two runs have no spread")
    return float(sample.values.std(ddof=1)) / sqrt(len(sample.values))


def pass_rate(sample: Sample, threshold: float, /, *, level: float = 0.95, missing: Missing = LEFT_OUT) -> Estimate:
    """The share of runs that reach the threshold, with Wilson's score interval (Wilson 1927).

    Wilson holds near 0 and 1 and for few runs, where the textbook interval does not. With groups the clustered t
    interval of the passes is used, cut to 0..1.
    """
    if threshold != threshold:  # noqa: PLR0124 - only NaN is not itself
        raise DefinitionError("a threshold is a number, not NaN")
    held = settled(sample, missing)
    if isinstance(held, Undefined):
        return Estimate(held, held, sample.coverage, (), str(missing))
    passes = held.passing(threshold)
    if sample.clusters is not None:
        clustered = attrs.evolve(mean(passes, level=level), coverage=sample.coverage, missing=str(missing))
        return _cut(clustered, 0.0, 1.0)
    values = passes.values
    if not len(values):
        nothing = Undefined("no run has a score")
        return Estimate(nothing, nothing, sample.coverage, (), str(missing))
    interval = wilson(int(values.sum()), len(values), level=level)
    return Estimate(float(values.mean()), interval, sample.coverage, _cautions(held, missing), str(missing))


def bounded_mean(sample: Sample, low: float = 0.0, high: float = 1.0, /, *, level: float = 0.95) -> Estimate:
    """The mean of scores that lie between two ends, with an interval that lies there, too.

    Of passes and misses on 0..1 it is the share, with Wilson's interval, which has a width where all pass. Else the
    interval is that of `mean`, and what of it lies beyond an end, where no mean can be, is cut off.
    """
    values = sample.values
    binary = (low, high) == (0.0, 1.0) and bool(len(values)) and bool(((values == 0) | (values == 1)).all())
    if binary and sample.clusters is None:
        return pass_rate(sample, 1.0, level=level)
    return _cut(mean(sample, level=level), low, high)


def _cut(found: Estimate, low: float, high: float) -> Estimate:
    held = found.interval
    if not isinstance(held, Interval):
        return found
    return attrs.evolve(found, interval=attrs.evolve(held, low=max(low, held.low), high=min(high, held.high)))


def wilson(passed: int, n: int, /, *, level: float = 0.95) -> Interval | Undefined:
    """Wilson's score interval of a proportion, without continuity correction (Wilson 1927)."""
    level_of(level)
    if not 0 <= passed <= n:
        raise DefinitionError(f"wilson({passed}, {n}): of {n} runs between 0 and {n} pass")
    if not n:
        return Undefined("no run has a score")
    low, high = score_ends(passed / n, n, float(special().ndtri((1 + level) / 2)))
    return Interval(low, high, level, "Wilson")


def score_ends(share: float, n: float, wide: float, /) -> tuple[float, float]:
    """The ends of Wilson's interval of a share of n rows, which need not be whole, `wide` standard errors each way."""
    middle = (share + wide * wide / (2 * n)) / (1 + wide * wide / n)
    half = wide * sqrt(share * (1 - share) / n + wide * wide / (4 * n * n)) / (1 + wide * wide / n)
    return 0.0 if share <= 0 else middle - half, 1.0 if share >= 1 else middle + half


def cluster_error(values: Floats, clusters: Clusters, /) -> Number:
    """The standard error of a mean whose rows come in clusters, with the small-sample factor G/(G - 1).

    The clusters of a `Sample` are numbered from 0. Liang and Zeger 1986. Rows of one cluster may depend on each other
    in any way; clusters may not.
    """
    import numpy as np

    sums = np.bincount(clusters, weights=values - values.mean()) if len(values) else values
    groups = len(sums)
    if groups < 2:  # noqa: PLR2004 - a spread needs two
        return Undefined("one cluster has no spread")
    return float(np.sqrt((sums**2).sum() * groups / (groups - 1)) / len(values))


def _bca(values: Floats, level: float, seed: int) -> Interval:
    import numpy as np

    most = float(np.abs(values).max())  # resamples of very large and very small numbers would be all the same
    drawn = stats().bootstrap(
        (values / most,),
        np.mean,
        confidence_level=level,
        n_resamples=_RESAMPLES,
        method="BCa",
        rng=np.random.default_rng(seed),
        batch=max(1, 2_000_000 // len(values)),
    )
    low, high = drawn.confidence_interval
    return Interval(float(low) * most, float(high) * most, level, "BCa bootstrap")


def _cautions(sample: Sample, missing: Missing) -> tuple[str, ...]:
    found: list[str] = []
    if len(sample.values) < FEW:
        found.append(f"fewer than {FEW} scored runs: the interval may be too narrow")
    if sample.coverage.n_failed and missing.value is None:
        found.append("failed runs are left out: if harder runs fail more often, the value is too good")
    return tuple(found)
