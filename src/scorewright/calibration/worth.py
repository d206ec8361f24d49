"""What a threshold is worth on new rows: its criterion, precision, recall and specificity, with their intervals."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, TypeAlias, final

import attrs

from scorewright.calibration.counting import Confusion, Wanted, confusion, merit
from scorewright.statistics.estimate import Estimate, Interval, Number, Undefined
from scorewright.statistics.means import cluster_error, score_ends
from scorewright.statistics.resampling import Groups, numbered
from scorewright.statistics.scipy import special
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    from scorewright.calibration.counting import Bools

Pull: TypeAlias = tuple[float, float, float, float]  # of rows that neither, only people, only it, and both pass
Part: TypeAlias = tuple[float, float, float]  # a share, the number of rows that it is of, and its weight


@final
@attrs.frozen
class Rates:
    """What share a threshold passes of the rows that people passed, and fails of those that they failed."""

    recall: float
    specificity: float
    passes: int
    misses: int

    @classmethod
    def of(cls, counts: Confusion, /) -> Rates:
        """Those of rows; a share of no rows counts for nothing."""
        passes, misses = counts.true_passes + counts.false_misses, counts.false_passes + counts.true_misses
        return cls(counts.true_passes / max(passes, 1), counts.true_misses / max(misses, 1), passes, misses)

    def lowered(self, recall: float, specificity: float, /) -> Rates:
        """Less so much of each."""
        return attrs.evolve(
            self,
            recall=min(max(self.recall - recall, 0.0), 1.0),
            specificity=min(max(self.specificity - specificity, 0.0), 1.0),
        )

    @property
    def true_passes(self) -> float:
        """Rows that both pass."""
        return self.recall * self.passes

    @property
    def false_passes(self) -> float:
        """Rows that only the threshold passes."""
        return (1 - self.specificity) * self.misses

    @property
    def false_misses(self) -> float:
        """Rows that only people pass."""
        return (1 - self.recall) * self.passes

    @property
    def precision(self) -> float:
        """What share people pass of the rows that the threshold passes; 0 where there is none."""
        said = self.true_passes + self.false_passes
        return self.true_passes / said if said else 0.0


def value_of(rates: Rates, wanted: Wanted, /) -> Number:
    """The criterion; "cost" is the mean cost of a row."""
    import numpy as np

    true, false = np.array([rates.true_passes]), np.array([rates.false_passes])
    found = float(merit(true, false, rates.passes, rates.misses, wanted)[0])
    if np.isnan(found):
        return Undefined("people passed every row, or none")
    if wanted.criterion == "f1" and not rates.passes + rates.false_passes:
        return Undefined("neither people nor the threshold pass a row")
    return -found / max(rates.passes + rates.misses, 1) if wanted.criterion == "cost" else found


@final
@attrs.frozen
class _Spread:
    """How far an interval reaches: rows count for as many as the effect leaves, `wide` standard errors each way."""

    effect: float
    wide: float
    method: str


@final
@attrs.frozen(eq=False)
class Tried:
    """What a threshold says of rows beside what people said of them.

    Intervals are made of Wilson's score intervals of shares. With groups rows count for as many as their design effect
    leaves (Kish 1965), with Student's t for the normal distribution (Korn and Graubard 1998). They are around `rates`,
    which know how the threshold was chosen, and reach as far as the value on the rows.
    """

    said: Bools
    truth: Bools
    groups: Groups
    level: float

    @property
    def counts(self) -> Confusion:
        """How many rows of each kind."""
        return confusion(self.said, self.truth)

    def interval(self, rates: Rates, wanted: Wanted, /) -> Interval | Undefined:
        """That of a criterion.

        Half the sum of two shares, and a cost, take the distances of the shares from the ends of their intervals
        together as the sides of a right angle (Zou and Donner 2008); F1 = 2p / (1 + p) is made of one share, p, of the
        rows that either passes (Lam 2024, arXiv 2309.14621).
        """
        value, seen = value_of(rates, wanted), value_of(Rates.of(self.counts), wanted)
        if isinstance(value, Undefined):
            return value
        if isinstance(seen, Undefined):
            return seen
        spread = self._spread(_pull(self.counts, wanted))
        if isinstance(spread, Undefined):
            return spread
        low, high = _ends(rates, value, wanted, spread)
        return Interval(min(low, seen), max(high, seen), self.level, spread.method)

    def precision(self, rates: Rates, /) -> Estimate:
        """Of the rows that the threshold passes people's passes."""
        both = Rates.of(self.counts).precision
        return self._share(both, rates.precision, int(self.said.sum()), (0.0, 0.0, -both, 1 - both))

    def recall(self, rates: Rates, /) -> Estimate:
        """Of the rows that people pass its passes."""
        held = Rates.of(self.counts)
        return self._share(held.recall, rates.recall, held.passes, (0.0, -held.recall, 0.0, 1 - held.recall))

    def specificity(self, rates: Rates, /) -> Estimate:
        """Of the rows that people fail its failures."""
        held = Rates.of(self.counts)
        pull = (1 - held.specificity, 0.0, -held.specificity, 0.0)
        return self._share(held.specificity, rates.specificity, held.misses, pull)

    def _share(self, seen: float, share: float, n: int, pull: Pull) -> Estimate:
        if not n:
            none = Undefined("there is no such row")
            return Estimate(none, none, Coverage(0, 0, 0))
        spread = self._spread(pull)
        if isinstance(spread, Undefined):
            return Estimate(seen, spread, Coverage(n, 0, 0))
        low, high = score_ends(share, n / spread.effect, spread.wide)
        return Estimate(seen, Interval(min(low, seen), max(high, seen), self.level, spread.method), Coverage(n, 0, 0))

    def _spread(self, pull: Pull) -> _Spread | Undefined:
        """`pull` is how much a row of each kind moves a number: of how it is spread over clusters its effect is made.

        Where no row moves it, all rows of a cluster may be one.
        """
        import numpy as np

        if self.groups is None:
            return _Spread(1.0, float(special().ndtri((1 + self.level) / 2)), "Wilson")
        clusters = numbered(self.groups)
        n = int(clusters.max()) + 1
        moved = np.array(pull)[2 * self.said.astype(np.intp) + self.truth]
        error, alone = cluster_error(moved, clusters), float(moved.std())
        if isinstance(error, Undefined):
            return error
        effect = (error / alone) ** 2 * len(moved) if alone > 0 else len(moved) / n
        wide = float(special().stdtrit(n - 1, (1 + self.level) / 2))
        return _Spread(max(1.0, effect), wide, f"Wilson, clustered by {n} groups")


