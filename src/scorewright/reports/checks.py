"""Thresholds and gates, decided by the rules of suites, and the one verdict that they come to."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import inf

from scorewright.core import Scale
from scorewright.reports.asked import Asked, Known
from scorewright.reports.report import FAILED, Check, Outcomes
from scorewright.suites.deciding import GateResult, ThresholdResult, Verdict, gate_result, threshold_result, verdict_of
from scorewright.suites.tally import Tally

_ANY = Scale(-inf, inf)  # a scale that nothing says: what is missing could then be anything


def checked(
    asked: Asked, tallies: Sequence[Tally], *, n_items: int, n_waiting: int, clean: bool
) -> tuple[tuple[Check, ...], Verdict]:
    """Every check with its decision, and the verdict; rows that are not done are as unknown as those that failed."""
    by_id = {each.id: each for each in tallies}
    thresholds = [
        _known_end(asked, threshold_result(each, by_id[each.scorer], n_waiting))
        for each in asked.thresholds
        if each.scorer in by_id
    ]
    gates = [gate_result(each, by_id[each.scorer], n_waiting) for each in asked.gates if each.scorer in by_id]
    verdict = verdict_of(
        thresholds,
        gates,
        stopped=bool(n_waiting),
        n_items=n_items,
        n_scored=sum(len(each.scores) for each in tallies),
        clean=clean,
    )
    return (*_checks(thresholds, gates),), verdict


def tally_of(id: str, asked: Asked, outcomes: Outcomes, /) -> Tally:
    """The scores of a scorer as the rules of suites take them."""
    known = asked.scorers.get(id, Known())
    scale = known.scale or _ANY
    gate = next((each for each in asked.gates if each.scorer == id), None)
    scores = array("d", (score for _, score in outcomes.scored()))
    failed = outcomes.states.count(FAILED)
    tally = Tally(id, id, scale, asked.better(id) or "higher", gate, scores)
    tally.n_failed = failed
    tally.n_not_scorable = len(outcomes) - len(scores) - failed
    tally.n_gate_missed = 0 if gate is None else sum(not gate.holds(score) for score in scores)
    return tally


def _known_end(asked: Asked, result: ThresholdResult) -> ThresholdResult:
    """A share of rows at the good end cannot be told where nothing says which score that is."""
    threshold = result.asserted.threshold
    known = asked.scorers.get(result.asserted.scorer, Known())
    if threshold.on == "mean" or threshold.passing is not None or known.scale is not None:
        return result
    return ThresholdResult(result.asserted, type(result.measured)(None, result.measured.coverage), "undecided")


def _checks(thresholds: Sequence[ThresholdResult], gates: Sequence[GateResult]) -> Iterator[Check]:
    for found in gates:
        gate, measured = found.gate, found.measured
        yield Check(
            "gate", gate.scorer, f"every item {gate.sign} {gate.limit:g}", gate.sign, gate.limit,
            measured.value, found.n_missed, measured.coverage, found.decision,
        )  # fmt: skip
    for each in thresholds:
        bound, measured = each.asserted.threshold, each.measured
        yield Check(
            "threshold", each.asserted.scorer, str(bound), bound.sign, bound.limit,
            measured.value, None, measured.coverage, each.decision,
        )  # fmt: skip
