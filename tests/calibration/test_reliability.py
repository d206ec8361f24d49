"""Reliability: what people say of rows with a score like this."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from scorewright import DefinitionError
from scorewright.calibration import reliability
from scorewright.statistics import Interval, Undefined, mean
from scorewright.statistics.sample import Sample
from scorewright.suites.coverage import Coverage


def drawn(n: int, shift: float = 0.0) -> tuple[list[float], list[float]]:
    rng = np.random.default_rng(1)
    scores = rng.random(n)
    return scores.tolist(), (rng.random(n) < np.clip(scores + shift, 0, 1)).astype(float).tolist()


def test_the_curve_and_the_score_are_those_of_scikit_learn() -> None:
    """Ten bins of one width; the Brier score has the interval of a mean."""
    scores, passed = drawn(300)
    found = reliability(scores, passed)
    people, said = calibration_curve(passed, scores, n_bins=10)
    assert [each.people.value for each in found.bins] == pytest.approx(people.tolist())
    assert [each.score for each in found.bins] == pytest.approx(said.tolist())
    assert found.squared_error.value == pytest.approx(brier_score_loss(passed, scores))
    squares = tuple((score - label) ** 2 for score, label in zip(scores, passed, strict=True))
    assert found.squared_error.interval == mean(Sample(squares, Coverage(300, 0, 0))).interval
    assert sum(each.n for each in found.bins) == 300
    error = sum(each.n * abs(each.score - float(str(each.people.value))) for each in found.bins) / 300
    assert found.error.value == pytest.approx(error)


def test_a_calibrated_scorer_is_told_from_a_bold_one() -> None:
    """By what chance alone would show on as many rows."""
    calm, bold = reliability(*drawn(400)), reliability(*drawn(400, -0.3))
    assert isinstance(calm.error.value, float)
    assert isinstance(calm.by_chance, float)
    assert isinstance(bold.error.value, float)
    assert isinstance(bold.by_chance, float)
    assert calm.error.value < 1.8 * calm.by_chance
    assert bold.error.value > 3 * bold.by_chance
    assert isinstance(bold.error.interval, Interval)
    assert bold.by_chance < bold.error.interval.low


def test_bins_have_the_intervals_of_what_people_say() -> None:
    """Wilson's for passes and failures, Student's for shares, clustered with groups."""
    scores, passed = drawn(100)
    assert {each.people.interval.method for each in reliability(scores, passed, bins=3).bins} == {"Wilson"}  # type: ignore[union-attr]  # each has one
    shares = [min(1.0, score * 0.9 + 0.05) for score in scores]
    graded = reliability(scores, shares, bins=3)
    assert {each.people.interval.method for each in graded.bins} == {"t"}  # type: ignore[union-attr]  # each has one
    assert graded.by_chance == Undefined("labels are no passes and failures")
    groups = [str(at % 25) for at in range(100)]
    clustered = reliability(scores, passed, bins=3, groups=groups)
    assert "clustered" in clustered.bins[0].people.interval.method  # type: ignore[union-attr]  # it has one
    assert reliability(scores, passed, groups=["a"] * 100).error.interval == Undefined("one cluster has no spread")


def test_too_few_rows_have_no_error() -> None:
    """Nor has nothing; what is no share is refused."""
    few = reliability([0.5, 0.9], [1.0, 1.0])
    assert few.error.value == few.by_chance == Undefined("fewer than 10 rows")
    assert len(few.bins) == 2
    none = reliability([], [])
    assert (none.bins, none.error.value) == ((), Undefined("no row has a score"))
    with pytest.raises(DefinitionError, match="between 0 and 1"):
        reliability([1.5], [1.0])
    with pytest.raises(DefinitionError, match="bins= is 2 or more"):
        reliability([0.5], [1.0], bins=1)
    with pytest.raises(DefinitionError, match="for each score"):
        reliability([0.5], [])
