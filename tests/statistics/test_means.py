"""Means and proportions: right by an independent library, undefined with a reason, never without their coverage."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from scorewright import DefinitionError, NotScorable, Run, create_scorer, err, ok
from scorewright.statistics import Estimate, Interval, Sample, Undefined, bounded_mean, mean, pass_rate, wilson
from scorewright.statistics.estimate import Number
from scorewright.suites.coverage import Coverage

SCORES = st.lists(st.floats(0, 1), min_size=2, max_size=40)


def sample(*scores: float | None, failed: int = 0, groups: Sequence[str | None] | None = None) -> Sample:
    scored = sum(score is not None for score in scores)
    none = len(scores) - scored
    return Sample(scores, Coverage(scored, none - failed, failed), groups=None if groups is None else tuple(groups))


def interval_of(estimate: Estimate) -> Interval:
    assert isinstance(estimate.interval, Interval)
    return estimate.interval


def bounds(estimate: Estimate) -> tuple[float, float]:
    return interval_of(estimate).low, interval_of(estimate).high


@given(SCORES, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_mean_is_scipy_s(scores: list[float], level: float) -> None:
    """Value and t interval."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of scores that are all the same
        expected = stats.ttest_1samp(scores, 0).confidence_interval(level)
    found = mean(sample(*scores), level=level)
    assert found.value == pytest.approx(np.mean(scores))
    if np.std(scores) > 1e-9:
        assert bounds(found) == pytest.approx(tuple(expected), abs=1e-9)


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_is_statsmodels(passed: int, n: int, level: float) -> None:
    """Also at 0 and at n, where the bound is exact."""
    passed = min(passed, n)
    found = wilson(passed, n, level=level)
    assert isinstance(found, Interval)
    expected = proportion_confint(passed, n, alpha=1 - level, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert (passed == 0) <= (found.low == 0.0)
    assert (passed == n) <= (found.high == 1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcd")), min_size=4, max_size=40))
def test_a_clustered_error_is_statsmodels(rows: list[tuple[float, str]]) -> None:
    """The t interval with one degree of freedom less than there are clusters."""
    scores, groups = zip(*rows, strict=True)
    if len({*groups}) < 2 or np.std(scores) < 1e-6:
        return
    codes = np.array([ord(group) for group in groups])
    fit = OLS(np.array(scores), np.ones(len(scores))).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    many = len({*groups})
    error = float(fit.bse[0]) * np.sqrt(many / (many - 1))
    half = stats.t.ppf(0.975, many - 1) * error
    low, high = bounds(mean(sample(*scores, groups=groups)))
    assert (high - low) / 2 == pytest.approx(half, abs=1e-9)


def test_the_bootstrap_is_scipy_s_and_repeatable() -> None:
    """For skewed scores; many rows take t instead, and say so."""
    scores = tuple(np.random.default_rng(1).beta(0.3, 3, 60))
    found, again = (mean(sample(*scores), method="bca") for _ in range(2))
    assert found == again
    assert interval_of(found).method == "BCa bootstrap"
    low, high = bounds(found)
    t_low, t_high = bounds(mean(sample(*scores)))
    assert high - np.mean(scores) > np.mean(scores) - low  # the longer arm is on the long side
    assert (low, high) == pytest.approx((t_low, t_high), abs=0.02)
    assert interval_of(mean(sample(*scores * 40), method="bca")).method == "t"


@given(SCORES)
def test_a_failure_is_never_a_number(scores: list[float]) -> None:
    """Rows without a score leave value and interval as they are, and are counted."""
    alone = mean(sample(*scores))
    beside = mean(sample(*scores, None, None, failed=1))
    assert (beside.value, beside.interval) == (alone.value, alone.interval)
    assert beside.coverage == Coverage(len(scores), 1, 1)
    assert any("failed runs are left out" in each for each in beside.caution)


def test_a_sample_is_made_of_outcomes() -> None:
    """What `run_sync` gives: scored, not scorable, failed."""
    scorer = create_scorer("s", input=str, output=float).generate_score(
        lambda s: ok(s.run.output) if s.run.output >= 0 else err(NotScorable("negative"))
    )
    outcomes = [scorer.run_sync(Run("", value)) for value in (0.5, -1.0, 7.0, 1.0)]
    found = Sample.of(outcomes, ids=["a", "b", "c", "d"])
    assert found.scores == (0.5, None, None, 1.0)
    assert found.coverage == Coverage(2, 1, 1)
    assert mean(found).value == 0.75


def test_too_few_rows_are_undefined_with_the_reason() -> None:
    """[UKGovernmentBEIS/inspect_ai#4718] One consistent form, and no warning."""
    for found in (mean(sample()), pass_rate(sample(), 0.5), mean(sample(None, failed=1)), mean(sample(groups=[]))):
        assert found.value == Undefined("no run has a score")
        assert found.interval == Undefined("no run has a score")
    assert wilson(0, 0) == Undefined("no run has a score")
    one = mean(sample(0.5))
    assert (one.value, one.interval) == (0.5, Undefined("one run has no spread"))
    assert str(mean(sample())) == "undefined: no run has a score (0/0 scored)"


def test_one_cluster_has_no_error() -> None:
    """[UKGovernmentBEIS/inspect_ai#3906c] Undefined, not NaN, not certainty."""
    found = mean(sample(1, 0, 1, 1, 0, 1, groups=["doc1"] * 6))
    assert found.value == pytest.approx(2 / 3)
    assert found.interval == Undefined("one cluster has no spread")


def test_a_row_without_a_group_is_a_cluster_of_its_own() -> None:
    """[UKGovernmentBEIS/inspect_ai#4714] Never one cluster of all that miss it."""
    found = mean(sample(1, 0, 1, 1, 1, 0, groups=["a", "a", "b", None, None, None]))
    assert interval_of(found).method == "t, clustered by 5 groups"


def test_a_mean_says_how_many_rows_it_stands_on() -> None:
    """[pydantic/pydantic-ai#7928] A mean of one and a mean of five do not look the same."""
    first = mean(sample(None, 0.9, None, None, None, failed=4))
    second = mean(sample(0, 1, 1, 0, 1))
    assert (first.value, first.coverage) == (0.9, Coverage(1, 0, 4))
    assert (second.value, second.coverage) == (0.6, Coverage(5, 0, 0))
    assert "1/5 scored" in str(first)


@given(st.permutations([None, 0.5, 0.7]))
def test_the_order_of_failures_does_not_matter(scores: list[float | None]) -> None:
    """[wandb/weave#7758] A failing first row changes nothing."""
    found = mean(sample(*scores, failed=1))
    assert (found.value, found.coverage.n_failed) == (pytest.approx(0.6), 1)
    assert mean(sample(None, None, None, failed=3)).value == Undefined("no run has a score")


def test_passes_of_clustered_rows_stay_within_0_and_1() -> None:
    """The interval is cut."""
    found = pass_rate(sample(1, 1, 1, 1, 0.9, 0.1, groups=list("aabbcc")), 0.5)
    assert bounds(found)[1] == 1.0


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: mean(sample(1, 2), level=95),
        lambda: mean(sample(1, 2), method="normal"),  # type: ignore[arg-type]  # what is held is that it is refused
        lambda: wilson(3, 2),
        lambda: Sample((1.0,), Coverage(1, 0, 0), ids=("a", "b")),
        lambda: Sample((1.0, 2.0), Coverage(2, 0, 0), ids=("a", "a")),
    ],
)
def test_mistakes_raise_where_they_are_written(mistake: object) -> None:
    """With how to mend them."""
    assert callable(mistake)
    with pytest.raises(DefinitionError):
        mistake()


