"""Nominal 95 % intervals hold the truth 93 to 97 times of a hundred, where their assumptions are met."""

from __future__ import annotations

from collections.abc import Callable
from math import asin, erf, pi
from typing import TypeAlias

import numpy as np
import pytest
from numpy.random import Generator

from scorewright.statistics import (
    Estimate,
    Interval,
    Sample,
    Undefined,
    auc,
    cohen_kappa,
    compare,
    corrected_mean,
    corrected_rate,
    fleiss_kappa,
    krippendorff_alpha,
    mean,
    pass_rate,
    pearson,
    spearman,
)
from scorewright.suites.coverage import Coverage

Try: TypeAlias = Callable[[Generator], "tuple[Interval | Undefined, float]"]
_TIMES = 4000

pytestmark = pytest.mark.slow


def sample(scores: object, groups: object = None, start: int = 0) -> Sample:
    values = tuple(float(each) for each in np.asarray(scores, dtype=float))
    ids = tuple(str(at + start) for at in range(len(values)))
    named = None if groups is None else tuple(str(each) for each in np.asarray(groups))
    return Sample(values, Coverage(len(values), 0, 0), ids, named)


def plain(drawn: Generator) -> tuple[Interval | Undefined, float]:
    return mean(sample(drawn.beta(2, 2, 120))).interval, 0.5


def rate(drawn: Generator) -> tuple[Interval | Undefined, float]:
    return pass_rate(sample(drawn.random(100) < 0.9), 0.5).interval, 0.9


def clustered(drawn: Generator) -> tuple[Interval | Undefined, float]:
    documents = np.repeat(drawn.normal(0.5, 0.2, 60), 8)
    return mean(sample(documents + drawn.normal(0, 0.25, 480), np.repeat(np.arange(60), 8))).interval, 0.5


def paired(drawn: Generator) -> tuple[Interval | Undefined, float]:
    before = drawn.normal(0.5, 0.2, 100)
    return compare(sample(before), sample(before + drawn.normal(0.05, 0.1, 100))).interval, 0.05


def powered(drawn: Generator) -> tuple[Interval | Undefined, float]:
    truth = drawn.random(1200) < 0.5
    judge = np.where(truth, drawn.random(1200) < 0.95, drawn.random(1200) < 0.25).astype(float)
    labelled = [(float(said), float(human)) for said, human in zip(judge[:200], truth[:200], strict=True)]
    return _of(corrected_mean([*judge[200:]], labelled)), 0.5


def plugged_in(drawn: Generator) -> tuple[Interval | Undefined, float]:
    passed = int(drawn.binomial(1000, 0.5 * 0.95 + 0.5 * 0.25))
    hits, rejects = int(drawn.binomial(100, 0.95)), int(drawn.binomial(100, 0.75))
    return _of(corrected_rate(passed, 1000, (hits, 100), (rejects, 100))), 0.5


def ranked(drawn: Generator) -> tuple[Interval | Undefined, float]:
    first = drawn.normal(size=100)
    second = 0.6 * first + 0.8 * drawn.normal(size=100)
    return spearman(first.tolist(), second.tolist()).interval, 6 / pi * asin(0.3)


def told_apart(drawn: Generator) -> tuple[Interval | Undefined, float]:
    passed = drawn.random(100) < 0.5
    scores = drawn.normal(size=100) + passed
    return auc(scores.tolist(), passed.tolist()).interval, (1 + erf(0.5)) / 2


def together(drawn: Generator, n: int) -> tuple[Interval | Undefined, float]:
    first = drawn.normal(size=n)
    second = 0.6 * first + 0.8 * drawn.normal(size=n)
    return pearson(first.tolist(), second.tolist()).interval, 0.6


def together_in_clusters(drawn: Generator, n: int) -> tuple[Interval | Undefined, float]:
    clusters = np.repeat(np.arange(n), 5)
    shared = drawn.normal(size=(2, n))[:, clusters]
    first = (shared[0] + drawn.normal(size=5 * n)) / np.sqrt(2)
    second = 0.6 * first + 0.8 * (shared[1] + drawn.normal(size=5 * n)) / np.sqrt(2)
    return pearson(first.tolist(), second.tolist(), groups=[str(each) for each in clusters]).interval, 0.6


def beyond_chance(drawn: Generator, n: int) -> tuple[Interval | Undefined, float]:
    first = drawn.random(n) < 0.5
    second = np.where(drawn.random(n) < 0.8, first, ~first)
    return cohen_kappa(first.tolist(), second.tolist()).interval, 0.6


def among_three(drawn: Generator, n: int) -> tuple[Interval | Undefined, float]:
    truth = drawn.integers(0, 4, n)
    said = np.where(drawn.random((3, n)) < np.sqrt(0.6), truth, drawn.integers(0, 4, (3, n)))
    return krippendorff_alpha(said.T.astype(float).tolist()).interval, 0.6


def numbers_of_three(drawn: Generator, n: int) -> tuple[Interval | Undefined, float]:
    said = drawn.normal(size=(n, 1)) + 0.5 * drawn.normal(size=(n, 3))
    return krippendorff_alpha(said.tolist(), scale="interval").interval, 0.8


def among_four(drawn: Generator, n: int) -> tuple[Interval | Undefined, float]:
    truth = drawn.integers(0, 3, n)
    said = np.where(drawn.random((4, n)) < np.sqrt(0.6), truth, drawn.integers(0, 3, (4, n)))
    return fleiss_kappa(said.T.tolist()).interval, 0.6


def _of(estimate: Estimate) -> Interval | Undefined:
    return estimate.interval


@pytest.mark.parametrize("once", [plain, rate, clustered, paired, powered, plugged_in, ranked, told_apart])
def test_a_nominal_interval_holds_the_truth_as_often_as_it_says(once: Try) -> None:
    """Simulated from known truths."""
    drawn = np.random.default_rng(20261201)
    held = 0
    for _ in range(_TIMES):
        interval, truth = once(drawn)
        assert isinstance(interval, Interval)
        held += truth in interval
    assert 0.93 <= held / _TIMES <= 0.97, held / _TIMES


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize(
    "once", [together, together_in_clusters, beyond_chance, among_three, numbers_of_three, among_four]
)
def test_the_interval_of_a_coefficient_holds_the_truth(
    once: Callable[[Generator, int], tuple[Interval | Undefined, float]], n: int
) -> None:
    """Of few rows, too; fewer times, since each leaves out every row once."""
    drawn = np.random.default_rng(20261201)
    held: list[bool] = []
    for _ in range(1000):
        interval, truth = once(drawn, n)
        if isinstance(interval, Interval):  # of 30 rows all may agree
            held.append(truth in interval)
    assert len(held) > 950
    assert 0.925 <= sum(held) / len(held) <= 0.98, sum(held) / len(held)


def test_a_bootstrap_interval_of_skewed_scores_holds_the_truth() -> None:
    """Fewer times, since each takes 9,999 resamples."""
    drawn = np.random.default_rng(7)
    held = 0
    for _ in range(600):
        interval = mean(sample(drawn.beta(0.5, 2, 150)), method="bca").interval
        assert isinstance(interval, Interval)
        held += 0.2 in interval
    assert 0.92 <= held / 600 <= 0.975, held / 600
