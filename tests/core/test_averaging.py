"""A mean is the exact one, rounded once: what is held against a limit does not miss it by a last bit."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Literal

import pytest
from algebra.leaves import RUN, Answers, fixed
from hypothesis import given
from hypothesis import strategies as st
from suites.scoring import number

from scorewright import Scale, Scorer, create_scorer, pure
from scorewright.algebra import mean as mean_of_parts
from scorewright.algebra import weighted
from scorewright.algebra.reducing import reduced
from scorewright.core.averaging import mean_of, weighted_mean
from scorewright.faults import Fault
from scorewright.live.health import MEAN, Baseline, Monitor, Window
from scorewright.live.health.reading import measured
from scorewright.live.health.windows import Observation, Rolling
from scorewright.reports.figures import figure
from scorewright.statistics import Sample, bounded_mean, harmonic_mean, mean, over_groups, repeats
from scorewright.suites import Suite, evaluate_sync
from scorewright.suites.coverage import Coverage
from scorewright.suites.tally import Tally

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SOME = st.lists(FLOATS, min_size=1, max_size=30)
WEIGHED = st.lists(st.tuples(FLOATS, st.floats(0, 1e300)), min_size=1, max_size=10).filter(
    lambda pairs: any(weight for _, weight in pairs)
)


@given(SOME)
def test_the_mean_is_the_exact_one_rounded_once(scores: list[float]) -> None:
    """Of any floats, also where their sum is none."""
    assert mean_of(scores) == float(sum(map(Fraction, scores)) / len(scores))
    assert mean_of(array("d", scores)) == mean_of(scores) == weighted_mean(scores, [2.5] * len(scores))


@given(SOME, st.randoms())
def test_order_does_not_matter_and_no_mean_lies_outside(scores: list[float], chance: Random) -> None:
    """Shuffled, it is the same; it lies between the lowest and the highest."""
    other = sorted(scores)
    chance.shuffle(other)
    assert mean_of(other) == mean_of(scores)
    assert min(scores) <= mean_of(scores) <= max(scores)


@given(FLOATS, st.integers(1, 400))
def test_the_mean_of_equal_scores_is_that_score(score: float, n: int) -> None:
    """However many."""
    assert mean_of([score] * n) == score


@given(WEIGHED)
def test_a_weighted_mean_is_the_exact_one_too(pairs: list[tuple[float, float]]) -> None:
    """The sum of the products over the sum of the weights."""
    scores, weights = zip(*pairs, strict=True)
    exact = sum(Fraction(score) * Fraction(weight) for score, weight in pairs) / sum(map(Fraction, weights))
    assert weighted_mean(scores, weights) == float(exact)


def _sample(scores: Sequence[float], groups: bool = False) -> Sample:
    names = tuple(f"g{at % 3}" for at in range(len(scores))) if groups else None
    return Sample(tuple(scores), Coverage(len(scores), 0, 0), groups=names)


def _tally(scores: Sequence[float]) -> object:
    return Tally("t", "t", Scale(0, 1), "higher", scores=array("d", scores)).mean.value


def _suite(scores: Sequence[float]) -> object:
    rows: list[dict[str, object]] = [{"input": "q", "output": repr(score)} for score in scores]
    return evaluate_sync(Suite(number), rows)["number"].mean.value


def _window(scores: Sequence[float]) -> object:
    rolling = Rolling(Window(count=len(scores)))
    for score in scores:
        rolling.add(Observation("s", "scored", score, 0.0))
    return measured(rolling.held(0.0), MEAN, least=1, level=0.95).value


def _parts(scores: Sequence[float]) -> object:
    parts = [fixed(f"p{at}", score) for at, score in enumerate(scores)]
    return mean_of_parts(*parts).run_sync(RUN, answer=Answers()).unwrap().score


def _weighted(scores: Sequence[float]) -> object:
    parts = [(1 + at / 7, fixed(f"p{at}", score)) for at, score in enumerate(scores)]
    return weighted(*parts).run_sync(RUN, answer=Answers()).unwrap().score


MAKERS: dict[str, Callable[[Sequence[float]], object]] = {
    "a tally": _tally,
    "a suite": _suite,
    "a report": lambda scores: figure(array("d", scores), Coverage(len(scores), 0, 0)).value,
    "statistics": lambda scores: mean(_sample(scores)).value,
    "statistics of clusters": lambda scores: mean(_sample(scores, groups=True)).value,
    "statistics on a scale": lambda scores: bounded_mean(_sample(scores)).value,
    "groups that count the same": lambda scores: over_groups(_sample(scores, groups=True), weighting="equal").value,
    "groups by their size": lambda scores: over_groups(_sample(scores, groups=True), weighting="by_size").value,
    "the harmonic mean": lambda scores: harmonic_mean(_sample(scores)).value,
    "repeats": lambda scores: repeats(scores, threshold=0.5, rule="mean").mean,
    "a window": _window,
    "a baseline": lambda scores: Baseline.of(scores).mean,
    "parts": _parts,
    "parts with weights": _weighted,
    "samples of a part": lambda scores: reduced("mean", scores),
    "the median of samples": lambda scores: reduced("median", scores),
}


@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("score", [0.1, 0.7, 0.3, 0.55])
def test_wherever_a_mean_is_made_equal_scores_have_that_mean(made: str, score: float) -> None:
    """Suites, reports, statistics, windows and combinations all make it in the same way."""
    assert {n: MAKERS[made]([score] * n) for n in (3, 6, 12, 24)} == dict.fromkeys((3, 6, 12, 24), score)


def _said(scale: Scale, better: Literal["higher", "lower"]) -> Scorer[str, str, object, Fault]:
    return create_scorer("said", input=str, output=str, scale=scale, better=better).generate_score(
        pure(lambda s: float(s.run.output))
    )


@pytest.mark.parametrize("n", [1, 3, 6, 12, 24])
@pytest.mark.parametrize("n_failed", [0, 1, 5])
@pytest.mark.parametrize("limit", [0.1, 0.7])
@pytest.mark.parametrize("higher", [True, False])
def test_a_mean_that_is_its_limit_meets_it(n: int, n_failed: int, limit: float, higher: bool) -> None:
    """Whichever side is good; also where what failed could have been anything from the limit to the good end."""
    scorer = _said(Scale(limit, 1), "higher") if higher else _said(Scale(0, limit), "lower")
    rows: list[dict[str, object]] = [{"input": "q", "output": said} for said in [str(limit)] * n + ["?"] * n_failed]
    summary = evaluate_sync(Suite((scorer, f"{'>=' if higher else '<='} {limit}")), rows)
    assert (summary["said"].mean.coverage.n_failed, summary.verdict) == (n_failed, "passed")


@pytest.mark.parametrize("n", [3, 6, 12])
def test_a_monitor_does_not_alert_on_its_own_threshold(n: int) -> None:
    """Neither below nor above."""
    rolling = Rolling(Window(count=n))
    for _ in range(n):
        rolling.add(Observation("s", "scored", 0.7, 0.0))
    found = measured(rolling.held(0.0), MEAN, least=1, level=0.95)
    for bound in ({"below": 0.7}, {"above": 0.7}):
        assert Monitor("m", scorer="s", measure=MEAN, least=1, **bound).judge(found) == "clear"
