"""Two runs over the same rows, paired: difference, interval, test, and what changed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from scorewright import DefinitionError
from scorewright.statistics import (
    Interval,
    Sample,
    Undefined,
    compare,
    corrected,
    detectable,
    mcnemar,
    power,
    rows_needed,
)
from scorewright.suites.coverage import Coverage

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12)


def sample(scores: list[float | None], groups: list[str] | None = None, start: int = 0) -> Sample:
    scored = sum(score is not None for score in scores)
    ids = tuple(f"row-{at + start}" for at in range(len(scores)))
    return Sample(
        tuple(scores), Coverage(scored, 0, len(scores) - scored), ids, None if groups is None else tuple(groups)
    )


def both(pairs: list[tuple[float, float]]) -> tuple[Sample, Sample]:
    first, second = zip(*pairs, strict=True)
    return sample([*first]), sample([*second])


@given(PAIRS)
def test_the_difference_is_a_paired_t_interval(pairs: list[tuple[float, float]]) -> None:
    """As scipy has it."""
    found = compare(*both(pairs))
    differences = [after - before for before, after in pairs]
    assert found.difference == pytest.approx(np.mean(differences))
    assert (found.better, found.worse) == (sum(d > 0 for d in differences), sum(d < 0 for d in differences))
    if np.std(differences) > 1e-9:
        expected = stats.ttest_rel([b for _, b in pairs], [a for a, _ in pairs]).confidence_interval(0.95)
        assert isinstance(found.interval, Interval)
        assert (found.interval.low, found.interval.high) == pytest.approx(tuple(expected), abs=1e-9)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=8))
def test_the_permutation_test_tries_every_sign(pairs: list[tuple[int, int]]) -> None:
    """By the definition: the share of all signings that are at least as extreme."""
    differences = [float(after - before) for before, after in pairs]
    if all(value in (0, 1) for pair in pairs for value in pair):
        return
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in product([1, -1], repeat=len(pairs))
    ]
    expected = np.mean([each >= abs(sum(differences)) - 1e-9 for each in sums])
    assert compare(*both([(float(a), float(b)) for a, b in pairs])).p_value == pytest.approx(expected)


def test_many_rows_draw_signs_repeatably() -> None:
    """Near the t test, and never 0."""
    drawn = np.random.default_rng(3)
    before = drawn.normal(0.5, 0.2, 300)
    after = before + drawn.normal(0.02, 0.15, 300)
    first, second = sample([*before]), sample([*after])
    found = compare(first, second)
    assert found == compare(first, second)
    assert found.p_value == pytest.approx(stats.ttest_rel(after, before).pvalue, abs=0.02)
    assert compare(first, sample([*(before + 1)])).p_value == 1 / 10_000


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_statsmodels(rose: int, fell: int) -> None:
    """Exact, two-sided."""
    if rose + fell:
        assert mcnemar(rose, fell) == pytest.approx(oracle_mcnemar([[0, rose], [fell, 0]], exact=True).pvalue)
    assert mcnemar(rose, fell) == mcnemar(fell, rose)
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(700, 800) == pytest.approx(float(oracle_mcnemar([[0, 700], [800, 0]], exact=True).pvalue))


def test_passes_and_misses_of_the_same_items_are_paired() -> None:
    """[EleutherAI/lm-evaluation-harness#3831] The exact test of the items that changed."""
    pairs = [(1.0, 1.0)] * 20 + [(0.0, 0.0)] * 8 + [(0.0, 1.0)] * 10 + [(1.0, 0.0)] * 2
    found = compare(*both(pairs))
    assert found.difference == pytest.approx(0.2)
    assert found.p_value == pytest.approx(0.03857421875)
    assert found.test == "McNemar's exact test"
    assert (found.better, found.worse, found.same) == (10, 2, 28)


def test_only_rows_that_both_scored_are_compared() -> None:
    """The others are counted, and where."""
    first, second = sample([0.1, 0.2, None, 0.4]), sample([0.2, None, 0.3, 0.5], start=1)
    found = compare(first, second)
    assert found.coverage == Coverage(2, 0, 1)
    assert (found.only_first, found.only_second) == (1, 1)
    assert found.difference == pytest.approx(-0.05)
    nothing = compare(sample([0.1]), sample([0.2], start=5))
    assert nothing.difference == nothing.interval == nothing.p_value == Undefined("no row has a score in both")


def test_clusters_change_signs_together() -> None:
    """Rows of one document are one observation of the test, and the interval is clustered."""
    before: list[float | None] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    after: list[float | None] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    together = compare(sample(before, [*"aabbcc"]), sample(after))
    apart = compare(sample(before), sample(after))
    assert (together.p_value, apart.p_value) == (pytest.approx(0.25), pytest.approx(2 / 64))
    assert isinstance(together.interval, Interval)
    assert together.interval.method == "t, clustered by 3 groups"


def test_samples_without_ids_cannot_be_paired() -> None:
    """Rather than paired by accident of order."""
    with pytest.raises(DefinitionError, match="make both samples with ids="):
        compare(Sample((1.0,), Coverage(1, 0, 0)), sample([1.0]))


@tries(max_examples=12)  # each one makes statsmodels collect garbage, twice
@given(st.dictionaries(st.sampled_from("abcdefghijkl"), st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_are_statsmodels(p_values: dict[str, float]) -> None:
    """Holm, and Benjamini and Hochberg; names and order are kept."""
    for ours, theirs in (("holm", "holm"), ("bh", "fdr_bh")):
        found = corrected(p_values, ours)  # type: ignore[arg-type]  # a loop over literals
        assert list(found) == list(p_values)
        assert list(found.values()) == pytest.approx(multipletests(list(p_values.values()), method=theirs)[1])


@given(st.floats(0.05, 2), st.floats(0.1, 2), st.integers(2, 400))
def test_power_is_statsmodels(difference: float, spread: float, n: int) -> None:
    """A paired t test, two-sided."""
    expected = TTestPower().power(difference / spread, n, 0.05)
    found = power(difference, spread, n)
    assert found == pytest.approx(expected, abs=1e-5) if np.isfinite(expected) else 0.05 < found <= 1


def test_the_rows_needed_are_the_fewest() -> None:
    """And the smallest difference that they detect is the one that was asked for."""
    assert rows_needed(0.1, 1.0) == 787
    assert power(0.1, 1.0, 787) >= 0.8 > power(0.1, 1.0, 786)
    assert detectable(787, 1.0) == pytest.approx(0.1, abs=1e-4)
    with pytest.raises(DefinitionError, match="say the smallest one that matters"):
        rows_needed(0.0, 1.0)
    with pytest.raises(DefinitionError, match="greater than 0"):
        power(0.1, 0.0, 10)
