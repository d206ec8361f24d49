"""Two evaluations compared."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import attrs
import pytest
from reports.samples import SCRIPT, number, reported, rows, waste
from reports.test_writers import printed
from returns.pipeline import is_successful

from scorewright.reports import Report, RunComparison, compare_reports, comparison_json, comparison_markdown
from scorewright.suites import Coverage, Suite

SUITE = Suite(number, waste)


def report_of_outputs(*outputs: str) -> Report:
    return reported(SUITE, rows(*outputs))


def compared(first: Sequence[str], second: Sequence[str]) -> RunComparison:
    return compare_reports(report_of_outputs(*first), report_of_outputs(*second)).unwrap()


def test_what_became_worse_beyond_chance_is_worse() -> None:
    """Paired by row: difference, interval, corrected p, counts."""
    before = [str(0.5 + at / 100) for at in range(20)]
    after = [str(0.3 + at / 100) for at in range(20)]
    first, _ = compared(before, after).scorers
    assert first.difference == pytest.approx(-0.2)
    assert first.low == pytest.approx(-0.2)
    assert (first.n_better, first.n_worse, first.n_same) == (0, 20, 0)
    assert first.p_value is not None
    assert first.p_value < 0.05
    assert first.outcome == "worse"
    assert compared(after, before).scorers[0].outcome == "better"


def test_where_lower_is_better_a_rise_is_worse() -> None:
    """Its rows are counted so, too."""
    found = compared(["0.5"] * 20, ["0.50000"] * 20).scorers[1]
    assert found.difference == pytest.approx(0.4)
    assert (found.n_better, found.n_worse, found.outcome) == (0, 20, "worse")


def test_what_chance_may_explain_is_noise() -> None:
    """A difference alone is no finding."""
    found = compared(["0.5", "0.6", "0.7"], ["0.6", "0.5", "0.8"]).scorers[0]
    assert (found.n_better, found.n_worse, found.outcome) == (2, 1, "noise")


def test_rows_that_changed_come_with_their_reasons_the_worst_first() -> None:
    """Then those that only one side has scored; those that are the same do not come."""
    found = compared(["0.5", "0.5", "0.5", "fail", "0.5"], ["0.6", "0.1", "0.5", "0.5", "none"]).scorers[0]
    assert [(each.id, each.change) for each in found.changed] == [
        ("r1", "worse"),
        ("r0", "better"),
        ("r3", "only second"),
        ("r4", "only first"),
    ]
    assert (found.changed[0].first_reason, found.changed[0].second_reason) == ("it says 0.5", "it says 0.1")
    assert found.coverage == Coverage(3, 0, 2)


def test_other_rows_are_refused_unless_that_is_allowed() -> None:
    """What differs is named; what both have is compared, and what differs is kept."""
    first, second = report_of_outputs("0.5", "0.5"), report_of_outputs("0.6", "0.6", "0.6")
    refused = compare_reports(first, second)
    assert not is_successful(refused)
    assert refused.failure().why == ("1 row is only in the second: 'r2'",)
    allowed = compare_reports(first, second, allow_changed=True).unwrap()
    assert allowed.differs == ("1 row is only in the second: 'r2'",)
    assert allowed.scorers[0].only_second == 1


def test_rows_that_ask_something_else_are_refused() -> None:
    """The same id is not enough; another output is what is compared."""
    first = reported(SUITE, [{"id": "a", "input": "one", "output": "0.5"}])
    second = reported(SUITE, [{"id": "a", "input": "two", "output": "0.5"}])
    assert compare_reports(first, second).failure().why == ("1 row is not the same in both: 'a'",)


@pytest.mark.parametrize(
    ("hashes", "why"), [(("a", "b"), "is not the same"), (("unstable", "unstable"), "has no stable form")]
)
def test_other_scorers_are_refused(hashes: tuple[str, str], why: str) -> None:
    """Also where nobody knows."""
    reports = [
        attrs.evolve(each, scorers=tuple(attrs.evolve(scorer, hash=hash_) for scorer in each.scorers))
        for each, hash_ in zip([report_of_outputs("0.5")] * 2, hashes, strict=True)
    ]
    refused = compare_reports(*reports)
    assert [each for each in refused.failure().why if why in each] == [*refused.failure().why]


def test_scorers_of_one_side_only_are_named() -> None:
    """Without a shared one there is nothing to compare, whatever is allowed."""
    first, second = reported(Suite(number), rows("0.5")), reported(Suite(waste), rows("0.5"))
    assert compare_reports(first, second, allow_changed=True).failure().why == ("no scorer is in both",)
    both = report_of_outputs("0.5")
    assert compare_reports(both, second).failure().why == ("the scorer 'number' is only in the first",)


def test_without_a_row_in_both_nothing_is_known() -> None:
    """No number is made up."""
    found = compared(["fail"], ["0.5"]).scorers[0]
    assert (found.difference, found.p_value, found.outcome) == (None, None, "unknown")
    assert found.why == "no row has a score in both"


def test_without_statistics_only_the_difference_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is said what is missing."""
    first, second = report_of_outputs("0.5", "0.5"), report_of_outputs("0.6", "0.6")
    monkeypatch.setitem(sys.modules, "scorewright.statistics", None)
    found = compare_reports(first, second).unwrap().scorers[0]
    assert (found.difference, found.low, found.outcome) == (pytest.approx(0.1), None, "unknown")
    assert "pip install 'scorewright[statistics]'" in found.why


def test_turns_are_paired_turn_by_turn() -> None:
    """And are one cluster."""

    def talk(*outputs: str) -> Report:
        turns = [{"input": "q", "output": output} for output in outputs]
        return reported(Suite(turns=[number]), [{"id": str(at), "input": "talk", "turns": turns} for at in range(3)])

    found = compare_reports(talk("0.5", "0.5"), talk("0.5", "0.1"), allow_changed=True).unwrap().scorers[0]
    assert (found.n_worse, found.n_same, {each.turn for each in found.changed}) == (3, 3, {2})


def test_a_comparison_is_shown_in_three_ways() -> None:
    """The same numbers each time; text stays text."""
    named = attrs.evolve(compared(["0.5"] * 12, ["0.2"] * 12), first=f"{SCRIPT}|x")
    text, table = comparison_markdown(named), printed(named, 200)
    form = json.loads(json.dumps(comparison_json(named), allow_nan=False))
    assert "<script>" not in text
    assert "-0.3" in text
    assert "-0.3" in table
    assert form["scorers"][0]["difference"] == pytest.approx(-0.3)
    assert form["scorers"][0]["outcome"] == "worse"
    assert "… 2 more" in table
    assert "corrected for 2 scorers (Holm)" in table
    alone = attrs.evolve(named, scorers=named.scorers[:1])
    assert "p-values" in comparison_markdown(alone)
    assert "Holm" not in comparison_markdown(alone)  # of one p-value nothing is corrected
