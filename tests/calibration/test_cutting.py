"""Thresholds: the best one, its interval, and what it is worth without the rows that chose it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, precision_score, recall_score

from scorewright import DefinitionError
from scorewright.calibration import best_cut
from scorewright.statistics import Interval, Undefined, wilson

Criterion = Literal["balanced_accuracy", "f1", "youden", "cost"]


def drawn(n: int, seed: int = 0) -> tuple[list[float], list[bool]]:
    rng = np.random.default_rng(seed)
    scores = rng.random(n).round(2)
    return scores.tolist(), (rng.random(n) < 1 / (1 + np.exp(-10 * (scores - 0.6)))).tolist()


@pytest.mark.parametrize("criterion", ["balanced_accuracy", "f1", "youden", "cost"])
def test_no_other_threshold_is_better(criterion: Criterion) -> None:
    """Each candidate is tried, by scikit-learn's measures."""
    scores, passed = drawn(80)

    def good(at: float) -> float:
        said = [score >= at for score in scores]
        if criterion == "cost":
            pairs = [*zip(said, passed, strict=True)]
            return -(3 * pairs.count((True, False)) + pairs.count((False, True))) / len(pairs)
        if criterion == "f1":
            return float(f1_score(passed, said))
        balanced = float(balanced_accuracy_score(passed, said))
        return balanced if criterion == "balanced_accuracy" else 2 * balanced - 1

    found = best_cut(scores, passed, criterion=criterion, costs=(3, 1))
    best = max(good(at) for at in {*scores})
    assert isinstance(found.value, float)
    assert good(found.value) == pytest.approx(best)
    assert found.in_sample == pytest.approx(-best if criterion == "cost" else best)


def test_precision_recall_and_specificity_are_at_the_threshold() -> None:
    """With intervals of new rows, so that they lie lower; of a threshold that was given they are Wilson's."""
    scores, passed = drawn(120)
    found = best_cut(scores, passed)
    assert isinstance(found.value, float)
    assert found.confusion is not None
    said = [score >= found.value for score in scores]
    assert found.precision.value == pytest.approx(precision_score(passed, said))
    assert found.recall.value == pytest.approx(recall_score(passed, said))
    assert found.specificity.value == pytest.approx(recall_score(passed, said, pos_label=0))
    counts = found.confusion
    assert counts.n == 120
    own = wilson(counts.true_passes, counts.true_passes + counts.false_misses)
    assert best_cut(scores, passed, given=found.value).recall.interval == own
    assert isinstance(own, Interval)
    assert isinstance(found.recall.interval, Interval)
    assert found.recall.interval.low < own.low
    assert found.recall.value in found.recall.interval


def test_out_of_sample_does_not_flatter() -> None:
    """Of scores that know nothing the best threshold looks better than chance, and out of sample it does not."""
    rng = np.random.default_rng(5)
    inside, outside = [], []
    for _ in range(20):
        found = best_cut(rng.random(60).tolist(), (rng.random(60) < 0.5).tolist())
        assert isinstance(found.in_sample, float)
        assert isinstance(found.out_of_sample, float)
        inside.append(found.in_sample)
        outside.append(found.out_of_sample)
    assert np.mean(inside) > 0.56
    assert abs(float(np.mean(outside)) - 0.5) < 0.04


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=12, max_size=40),
    st.sampled_from(["balanced_accuracy", "f1", "youden", "cost"]),
)
def test_a_choice_is_never_worth_more_than_on_the_rows_that_chose_it(
    rows: list[tuple[int, bool]], criterion: Criterion
) -> None:
    """And the interval holds both values; less is better of a cost."""
    found = best_cut([score / 10 for score, _ in rows], [said for _, said in rows], criterion=criterion)
    if not isinstance(found.out_of_sample_interval, Interval):
        return
    assert isinstance(found.in_sample, float)
    assert isinstance(found.out_of_sample, float)
    gain = found.in_sample - found.out_of_sample
    assert (-gain if criterion == "cost" else gain) >= -1e-9
    assert found.in_sample in found.out_of_sample_interval
    assert found.out_of_sample in found.out_of_sample_interval
    for each in (found.precision, found.recall, found.specificity):
        if isinstance(each.interval, Interval):
            assert 0 <= each.interval.low <= each.interval.high <= 1
            assert each.value in each.interval  # type: ignore[operator]  # a number where there is an interval


