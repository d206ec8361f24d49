"""Drift by betting: alarms are false as rarely as is stated, and true ones come soon."""

from __future__ import annotations

import random
from math import log, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.health.stream import coins

from scorewright.core import Scale
from scorewright.faults import DefinitionError
from scorewright.live.health import Baseline, Detector, Drift
from scorewright.live.health.betting import Stake, interval_by_betting
from scorewright.suites.journal import Experiment, StoredItem, StoredScore, open_store


def known(mean: float = 0.8, **settings: object) -> Drift:
    """A drift from a mean that is given."""
    make: object = Drift
    assert callable(make)
    drift = make("drift", scorer="polite", baseline=Baseline.known(mean), **settings)
    assert isinstance(drift, Drift)
    return drift


def alerted_after(drift: Drift, scores: list[float]) -> int | None:
    """How many scores it took."""
    detector = Detector(drift)
    for score in scores:
        detector.add(score)
    return detector.alerted_after


@pytest.mark.parametrize("mean", [0.05, 0.5, 0.8, 0.99])
def test_without_drift_few_streams_ever_alert(mean: float) -> None:
    """A quick look at what the slow set looks at closely: of 40 streams at alpha 0.05 two are expected at most."""
    drift = known(mean, alpha=0.05)
    alarms = sum(alerted_after(drift, coins(seed, mean, 1000)) is not None for seed in range(40))
    assert alarms <= 4  # more than four has a probability of 5 % even where alpha is used up


@given(st.floats(0.05, 0.95), st.lists(st.floats(0, 1), max_size=6))
def test_no_next_score_is_a_bet_that_pays_on_average(mean: float, before: list[float]) -> None:
    """The capital after a fair coin of two ends is, on average, what it was: a martingale at the edge of the claim."""

    def capital(*more: float) -> float:
        stake = Stake(mean)
        for score in (*before, *more):
            stake.add(score)
        return stake.capital

    assert mean * capital(1.0) + (1 - mean) * capital(0.0) == pytest.approx(capital())
    assert capital(mean) == pytest.approx(capital())


@pytest.mark.parametrize(("after", "soon"), [(0.6, 400), (0.7, 1500), (0.9, 1500)])
def test_a_shift_after_a_long_time_without_one_is_found(after: float, soon: int) -> None:
    """In either direction."""
    for seed in range(5):
        found = alerted_after(known(), coins(seed, 0.8, 2000) + coins(seed + 100, after, soon))
        assert found is not None
        assert 2000 < found < 2000 + soon


def test_only_the_direction_that_is_watched_alerts() -> None:
    """Better is no drift where only worse is looked for."""
    better = coins(1, 0.99, 2000)
    assert alerted_after(known(direction="down"), better) is None
    assert alerted_after(known(direction="up"), better) is not None


def test_a_shift_within_the_tolerance_is_none() -> None:
    """And one beyond it is."""
    scores = coins(3, 0.75, 4000)
    assert alerted_after(known(), scores) is not None
    assert alerted_after(known(tolerance=0.1), scores) is None


def test_other_scales_and_small_spreads_do_as_well() -> None:
    """A scale from 1 to 5."""
    drawn = random.Random(5)
    drift = known(4.0, scale=Scale(1, 5))
    still = [4 + drawn.uniform(-0.5, 0.5) for _ in range(3000)]
    lower = [3.8 + drawn.uniform(-0.5, 0.5) for _ in range(1000)]
    assert alerted_after(drift, still) is None
    found = alerted_after(drift, still + lower)
    assert found is not None
    assert 3000 < found < 3500


def test_a_recorded_baseline_leaves_room_for_what_it_does_not_know() -> None:
    """The interval of few scores is wide, of many narrow; it holds the mean."""
    few, many = (Drift("d", scorer="s", baseline=Baseline.of(coins(1, 0.8, count))) for count in (50, 5000))
    assert few.low < many.low < 0.8 < many.high < few.high
    assert few.enough == 2 * known().enough
    assert alerted_after(few, coins(2, 0.75, 2000)) is None
    assert alerted_after(many, coins(2, 0.7, 2000)) is not None


