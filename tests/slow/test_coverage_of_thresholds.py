"""Nominal 95 % intervals of a chosen threshold hold the truth on new rows: where it is, and what it is worth there."""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from typing import Literal, TypeAlias

import attrs
import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from scorewright.calibration import Cut, best_cut
from scorewright.statistics import Interval, Undefined

pytestmark = pytest.mark.slow

Floats: TypeAlias = NDArray[np.float64]
Criterion: TypeAlias = Literal["balanced_accuracy", "f1", "youden", "cost"]
COSTS = (1.0, 3.0)
TIMES = 300  # of which 0.95 varies by a hundredth, so that a bound is two of them below what is promised


@attrs.frozen
class Rows:
    """Scores from 0 to 1, of which people pass more the higher they are: how steeply, and from where on.

    `levels` are the number of different scores; `groups` and `size` those of clusters that share a strictness and half
    of how scores vary.
    """

    slope: float
    middle: float = 0.6
    levels: int = 0
    groups: int = 0
    size: int = 1

    def drawn(self, drawn: Generator, n: int) -> tuple[Floats, NDArray[np.bool_], list[str] | None]:
        """So many rows; of clusters as many as there are."""
        if not self.groups:
            scores = drawn.random(n)
            if self.levels:
                scores = np.floor(scores * self.levels) / (self.levels - 1)
            return scores, drawn.random(n) < self.chance(scores), None
        clusters = np.repeat(np.arange(n // self.size), self.size)
        shared = drawn.normal(size=(2, n // self.size))[:, clusters]
        deviates = sqrt(0.5) * (shared[0] + drawn.normal(size=len(clusters)))
        scores = np.array([(1 + erf(each / sqrt(2))) / 2 for each in deviates])
        return scores, drawn.random(len(scores)) < self.chance(scores, shared[1]), [str(each) for each in clusters]

    def chance(self, scores: Floats, strictness: Floats | float = 0.0) -> Floats:
        chance: Floats = 1 / (1 + np.exp(-self.slope * (scores - self.middle) - strictness))
        return chance


@attrs.frozen
class World:
    """Very many rows, so that what a threshold is worth can be looked up."""

    scores: Floats
    passed: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: Rows) -> World:
        scores, passed, _ = rows.drawn(np.random.default_rng(1), 200_000)
        return cls(scores, passed)

    def shares(self, at: float) -> tuple[float, float, float]:
        """Precision, recall and specificity."""
        said = self.scores >= at
        return (
            float(self.passed[said].mean()), float(said[self.passed].mean()), float((~said)[~self.passed].mean())
        )  # fmt: skip

    def worth(self, at: float, criterion: Criterion) -> float:
        """The criterion."""
        _, recall, specificity = self.shares(at)
        passes = float(self.passed.mean())
        wrong, missed = (1 - specificity) * (1 - passes), (1 - recall) * passes
        if criterion == "cost":
            return COSTS[0] * wrong + COSTS[1] * missed
        if criterion == "f1":
            return 2 * recall * passes / (2 * recall * passes + wrong + missed)
        return (recall + specificity) / 2

    def best(self) -> float:
        """Where balanced accuracy is best."""
        grid = np.linspace(0.005, 0.995, 199)
        return float(grid[np.argmax([self.worth(float(at), "balanced_accuracy") for at in grid])])


@cache
def cuts(rows: Rows, n: int, criterion: Criterion = "balanced_accuracy") -> list[Cut]:
    drawn = np.random.default_rng(20261201)
    found: list[Cut] = []
    for _ in range(TIMES):
        scores, passed, groups = rows.drawn(drawn, n)
        found.append(best_cut(scores.tolist(), passed.tolist(), criterion=criterion, costs=COSTS, groups=groups))
    return found


def held(pairs: list[tuple[Interval | Undefined, float]]) -> float:
    """How often an interval holds its truth; where there is none nothing is claimed."""
    known = [truth in interval for interval, truth in pairs if isinstance(interval, Interval)]
    assert len(known) > TIMES / 3
    return sum(known) / len(known)


KINDS = {  # of scores
    "that tell little": Rows(4),
    "that tell much": Rows(10),
    "that tell nearly all": Rows(25),
    "of five levels": Rows(8, levels=5),
    "of which few are passed": Rows(10, 0.85),
}
TRIED: list[tuple[str, Criterion]] = [
    *((kind, "balanced_accuracy") for kind in KINDS),
    ("that tell much", "f1"),
    ("that tell much", "cost"),
]


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize(("kind", "criterion"), TRIED)
def test_the_value_out_of_sample_is_held(kind: str, n: int, criterion: Criterion) -> None:
    """That of the very threshold that was chosen; so are its precision, its recall and its specificity."""
    world = World.of(KINDS[kind])
    found = [each for each in cuts(KINDS[kind], n, criterion) if isinstance(each.value, float)]
    at = [float(each.value) for each in found if not isinstance(each.value, Undefined)]
    worth = held(
        [(each.out_of_sample_interval, world.worth(one, criterion)) for each, one in zip(found, at, strict=True)]
    )
    assert 0.92 <= worth <= 0.99, worth
    shares = [world.shares(one) for one in at]
    three = [(each.precision, each.recall, each.specificity) for each in found]
    for place, name in enumerate(("precision", "recall", "specificity")):
        share = held([(each[place].interval, own[place]) for each, own in zip(three, shares, strict=True)])
        assert share >= 0.91, (name, share)


@pytest.mark.parametrize(
    ("rows", "criterion"),
    [
        (Rows(10, groups=30, size=5), "balanced_accuracy"),
        (Rows(10, groups=30, size=5), "f1"),
        (Rows(10, groups=30, size=5), "cost"),
        (Rows(10, groups=15, size=10), "balanced_accuracy"),
        (Rows(6, groups=100, size=3), "balanced_accuracy"),
    ],
)
def test_the_value_of_rows_in_groups_is_held(rows: Rows, criterion: Criterion) -> None:
    """Whole groups are drawn again, and rows count for as many as their design effect leaves."""
    world = World.of(rows)
    found = cuts(rows, rows.groups * rows.size, criterion)
    at = [float(each.value) for each in found if not isinstance(each.value, Undefined)]
    worth = held(
        [(each.out_of_sample_interval, world.worth(one, criterion)) for each, one in zip(found, at, strict=True)]
    )
    assert 0.92 <= worth <= 0.99, worth


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("kind", ["that tell little", "that tell much", "that tell nearly all"])
def test_the_best_threshold_is_held(kind: str, n: int) -> None:
    """At least as often as is said; where rows are few the range is held wide."""
    best = World.of(KINDS[kind]).best()
    share = held([(each.interval, best) for each in cuts(KINDS[kind], n)])
    assert share >= 0.93, share


def test_scores_that_tell_nothing_are_worth_a_coin() -> None:
    """And so the interval says, though the best of many thresholds looks better."""
    drawn = np.random.default_rng(20261201)
    known = [
        best_cut(drawn.random(60).tolist(), (drawn.random(60) < 0.5).tolist()).out_of_sample_interval
        for _ in range(TIMES)
    ]
    share = held([(each, 0.5) for each in known])
    assert 0.92 <= share <= 0.99, share
