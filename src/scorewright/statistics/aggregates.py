"""Several aggregates of one sample by name, and the harmonic mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Undefined
from scorewright.statistics.means import mean, pass_rate
from scorewright.statistics.missing import LEFT_OUT, Missing, refused_below, settled
from scorewright.statistics.sample import Sample

Aggregate: TypeAlias = Literal["mean", "pass_rate", "harmonic_mean", "min", "median", "max"]
_NAMES: Final = ("mean", "pass_rate", "harmonic_mean", "min", "median", "max")
_NO_INTERVAL: Final = Undefined("no interval is computed for it")
WHOLE: Final = refused_below(1.0)


def aggregates(
    sample: Sample, names: Sequence[Aggregate] | None = None, /, *, missing: Missing = LEFT_OUT, level: float = 0.95
) -> Mapping[str, Estimate]:
    """Aggregates by their names, in their order; none where the list is empty.

    Not naming any is not the same: then it is the pass rate of scores that are all 0 or 1, else the mean.
    """
    wanted = _usual(sample) if names is None else names
    unknown = [name for name in wanted if name not in _NAMES]
    if unknown:
        raise DefinitionError(f"an aggregate is one of {', '.join(_NAMES)}, not {unknown[0]!r}")
    return MappingProxyType({name: _aggregate(sample, name, missing, level) for name in wanted})


def _usual(sample: Sample) -> Sequence[Aggregate]:
    binary = bool(len(sample.values)) and all(value in (0.0, 1.0) for value in sample.values.tolist())
    return ("pass_rate",) if binary else ("mean",)


def harmonic_mean(sample: Sample, /, *, missing: Missing = WHOLE) -> Estimate:
    """The harmonic mean of scores from 0 upwards: 0 where any is 0. Without an interval.

    It combines parts of one thing, so it is undefined where a part failed, unless `missing` says otherwise.
    """
    import numpy as np

    held = settled(sample, missing)
    if isinstance(held, Undefined):
        return Estimate(held, held, sample.coverage, (), str(missing))
    values = held.values
    if not len(values):
        nothing = Undefined("no run has a score")
        return Estimate(nothing, nothing, sample.coverage, (), str(missing))
    if values.min() < 0:
        below = Undefined("a score is below 0")
        return Estimate(below, below, sample.coverage, (), str(missing))
    low, high = float(values.min()), float(values.max())
    value = min(max(len(values) / float(np.sum(1 / values)), low), high) if low else 0.0
    return Estimate(value, _NO_INTERVAL, sample.coverage, (), str(missing))


def _aggregate(sample: Sample, name: Aggregate, missing: Missing, level: float) -> Estimate:
    import numpy as np

    if name == "mean":
        return mean(sample, level=level, missing=missing)
    if name == "pass_rate":
        return pass_rate(sample, 1.0, level=level, missing=missing)
    if name == "harmonic_mean":
        return harmonic_mean(sample, missing=missing)
    held = settled(sample, missing)
    if isinstance(held, Undefined) or not len(held.values):
        why = held if isinstance(held, Undefined) else Undefined("no run has a score")
        return Estimate(why, why, sample.coverage, (), str(missing))
    share = {"min": 0.0, "median": 0.5, "max": 1.0}[name]
    found = float(np.quantile(held.values, share))
    return Estimate(found, _NO_INTERVAL, sample.coverage, (), str(missing))
