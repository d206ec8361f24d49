"""A clock that is turned by hand, and scores that come by it."""

from __future__ import annotations

import random

from scorewright.live.health import Health, Observation
from scorewright.suites.journal import State


class Hands:
    """A clock whose hands are set."""

    def __init__(self, at: float = 0.0) -> None:
        self.at = at

    def __call__(self) -> float:
        """The time."""
        return self.at


def seen(
    score: float | None = 1.0, at: float = 0.0, state: State = "scored", scorer: str = "polite", run: str = ""
) -> Observation:
    """One run."""
    return Observation(scorer, state, score if state == "scored" else None, at, run)


def tell(health: Health, clock: Hands, *scores: float | State, step: float = 1.0) -> None:
    """Runs that come one after another; a word is one without a score."""
    for score in scores:
        clock.at += step
        if isinstance(score, str):
            health.observe(seen(None, clock.at, score))
        else:
            health.observe(seen(score, clock.at))


def coins(seed: int, share: float, count: int) -> list[float]:
    """Passes and misses."""
    drawn = random.Random(seed)
    return [float(drawn.random() < share) for _ in range(count)]
