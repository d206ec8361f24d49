"""What an aggregate does about runs that failed is chosen and said; unset is not empty; repeats keep their spread."""

from __future__ import annotations

import pytest
from returns.result import Result

from scorewright import DefinitionError, Evaluation, NotScorable, Run, create_scorer, err, ok, pure
from scorewright.core import ScoringFailure
from scorewright.statistics import (
    Estimate,
    Sample,
    Undefined,
    aggregates,
    counted_as,
    harmonic_mean,
    mean,
    pass_rate,
    refused_below,
    repeats,
)
from scorewright.suites.coverage import Coverage

number = create_scorer("number", input=str, output=str).generate_score(
    lambda s: err(NotScorable("it says none")) if s.run.output == "none" else ok(float(s.run.output))
)


def outcomes(*said: str) -> list[Result[Evaluation, ScoringFailure[object]]]:
    return [number.run_sync(Run("q", each)) for each in said]  # type: ignore[misc]  # failures of a narrower kind


def sample(*scores: float | None) -> Sample:
    scored = sum(score is not None for score in scores)
    return Sample(scores, Coverage(scored, 0, len(scores) - scored))


def test_what_failed_runs_count_as_is_chosen_and_named() -> None:
    """[comet-ml/opik#8134a] Left out with their coverage, the worst score, or no aggregate; each says so."""
    given = sample(1.0, 1.0, 1.0, None, 1.0, 1.0, None, 1.0)
    left_out, as_worst = mean(given), mean(given, missing=counted_as(0))
    refused = mean(given, missing=refused_below(0.8))
    assert (left_out.value, left_out.coverage.n_scored, left_out.coverage.n) == (1.0, 6, 8)
    assert as_worst.value == 0.75
    assert as_worst.coverage == given.coverage
    assert refused.value == Undefined("6 of 8 runs are scored, less than 0.8")
    assert str(left_out) == "1 [1, 1] (6/8 scored · 2 failed)"
    assert str(as_worst).endswith("(6/8 scored · 2 failed; failed runs count as 0)")
    assert str(refused).endswith("; undefined where less than 0.8 of the runs are scored)")
    assert mean(given, missing=refused_below(0.75)).value == 1.0
    assert pass_rate(given, 1.0, missing=counted_as(0)).value == 0.75
    assert pass_rate(given, 1.0, missing=refused_below(0.8)).value == refused.value


def test_the_caution_about_survivors_goes_where_they_are_counted() -> None:
    """It is about runs that are left out."""
    given = sample(*[1.0] * 100, None)
    assert len(mean(given).caution) == 1
    assert mean(given, missing=counted_as(0)).caution == ()


def test_what_is_not_scorable_is_no_failure() -> None:
    """It counts as no score; where nobody knows which is which, it is asked for."""
    found = Sample.of(outcomes("1", "none", "boom"))
    assert found.unscorable == {1}
    assert mean(found, missing=counted_as(0)).value == 0.5
    unknown = Sample((1.0, None, None), Coverage(1, 1, 1))
    with pytest.raises(DefinitionError, match="say unscorable="):
        mean(unknown, missing=counted_as(0))


def test_failed_runs_stay_in_their_clusters() -> None:
    """The error is that of the scores with what was put in."""
    given = Sample((1.0, None, 1.0, 1.0), Coverage(3, 0, 1), groups=("a", "a", "b", "b"))
    whole = Sample((1.0, 0.0, 1.0, 1.0), Coverage(4, 0, 0), groups=("a", "a", "b", "b"))
    assert mean(given, missing=counted_as(0)).interval == mean(whole).interval


@pytest.mark.parametrize(("wrong", "why"), [(float("nan"), "a number of the scale")])
def test_a_rule_is_checked(wrong: float, why: str) -> None:
    """When it is made."""
    with pytest.raises(DefinitionError, match=why):
        counted_as(wrong)
    for share in (0, 1.5):
        with pytest.raises(DefinitionError, match="above 0 and at most 1"):
            refused_below(share)


