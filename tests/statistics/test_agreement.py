"""Agreement beyond chance, by the libraries that people trust for it."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as oracle_fleiss

from scorewright import DefinitionError
from scorewright.statistics import (
    Interval,
    Undefined,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
)

LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=3, max_size=15)
FEW = tries(max_examples=8, deadline=None)


@FEW
@given(LABELS, st.sampled_from(["none", "linear", "quadratic"]))
def test_cohen_is_scikit_learn(pairs: list[tuple[str, str]], weights: str) -> None:
    """Plain and weighted."""
    first, second = zip(*pairs, strict=True)
    labels = sorted({*first, *second})
    found = cohen_kappa(first, second, weights=weights)  # type: ignore[arg-type]  # a strategy of literals
    if len(labels) == 1:
        assert isinstance(found.value, Undefined)
        return
    expected = cohen_kappa_score(first, second, labels=labels, weights=None if weights == "none" else weights)
    assert found.value == pytest.approx(expected)


@FEW
@given(st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=2, max_size=12))
def test_fleiss_is_statsmodels(ratings: list[list[str]]) -> None:
    """Three ratings a row."""
    found = fleiss_kappa(ratings)
    if len({label for row in ratings for label in row}) == 1:
        assert isinstance(found.value, Undefined)
    else:
        assert found.value == pytest.approx(oracle_fleiss(aggregate_raters(np.array(ratings))[0]))


@FEW
@given(
    st.lists(st.lists(st.none() | st.integers(0, 3), min_size=3, max_size=3), min_size=3, max_size=12),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_krippendorff_is_krippendorff(ratings: list[list[int | None]], scale: str) -> None:
    """Missing ratings too, on all three scales."""
    rated = [row for row in ratings if sum(each is not None for each in row) > 1]
    found = krippendorff_alpha(ratings, scale=scale)  # type: ignore[arg-type]  # a strategy of literals
    if len(rated) < 2 or len({each for row in rated for each in row if each is not None}) == 1:
        assert isinstance(found.value, Undefined)
        return
    data = np.array([[np.nan if each is None else each for each in row] for row in rated], dtype=float).T
    assert found.value == pytest.approx(krippendorff.alpha(reliability_data=data, level_of_measurement=scale))


def test_an_interval_holds_the_value_and_shrinks_with_rows() -> None:
    """Bootstrapped over rows, repeatably."""
    drawn = np.random.default_rng(5)
    human = drawn.integers(0, 2, 800)
    judge = np.where(drawn.random(800) < 0.85, human, 1 - human)
    widths = []
    for n in (50, 800):
        found = cohen_kappa([*human[:n]], [*judge[:n]])
        assert found == cohen_kappa([*human[:n]], [*judge[:n]])
        assert isinstance(found.interval, Interval)
        assert isinstance(found.value, float)
        assert found.value in found.interval
        widths.append(found.interval.high - found.interval.low)
    assert widths[1] < widths[0] / 2


def test_percent_agreement_counts() -> None:
    """Whatever the labels are."""
    assert percent_agreement(["yes", "no", "no", "yes"], ["yes", "no", "yes", "yes"]).value == 0.75
    assert percent_agreement([1], [1]).value == Undefined("fewer than two rows were rated by two")


def test_the_order_of_labels_may_be_given() -> None:
    """For weights, where words do not sort as they mean."""
    words = ["bad", "fair", "good", "good"], ["bad", "good", "good", "fair"]
    by_meaning = cohen_kappa(*words, weights="linear", order=["bad", "fair", "good"])
    as_numbers = cohen_kappa([0, 1, 2, 2], [0, 2, 2, 1], weights="linear")
    assert by_meaning.value == as_numbers.value
    with pytest.raises(DefinitionError, match="order= lacks 'good'"):
        cohen_kappa(*words, order=["bad", "fair"])


def test_rows_that_do_not_fit_are_refused() -> None:
    """With what to use instead."""
    with pytest.raises(DefinitionError, match="there are 2, 1"):
        percent_agreement(["a", "b"], ["a"])
    with pytest.raises(DefinitionError, match="use krippendorff_alpha"):
        fleiss_kappa([["a", "b"], ["a"]])
    with pytest.raises(DefinitionError, match="None where a rater said nothing"):
        krippendorff_alpha([[1, 2], [1]])
