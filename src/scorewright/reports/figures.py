"""Scores as figures: a mean with an interval where numpy and scipy are there, and without one, which it says, else."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import inf, isfinite
from typing import TypeAlias

from scorewright.core import Scale
from scorewright.core.averaging import mean_of
from scorewright.reports.report import Figure, Histogram
from scorewright.suites.coverage import Coverage
from scorewright.suites.tally import histogram_of

Groups: TypeAlias = "Sequence[str | None] | None"
NO_STATISTICS = "no interval: it needs numpy and scipy, pip install 'scorewright[statistics]'"
BINS = 20


def figure(scores: array[float], coverage: Coverage, groups: Groups = None, scale: Scale | None = None, /) -> Figure:
    """The mean of scores that are all there, with a 95 % interval on the scale, clustered where there are groups.

    Of passes and misses, 1 and 0 on 0..1, it is Wilson's.
    """
    try:
        from scorewright.statistics import Interval, Sample, bounded_mean
    except ImportError:
        return Figure(mean_of(scores) if scores else None, None, None, "", NO_STATISTICS, coverage)
    sample = Sample(tuple(scores), coverage, groups=None if groups is None else tuple(groups))
    ends = scale or Scale(-inf, inf)
    estimate = bounded_mean(sample, ends.low, ends.high)
    if not scores:
        return Figure(None, None, None, "", str(estimate.value), coverage)
    if isinstance(estimate.interval, Interval) and isfinite(estimate.interval.high - estimate.interval.low):
        found = estimate.interval
        return Figure(mean_of(scores), found.low, found.high, found.method, "", coverage, estimate.caution)
    why = "undefined: no float holds it" if isinstance(estimate.interval, Interval) else str(estimate.interval)
    return Figure(mean_of(scores), None, None, "", why, coverage, estimate.caution)


def histogram(scores: array[float], scale: Scale | None, /) -> Histogram | None:
    """Counts over the scale; over 0..1 where it is not known and they fit, else over what there is. None of nothing."""
    if not scores:
        return None
    least, most = min(scores), max(scores)
    low, high = _ends(scale, least, most)
    over = Scale(low, high) if low < high else Scale(-inf, inf)
    return Histogram(low, high, histogram_of(scores, over, BINS))


def _ends(scale: Scale | None, least: float, most: float) -> tuple[float, float]:
    if scale is None:
        return (0.0, 1.0) if least >= 0 and most <= 1 else (least, most)
    return scale.low if isfinite(scale.low) else least, scale.high if isfinite(scale.high) else most