def test_the_interval_by_betting_covers_and_is_narrower_than_hoeffdings() -> None:
    """Of 200 samples of 100, at 90 %; much narrower where the spread is small."""
    hits, widths = 0, list[float]()
    for seed in range(200):
        low, high = interval_by_betting(coins(seed, 0.8, 100), 0.1)
        hits += low <= 0.8 <= high
        widths.append(high - low)
    assert hits >= 180
    hoeffding = 2 * sqrt(log(2 / 0.1) / 200)
    assert sum(widths) / len(widths) < hoeffding
    low, high = interval_by_betting([0.75, 0.85] * 50, 0.1)
    assert low < 0.8 < high
    assert high - low < hoeffding / 2
    assert interval_by_betting([], 0.1) == (0.0, 1.0)
    assert interval_by_betting([1.0] * 100, 0.1)[1] == 1.0


def test_a_drift_stays_found_until_it_is_reset() -> None:
    """Then all is as at the beginning."""
    detector = Detector(known())
    for score in [0.0] * 20:
        detector.add(score)
    assert detector.alerted_after is not None
    assert detector.alerted_after < 20
    for score in coins(1, 0.8, 500):
        detector.add(score)
    assert detector.has_drifted
    detector.reset()
    assert (detector.has_drifted, detector.n, detector.evidence) == (False, 0, 1.0)


def test_scores_outside_the_scale_are_cut_to_it_and_counted() -> None:
    """One wild score is no evidence without end."""
    detector = Detector(known())
    for score in (-1e300, 7.0, 0.5):
        detector.add(score)
    assert detector.n_outside == 2
    assert detector.evidence < 100


def test_evidence_stays_a_number_however_much_there_is() -> None:
    """Neither infinite nor NaN."""
    detector = Detector(known(0.01))
    for _ in range(5000):
        detector.add(1.0)
    assert 1 < detector.evidence < float("inf")


def test_a_baseline_comes_out_of_a_store(tmp_path: Path) -> None:
    """The scores of one scorer; those that failed are no part of it."""
    with open_store(tmp_path / "runs.db") as store:
        store.begin(Experiment("e1", "suite", "{}", "2026-01-01T00:00:00+00:00"))
        for at, value in enumerate([1.0, 0.5, None, 0.75]):
            state = "scored" if value is not None else "failed"
            store.add(
                [StoredItem("e1", f"r{at}", at, "{}")],
                [
                    StoredScore("e1", f"r{at}", "polite", "h", state, value, None, "{}"),
                    StoredScore("e1", f"r{at}", "other", "h", "scored", 0.0, None, "{}"),
                ],
            )
        assert Baseline.stored(store, "e1", "polite") == Baseline.of([1.0, 0.5, 0.75])
        assert Baseline.of([1.0, 0.5, 0.75]).mean == 0.75


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Baseline.of([1.0]), "2 scores or more"),
        (lambda: Baseline.of([1.0, float("nan")]), "all of them numbers"),
        (lambda: Baseline.known(float("nan")), "takes a mean"),
        (lambda: known(alpha=1), "between 0 and 1"),
        (lambda: known(direction="sideways"), '"down", "up" or "both"'),
        (lambda: known(tolerance=-1), "0 or more"),
        (lambda: known(3.0), "give scale="),
        (lambda: known(1.0), "give a\\s+tolerance="),
        (lambda: known(0.0, direction="up"), "give a\\s+tolerance="),
        (lambda: known(scale=Scale(0, float("inf"))), "two finite ends"),
        (lambda: Drift("", scorer="s", baseline=Baseline.known(0.5)), "takes a text"),
        (lambda: Drift("d", scorer="s", baseline=0.5), "takes a Baseline"),  # type: ignore[arg-type]  # what is tested
    ],
)
def test_a_mistake_in_a_drift_is_told_where_it_is_made(made: object, said: str) -> None:
    """With what would be right."""
    assert callable(made)
    with pytest.raises(DefinitionError, match=said):
        made()


def test_the_ends_of_the_scale_are_watched_from_within() -> None:
    """All passed: only worse can come, and with a tolerance it can be bet on."""
    drift = known(1.0, tolerance=0.02)
    assert alerted_after(drift, [1.0] * 2000) is None
    assert alerted_after(drift, [1.0] * 2000 + coins(1, 0.9, 500)) is not None
