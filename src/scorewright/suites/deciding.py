"""From counts to a verdict: what could still be otherwise, had nothing failed, is not decided."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isfinite
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core.averaging import mean_of
from scorewright.suites.coverage import Measured
from scorewright.suites.tally import Tally
from scorewright.suites.thresholds import Asserted, Gate

Decision: TypeAlias = Literal["met", "missed", "undecided"]
Verdict: TypeAlias = Literal["passed", "scored", "failed", "inconclusive", "incomplete"]


@final
@attrs.frozen
class ThresholdResult:
    """A threshold, what was measured, and whether it was met.

    It is decided only where the items without a known score could not have changed it: were all of them at the worst
    end of the scale, or all at the best, the answer would be the same.
    """

    asserted: Asserted
    measured: Measured
    decision: Decision


@final
@attrs.frozen
class GateResult:
    """A gate, how many items missed it, and whether it held on every item that holds what the scorer judges."""

    gate: Gate
    measured: Measured  # the mean, for reading; a gate is never held against it
    n_missed: int
    decision: Decision


def threshold_result(asserted: Asserted, tally: Tally, n_broken: int, /) -> ThresholdResult:
    """What a threshold came to; rows that could not be read are as unknown as items that failed."""
    unknown = tally.n_failed + n_broken
    threshold = asserted.threshold
    n = len(tally.scores)
    if threshold.on == "mean":
        measured = tally.mean
        ends = (tally.scale.low, tally.scale.high)
        bounds = [_mixed(tally.scores, end, unknown) for end in ends] if n else []
    else:
        good = tally.scale.high if tally.better == "higher" else tally.scale.low
        passes = tally.passing(good if threshold.passing is None else threshold.passing)
        measured = Measured(passes / n if n else None, tally.coverage)
        bounds = [passes / (n + unknown), (passes + unknown) / (n + unknown)] if n else []
    if not n:
        return ThresholdResult(asserted, measured, "undecided")
    met = {bound is not None and threshold.met(bound) for bound in bounds}
    decided = len(met) == 1 and None not in bounds
    return ThresholdResult(asserted, measured, ("met" if True in met else "missed") if decided else "undecided")


def _mixed(scores: array[float], end: float, unknown: int) -> float | None:
    """The mean, had all unknown scores been at this end of the scale."""
    if unknown and not isfinite(end):
        return None
    return mean_of(scores + array("d", [end]) * unknown)


def gate_result(gate: Gate, tally: Tally, n_broken: int, /) -> GateResult:
    """What a gate came to: one item that misses it decides, items that failed leave it open."""
    decision: Decision = "met"
    if tally.n_gate_missed:
        decision = "missed"
    elif not tally.scores or tally.n_failed + n_broken:
        decision = "undecided"
    return GateResult(gate, tally.mean, tally.n_gate_missed, decision)


def verdict_of(
    thresholds: Sequence[ThresholdResult],
    gates: Sequence[GateResult],
    *,
    stopped: bool,
    n_items: int,
    n_scored: int,
    clean: bool,
) -> Verdict:
    """The verdict of a suite.

    failed        a gate was missed by an item, or there were no items at all
    incomplete    not all rows were evaluated; or something failed, and neither threshold nor gate was asked for
    inconclusive  nothing has a score, or what failed could change whether a threshold is met or a gate holds
    scored        the gates hold, and a threshold is missed
    passed        the gates hold and the thresholds are met
    """
    if any(gate.decision == "missed" for gate in gates):
        return "failed"
    if stopped:
        return "incomplete"
    if not n_items:
        return "failed"
    decisions = [*(each.decision for each in thresholds), *(each.decision for each in gates)]
    if not n_scored or "undecided" in decisions:
        return "inconclusive"
    if "missed" in decisions:
        return "scored"
    return "passed" if decisions or clean else "incomplete"
