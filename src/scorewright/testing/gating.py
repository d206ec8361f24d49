"""From what cases came to, to the one report that gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias, final

import attrs
import pytest

from scorewright.reports.report import Report
from scorewright.reports.sentences import DECISIONS, check, counted, failed, number, verdict
from scorewright.reports.texts import visible
from scorewright.testing.evaluation import MARK
from scorewright.testing.told import Plan, report_of_told

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]


@final
@attrs.define
class Held:
    """What came of an evaluation so far; a case that is run again replaces what it came to."""

    plan: Plan
    cases: dict[str, Mapping[str, object]] = attrs.field(factory=dict[str, "Mapping[str, object]"])
    skipped: dict[str, str] = attrs.field(factory=dict[str, str])
    case_ids: dict[str, object] = attrs.field(factory=dict[str, object])  # pytest's own, as `--lf` keeps them
    worker: object = None  # under `--dist each`, whose evaluation it is


@final
@attrs.frozen
class Gated:
    """A decided evaluation: the report that it came to, what pytest is told, and why."""

    plan: Plan
    report: Report
    outcome: Outcome
    coverage: str
    lines: tuple[str, ...]


def gated(held: Held, /, *, whole: bool) -> Gated:
    """The gate, held against all cases of the evaluation, whatever was selected or did not run.

    passed   the verdict on all cases is "passed"
    skipped  cases were left out on purpose (deselected, or skipped by the test), and what ran decides nothing
    failed   everything else, also what is open because a case did not run or a scorer failed
    """
    plan = held.plan
    report = report_of_told(plan, held.cases)
    chosen = {*plan.selected} - {*held.skipped}
    deselected, skipped = len(plan.ids) - len(plan.selected), len(held.skipped)
    lost = [id for id in chosen if id not in held.cases]
    parts = [f"{len(held.cases)} of {counted(len(plan.ids), 'case')} ran"]
    if deselected:
        parts.append(f"{deselected} not selected")
    if skipped:
        parts.append(f"{skipped} skipped")
    if lost:
        parts.append(f"{len(lost)} did not run")
    coverage = ", ".join(parts)
    outcome: Outcome = "failed"
    if report.verdict == "passed":
        outcome = "passed"
    elif report.verdict in ("incomplete", "inconclusive") and (deselected or skipped) and not (lost or whole):
        outcome = "skipped"
    return Gated(plan, report, outcome, coverage, (*_lines(report, coverage, partly=bool(deselected or skipped)),))


def _lines(report: Report, coverage: str, *, partly: bool) -> Iterator[str]:
    word, why = verdict(report)
    if report.verdict == "incomplete" and partly:
        why = "a gate is held against all cases, and only a part of them was run"
    yield f"{word}: {why} ({coverage})"
    for each in report.checks:
        yield f"  {DECISIONS[each.decision]:<9}  {each.kind} {visible(each.scorer)}: {check(each)}"
    for scorer in report.scorers:
        if said := failed(report, scorer):
            yield f"  {visible(scorer.id)}: {visible(said)}"


def as_test_reports(gate: Gated, held: Held, /) -> tuple[pytest.TestReport, pytest.TestReport]:
    """The gate as two reports of pytest, of a test and of its end; means and coverage are properties for JUnit."""
    plan, report = gate.plan, gate.report
    properties: list[tuple[str, object]] = [("scorewright.verdict", report.verdict)]
    properties.append(("scorewright.cases", gate.coverage))
    for scorer in report.scorers:
        properties.append((f"scorewright.{scorer.id}.mean", number(scorer.mean.value)))
        properties.append((f"scorewright.{scorer.id}.coverage", str(scorer.mean.coverage)))
    longrepr: str | tuple[str, int, str] | None = None
    if gate.outcome == "failed":
        longrepr = "\n".join(gate.lines)
    elif gate.outcome == "skipped":
        longrepr = (plan.path, (plan.line or 0) + 1, f"gate of {plan.name}: {gate.lines[0]}")
    location = plan.path, plan.line, f"{plan.name}[gate]"
    made = pytest.TestReport(plan.key, location, {MARK: 1}, gate.outcome, longrepr, "call", user_properties=properties)
    ended = pytest.TestReport(plan.key, location, {MARK: 1}, "passed", None, "teardown", user_properties=properties)
    if held.worker is not None:
        for each in (made, ended):
            vars(each)["node"] = held.worker
    return made, ended
