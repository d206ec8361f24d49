"""Correlations and the area under the curve, by the libraries that people trust for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import roc_auc_score

from scorewright import DefinitionError
from scorewright.statistics import Interval, Undefined, auc, pearson, spearman

FEW = tries(max_examples=10, deadline=None)
PAIRS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), min_size=4, max_size=20
)


@FEW
@given(PAIRS)
def test_correlations_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    """With ties; undefined where one of the two does not vary."""
    first, second = zip(*pairs, strict=True)
    rho, r = spearman(first, second), pearson(first, second)
    if len({*first}) == 1 or len({*second}) == 1:
        assert rho.value == r.value == Undefined("one of the two does not vary")
        return
    assert rho.value == pytest.approx(float(spearmanr(first, second).statistic))
    assert r.value == pytest.approx(float(pearsonr(first, second).statistic))


@FEW
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.4, 0.9]), st.booleans()), min_size=2, max_size=20))
def test_the_area_is_that_of_scikit_learn(rows: list[tuple[float, bool]]) -> None:
    """A tie counts half; undefined where people said one thing only."""
    scores, passed = zip(*rows, strict=True)
    found = auc(scores, passed)
    if len({*passed}) == 1:
        assert found.value == Undefined("people passed every row, or none")
    else:
        assert found.value == pytest.approx(roc_auc_score(passed, scores))


def test_intervals_hold_their_values_and_widen_with_clusters() -> None:
    """Rows that repeat one document tell less."""
    drawn = np.random.default_rng(0)
    base = drawn.normal(size=30)
    one = np.repeat(base, 10) + drawn.normal(0, 0.1, 300)
    other = np.repeat(base + drawn.normal(0, 0.7, 30), 10)
    passed = (other > 0).tolist()
    groups = [str(at // 10) for at in range(300)]
    for alone, clustered in (
        (spearman(one.tolist(), other.tolist()), spearman(one.tolist(), other.tolist(), groups=groups)),
        (pearson(one.tolist(), other.tolist()), pearson(one.tolist(), other.tolist(), groups=groups)),
        (auc(one.tolist(), passed), auc(one.tolist(), passed, groups=groups)),
    ):
        assert isinstance(alone.interval, Interval)
        assert isinstance(clustered.interval, Interval)
        assert isinstance(alone.value, float)
        assert alone.value in alone.interval
        assert clustered.interval.high - clustered.interval.low > alone.interval.high - alone.interval.low
        assert clustered.interval.method == "jackknife over clusters, Fisher"


def test_what_has_no_spread_has_no_interval() -> None:
    """A value, and the reason."""
    same = spearman([1, 2, 3, 4], [2, 3, 4, 5])
    assert (same.value, same.interval) == (1.0, Undefined("the ranks are the same: no spread was seen"))
    apart = auc([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    assert (apart.value, apart.interval) == (1.0, Undefined("every pass lies above every failure: no spread was seen"))
    assert auc([0.1, 0.9, 0.8], [False, True, True]).interval == Undefined("one row of a kind has no spread")
    assert spearman([1, 2, 3], [1, 2, 4]).value == Undefined("fewer than 4 rows")
    with pytest.raises(DefinitionError, match="there are 2 and 1"):
        pearson([1, 2], [1])
