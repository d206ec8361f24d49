"""Betting on a bounded mean: evidence that stays honest however often one looks.

Whoever bets the share `f` of a capital of 1 against "the mean is at most m" has `1 - f + f x / m` after the score `x`
in 0..1, and whatever the scores are, that is at most 1 on average while the claim is true. So the capital is a
nonnegative supermartingale, and by Ville's inequality (1939) it ever reaches `1 / alpha` with probability `alpha` at
most, over all looks together. The bets are those of Waudby-Smith and Ramdas, "Estimating means of bounded random
variables by betting", JRSS B 86 (2024), arXiv 2010.09686, mixed over fixed shares. Assumed: scores lie within their
scale, and the mean of each, given all before it, keeps to the claim. They need be neither independent nor of one
distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
from typing import Final, final

SHARES: Final = (0.9, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015, 0.0075)  # large ones find large shifts, small ones small ones
_STEPS = 50
_FULL = 1e280  # capital that is more than enough, and far from what a float cannot hold


@final
class Stake:
    """The capital of who bets that the mean has come to lie above `mean` at some unknown time.

    A part of the capital is put in at each score, as Shiryaev's statistic and the mixtures of Shin, Ramdas and Rinaldo,
    "E-detectors", NEJSDS 2 (2024), arXiv 2203.03532, begin anew at each time; here the parts add up to 1, so that the
    bound is one on ever raising a false alarm, and not on the time between two. What is left after t scores is
    1 / log2(t + 2): a shift after t scores costs about log(t log(t)^2) more evidence than one at the beginning.
    """

    __slots__ = ("_mean", "_n", "_running")

    def __init__(self, mean: float) -> None:
        """`mean` is above 0: against a mean of 0 there is no bet, since a single score would settle it."""
        self._mean = mean
        self._n = 0
        self._running = [0.0] * len(SHARES)

    def add(self, score: float, /) -> None:
        """Bet on the next score, which is between 0 and 1. O(1)."""
        put = (_left(self._n) - _left(self._n + 1)) / len(SHARES)
        self._n += 1
        odds = score / self._mean
        self._running = [
            min((running + put) * (1 - share + share * odds), _FULL)
            for running, share in zip(self._running, SHARES, strict=True)
        ]

    @property
    def capital(self) -> float:
        """What there is now, of 1 at the beginning: an e-value."""
        return sum(self._running) + _left(self._n)


def _left(n: int) -> float:
    return 1 / log2(n + 2)


def interval_by_betting(scores: Sequence[float], alpha: float, /) -> tuple[float, float]:
    """A confidence interval of the mean of scores between 0 and 1 that holds for any number of them, with `1 - alpha`.

    It is what bets on both sides do not refute, `alpha / 2` each, where the share at each score follows from the mean
    and the variance of those before it, as in Waudby-Smith and Ramdas for a number of scores that is known. A capital
    is monotone in the mean that it bets against, so each end is found by bisection. Without scores it is 0..1.
    """
    if not len(scores):
        return 0.0, 1.0
    return _lower(scores, alpha / 2), 1 - _lower([1 - score for score in scores], alpha / 2)


def _lower(scores: Sequence[float], alpha: float) -> float:
    import numpy as np

    values = np.array(scores, dtype=np.float64)
    n = len(values)
    so_far = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(values)) / (so_far + 1)
    spreads = (0.25 + np.cumsum((values - means) ** 2)) / (so_far + 1)
    mean_before, spread_before = np.append(0.5, means[:-1]), np.append(0.25, spreads[:-1])
    shares = np.minimum(SHARES[0], mean_before * np.sqrt(-2 * np.log(alpha) / (n * spread_before)))
    enough = -np.log(alpha)
    return _last(lambda mean: bool(np.log1p(shares * (values / mean - 1)).sum() >= enough))


def _last(holds: Callable[[float], bool]) -> float:
    """The last place in 0..1 up to which it holds."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
