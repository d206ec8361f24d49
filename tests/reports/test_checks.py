"""Thresholds and gates of a report, and the one verdict that follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from reports.samples import number, reported, rows, stored, waste

from scorewright import create_scorer, score_prompt
from scorewright.faults import DefinitionError
from scorewright.reports import report_of
from scorewright.reports.asked import asked_in
from scorewright.reports.sentences import check, failed, verdict
from scorewright.suites import Suite, evaluate_sync


def test_one_rule_decides_and_is_named() -> None:
    """`EntityProcess/agentv#882`: the mean passes, an item does not; each check names its own rule and decision."""
    report = reported(Suite((number, ">= 0.8")), rows("1", "1", "0.6"))
    (threshold,) = report.checks
    assert (threshold.rule, threshold.decision, report.verdict) == ("mean >= 0.8", "met", "passed")
    assert check(threshold) == "mean >= 0.8; 0.8667 measured (3/3 scored)"
    gated = reported(Suite((number, ">= 0.8"), gates={"number": ">= 0.8"}), rows("1", "1", "0.6"))
    assert [(each.rule, each.decision) for each in gated.checks] == [
        ("every item >= 0.8", "missed"),
        ("mean >= 0.8", "met"),
    ]
    assert verdict(gated) == ("failed", "an item missed a gate")


def test_all_that_failed_is_told_with_its_cause() -> None:
    """`project-arbr/arbr-control-plane#106`: how many of how many, the most common cause, and how often it was."""
    report = reported(Suite(number), rows(*["fail: model not found"] * 7, "fail: unreadable"))
    told = failed(report, report.scorers[0])
    assert told.startswith("8 of 8 failed; most common cause: ")
    assert "model not found" in told
    assert told.endswith("(7)")
    assert verdict(report) == ("inconclusive", "nothing has a score")


def test_no_judge_is_another_message_than_a_judge_that_failed() -> None:
    """`project-arbr/arbr-control-plane#106`: nothing was asked, and that is said."""
    asks = create_scorer("judged", input=str, output=str)
    with pytest.raises(DefinitionError, match="judge"):
        asks.generate_score(score_prompt(lambda s: f"{s.run.output}?"))


def test_nothing_to_evaluate_is_no_pass() -> None:
    """Its reason is not that of a missed gate."""
    assert verdict(reported(Suite(number), [])) == ("failed", "there was nothing to evaluate")


@pytest.mark.parametrize(
    ("outputs", "decision"), [(("1", "0.9"), "met"), (("0", "0.1"), "missed"), (("1", "fail", "0.6"), "undecided")]
)
def test_a_store_decides_as_a_suite_does(tmp_path: Path, outputs: tuple[str, ...], decision: str) -> None:
    """Also where something failed that could change it."""
    suite = Suite((number, ">= 0.7"))
    summary = evaluate_sync(suite, rows(*outputs), store=tmp_path / "runs.db")
    report = stored(suite, rows(*outputs), tmp_path / "runs.db")
    assert [each.decision for each in report.checks] == [decision]
    assert summary.thresholds[0].decision == decision
    assert report.verdict == summary.verdict


def test_a_bound_tells_which_end_is_good(tmp_path: Path) -> None:
    """A mean that is to be at most something is better when it is lower."""
    evaluate_sync(Suite((waste, "<= 0.5")), rows("1", "12345678"), store=tmp_path / "runs.db")
    scorer = report_of(tmp_path / "runs.db").scorers[0]
    assert scorer.better == "lower"
    assert scorer.worst[0].case.id == "r1"


def test_a_share_at_an_unknown_good_end_is_undecided(tmp_path: Path) -> None:
    """The store does not say which score that is; the share is not made up."""
    suite = Suite(number, thresholds={"number": "pass_rate >= 0.5"})
    evaluate_sync(suite, rows("1", "1"), store=tmp_path / "runs.db")
    (found,) = report_of(tmp_path / "runs.db").checks
    if report_of(tmp_path / "runs.db").scorers[0].scale is None:
        assert (found.decision, found.measured) == ("undecided", None)
    else:
        assert (found.decision, found.measured) == ("met", 1.0)


def test_settings_that_cannot_be_read_ask_nothing() -> None:
    """A store of another version is still shown."""
    spec = '{"thresholds": ["x", "a: mean >= many", "a: mean >= 0.5", 3], "gates": ["b", "b c <= 0.5"], "scorers": 3}'
    asked = asked_in("name", spec)
    assert [str(each) for each in asked.thresholds] == ["a: mean >= 0.5"]
    assert [str(each) for each in asked.gates] == ["b c <= 0.5"]
    assert asked_in("name", "[]").scorers == {}
