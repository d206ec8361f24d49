"""What is counted, and how it is shown."""

from __future__ import annotations

import io
import math
import re
import statistics
from typing import Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import UNBOUNDED, NotScorable, Scale, create_scorer, err, ok
from scorewright.cli.gates import Gate
from scorewright.cli.loading import AnyScorer
from scorewright.cli.report import report
from scorewright.cli.scoring import Scored, reader_for, score_lines
from scorewright.cli.summary import FIRST, KEPT, LOWEST, Summary, summary_of
from scorewright.cli.table import LISTED, print_summary
from scorewright.core import ScoringFailure, Step
from scorewright.suites import BrokenRow, Place, Row


def scorer(scale: Scale = UNBOUNDED, better: Literal["higher", "lower"] = "higher") -> AnyScorer:
    """Its score is the input; "none" is not scorable, "fail" a failure."""

    def score(step: Step[object, object, None, None]) -> object:
        given = step.run.input
        return err(NotScorable("none")) if given == "none" else err("failed") if given == "fail" else ok(given)

    draft = create_scorer("it", input=object, output=object, scale=scale, better=better)
    return draft.generate_score(score)  # type: ignore[arg-type]  # the test gives all kinds of things


def row(given: object, line: int = 1) -> Row:
    return Row(f"row-{line}", given, None, place=Place(line=line))


def summarised(*given: object, scale: Scale = UNBOUNDED, better: Literal["higher", "lower"] = "higher") -> Summary:
    """The summary of runs with these inputs; None stands for a broken line."""
    scoring = scorer(scale, better)
    summary = summary_of("runs.jsonl", [scoring])
    lines = [
        BrokenRow(Place("runs.jsonl", line, 1), "broken") if each is None else row(each, line)
        for line, each in enumerate(given, 1)
    ]
    score_lines(lines, (reader_for(scoring),), 1, summary.add)
    return summary


def text(summary: Summary, *gates: Gate, columns: int = 200) -> str:
    file = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
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
    assert ("↓ lower is better" in text(summary)) is (better == "lower")
    assert "higher is better" not in text(summary)


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
    assert "1 broken line, not scored" in text(summarised(None))


def test_a_gate_may_hold_a_mean_from_above() -> None:
    """Where lower is better."""
    summary = summarised(0.25, 0.75, scale=Scale(), better="lower")
    tallies = [*summary.tallies.values()]
    assert Gate("it", 0.5, "over").passes(tallies)
    assert not Gate("it", 0.2, "over").passes(tallies)
    assert "gate failed  it: mean 0.5 over 2 scored, at most 0.2 wanted" in text(summary, Gate("it", 0.2, "over"))


def test_what_is_not_scorable_is_told_by_reason() -> None:
    """The first runs of each reason, and how many more; the report keeps a hundred."""
    summary = summarised(*["none"] * 150, 0.5)
    said = text(summary)
    assert "150 not scorable" in said
    assert re.search(r"^runs\.jsonl:1  row-1 +it +none *$", said, re.MULTILINE), said
    assert said.count("runs.jsonl:") == FIRST + 1  # and the lowest score
    assert "… and 147 more" in said
    assert (len(summary.not_scorable), summary.n_not_scorable) == (KEPT, 150)
    assert len(report(summary, [], 0)["not_scorable"]) == KEPT  # type: ignore[arg-type]  # a list, as JSON has it


def test_reasons_without_number_do_not_fill_the_memory() -> None:
    """Only so many different ones are kept; all runs are counted."""
    summary = summary_of("runs.jsonl", [scorer()])
    for line in range(1, 301):
        failure = ScoringFailure[object]((), (), "run", step="x", cause=NotScorable(f"reason {line}"), score=None)
        summary.add(Scored(row("x", line), scorer(), err(failure)))
    assert (len(summary.reasons), summary.n_not_scorable) == (KEPT, 300)
    assert f"… and {300 - LISTED} more" in text(summary)


def test_a_narrow_table_has_no_bars() -> None:
    """Numbers come first; nothing is folded."""
    summary = summarised(0.5, "none", scale=Scale())
    assert "distribution" in text(summary, columns=100)
    narrow = text(summary, columns=66)
    assert "distribution" not in narrow
    assert "0.50  1/2 scored · 1 not scorable  0.50    0.50  0.50" in narrow


def test_a_scorer_goes_by_its_id() -> None:
    """A name of its own stands below it, once."""
    named = attrs.evolve(scorer(), about=attrs.evolve(scorer().about, name="How well"))
    summary = summary_of("runs.jsonl", [named])
    score_lines([row(0.5)], (reader_for(named),), 1, summary.add)
    said = text(summary)
    assert re.search(r"^it +0\.50 .*\nHow well *$", said, re.MULTILINE), said
    assert said.count("How well") == 1


def test_a_row_that_fails_all_scorers_alike_is_told_once() -> None:
    """With the names of the scorers; the report tells each failure."""
    one, two = scorer(), scorer().named("other")
    summary = summary_of("runs.jsonl", [one, two])
    score_lines([row("fail")], (reader_for(one), reader_for(two)), 1, summary.add)
    said = text(summary)
    assert re.search(r"^runs\.jsonl:1  row-1  it, other +generate_score  fail", said, re.MULTILINE), said
    assert said.count("runs.jsonl:1 ") == 1
    assert (summary.n_failed, len(summary.failures)) == (2, 2)
