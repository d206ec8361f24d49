"""The score from which a row passes: the best one by a named criterion, and how good it is beyond these rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, final

import attrs

from scorewright.calibration.choosing import Rows
from scorewright.calibration.counting import Confusion, Costs, Criterion, Wanted, needless
from scorewright.calibration.labels import Better
from scorewright.calibration.worth import Rates, Tried, value_of
from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Interval, Number, Undefined, level_of
from scorewright.statistics.resampling import Groups, named, numbered
from scorewright.statistics.sample import numbers
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    from scorewright.calibration.counting import Bools

FEWEST = 5  # rows, or clusters, of each kind below which neither an interval nor a value out of sample is given
RARE, ENOUGH_RARE = 0.25, 30  # a kind that is rarer needs so many rows: the best threshold lies where few rows are


@final
@attrs.frozen
class Cut:
    """A threshold: scores that reach it pass (`>=`, or `<=` where lower is better).

    `value` with its `interval` is where to cut. `in_sample` is the criterion on the rows that chose it, and flatters;
    `out_of_sample` is what it comes to on new rows. Precision, recall and specificity are those of these rows at
    `value`, with people's passes as the truth; their intervals are of new rows. `criterion` "cost" is a mean cost of a
    row: lower is better.
    """

    value: Number
    interval: Interval | Undefined
    criterion: Criterion
    chosen: bool  # False: it was given
    in_sample: Number
    out_of_sample: Number
    out_of_sample_interval: Interval | Undefined
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

    Candidates lie half-way between neighbouring scores; of equally good ones the middle is taken. Rows, or clusters,
    are drawn again, with the threshold chosen anew each time. Its interval is from the lowest to the highest of the
    equally good ones, of the middle part of the draws; a best point converges slowly and the interval with it: read it
    as a range of equally defensible thresholds. `out_of_sample` is the value on these rows less what the draws'
    choices lose on average on the rows that were drawn from (Efron 1983; Harrell, Lee and Mark 1996), for recall and
    specificity each; its interval is Wilson's around that. In simulations with 30 rows and more nominal 95 % hold the
    value of the chosen threshold on new rows 93 to 98 times of 100, and the best threshold 95 times or more. `costs`
    are those of a false pass and of a false miss. With `given=` nothing is chosen.
    """
    import numpy as np

    level_of(level)
    wanted = Wanted(criterion, costs)
    if given is not None and not isfinite(given):
        raise DefinitionError(f"a threshold is a number on the scorer's scale, not {given}")
    if not len(scores) == len(passed) or (groups is not None and len(groups) != len(scores)):
        raise DefinitionError("best_cut takes a label, and a group if any, for each score")
    sign = 1.0 if better == "higher" else -1.0
    values, truth = numbers(scores, "best_cut") * sign, np.array(passed, dtype=np.bool_)
    n_passed = int(truth.sum())
    lacking = "people passed no row" if not n_passed else "people failed no row" if n_passed == len(truth) else ""
    if lacking and given is None:
        return _nothing(lacking, criterion)
    rows = Rows.of(values, truth)
    where = None if given is None else given * sign
    if where is None:
        choice = rows.best(rows.passes, rows.counts, wanted)
        if choice is None:
            return _nothing(needless(criterion), criterion)
        where = choice.value
    tried = Tried(values >= where, truth, groups, level)
    rates = Rates.of(tried.counts)
    seen = value_of(rates, wanted)
    found = Cut(
        where * sign,
        Undefined("it was given"),
        criterion,
        given is None,
        seen,
        seen,
        tried.interval(rates, wanted),
        tried.counts,
        tried.precision(rates),
        tried.recall(rates),
        tried.specificity(rates),
    )
    if given is not None:
        return found
    few = _too_few(truth, groups)
    if few is not None:
        return attrs.evolve(
            found,
            interval=few,
            out_of_sample=few,
            out_of_sample_interval=few,
            precision=attrs.evolve(found.precision, interval=few),
            recall=attrs.evolve(found.recall, interval=few),
            specificity=attrs.evolve(found.specificity, interval=few),
        )
    drawn = rows.drawn(where, wanted, groups, seed)
    rates = rates.lowered(drawn.recall, drawn.specificity)
    return attrs.evolve(
        found,
        interval=_too_rare(truth) or drawn.interval(sign, level, named(groups)),
        out_of_sample=value_of(rates, wanted),
        out_of_sample_interval=tried.interval(rates, wanted),
        precision=tried.precision(rates),
        recall=tried.recall(rates),
        specificity=tried.specificity(rates),
    )


def _nothing(why: str, criterion: Criterion) -> Cut:
    none = Undefined(why)
    return Cut(none, none, criterion, True, none, none, none, None, *(_none(none) for _ in range(3)))


def _none(why: Undefined) -> Estimate:
    return Estimate(why, why, Coverage(0, 0, 0))


def _too_few(truth: Bools, groups: Groups) -> Undefined | None:
    """Why nothing is said of a choice, where one kind is too rare for it."""
    import numpy as np

    if groups is None:
        if min(int(truth.sum()), int((~truth).sum())) < FEWEST:
            return Undefined(f"fewer than {FEWEST} rows that people passed, or that they failed")
        return None
    clusters = numbered(groups)
    if not clusters.any():
        return Undefined("one cluster has no spread")
    if min(len(np.unique(clusters[truth])), len(np.unique(clusters[~truth]))) < FEWEST:
        return Undefined(f"fewer than {FEWEST} clusters with rows that people passed, or that they failed")
    return None


def _too_rare(truth: Bools) -> Undefined | None:
    """Why there is no interval of the best threshold, where it would be too narrow."""
    few = min(int(truth.sum()), int((~truth).sum()))
    if few < min(ENOUGH_RARE, RARE * len(truth)):
        return Undefined(f"of one kind, passes or failures, there are fewer than {ENOUGH_RARE} rows and a quarter")
    return None
