"""Choosing a threshold, on the rows there are and again on rows that are drawn from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import attrs

from scorewright.calibration.counting import Wanted, merit
from scorewright.statistics.estimate import Interval, Undefined
from scorewright.statistics.resampling import Groups, resamples

if TYPE_CHECKING:
    from scorewright.calibration.counting import Bools
    from scorewright.statistics.resampling import Picked
    from scorewright.statistics.sample import Floats

_ROUNDING = 1e-12  # criteria that differ by no more are equal


@final
@attrs.frozen
class Choice:
    """The middle one of the equally good thresholds, with the score below the lowest and the score of the highest."""

    value: float
    low: float
    high: float


@final
@attrs.frozen(eq=False)
class Drawn:
    """What the choices on rows that were drawn again come to.

    `recall` and `specificity` are how much better, on average, they are on the rows that chose than on all rows.
    """

    lows: Floats
    highs: Floats
    recall: float
    specificity: float

    def interval(self, sign: float, level: float, method: str, /) -> Interval | Undefined:
        """Between the low and the high quantile; with a sign of -1 turned round."""
        import numpy as np

        if not len(self.lows):
            return Undefined("no resample has a value")
        low, high = float(np.quantile(self.lows, (1 - level) / 2)), float(np.quantile(self.highs, (1 + level) / 2))
        return Interval(low, high, level, method) if sign > 0 else Interval(-high, -low, level, method)


@final
@attrs.frozen(eq=False)
class Rows:
    """Rows by their distinct scores, from low to high: how many there are of each, and how many people passed."""

    distinct: Floats
    places: Picked
    truth: Bools
    counts: Floats
    passes: Floats

    @classmethod
    def of(cls, values: Floats, truth: Bools, /) -> Rows:
        """Those of scores and labels."""
        import numpy as np

        distinct, places = np.unique(values, return_inverse=True)
        counts = np.bincount(places, minlength=len(distinct)).astype(np.float64)
        passes = np.bincount(places, weights=truth, minlength=len(distinct)).astype(np.float64)
        return cls(distinct, places, truth, counts, passes)

    def best(self, passes: Floats, counts: Floats, wanted: Wanted, /) -> Choice | None:
        """The best threshold of so many rows; None where none does better than passing or failing everything."""
        import numpy as np

        distinct = self.distinct
        seen = counts > 0
        if not seen.all():
            distinct, passes, counts = distinct[seen], passes[seen], counts[seen]
        if not len(distinct):
            return None
        true = np.cumsum(passes[::-1])[::-1]
        false = np.cumsum((counts - passes)[::-1])[::-1]
        good = merit(true, false, float(true[0]), float(false[0]), wanted)
        if not np.isfinite(good).any():
            return None
        most = float(np.nanmax(good))
        if most <= _floor(float(true[0]), wanted) + _ROUNDING:
            return None
        best = np.flatnonzero(good >= most - _ROUNDING).tolist()
        at = best[len(best) // 2]
        lowest, below = (float(distinct[max(each - 1, 0)]) for each in (best[0], at))
        return Choice(_between(below, float(distinct[at])), lowest, float(distinct[best[-1]]))

    def drawn(self, chosen: float, wanted: Wanted, groups: Groups, seed: int, /) -> Drawn:
        """Choose on rows, or clusters, that are drawn again; draws that lack a kind are left out.

        Where nothing is better than chance, all pass, which is as good; or none, which is cheaper. How much better the
        threshold that was `chosen` is on a draw, which is nothing on average, is taken off: it is the draw's luck.
        """
        import numpy as np

        size, own = len(self.distinct), int(np.searchsorted(self.distinct, chosen))
        all_rows = _rates(self.passes, self.counts, own)
        choices: list[Choice] = []
        recalls: list[float] = []
        specificities: list[float] = []
        for picked in resamples(len(self.truth), groups, seed=seed):
            at = self.places[picked]
            counts = np.bincount(at, minlength=size).astype(np.float64)
            passes = np.bincount(at, weights=self.truth[picked], minlength=size).astype(np.float64)
            if not 0 < passes.sum() < counts.sum():
                continue
            choice = self.best(passes, counts, wanted)
            if choice is not None:
                choices.append(choice)
            nothing = size if wanted.criterion == "cost" else 0
            cut = nothing if choice is None else int(np.searchsorted(self.distinct, choice.value))
            ours, theirs = _rates(passes, counts, cut), _rates(self.passes, self.counts, cut)
            luck = _rates(passes, counts, own)
            recalls.append(ours[0] - theirs[0] - (luck[0] - all_rows[0]))
            specificities.append(ours[1] - theirs[1] - (luck[1] - all_rows[1]))
        return Drawn(
            np.array([each.low for each in choices]),
            np.array([each.high for each in choices]),
            float(np.mean(recalls)) if recalls else 0.0,
            float(np.mean(specificities)) if specificities else 0.0,
        )


def _between(below: float, score: float) -> float:
    """Half-way, or the score where there is no number between the two."""
    middle = below / 2 + score / 2
    return middle if below < middle <= score else score


def _rates(passes: Floats, counts: Floats, cut: int) -> tuple[float, float]:
    """Recall and specificity where the scores from a place on pass."""
    misses = counts - passes
    return float(passes[cut:].sum() / passes.sum()), float(misses[:cut].sum() / misses.sum())


def _floor(passes: float, wanted: Wanted) -> float:
    """What a criterion gives without looking: half by a coin, or the cost of failing every row."""
    return {"balanced_accuracy": 0.5, "youden": 0.0, "f1": 0.0, "cost": -wanted.costs[1] * passes}[wanted.criterion]