def _ends(rates: Rates, value: float, wanted: Wanted, spread: _Spread) -> tuple[float, float]:
    n = (rates.passes + rates.misses) / spread.effect
    if wanted.criterion == "f1":
        either = rates.passes + rates.false_passes
        low, high = score_ends(rates.true_passes / either, either / spread.effect, spread.wide)
        return 2 * low / (1 + low), 2 * high / (1 + high)
    if wanted.criterion == "cost":
        rows = rates.passes + rates.misses
        parts = [(rates.false_passes / rows, n, wanted.costs[0]), (rates.false_misses / rows, n, wanted.costs[1])]
    else:
        weight = 0.5 if wanted.criterion == "balanced_accuracy" else 1.0
        shares = ((rates.recall, rates.passes), (rates.specificity, rates.misses))
        parts = [(share, rows / spread.effect, weight) for share, rows in shares]
    ends = [(score_ends(share, rows, spread.wide), share, weight) for share, rows, weight in parts]
    below = hypot(*(weight * (share - low) for (low, _), share, weight in ends))
    above = hypot(*(weight * (high - share) for (_, high), share, weight in ends))
    return value - below, value + above


def _pull(counts: Confusion, wanted: Wanted) -> Pull:
    """How a row of each kind moves a criterion, times any number."""
    if wanted.criterion == "cost":
        return 0.0, wanted.costs[1], wanted.costs[0], 0.0
    if wanted.criterion == "f1":
        f1 = 2 * counts.true_passes / max(2 * counts.true_passes + counts.false_misses + counts.false_passes, 1)
        return 0.0, -f1, -f1, 2 - 2 * f1
    held = Rates.of(counts)
    return (
        (1 - held.specificity) / max(held.misses, 1),
        -held.recall / max(held.passes, 1),
        -held.specificity / max(held.misses, 1),
        (1 - held.recall) / max(held.passes, 1),
    )