def test_no_aggregates_named_is_not_none_wanted() -> None:
    """[mlflow/mlflow#22302] Unset is the pass rate of passes and misses, an empty list is nothing."""
    passes = sample(1.0, 1.0, 0.0)
    unset = aggregates(passes)
    assert {name: each.value for name, each in unset.items()} == {"pass_rate": pytest.approx(2 / 3)}
    assert dict(aggregates(passes, [])) == {}
    assert [*aggregates(sample(0.5, 1.0))] == ["mean"]
    named = aggregates(sample(0.5, 1.0, 0.0), ["max", "median", "min", "mean"])
    assert [(name, each.value) for name, each in named.items()] == [
        ("max", 1.0), ("median", 0.5), ("min", 0.0), ("mean", 0.5),
    ]  # fmt: skip
    with pytest.raises(DefinitionError, match="an aggregate is one of"):
        aggregates(passes, ["average"])  # type: ignore[list-item]  # what is held is that it is refused


def test_a_harmonic_mean_with_a_zero_is_zero() -> None:
    """[vibrantlabsai/ragas#217] And undefined where a part failed, unless the rule says otherwise; never a warning."""
    assert harmonic_mean(sample(0.0, 0.9, 0.8)).value == 0.0
    assert harmonic_mean(sample(0.5, 0.5)).value == 0.5
    failed = harmonic_mean(sample(0.9, None))
    assert failed.value == Undefined("1 of 2 runs are scored, less than 1")
    assert failed.coverage == Coverage(1, 0, 1)
    assert harmonic_mean(sample(0.9, None), missing=counted_as(0)).value == 0.0
    assert harmonic_mean(sample()).value == Undefined("no run has a score")
    assert harmonic_mean(sample(-0.5, 1.0)).value == Undefined("a score is below 0")
    assert isinstance(aggregates(sample(0.9, 0.6), ["harmonic_mean"])["harmonic_mean"], Estimate)


def test_repeated_samples_keep_rate_mean_and_spread() -> None:
    """[confident-ai/deepeval#3110] The verdict is by the rule that was said, and no sample wins silently."""
    runs = [0.71, 0.68, 0.73]
    for rule, passes in (("all", False), ("majority", True), ("mean", True)):
        found = repeats(runs, threshold=0.7, rule=rule)  # type: ignore[arg-type]  # literals of a list
        assert found.passes is passes
        assert (found.pass_rate, found.mean) == (pytest.approx(2 / 3), pytest.approx(0.7066666666666667))
        assert found.spread == pytest.approx(0.0251661)
    assert repeats(runs, threshold=0.7, rule="all", better="lower").pass_rate == pytest.approx(1 / 3)
    with pytest.raises(DefinitionError, match="rule= is 'all', 'majority' or 'mean'"):
        repeats(runs, threshold=0.7, rule="first")  # type: ignore[arg-type]  # what is held is that it is refused


@pytest.mark.parametrize(
    ("scores", "rule", "passes"),
    [
        ([1.0, 1.0, None], "majority", True),
        ([0.0, None, 1.0], "majority", None),
        ([0.0, 0.0, None], "majority", False),
        ([1.0, None], "all", None),
        ([0.0, None], "all", False),
        ([1.0, None], "mean", None),
        ([None, None], "all", None),
        ([], "all", None),
    ],
)
def test_a_sample_that_failed_makes_unsure_only_what_it_could_change(
    scores: list[float | None], rule: str, passes: bool | None
) -> None:
    """None is undefined here."""
    found = repeats(scores, threshold=0.5, rule=rule)  # type: ignore[arg-type]  # literals of a list
    assert (None if isinstance(found.passes, Undefined) else found.passes) is passes
    assert found.n_failed == scores.count(None)


def test_a_pure_score_needs_no_rule() -> None:
    """Where all runs are scored every rule gives the same."""
    same = create_scorer("same", input=str, output=str).generate_score(pure(lambda _: 0.25))
    whole = Sample.of([same.run_sync(Run("q", "a"))] * 3)
    assert mean(whole).value == mean(whole, missing=refused_below(1)).value == 0.25
