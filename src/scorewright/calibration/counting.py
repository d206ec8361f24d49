"""Passes and failures, as people and as a threshold see them: four counts and what is made of them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Interval, Number, Undefined
from scorewright.statistics.means import pass_rate
from scorewright.statistics.resampling import FEWER_RESAMPLES, MANY, RESAMPLES, Groups, named, numbered, percentile
from scorewright.statistics.sample import Sample
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorewright.statistics.sample import Floats

    Bools: TypeAlias = NDArray[np.bool_]

Criterion: TypeAlias = Literal["balanced_accuracy", "f1", "youden", "cost"]
Costs: TypeAlias = tuple[float, float]


@final
@attrs.frozen
class Wanted:
    """What a threshold is to be good at. `costs` are those of a false pass and of a false miss."""

    criterion: Criterion = "balanced_accuracy"
    costs: Costs = (1.0, 1.0)

    def __attrs_post_init__(self) -> None:
        if self.criterion not in ("balanced_accuracy", "f1", "youden", "cost"):
            raise DefinitionError(
                f"criterion= is 'balanced_accuracy', 'f1', 'youden' or 'cost', not {self.criterion!r}"
            )
        if not all(isfinite(each) and each >= 0 for each in self.costs) or not sum(self.costs):
            raise DefinitionError(
                f"costs= are those of a false pass and of a false miss, numbers of 0 or more, not {self.costs}"
            )


@final
@attrs.frozen
class Confusion:
    """How many rows both pass, only the scorer passes, only people pass, and neither passes."""

    true_passes: int
    false_passes: int
    false_misses: int
    true_misses: int

    @property
    def n(self) -> int:
        """All rows."""
        return self.true_passes + self.false_passes + self.false_misses + self.true_misses


def confusion(said: Bools, truth: Bools, /) -> Confusion:
    """The counts of rows."""
    both, one = int((said & truth).sum()), int((said & ~truth).sum())
    return Confusion(both, one, int(truth.sum()) - both, int((~truth).sum()) - one)


def merit(true: Floats, false: Floats, passes: float, misses: float, wanted: Wanted, /) -> Floats:
    """How good thresholds are: of each how many rows it passes rightly and wrongly; higher is better, NaN is none.

    `passes` and `misses` are how many rows people passed and failed. Youden 1950: sensitivity + specificity - 1.
    """
    import numpy as np

    if wanted.criterion == "cost":
        return -(wanted.costs[0] * false + wanted.costs[1] * (passes - true))
    if wanted.criterion == "f1":
        return 2 * true / np.maximum(true + false + passes, 1e-300)
    if not (passes and misses):
        return np.full(len(true), np.nan)
    balanced = (true / passes + 1 - false / misses) / 2
    return balanced if wanted.criterion == "balanced_accuracy" else 2 * balanced - 1


def measured(counts: Confusion, wanted: Wanted, /) -> Number:
    """The criterion of one threshold; "cost" is the mean cost of a row."""
    import numpy as np

    passes, misses = counts.true_passes + counts.false_misses, counts.false_passes + counts.true_misses
    true, false = np.array([counts.true_passes], np.float64), np.array([counts.false_passes], np.float64)
    found = float(merit(true, false, passes, misses, wanted)[0])
    if np.isnan(found):
        return Undefined("people passed every row, or none")
    return -found / max(counts.n, 1) if wanted.criterion == "cost" else found


def measured_interval(
    said: Bools, truth: Bools, wanted: Wanted, groups: Groups, /, *, level: float, seed: int
) -> Interval | Undefined:
    """A percentile bootstrap of the criterion over rows, or clusters, of which each stays passed or not."""
    import numpy as np

    cells = 2 * said.astype(np.intp) + truth
    if not len(cells):
        return Undefined("no row has both a score and a label")
    drawn = np.random.default_rng(seed)
    times = RESAMPLES if len(cells) <= MANY else FEWER_RESAMPLES
    if groups is None:
        tables = drawn.multinomial(len(cells), np.bincount(cells, minlength=4) / len(cells), times)
    else:
        units = numbered(groups)
        n = int(units.max()) + 1
        if n < 2:  # noqa: PLR2004 - a spread needs two
            return Undefined("one cluster has no spread")
        counts = np.bincount(units * 4 + cells, minlength=4 * n).reshape(n, 4)
        tables = np.stack([counts[drawn.integers(0, n, n)].sum(0) for _ in range(times)])
    found = np.array([_of_table(each, wanted) for each in tables.tolist()])
    return percentile(found, level, named(groups))


def _of_table(table: list[int], wanted: Wanted) -> float:
    neither, missed, wrong, both = table
    found = measured(Confusion(both, wrong, missed, neither), wanted)
    return float("nan") if isinstance(found, Undefined) else found


def rate(hits: Bools, groups: Groups, those: Bools, level: float, /) -> Estimate:
    """The share of hits among those rows: Wilson's interval, or a clustered one."""
    scores = tuple(float(each) for each in hits)
    named_ = None if groups is None else tuple(group for group, is_in in zip(groups, those, strict=True) if is_in)
    found = pass_rate(Sample(scores, Coverage(len(scores), 0, 0), groups=named_), 0.5, level=level)
    if not scores:
        none = Undefined("there is no such row")
        return Estimate(none, none, found.coverage)
    return found


def needless(criterion: Criterion, /) -> str:
    """Why there is no best threshold."""
    if criterion == "cost":
        return "no threshold costs less than failing every row"
    return "no threshold does better than chance: the scores do not tell passes from failures"
