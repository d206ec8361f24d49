"""Numbers at the ends of what there is: NaN, infinite, huge, tiny, all the same but for rounding."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from math import inf, isfinite, nan

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorewright import DefinitionError
from scorewright.calibration import best_cut, reliability
from scorewright.statistics import (
    Interval,
    Sample,
    Undefined,
    auc,
    compare,
    corrected_mean,
    krippendorff_alpha,
    length_bias,
    mean,
    noise,
    pass_rate,
    pearson,
    spearman,
)
from scorewright.suites.coverage import Coverage

FOUR = [1.0, 2.0, 3.0, 5.0]
TAKES: dict[str, Callable[[float], object]] = {
    "a sample": lambda odd: sample([odd, 1.0]),
    "pearson": lambda odd: pearson([odd, *FOUR], [*FOUR, 1.0]),
    "spearman": lambda odd: spearman([*FOUR, 1.0], [odd, *FOUR]),
    "auc": lambda odd: auc([odd, *FOUR], [True, False] * 2 + [True]),
    "alpha": lambda odd: krippendorff_alpha([[odd, 1.0], [2.0, 2.0], [3.0, None]], scale="interval"),
    "alpha of labels": lambda odd: krippendorff_alpha([[odd, 1.0], [2.0, 2.0]]),
    "corrected_mean": lambda odd: corrected_mean([odd, 1.0], [(1.0, 1.0), (2.0, 2.0)]),
    "corrected_mean by labels": lambda odd: corrected_mean([1.0, 2.0], [(1.0, odd), (2.0, 2.0)]),
    "length_bias": lambda odd: length_bias([odd, *FOUR], [1, 2, 3, 4, 5]),
    "length_bias with quality": lambda odd: length_bias(FOUR, [1, 2, 3, 4], [odd, 1.0, 2.0, 2.0]),
    "noise": lambda odd: noise([[odd, 1.0], [2.0]]),
    "best_cut": lambda odd: best_cut([odd, *FOUR], [True, False] * 2 + [True]),
    "reliability": lambda odd: reliability([odd, 0.5], [1.0, 0.0]),
}


def sample(scores: Sequence[float]) -> Sample:
    return Sample(tuple(scores), Coverage(len(scores), 0, 0), tuple(map(str, range(len(scores)))))


@pytest.mark.parametrize("odd", [nan, inf, -inf])
@pytest.mark.parametrize("name", TAKES)
def test_what_is_no_number_is_refused(name: str, odd: float) -> None:
    """Nothing measured with it is a number; a row without a score is None."""
    with pytest.raises(DefinitionError, match=r"is no (score|number)"):
        TAKES[name](odd)


def test_a_threshold_that_is_no_number_is_refused() -> None:
    """No score reaches NaN, and a pass rate of 0 would be said."""
    with pytest.raises(DefinitionError, match="not NaN"):
        pass_rate(sample(FOUR), nan)


def told(found: object) -> None:
    """That all numbers in it are numbers."""
    for field in attrs.fields(type(found)):
        value = getattr(found, field.name)
        if isinstance(value, float):
            assert isfinite(value), found
        elif isinstance(value, Interval):
            assert isfinite(value.low), found
            assert isfinite(value.high), found
            assert value.low <= value.high


extreme = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [1e308, -1e308, 1.7e308, 5e-324, 0.0, 1e16]
)


@settings(max_examples=30)
@given(st.lists(extreme, max_size=8), st.lists(extreme, min_size=8, max_size=8))
def test_no_number_overflows(first: list[float], second: list[float]) -> None:
    """What cannot be added up is undefined; there is no warning, no infinity, no NaN."""
    other = second[: len(first)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told(mean(sample(first)))
        told(mean(sample(first), method="bca"))
        told(compare(sample(first), sample(other)))
        told(pearson(first, other))
        told(spearman(first, other))
        told(auc(first, [at % 2 == 0 for at in range(len(first))]))
        told(best_cut(first, [score > 0 for score in other]))


@settings(max_examples=30)
@given(st.floats(-10, 10), st.integers(2, 12))
def test_equal_scores_are_equal_whatever_their_sum_is(score: float, n: int) -> None:
    """Seven times 0.1 are not 0.7; that is no spread."""
    same = [score] * n
    found = mean(sample(same), method="bca")
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(found.interval.high)
    split = noise([same] * 3)
    assert (split.between, split.within, split.icc) == (0.0, 0.0, Undefined("all scores are the same"))
    if n > 4:
        assert isinstance(length_bias(same, [*range(1, n + 1)]).p_value, Undefined)
        assert isinstance(pearson(same, [*map(float, range(n))]).value, Undefined)


@given(st.floats(1e-3, 1e3), st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=5, max_size=12))
def test_a_correlation_knows_no_unit(unit: float, pairs: list[tuple[float, float]]) -> None:
    """Also of 1e200 and of 1e-200, whose squares are no numbers."""
    first, second = ([round(each, 3) for each in column] for column in zip(*pairs, strict=True))
    here = pearson(first, second)
    if isinstance(here.value, Undefined):
        return
    for scale in (unit, 1e200, 1e-200):
        there = pearson([each * scale for each in first], second)
        assert there.value == pytest.approx(here.value)


@pytest.mark.parametrize("scores", [(1.0, 1.0 + 2**-52), (1e308, 1.7e308), (-1.7e308, 1.7e308), (0.0, 5e-324)])
def test_a_threshold_lies_between_scores_however_near_or_far_they_are(scores: tuple[float, float]) -> None:
    """Where there is no number between, it is the higher score."""
    found = best_cut([*scores] * 10, [False, True] * 10)
    assert isinstance(found.value, float)
    assert scores[0] < found.value <= scores[1]
    assert found.in_sample == 1.0


def test_a_criterion_of_nothing_is_undefined() -> None:
    """Where neither people nor the threshold pass a row, there is no F1."""
    found = best_cut([0.1] * 10, [False] * 10, given=0.5, criterion="f1")
    assert isinstance(found.in_sample, Undefined)
    assert found.in_sample == found.out_of_sample == found.out_of_sample_interval