def test_where_lower_is_better_everything_is_turned_round() -> None:
    """The same rows with their scores turned give the same threshold, turned."""
    scores, passed = drawn(100)
    up = best_cut(scores, passed)
    down = best_cut([1 - score for score in scores], passed, better="lower")
    assert isinstance(up.value, float)
    assert isinstance(up.interval, Interval)
    assert isinstance(down.interval, Interval)
    assert down.value == pytest.approx(1 - up.value)
    assert (down.interval.low, down.interval.high) == (
        pytest.approx(1 - up.interval.high),
        pytest.approx(1 - up.interval.low),
    )
    assert down.confusion == up.confusion


def test_of_equally_good_thresholds_the_middle_is_taken() -> None:
    """Not the edge of a row that happens to be there."""
    found = best_cut([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    assert found.value == pytest.approx(0.5)
    assert found.interval == Undefined("fewer than 5 rows that people passed, or that they failed")
    assert found.out_of_sample == found.interval


def test_a_given_threshold_is_not_chosen() -> None:
    """So its own value is honest, and has the interval."""
    scores, passed = drawn(100)
    found = best_cut(scores, passed, given=0.5)
    assert (found.value, found.chosen) == (0.5, False)
    assert found.out_of_sample == found.in_sample
    assert isinstance(found.out_of_sample_interval, Interval)
    alone = best_cut([0.2, 0.7], [True, True], given=0.5)
    assert alone.recall.value == 0.5
    assert alone.in_sample == Undefined("people passed every row, or none")


@pytest.mark.parametrize(
    ("scores", "passed", "criterion", "why"),
    [
        ([0.1, 0.9], [True, True], "balanced_accuracy", "people failed no row"),
        ([0.1, 0.9], [False, False], "balanced_accuracy", "people passed no row"),
        ([], [], "f1", "people passed no row"),
        ([0.5, 0.5], [True, False], "youden", "no threshold does better than chance"),
        ([0.9, 0.1], [False, True], "balanced_accuracy", "no threshold does better than chance"),
        ([0.9, 0.1, 0.1], [False, True, False], "cost", "no threshold costs less than failing every row"),
    ],
)
def test_where_nothing_can_be_cut_it_is_said(
    scores: list[float], passed: list[bool], criterion: Criterion, why: str
) -> None:
    """Undefined, with the reason, everywhere."""
    found = best_cut(scores, passed, criterion=criterion)
    assert isinstance(found.value, Undefined)
    assert found.value.why.startswith(why)
    assert found.interval == found.in_sample == found.out_of_sample == found.precision.value == found.value


def test_rows_of_a_cluster_stay_together() -> None:
    """Copies of a row do not make its threshold look better out of sample, nor its interval narrower."""
    scores, passed = drawn(40)
    copies, labels = scores * 8, passed * 8
    groups = [str(at) for at in range(40)] * 8
    alone, together = best_cut(copies, labels), best_cut(copies, labels, groups=groups)
    assert isinstance(alone.out_of_sample, float)
    assert isinstance(together.out_of_sample, float)
    assert together.out_of_sample < alone.out_of_sample
    assert isinstance(alone.interval, Interval)
    assert isinstance(together.interval, Interval)
    assert together.interval.high - together.interval.low > alone.interval.high - alone.interval.low
    assert "clustered" in together.recall.interval.method  # type: ignore[union-attr]  # an interval: held above
    one = best_cut(copies, labels, groups=["a"] * 320)
    assert one.interval == Undefined("one cluster has no spread")
    assert one.out_of_sample == one.out_of_sample_interval == one.interval


def test_what_is_asked_wrongly_is_told() -> None:
    """When it is called."""
    with pytest.raises(DefinitionError, match="criterion= is"):
        best_cut([1.0], [True], criterion="accuracy")  # type: ignore[arg-type]  # what is held is that it is refused
    for costs in ((-1.0, 1.0), (0.0, 0.0)):
        with pytest.raises(DefinitionError, match="costs= are those"):
            best_cut([1.0], [True], criterion="cost", costs=costs)
    with pytest.raises(DefinitionError, match="a label, and a group if any, for each score"):
        best_cut([1.0], [])
    with pytest.raises(DefinitionError, match="level= is between 0 and 1"):
        best_cut([1.0], [True], level=95)
