"""Verdicts: what is decided, and what is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suites.scoring import number

from scorewright.suites import Suite, evaluate_sync
from scorewright.suites.deciding import Verdict

outputs = st.lists(st.sampled_from(["0", "0.25", "0.5", "0.75", "1", "none", "fail"]), max_size=8)


def rows(said: Sequence[str]) -> list[dict[str, object]]:
    return [{"id": str(at), "input": "q", "output": each} for at, each in enumerate(said)]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ([], "failed"),
        (["1", "0.5"], "passed"),
        (["0.5", "0.25"], "scored"),
        (["1", "0"], "failed"),
        (["fail", "fail"], "inconclusive"),
        (["none", "none"], "inconclusive"),
        (["0.5", "fail"], "inconclusive"),
        (["1", "none"], "passed"),
    ],
)
def test_the_verdict_of_a_suite(said: list[str], verdict: Verdict) -> None:
    """Gates on every item, then the threshold; nothing at all has failed."""
    suite = Suite((number, ">= 0.5"), gates={"number": ">= 0.1"})
    assert evaluate_sync(suite, rows(said)).verdict == verdict


@pytest.mark.parametrize(
    ("said", "verdict"),
    [(["0", "1"], "passed"), (["0", "fail"], "incomplete"), (["fail"], "inconclusive"), ([], "failed")],
)
def test_a_suite_that_asks_for_nothing(said: list[str], verdict: Verdict) -> None:
    """It passes where everything was scored, and is incomplete where something failed."""
    assert evaluate_sync(Suite(number), rows(said)).verdict == verdict


def test_a_gate_never_passes_on_the_mean() -> None:
    """One item that misses it fails the suite, however good the others are."""
    summary = evaluate_sync(Suite(number, gates={"number": ">= 0.5"}), rows(["1"] * 99 + ["0.25"]))
    assert summary.verdict == "failed"
    assert summary.gates[0].n_missed == 1


def test_failures_that_cannot_change_a_threshold_do_not_hold_it_up() -> None:
    """Ninety-nine ones and a failure are 0.99 at least; the mean is still told with its coverage."""
    summary = evaluate_sync(Suite((number, ">= 0.9")), rows(["1"] * 99 + ["fail"]))
    assert summary.verdict == "passed"
    assert str(summary["number"].mean) == "1 (99/100 scored · 1 failed)"
    assert evaluate_sync(Suite((number, ">= 0.9")), rows(["0"] * 99 + ["fail"])).verdict == "scored"


@given(outputs, st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]), st.booleans())
def test_a_decision_holds_whatever_the_missing_scores_are(said: list[str], limit: float, rate: bool) -> None:
    """Put 0, or 1, in the place of every failure: what was decided stays so."""
    bound = f"pass_rate(0.5) >= {limit}" if rate else f">= {limit}"
    suite = Suite((number, bound))
    decided = evaluate_sync(suite, rows(said)).thresholds[0].decision
    if decided == "undecided":
        return
    for instead in ("0", "1"):
        filled = [instead if each == "fail" else each for each in said]
        assert evaluate_sync(suite, rows(filled)).thresholds[0].decision == decided
