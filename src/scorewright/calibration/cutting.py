"""The score from which a row passes: the best one by a named criterion, and how good it is beyond these rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, final

import attrs

from scorewright.calibration.counting import (
    Confusion,
    Costs,
    Criterion,
    Wanted,
    confusion,
    measured,
    measured_interval,
    merit,
    needless,
    rate,
)
from scorewright.calibration.labels import Better
from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Interval, Number, Undefined, level_of
from scorewright.statistics.resampling import Groups, named, numbered, percentile, resamples
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    from scorewright.calibration.counting import Bools
    from scorewright.statistics.sample import Floats

FEWEST = 5  # rows of each kind below which neither an interval nor an estimate out of sample is given
_FOLDS = 10


@final
@attrs.frozen
class Cut:
    """A threshold: scores that reach it pass (`>=`, or `<=` where lower is better).

    `value` with its `interval` is where to cut. `in_sample` is the criterion on the rows that chose it, and flatters;
    `out_of_sample` is that of thresholds chosen without the rows they are tried on. Precision, recall and specificity
    are at `value`, with people's passes as the truth. `criterion` "cost" is a mean cost of a row: lower is better.
    """

    value: Number
    interval: Interval | Undefined
    criterion: Criterion
    chosen: bool  # False: it was given
    in_sample: Number
    out_of_sample: Number
    out_of_sample_interval: Interval | Undefined
    folds: int
    confusion: Confusion | None
    precision: Estimate
    recall: Estimate
    specificity: Estimate


def best_cut(
    scores: Sequence[float],
    passed: Sequence[bool],
    /,
    *,
    criterion: Criterion = "balanced_accuracy",
    costs: Costs = (1.0, 1.0),
    better: Better = "higher",
    given: float | None = None,
    groups: Groups = None,
    level: float = 0.95,
    seed: int = 0,
) -> Cut:
    """The threshold of scores that agrees best with people who passed or failed the same rows.

    Candidates lie half-way between neighbouring scores; of equally good ones the middle is taken. The interval is a
    percentile bootstrap over rows, or clusters, with the threshold chosen anew each time. A best point converges slowly
    and the interval with it: read it as a range of equally defensible thresholds. `out_of_sample` is ten-fold cross
    validation, stratified, whole clusters in one fold (Stone 1974). `costs` are those of a false pass and of a false
    miss. With `given=` nothing is chosen.
    """
    import numpy as np

    level_of(level)
    wanted = Wanted(criterion, costs)
    if given is not None and not isfinite(given):
        raise DefinitionError(f"a threshold is a number on the scorer's scale, not {given}")
    if not len(scores) == len(passed) or (groups is not None and len(groups) != len(scores)):
        raise DefinitionError("best_cut takes a label, and a group if any, for each score")
    sign = 1.0 if better == "higher" else -1.0
    values, truth = np.array(scores, dtype=np.float64) * sign, np.array(passed, dtype=np.bool_)
    n_passed = int(truth.sum())
    lacking = "people passed no row" if not n_passed else "people failed no row" if n_passed == len(truth) else ""
    if lacking and given is None:
        return _nothing(lacking, criterion)
    where = _best(values, truth, wanted) if given is None else given * sign
    if np.isnan(where):
        return _nothing(needless(criterion), criterion)
    said = values >= where
    counts = confusion(said, truth)
    found = Cut(
        where * sign,
        Undefined("it was given"),
        criterion,
        given is None,
        measured(counts, wanted),
        Undefined("nothing was chosen on these rows: the value in the sample is honest"),
        Undefined("nothing was chosen"),
        0,
        counts,
        rate(truth[said], groups, said, level),
        rate(said[truth], groups, truth, level),
        rate(~said[~truth], groups, ~truth, level),
    )
    if given is not None:
        if lacking:
            return attrs.evolve(found, out_of_sample=found.in_sample, out_of_sample_interval=Undefined(lacking))
        interval = measured_interval(said, truth, wanted, groups, level=level, seed=seed)
        return attrs.evolve(found, out_of_sample=found.in_sample, out_of_sample_interval=interval)
    few = min(n_passed, len(truth) - n_passed)
    if few < FEWEST:
        why = Undefined(f"fewer than {FEWEST} rows that people passed, or that they failed")
        return attrs.evolve(found, interval=why, out_of_sample=why, out_of_sample_interval=why)
    interval = _interval(values, truth, wanted, groups, level=level, seed=seed)
    if isinstance(interval, Interval) and sign < 0:
        interval = Interval(-interval.high, -interval.low, level, interval.method)
    folds, apart = _out_of_sample(values, truth, wanted, groups, seed)
    if apart is None:
        why = Undefined("the clusters are too few to leave some out")
        return attrs.evolve(found, interval=interval, out_of_sample=why, out_of_sample_interval=why)
    return attrs.evolve(
        found,
        interval=interval,
        out_of_sample=measured(confusion(apart, truth), wanted),
        out_of_sample_interval=measured_interval(apart, truth, wanted, groups, level=level, seed=seed),
        folds=folds,
    )


def _nothing(why: str, criterion: Criterion) -> Cut:
    none = Undefined(why)
    return Cut(none, none, criterion, True, none, none, none, 0, None, *(_none(none) for _ in range(3)))


def _none(why: Undefined) -> Estimate:
    return Estimate(why, why, Coverage(0, 0, 0))


def _best(values: Floats, truth: Bools, wanted: Wanted) -> float:
    """The best threshold; NaN where none does better than passing or failing everything."""
    import numpy as np

    distinct, places = np.unique(values, return_inverse=True)
    passes = np.bincount(places, weights=truth, minlength=len(distinct)).astype(np.float64)
    rows = np.bincount(places, minlength=len(distinct)).astype(np.float64)
    return _best_of(distinct, passes, rows, wanted)


def _best_of(distinct: Floats, passes: Floats, rows: Floats, wanted: Wanted) -> float:
    """The same of counts: how many rows have each distinct score, and how many of them people passed."""
    import numpy as np

    seen = rows > 0
    if not seen.all():
        distinct, passes, rows = distinct[seen], passes[seen], rows[seen]
    true = np.cumsum(passes[::-1])[::-1]
    false = np.cumsum((rows - passes)[::-1])[::-1]
    good = merit(true, false, float(true[0]), float(false[0]), wanted)
    if not np.isfinite(good).any():
        return float("nan")
    least = float(np.nanmax(good))
    if least <= _floor(float(true[0]), wanted) + 1e-12:
        return float("nan")
    best = np.flatnonzero(good >= least - 1e-12)
    at = int(best[len(best) // 2])
    return float(distinct[0]) if at == 0 else float((distinct[at - 1] + distinct[at]) / 2)


def _floor(passes: float, wanted: Wanted) -> float:
    """What a criterion gives without looking: half by a coin, or the cost of failing every row."""
    return {"balanced_accuracy": 0.5, "youden": 0.0, "f1": 0.0, "cost": -wanted.costs[1] * passes}[wanted.criterion]


def _interval(
    values: Floats, truth: Bools, wanted: Wanted, groups: Groups, *, level: float, seed: int
) -> Interval | Undefined:
    import numpy as np

    distinct, places = np.unique(values, return_inverse=True)
    if groups is not None and not numbered(groups).any():
        return Undefined("one cluster has no spread")
    found: list[float] = []
    for picked in resamples(len(values), groups, seed=seed):
        at = places[picked]
        rows = np.bincount(at, minlength=len(distinct)).astype(np.float64)
        passes = np.bincount(at, weights=truth[picked], minlength=len(distinct)).astype(np.float64)
        found.append(_best_of(distinct, passes, rows, wanted))
    return percentile(np.array(found), level, named(groups))


def _out_of_sample(values: Floats, truth: Bools, wanted: Wanted, groups: Groups, seed: int) -> tuple[int, Bools | None]:
    """Every row as passed or not by a threshold that was chosen without it, and in how many folds."""
    import numpy as np

    units = np.arange(len(values)) if groups is None else numbered(groups)
    firsts = np.unique(units, return_index=True)[1]
    kinds = truth[firsts]  # the strata: what people said of a cluster's first row
    folds = min(_FOLDS, len(firsts))
    drawn = np.random.default_rng(seed)
    fold_of = np.empty(len(firsts), dtype=np.intp)
    start = 0
    for kind in (True, False):
        members = drawn.permutation(np.flatnonzero(kinds == kind))
        fold_of[members] = (start + np.arange(len(members))) % folds
        start += len(members)
    fold = fold_of[units]
    said = np.zeros(len(values), dtype=np.bool_)
    for each in range(folds):
        rest, held = fold != each, fold == each
        if truth[rest].all() or not truth[rest].any():
            return folds, None
        where = _best(values[rest], truth[rest], wanted)
        # where nothing is better than chance, all pass, which is as good; or none, which is cheaper
        said[held] = wanted.criterion != "cost" if np.isnan(where) else values[held] >= where
    return folds, said
