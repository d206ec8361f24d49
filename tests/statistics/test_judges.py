"""What a judge's errors do to a number: noise, bias, and taking bias out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS

from scorewright import DefinitionError
from scorewright.statistics import (
    Interval,
    Undefined,
    corrected_mean,
    corrected_rate,
    length_bias,
    noise,
    position_bias,
)


def test_noise_tells_rows_from_samples() -> None:
    """Known variances are found again."""
    drawn = np.random.default_rng(2)
    rows = drawn.normal(0, 0.3, 3000)
    found = noise([[*(row + drawn.normal(0, 0.1, 5))] for row in rows])
    assert found.between == pytest.approx(0.09, rel=0.1)
    assert found.within == pytest.approx(0.01, rel=0.05)
    assert found.icc == pytest.approx(0.9, abs=0.02)
    one, four = found.standard_error(100), found.standard_error(100, 4)
    assert isinstance(one, float)
    assert isinstance(four, float)
    assert four < one


def test_noise_needs_two_samples_of_a_row() -> None:
    """Undefined with the reason; no spread at all is undefined too."""
    assert noise([[0.1], [0.2]]).within == Undefined("no row has two samples")
    assert noise([[0.1, 0.2]]).icc == Undefined("fewer than two rows")
    assert noise([[0.5, 0.5], [0.5, 0.5]]).icc == Undefined("all scores are the same")
    with pytest.raises(DefinitionError, match="at least one score a row"):
        noise([[0.1], []])


def test_a_biased_judge_is_corrected() -> None:
    """The interval holds what people would say, and is narrower than from labels alone."""
    drawn = np.random.default_rng(4)
    truth = drawn.random(2200) < 0.5
    judge = np.where(truth, drawn.random(2200) < 0.95, drawn.random(2200) < 0.25).astype(float)
    labelled = [(float(said), float(human)) for said, human in zip(judge[:200], truth[:200], strict=True)]
    found = corrected_mean([*judge[200:]], labelled)
    assert isinstance(found.interval, Interval)
    assert 0.5 in found.interval
    assert judge.mean() not in found.interval
    alone = 2 * 1.96 * np.std(truth[:200], ddof=1) / np.sqrt(200)
    assert found.interval.high - found.interval.low < alone
    assert corrected_mean([0.1], labelled).value == Undefined("fewer than two labelled or two unlabelled rows")


@tries(max_examples=30)
@given(st.floats(-1, 1))
def test_a_judge_that_says_always_the_same_is_not_believed(said: float) -> None:
    """Then the labels alone speak."""
    labels = [(said, human) for human in (0.0, 1.0, 1.0, 0.0, 1.0)]
    assert corrected_mean([said] * 50, labels).value == pytest.approx(0.6)


def test_a_pass_rate_is_corrected_by_what_the_judge_gets_wrong() -> None:
    """Rogan and Gladen's estimate; a coin is refused."""
    found = corrected_rate(600, 1000, (95, 100), (75, 100))
    assert found.value == pytest.approx((0.6 + 0.75 - 1) / (0.95 + 0.75 - 1))
    assert isinstance(found.interval, Interval)
    assert found.interval.low < 0.5 < found.interval.high
    assert corrected_rate(600, 1000, (50, 100), (50, 100)).value == Undefined(
        "the judge does no better than a coin on the labelled rows"
    )
    with pytest.raises(DefinitionError, match="is no share"):
        corrected_rate(3, 2, (1, 1), (1, 1))


def test_a_taste_for_the_first_slot_is_seen() -> None:
    """Of the inconsistent pairs, how many went to whatever came first."""
    fair = [("first", "second"), ("second", "first"), ("tie", "tie")]
    found = position_bias([*fair, *[("first", "first")] * 9, ("second", "second")])  # type: ignore[list-item]  # literals of a list
    assert found.consistent == pytest.approx(3 / 13)
    assert found.first_slot == pytest.approx(0.9)
    assert found.p_value == pytest.approx(22 / 1024)
    assert position_bias([("tie", "tie")]).first_slot == Undefined("no pair leans to a slot")
    assert position_bias([]).consistent == Undefined("no pair was judged")
    with pytest.raises(DefinitionError, match="names the slot that won"):
        position_bias([("A", "B")])  # type: ignore[list-item]  # what is held is that it is refused


@tries(max_examples=30)
@given(st.integers(0, 10_000))
def test_length_bias_is_a_regression(seed: int) -> None:
    """Slope, interval and p-value are statsmodels'; with people's scores held fixed."""
    drawn = np.random.default_rng(seed)
    lengths = drawn.integers(1, 2000, 40)
    quality = drawn.random(40)
    scores = 0.05 * np.log2(lengths) + quality + drawn.normal(0, 0.1, 40)
    found = length_bias([*scores], [int(each) for each in lengths], [*quality])
    fit = OLS(scores, np.stack([np.log2(lengths), np.ones(40), quality], 1)).fit()
    assert found.per_doubling == pytest.approx(fit.params[0])
    assert found.p_value == pytest.approx(fit.pvalues[0], abs=1e-9)
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(fit.conf_int()[0]))


def test_lengths_that_say_nothing_are_undefined() -> None:
    """Too few, all the same, or scores on a line."""
    assert isinstance(length_bias([1, 2], [1, 2]).per_doubling, Undefined)
    assert isinstance(length_bias([1, 2, 3, 4], [5, 5, 5, 5]).per_doubling, Undefined)
    line = length_bias([0, 0, 0, 0], [1, 2, 4, 8])
    assert (line.per_doubling, isinstance(line.p_value, Undefined)) == (pytest.approx(0.0), True)
    with pytest.raises(DefinitionError, match="leave empty answers out"):
        length_bias([1, 2, 3, 4], [0, 1, 2, 3])
