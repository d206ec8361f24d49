"""What is counted, and how it is shown."""

from __future__ import annotations

import io
import math
import statistics
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import UNBOUNDED, NotScorable, Scale, create_scorer, err, ok
from scorewright.cli.loading import AnyScorer
from scorewright.cli.rows import BrokenLine, Row
from scorewright.cli.scoring import reader_for, score_lines
from scorewright.cli.summary import KEPT, LOWEST, Gate, Summary, summary_of
from scorewright.cli.table import LISTED, print_summary
from scorewright.core import Step


def scorer(scale: Scale = UNBOUNDED, better: Literal["higher", "lower"] = "higher") -> AnyScorer:
    """Its score is the input; "none" is not scorable, "fail" a failure."""

    def score(step: Step[object, object, None, None]) -> object:
        given = step.run.input
        return err(NotScorable("none")) if given == "none" else err("failed") if given == "fail" else ok(given)

    draft = create_scorer("it", input=object, output=object, scale=scale, better=better)
    return draft.generate_score(score)  # type: ignore[arg-type]  # the test gives all kinds of things


def row(given: object, line: int = 1) -> Row:
    return Row(line, f"row-{line}", given, None, None, {}, {}, "run", 0)


def summarised(*given: object, scale: Scale = UNBOUNDED, better: Literal["higher", "lower"] = "higher") -> Summary:
    """The summary of runs with these inputs; None stands for a broken line."""
    scoring = scorer(scale, better)
    summary = summary_of("runs.jsonl", [scoring])
    lines = [
        BrokenLine(line, 1, "broken", 0) if each is None else row(each, line) for line, each in enumerate(given, 1)
    ]
    score_lines(lines, (reader_for(scoring),), 1, summary.add)
    return summary


def text(summary: Summary, *gates: Gate) -> str:
    file = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        print_summary(summary, gates, file)
    return file.getvalue()


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.sampled_from(["none", "fail", None]) | finite))
def test_every_line_is_counted_once(given: list[object]) -> None:
    """Scored, not scorable, failed and broken make up the whole; no failure becomes a number."""
    summary = summarised(*given)
    tally = summary.tallies["it"]
    numbers = [each for each in given if isinstance(each, float)]
    assert (tally.n_scored, tally.n_not_scorable, tally.n_failed, summary.n_broken) == (
        len(numbers),
        given.count("none"),
        given.count("fail"),
        given.count(None),
    )
    assert summary.n_rows + summary.n_broken == len(given)
    assert (tally.mean is None) == (not numbers)


@given(st.lists(finite, min_size=1))
def test_mean_and_spread_are_those_of_the_scores(given: list[float]) -> None:
    """As the standard library has them, also where their sum is no float."""
    tally = summarised(*given).tallies["it"]
    assert tally.mean is not None
    assert tally.spread is not None
    low, median, high = tally.spread
    assert (low, high) == (min(given), max(given))
    assert low <= median <= high
    if all(abs(each) < 1e300 for each in given):
        assert math.isclose(tally.mean, statistics.fmean(given), rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(median, statistics.median(given), rel_tol=1e-9)
    assert math.isfinite(tally.mean)


@given(st.lists(finite, min_size=1), st.integers(1, 20))
def test_the_bars_hold_every_score(given: list[float], bins: int) -> None:
    """Wherever the scale ends."""
    assert sum(summarised(*given).tallies["it"].histogram(bins)) == len(given)


def test_the_bars_span_the_scale() -> None:
    """Not the range of what happened to be scored; an open scale has no other."""
    assert summarised(1, 1, 5, scale=Scale(1, 5)).tallies["it"].histogram(4) == (2, 0, 0, 1)
    assert summarised(0.3, 0.39, scale=Scale()).tallies["it"].histogram(10) == (0, 0, 0, 2, 0, 0, 0, 0, 0, 0)
    assert summarised(10, 20).tallies["it"].histogram(2) == (1, 1)
    assert summarised(10, 10).tallies["it"].histogram(3) == (0, 2, 0)
    assert summary_of("x", [scorer()]).tallies["it"].histogram(3) == (0, 0, 0)


@pytest.mark.parametrize(("better", "worst"), [("higher", [0.1, 0.2, 0.3]), ("lower", [1.0, 0.9, 0.5])])
def test_the_worst_are_those_far_from_the_good_end(better: Literal["higher", "lower"], worst: list[float]) -> None:
    """Three of them, the worst first."""
    summary = summarised(0.5, 0.1, 1.0, 0.9, 0.3, 0.2, 0.0 if better == "lower" else 1.0, scale=Scale(), better=better)
    assert [low.score for low in summary.tallies["it"].lowest] == worst
    assert len(worst) == LOWEST
    assert ("worst" if better == "lower" else "lowest") in text(summary)
    assert ("↓ lower is better" if better == "lower" else "↑ higher is better") in text(summary)


def test_the_best_score_is_never_among_the_worst() -> None:
    """Nothing is told of where all is well."""
    assert "lowest" not in text(summarised(1.0, 1.0, scale=Scale()))


def test_a_mean_is_never_shown_without_its_coverage() -> None:
    """Scored, not scorable, failed and broken beside it; nothing scored is no mean."""
    said = text(summarised(0.5, "none", "fail", None, None), Gate("it", 0.4), Gate("it", 0.6))
    assert "0.50  1/5 scored · 1 not scorable · 1 failed · 2 broken" in said
    assert "gate passed  it: mean 0.5 over 1 scored, at least 0.4 wanted" in said
    assert "gate failed  it: mean 0.5 over 1 scored, at least 0.6 wanted" in said
    assert "—  0/1 scored · 1 failed" in text(summarised("fail"))
    assert "gate failed  it: nothing was scored, at least 0.4 wanted" in text(summarised("fail"), Gate("it", 0.4))


def test_long_lists_are_cut_and_counted() -> None:
    """The table names twenty, the report keeps a hundred, and all are counted."""
    summary = summarised(*["fail"] * 150, *[None] * 150)
    said = text(summary)
    assert (len(summary.failures), len(summary.broken)) == (KEPT, KEPT)
    assert said.count("runs.jsonl:") == 2 * LISTED
    assert said.count("… and 130 more") == 2
    assert "150 failed" in said
    assert "150 broken lines" in said
