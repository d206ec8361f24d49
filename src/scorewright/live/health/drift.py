"""Drift: whether the mean of a scorer has left its baseline, with a bound on ever being wrong about it."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias, final

import attrs

from scorewright.core.averaging import mean_of
from scorewright.core.definition import number_of, shown
from scorewright.core.scale import Scale
from scorewright.faults import DefinitionError
from scorewright.live.health.betting import Stake, interval_by_betting
from scorewright.live.health.windows import expect_name

if TYPE_CHECKING:
    from scorewright.suites.journal import Store

Direction: TypeAlias = Literal["down", "up", "both"]
_DIRECTIONS: Final = ("down", "up", "both")
_LEAST = 2
_UNIT: Final = Scale(0, 1)


@final
@attrs.frozen
class Baseline:
    """What the mean was: scores that were recorded, or a mean that is taken as known.

    Made by `Baseline.of(scores)`, `Baseline.stored(store, experiment, scorer)`, `Health.baseline(scorer)` or
    `Baseline.known(mean)`. Recorded scores leave the mean uncertain, which a drift takes into account.
    """

    mean: float
    scores: tuple[float, ...] = attrs.field(default=(), repr=False)

    @classmethod
    def known(cls, mean: float, /) -> Self:
        """A mean that is given."""
        if not abs(number_of(mean)) < float("inf"):
            raise DefinitionError(f"Baseline.known(…) takes a mean, such as 0.8, not {shown(mean)}")
        return cls(float(mean))

    @classmethod
    def of(cls, scores: Iterable[float], /) -> Self:
        """Scores of runs that were as they should be; a hundred or more make a useful baseline."""
        held = tuple(map(number_of, scores))
        if len(held) < _LEAST or not all(abs(score) < float("inf") for score in held):
            raise DefinitionError(
                f"a baseline takes {_LEAST} scores or more, all of them numbers: there are {len(held)}"
            )
        return cls(mean_of(held), held)

    @classmethod
    def stored(cls, store: Store, experiment: str, scorer: str, /) -> Self:
        """The scores of one scorer in an experiment of a store. What cannot be read is a `StoreError`."""
        id = store.experiment(experiment).id
        return cls.of(each.value for each in store.scores(id) if each.scorer == scorer and each.value is not None)


@final
@attrs.frozen(kw_only=True)
class Drift:
    """Watches whether the mean of a scorer leaves its baseline; it alerts once, and stays so until it is reset.

    The claim that is tested is that each score's mean, given all scores before it, lies within `low` and `high`: the
    baseline, give or take `tolerance`. It is tested by betting at every score (`betting` names the sources). Without
    drift the probability that it *ever* alerts is at most `alpha`, at any number of looks. A recorded baseline has its
    own uncertainty: `alpha / 2` goes to its interval, `alpha / 2` to the bets.

    Assumed: scores lie within `scale`, others are cut to it and counted; failed runs are not looked at. Scores may
    depend on each other only in so far as the mean given the past stays near the baseline: where it swings by the hour
    without drift, give a `tolerance` that covers it.
    """

    name: str = attrs.field(kw_only=False)
    scorer: str
    baseline: Baseline
    alpha: float = 0.01
    direction: Direction = "both"
    tolerance: float = 0.0
    scale: Scale = _UNIT
    cooldown: float = 0.0
    low: float = attrs.field(init=False)
    high: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        expect_name(self.name, "Drift(name=…)")
        expect_name(self.scorer, "Drift(scorer=…)")
        if not _is_baseline(self.baseline):
            raise DefinitionError(
                f"Drift(baseline=…) takes a Baseline, such as Baseline.known(0.8), not {shown(self.baseline)}"
            )
        if not 0 < number_of(self.alpha) < 1:
            raise DefinitionError(f"Drift(alpha=…) is between 0 and 1, such as 0.01, not {shown(self.alpha)}")
        if self.direction not in _DIRECTIONS:
            raise DefinitionError(f'Drift(direction=…) is "down", "up" or "both", not {shown(self.direction)}')
        for name, number in (("tolerance", self.tolerance), ("cooldown", self.cooldown)):
            if not 0 <= number_of(number) < float("inf"):
                raise DefinitionError(f"Drift({name}=…) is 0 or more, not {shown(number)}")
        low, high = self._bounds()
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def _bounds(self) -> tuple[float, float]:
        bottom, top = _ends(self.scale)
        if not (isfinite(bottom) and isfinite(top)):
            raise DefinitionError(
                f"Drift(scale=…) has two finite ends, such as Scale(0, 1): {self.name!r} bets on them"
            )
        outside = [score for score in (self.baseline.mean, *self.baseline.scores) if not bottom <= score <= top]
        if outside:
            raise DefinitionError(f"the baseline of {self.name!r} holds {outside[0]:g}, outside the scale: give scale=")
        low = high = self.baseline.mean
        if self.baseline.scores:
            unit = [(score - bottom) / (top - bottom) for score in self.baseline.scores]
            low, high = (bottom + end * (top - bottom) for end in interval_by_betting(unit, self.alpha / 2))
        low, high = max(bottom, low - self.tolerance), min(top, high + self.tolerance)
        if (low >= top and self.direction != "up") or (high <= bottom and self.direction != "down"):
            raise DefinitionError(
                f"the baseline of {self.name!r} is at the end of the scale, so that one score would refute it: "
                "give a tolerance="
            )
        return low, high

    @property
    def enough(self) -> float:
        """The evidence at which it alerts."""
        return (2 if self.baseline.scores else 1) / self.alpha


@final
class Detector:
    """A drift that is under watch. One score costs some microseconds, and the memory does not grow."""

    def __init__(self, drift: Drift) -> None:
        self.drift: Drift = drift
        self.n: int = 0
        self.n_outside: int = 0  # scores that were cut to the scale
        self.most_evidence: float = 1.0
        self.alerted_after: int | None = None  # scores
        self._bottom, self._top = _ends(drift.scale)
        self.reset()

    def reset(self) -> None:
        """Begin anew, with the whole of alpha."""
        drift, width = self.drift, self._top - self._bottom
        # below the baseline is above it, on a scale that is turned round
        self._down = Stake((self._top - drift.low) / width) if drift.direction != "up" else None
        self._up = Stake((drift.high - self._bottom) / width) if drift.direction != "down" else None
        self.n = self.n_outside = 0
        self.most_evidence = 1.0
        self.alerted_after = None

    def add(self, score: float, /) -> None:
        """Bet on the next score."""
        held = min(max(score, self._bottom), self._top)
        self.n += 1
        self.n_outside += held != score
        unit = (held - self._bottom) / (self._top - self._bottom)
        if self._down is not None:
            self._down.add(1 - unit)
        if self._up is not None:
            self._up.add(unit)
        self.most_evidence = max(self.most_evidence, self.evidence)
        if self.alerted_after is None and self.most_evidence >= self.drift.enough:
            self.alerted_after = self.n

    @property
    def evidence(self) -> float:
        """The capital of who bets against "no drift", of 1 at the beginning; on both sides, their mean."""
        capitals = [stake.capital for stake in (self._down, self._up) if stake is not None]
        return mean_of(capitals)

    @property
    def has_drifted(self) -> bool:
        """Whether the evidence ever was enough, since the beginning or the last reset."""
        return self.alerted_after is not None


def _ends(scale: Scale) -> tuple[float, float]:
    return float(scale.low), float(scale.high)


def _is_baseline(given: object) -> bool:
    return isinstance(given, Baseline)
