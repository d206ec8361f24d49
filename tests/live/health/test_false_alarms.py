"""What is stated of drift, looked at closely: false alarms over 10,000 looks, and how soon a shift is found."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable

import pytest
from live.health.stream import coins

from scorewright.live.health import Baseline, Detector, Drift

pytestmark = pytest.mark.slow

LOOKS, STREAMS, ALPHA = 10_000, 200, 0.05


def beta(seed: int, count: int) -> list[float]:
    """Scores all over the scale, with a mean of 0.8."""
    drawn = random.Random(seed)
    return [drawn.betavariate(4, 1) for _ in range(count)]


def clustered(seed: int, count: int) -> list[float]:
    """Passes and misses whose spread depends on what came before; the mean given the past is 0.8 throughout."""
    drawn, scores = random.Random(seed), [1.0]
    while len(scores) < count:
        scores.append(float(drawn.random() < 0.8) if scores[-1] > 0.5 else drawn.uniform(0.6, 1.0))
    return scores


@pytest.mark.parametrize(
    "stream",
    [lambda seed: coins(seed, 0.8, LOOKS), lambda seed: beta(seed, LOOKS), lambda seed: clustered(seed, LOOKS)],
)
def test_over_ten_thousand_looks_false_alarms_keep_to_alpha(stream: Callable[[int], list[float]]) -> None:
    """At the edge of the claim, where alarms are most frequent."""
    drift = Drift("d", scorer="s", baseline=Baseline.known(0.8), alpha=ALPHA)
    alarms = 0
    for seed in range(STREAMS):
        detector = Detector(drift)
        for score in stream(seed):
            detector.add(score)
        alarms += detector.has_drifted
    print(f"false alarms: {alarms} of {STREAMS} streams of {LOOKS:,} looks, alpha {ALPHA}")
    assert alarms / STREAMS <= ALPHA


def test_a_recorded_baseline_keeps_to_alpha_too() -> None:
    """Baseline and stream are drawn anew each time."""
    alarms = 0
    for seed in range(STREAMS):
        baseline = Baseline.of(coins(seed + 10_000, 0.8, 200))
        detector = Detector(Drift("d", scorer="s", baseline=baseline, alpha=ALPHA))
        for score in coins(seed, 0.8, LOOKS):
            detector.add(score)
        alarms += detector.has_drifted
    print(f"false alarms with a recorded baseline: {alarms} of {STREAMS}, alpha {ALPHA}")
    assert alarms / STREAMS <= ALPHA


@pytest.mark.parametrize(("before", "after", "most"), [(1000, 0.6, 260), (10_000, 0.6, 320), (10_000, 0.7, 1300)])
def test_a_shift_is_found_soon(before: int, after: float, most: int) -> None:
    """The median of the delays."""
    drift = Drift("d", scorer="s", baseline=Baseline.known(0.8))
    delays = list[int]()
    for seed in range(40):
        detector = Detector(drift)
        for score in coins(seed, 0.8, before) + coins(seed + 999, after, 5000):
            detector.add(score)
            if detector.has_drifted:
                break
        assert detector.alerted_after is not None
        delays.append(detector.alerted_after - before)
    print(f"0.8 to {after} after {before:,}: median delay {statistics.median(delays):.0f}, longest {max(delays)}")
    assert statistics.median(delays) <= most