def test_a_number_may_be_undefined() -> None:
    """Whoever reads a value has to say what happens when there is none."""
    value: Number = mean(sample()).value
    assert isinstance(value, Undefined)


def test_a_mean_on_a_scale_has_an_interval_on_it() -> None:
    """Of passes and misses it is the share, with Wilson's interval; else what lies beyond the ends is cut off."""
    assert bounds(bounded_mean(sample(1, 1, 1))) == bounds(pass_rate(sample(1, 1, 1), 1.0))
    assert bounded_mean(sample(1, 0, 1)).interval == wilson(2, 3)
    half = bounded_mean(sample(0.9, 0.2, 1))
    low, high = bounds(mean(sample(0.9, 0.2, 1)))
    assert low < 0
    assert high > 1
    assert half.value == pytest.approx(0.7)
    assert bounds(half) == (0.0, 1.0)
    assert bounds(bounded_mean(sample(1, 1, 0), 0.0, 5.0)) == pytest.approx((0.0, bounds(mean(sample(1, 1, 0)))[1]))
    assert bounds(bounded_mean(sample(1, 0, 1, 1, groups=["a", "a", "b", "c"]))) == pytest.approx(
        (max(0.0, bounds(mean(sample(1, 0, 1, 1, groups=["a", "a", "b", "c"])))[0]), 1.0)
    )
    assert bounded_mean(sample(None, failed=1)).value == Undefined("no run has a score")
