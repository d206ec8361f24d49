"""Nominal 95 % intervals hold the truth 93 to 97 times of a hundred, where their assumptions are met."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from numpy.random import Generator

from scorewright.statistics import (
    Estimate,
    Interval,
    Sample,
    Undefined,
    compare,
    corrected_mean,
    corrected_rate,
    mean,
    pass_rate,
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


def _of(estimate: Estimate) -> Interval | Undefined:
    return estimate.interval


@pytest.mark.parametrize("once", [plain, rate, clustered, paired, powered, plugged_in])
def test_a_nominal_interval_holds_the_truth_as_often_as_it_says(once: Try) -> None:
    """Simulated from known truths."""
    drawn = np.random.default_rng(20261201)
    held = 0
    for _ in range(_TIMES):
        interval, truth = once(drawn)
        assert isinstance(interval, Interval)
        held += truth in interval
    assert 0.93 <= held / _TIMES <= 0.97, held / _TIMES


def test_a_bootstrap_interval_of_skewed_scores_holds_the_truth() -> None:
    """Fewer times, since each takes 9,999 resamples."""
    drawn = np.random.default_rng(7)
    held = 0
    for _ in range(600):
        interval = mean(sample(drawn.beta(0.5, 2, 150)), method="bca").interval
        assert isinstance(interval, Interval)
        held += 0.2 in interval
    assert 0.92 <= held / 600 <= 0.975, held / 600
