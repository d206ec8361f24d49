"""The mean of scores: the exact one, rounded once, wherever a mean is made.

A mean is held against a limit, so a last bit that is lost decides. Laws: the mean of equal scores is that score; a mean
lies within its scores; their order does not matter. A float is a whole number over a power of two, so sums of floats,
and of their products, are exact as whole numbers, and Python divides whole numbers with one rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from math import fsum
from operator import mul, neg


def mean_of(scores: Sequence[float], /) -> float:
    """The mean of at least one score, all of them finite.

    >>> mean_of([0.7, 0.7, 0.7])
    0.7
    """
    numbers, unit = _whole(_terms(scores))
    return sum(numbers) / (unit * len(scores))


def weighted_mean(scores: Sequence[float], weights: Sequence[float], /) -> float:
    """The same where each score counts as its weight says; weights are finite, and their sum is above 0."""
    numbers, unit = _whole(scores)
    shares, all_of_them = _shares(tuple(weights))
    total: int = sum(map(mul, numbers, shares))
    return total / (unit * all_of_them)


@lru_cache(maxsize=256)  # a scorer's are the same in every run
def _shares(weights: tuple[float, ...]) -> tuple[list[int], int]:
    shares, _ = _whole(weights)
    return shares, sum(shares)


def _terms(scores: Sequence[float]) -> Sequence[float]:
    """A few floats with the same exact sum: the rounded sum, what it leaves over, what that leaves over, …."""
    try:
        found = [fsum(scores)]
        while found[-1]:
            found.append(fsum(chain(scores, map(neg, found))))
    except OverflowError:  # the scores of an unbounded scale may have no sum that is a float
        return scores
    return found


def _whole(numbers: Iterable[float]) -> tuple[list[int], int]:
    """The numbers as multiples of one unit, and how many of these units are 1."""
    ratios = [number.as_integer_ratio() for number in numbers]
    unit = max([below for _, below in ratios])  # all of them are powers of two
    return [above * (unit // below) for above, below in ratios], unit
