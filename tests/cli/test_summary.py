"""What is counted, and how it is shown."""

from __future__ import annotations

import io
import math
import re
import statistics
import sys
from array import array
from collections.abc import Mapping
from typing import Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import UNBOUNDED, NotScorable, Scale, create_scorer, err, ok
from scorewright.cli.outcome import print_outcome
from scorewright.cli.table import LISTED
from scorewright.core import Scorer, ScoringFailure, Step
from scorewright.suites import BrokenRow, ItemRecord, ItemScore, Place, Row, RowItem, Suite, Summary, evaluate_sync
from scorewright.suites.counting import FIRST, KEPT, Counting
from scorewright.suites.evaluate import RowStream
from scorewright.suites.tally import LOWEST, histogram_of

AnyScorer = Scorer[object, object, object, object]


def scorer(scale: Scale = UNBOUNDED, better: Literal["higher", "lower"] = "higher") -> AnyScorer:
    """Its score is the input; "none" is not scorable, "fail" a failure."""

    def score(step: Step[object, object, None, None]) -> object:
        given = step.run.input
        return err(NotScorable("none")) if given == "none" else err("failed") if given == "fail" else ok(given)

    draft = create_scorer("it", input=object, output=object, scale=scale, better=better)
    return draft.generate_score(score)  # type: ignore[arg-type]  # the test gives all kinds of things


def row(given: object, line: int = 1) -> Row:
    return Row(f"row-{line}", given, None, place=Place("some/runs.jsonl", line))


def evaluated(suite: Suite, *given: object) -> Summary:
    """The summary of rows with these inputs; None stands for a broken row."""
    rows: list[RowItem] = [
        BrokenRow(Place("some/runs.jsonl", line, 1), "broken") if each is None else row(each, line)
        for line, each in enumerate(given, 1)
    ]
    return evaluate_sync(suite, RowStream("some/runs.jsonl", rows))


def summarised(
    *given: object,
    scale: Scale = UNBOUNDED,
    better: Literal["higher", "lower"] = "higher",
    held: Mapping[str, str] | None = None,
) -> Summary:
    return evaluated(Suite(scorer(scale, better), thresholds=held or {}), *given)


def text(summary: Summary, columns: int = 200) -> str:
    file = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        print_outcome(summary, file)
    return file.getvalue()


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.sampled_from(["none", "fail", None]) | finite))
def test_every_row_is_counted_once(given: list[object]) -> None:
    """Scored, not scorable, failed and broken make up the whole; no failure becomes a number."""
    summary = summarised(*given)
    mean = summary["it"].mean
    numbers = [each for each in given if isinstance(each, float)]
    coverage = mean.coverage
    assert (coverage.n_scored, coverage.n_not_scorable, coverage.n_failed, summary.n_broken) == (
        len(numbers),
        given.count("none"),
        given.count("fail"),
        given.count(None),
    )
    assert summary.n_items + summary.n_broken == len(given)
    assert (mean.value is None) == (not numbers)


