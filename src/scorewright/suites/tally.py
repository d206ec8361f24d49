"""Counting what items come to, scorer by scorer, in memory that does not grow with what the items hold."""

from __future__ import annotations

from array import array
from math import isfinite
from typing import TYPE_CHECKING, Literal, final

import attrs

from scorewright.core import Evaluation, Scale
from scorewright.core.averaging import mean_of
from scorewright.suites.coverage import Coverage, Measured
from scorewright.suites.rows.row import Place

if TYPE_CHECKING:
    from scorewright.suites.thresholds import Gate

LOWEST = 3  # so many of the worst scores of each scorer are kept
MOST_SAID = 2_000  # characters of a reason or a message that are kept


@final
@attrs.frozen
class Low:
    """One score far from the good end, to be told."""

    score: float
    place: Place
    id: str
    reason: str | None


@final
@attrs.define
class Tally:
    """The scores of one scorer, eight bytes each, and the counts of the items that have none."""

    id: str
    name: str
    scale: Scale
    better: Literal["higher", "lower"]
    gate: Gate | None = None
    scores: array[float] = attrs.field(factory=lambda: array("d"))
    lowest: list[Low] = attrs.field(factory=list[Low])
    n_not_scorable: int = 0
    n_failed: int = 0
    n_gate_missed: int = 0

    def add(self, done: Evaluation, place: Place, id: str, gate: Gate | None = None, /) -> None:
        """Count a score, and keep it in view when it is among the worst; `gate` is the item's own, if it has one."""
        self.count(done.score, done.reason, place, id, gate)

    def count(self, score: float, reason: str | None, place: Place, id: str, gate: Gate | None = None, /) -> None:
        """The same, of a score that was stored; of equals the first are kept."""
        self.scores.append(score)
        limit = self.gate if gate is None else gate
        if limit is not None and not limit.holds(score):
            self.n_gate_missed += 1
        best, sign = (self.scale.high, 1) if self.better == "higher" else (self.scale.low, -1)
        if score == best or (len(self.lowest) == LOWEST and sign * score >= sign * self.lowest[-1].score):
            return
        low = Low(score, place, id, None if reason is None else reason[:MOST_SAID])
        self.lowest = sorted([*self.lowest, low], key=lambda each: sign * each.score)[:LOWEST]

    @property
    def coverage(self) -> Coverage:
        """How many items have a score, and how many have none."""
        return Coverage(len(self.scores), self.n_not_scorable, self.n_failed)

    @property
    def mean(self) -> Measured:
        """The mean of the scores there are, with its coverage."""
        return Measured(mean_of(self.scores) if self.scores else None, self.coverage)

    def passing(self, limit: float, /) -> int:
        """How many scores are the limit or better."""
        if self.better == "higher":
            return sum(score >= limit for score in self.scores)
        return sum(score <= limit for score in self.scores)

    @property
    def spread(self) -> tuple[float, float, float] | None:
        """Minimum, median, maximum."""
        return spread_of(self.scores)

    def histogram(self, bins: int, /) -> tuple[int, ...]:
        """How many scores lie in each part of the scale."""
        return histogram_of(self.scores, self.scale, bins)


def spread_of(scores: array[float], /) -> tuple[float, float, float] | None:
    """Minimum, median, maximum; None of nothing."""
    if not scores:
        return None
    ordered = sorted(scores)
    middle = len(ordered) // 2
    return ordered[0], ordered[middle] if len(ordered) % 2 else _between(*ordered[middle - 1 : middle + 1]), ordered[-1]


def _between(low: float, high: float) -> float:
    """The middle of two numbers, also where their sum is no float, or half of one is none."""
    both = low + high
    return both / 2 if isfinite(both) else low / 2 + high / 2


def histogram_of(scores: array[float], scale: Scale, bins: int, /) -> tuple[int, ...]:
    """How many scores lie in each part of the scale, or of their own range where the scale has no ends."""
    counts = [0] * bins
    if not scores:
        return tuple(counts)
    low = scale.low if isfinite(scale.low) else min(scores)
    high = scale.high if isfinite(scale.high) else max(scores)
    width = high / 2 - low / 2  # the whole width of a scale may be no float
    for score in scores:
        counts[min(int((score / 2 - low / 2) / width * bins), bins - 1) if width > 0 else bins // 2] += 1
    return tuple(counts)
