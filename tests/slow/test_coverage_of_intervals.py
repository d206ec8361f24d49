"""Nominal 95 % intervals hold the truth 93 to 97 times of a hundred, where their assumptions are met."""

from __future__ import annotations

from collections.abc import Callable
from math import asin, erf, pi
from typing import TypeAlias

import numpy as np
import pytest
from numpy.random import Generator

from scorewright.calibration import best_cut
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


def drawn_rows(drawn: Generator, n: int) -> tuple[list[float], list[bool]]:
    """Scores from 0 to 1, of which people pass more the higher they are."""
    scores = drawn.random(n)
    return scores.tolist(), (drawn.random(n) < 1 / (1 + np.exp(-10 * (scores - 0.6)))).tolist()


BEST = 0.5601061587025274  # where a row is as likely to pass as a row is on the whole: there balanced accuracy peaks
APART = 0.8561  # what thresholds that nine tenths of 200 rows choose come to, on average


def cut_at(drawn: Generator) -> tuple[Interval | Undefined, float]:
    return best_cut(*drawn_rows(drawn, 200)).interval, BEST


def out_of_sample(drawn: Generator) -> tuple[Interval | Undefined, float]:
    return best_cut(*drawn_rows(drawn, 200)).out_of_sample_interval, APART


def together(drawn: Generator) -> tuple[Interval | Undefined, float]:
    first = drawn.normal(size=150)
    second = 0.6 * first + 0.8 * drawn.normal(size=150)
    return pearson(first.tolist(), second.tolist()).interval, 0.6


def beyond_chance(drawn: Generator) -> tuple[Interval | Undefined, float]:
    first = drawn.random(150) < 0.5
    second = np.where(drawn.random(150) < 0.8, first, ~first)
    return cohen_kappa(first.tolist(), second.tolist()).interval, 0.6


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


@pytest.mark.parametrize("once", [cut_at, out_of_sample, together, beyond_chance])
def test_a_bootstrapped_interval_holds_the_truth(once: Try) -> None:
    """Fewer times, since each draws 2,000 resamples; the bounds are what so few times can tell.

    That of what is out of sample does not know how the choice of a threshold varies, and holds some 90 times of 100.
    """
    drawn = np.random.default_rng(20261201)
    held = 0
    for _ in range(300):
        interval, truth = once(drawn)
        assert isinstance(interval, Interval)
        held += truth in interval
    assert (0.86 if once is out_of_sample else 0.91) <= held / 300 <= 0.985, held / 300


def test_a_bootstrap_interval_of_skewed_scores_holds_the_truth() -> None:
    """Fewer times, since each takes 9,999 resamples."""
    drawn = np.random.default_rng(7)
    held = 0
    for _ in range(600):
        interval = mean(sample(drawn.beta(0.5, 2, 150)), method="bca").interval
        assert isinstance(interval, Interval)
        held += 0.2 in interval
    assert 0.92 <= held / 600 <= 0.975, held / 600