@given(st.lists(finite, min_size=1))
def test_mean_and_spread_are_those_of_the_scores(given: list[float]) -> None:
    """As the standard library has them, also where their sum is no float."""
    found = summarised(*given)["it"]
    mean = found.mean.value
    assert mean is not None
    assert found.spread is not None
    low, median, high = found.spread
    assert (low, high) == (min(given), max(given))
    assert low <= median <= high
    if all(abs(each) < 1e300 for each in given):
        assert math.isclose(mean, statistics.fmean(given), rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(median, statistics.median(given), rel_tol=1e-9)
    assert math.isfinite(mean)


def test_the_mean_of_the_largest_scores_is_a_number() -> None:
    """Though neither their sum nor that of their shares is a float."""
    largest = sys.float_info.max
    assert summarised(largest, largest, largest)["it"].mean.value == largest
    assert summarised(largest, largest, -largest)["it"].mean.value == largest / 3


@given(st.lists(finite, min_size=1), st.integers(1, 20))
def test_the_bars_hold_every_score(given: list[float], bins: int) -> None:
    """Wherever the scale ends."""
    assert sum(histogram_of(array("d", given), UNBOUNDED, bins)) == len(given)


def test_the_bars_span_the_scale() -> None:
    """Not the range of what happened to be scored; an open scale has no other."""
    assert histogram_of(array("d", [1, 1, 5]), Scale(1, 5), 4) == (2, 0, 0, 1)
    assert summarised(0.3, 0.39, scale=Scale())["it"].histogram == (0, 0, 0, 2, 0, 0, 0, 0, 0, 0)
    assert histogram_of(array("d", [10, 20]), UNBOUNDED, 2) == (1, 1)
    assert histogram_of(array("d", [10, 10]), UNBOUNDED, 3) == (0, 2, 0)
    assert histogram_of(array("d"), UNBOUNDED, 3) == (0, 0, 0)


@pytest.mark.parametrize(("better", "worst"), [("higher", [0.1, 0.2, 0.3]), ("lower", [1.0, 0.9, 0.5])])
def test_the_worst_are_those_far_from_the_good_end(better: Literal["higher", "lower"], worst: list[float]) -> None:
    """Three of them, the worst first."""
    summary = summarised(0.5, 0.1, 1.0, 0.9, 0.3, 0.2, 0.0 if better == "lower" else 1.0, scale=Scale(), better=better)
    assert [low.score for low in summary["it"].lowest] == worst
    assert len(worst) == LOWEST
    assert ("worst" if better == "lower" else "lowest") in text(summary)
    assert ("↓ lower is better" in text(summary)) is (better == "lower")
    assert "higher is better" not in text(summary)


def test_the_best_score_is_never_among_the_worst() -> None:
    """Nothing is told of where all is well, nor a verdict where nothing was asked for."""
    said = text(summarised(1.0, 1.0, scale=Scale()))
    assert "lowest" not in said
    assert "passed" not in said


def test_a_mean_is_never_shown_without_its_coverage() -> None:
    """Scored, not scorable, failed and broken beside it; nothing scored is no mean."""
    said = text(summarised(0.5, "none", "fail", None, None, scale=Scale(), held={"it": ">= 0.8"}))
    assert "0.50  1/5 scored · 1 not scorable · 1 failed · 2 broken" in said
    assert "threshold undecided  it: mean >= 0.8, 0.5 (1/3 scored · 1 not scorable · 1 failed) measured" in said
    assert said.rstrip().endswith("inconclusive: what is missing could change the answer")
    failed = text(summarised("fail", held={"it": ">= 0.4"}))
    assert "—  0/1 scored · 1 failed" in failed
    assert "threshold undecided  it: mean >= 0.4, nothing (0/1 scored · 1 failed) measured" in failed
    assert failed.rstrip().endswith("inconclusive: nothing has a score")


def test_what_a_verdict_rests_on_is_told() -> None:
    """Nothing at all, a missed threshold, a failure where nothing was asked for, a suite without scorers."""
    assert text(summarised()).rstrip().endswith("failed: there was nothing to evaluate")
    assert text(summarised(0.5, held={"it": ">= 0.6"})).rstrip().endswith("a threshold was missed")
    assert text(summarised(0.5, "fail")).rstrip().endswith("incomplete: something failed")
    kept = evaluate_sync(Suite(), [{"input": "a"}], target=str.upper)
    assert "there are no scorers; what the target answered can be scored later" in text(kept)


def test_long_lists_are_cut_and_counted() -> None:
    """The table names twenty, the report keeps a hundred, and all are counted."""
    summary = summarised(*["fail"] * 150, *[None] * 150)
    said = text(summary)
    assert (len(summary.failures), len(summary.broken)) == (KEPT, KEPT)
    assert said.count("runs.jsonl:") == 2 * LISTED
    assert said.count("… and 130 more") == 2
    assert "150 failed" in said
    assert "150 broken rows" in said
    assert "1 broken row, not scored" in text(summarised(None))


def test_what_is_not_scorable_is_told_by_reason() -> None:
    """The first rows of each reason, and how many more; the report keeps a hundred."""
    summary = summarised(*["none"] * 150, 0.5)
    said = text(summary)
    assert "150 not scorable" in said
    assert re.search(r"^runs\.jsonl:1  row-1 +it +none *$", said, re.MULTILINE), said
    assert said.count(" runs.jsonl:") + said.count("\nruns.jsonl:") == FIRST + 1  # and the lowest score
    assert "… and 147 more" in said
    assert (len(summary.not_scorable), summary.n_not_scorable) == (KEPT, 150)
    assert len(summary.to_json()["not_scorable"]) == KEPT  # type: ignore[arg-type]  # a list, as JSON has it


def test_reasons_without_number_do_not_fill_the_memory() -> None:
    """Only so many different ones are kept; all rows are counted."""
    counting = Counting(Suite(scorer()), "runs.jsonl")
    for line in range(1, 301):
        failure = ScoringFailure[object]((), (), "run", step="x", cause=NotScorable(f"reason {line}"), score=None)
        counting.add(ItemRecord(line, row("x", line), (ItemScore("it", err(failure)),)))
    summary = counting.summary()
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
    """A name of its own stands below it, once; that of a step's scorer is no other name."""
    named = attrs.evolve(scorer(), about=attrs.evolve(scorer().about, name="How well"))
    said = text(evaluated(Suite(named), 0.5))
    assert re.search(r"^it +0\.50 .*\nHow well *$", said, re.MULTILINE), said
    assert said.count("How well") == 1
    assert re.search(r"^draft/it +— .*\n\n", text(evaluated(Suite(steps={"draft": [scorer()]}), 0.5)), re.MULTILINE)


def test_a_row_that_fails_all_scorers_alike_is_told_once() -> None:
    """With the names of the scorers; the report tells each failure."""
    summary = evaluated(Suite(scorer(), scorer().named("other")), "fail")
    said = text(summary)
    assert re.search(r"^runs\.jsonl:1  row-1  it, other +generate_score  fail", said, re.MULTILINE), said
    assert said.count("\nruns.jsonl:1 ") == 1
    assert (summary.n_failed, len(summary.failures)) == (2, 2)
