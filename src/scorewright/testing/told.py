"""What a case came to, as JSON that crosses from one process to another, and a report out of many of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import final

import attrs
from returns.result import Success

from scorewright.core import Usage
from scorewright.faults import NotScorable
from scorewright.judges.usage import Spent
from scorewright.reports.asked import asked_in
from scorewright.reports.finishing import finished
from scorewright.reports.gathering import Gathering
from scorewright.reports.report import Check, Report
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.coverage import Measured
from scorewright.suites.deciding import Decision, GateResult, ThresholdResult, verdict_of
from scorewright.suites.records import ItemRecord, done
from scorewright.suites.rows.row import ABSENT, Row
from scorewright.suites.thresholds import Asserted, Gate, Sign, Threshold
from scorewright.suites.written import as_json, row_form
from scorewright.wording import describe


@final
@attrs.frozen
class Plan:
    """An evaluation as every process knows it: its cases by their ids, those that were selected, what is asked."""

    key: str
    name: str
    source: str
    path: str
    line: int | None
    spec: str
    ids: tuple[str, ...]
    selected: tuple[str, ...]
    paid: bool  # whether all replies are new, so that what they took was spent now

    def to_json(self) -> dict[str, object]:
        """As JSON."""
        return attrs.asdict(self)


def plan_in(form: Mapping[str, object], /) -> Plan:
    """A plan that was written so."""
    line = form["line"]
    return Plan(
        _text(form["key"]),
        _text(form["name"]),
        _text(form["source"]),
        _text(form["path"]),
        line if isinstance(line, int) else None,
        _text(form["spec"]),
        tuple(map(_text, _list(form["ids"]))),
        tuple(map(_text, _list(form["selected"]))),
        bool(form["paid"]),
    )


def told(item: ItemRecord, id: str, missed: Sequence[str] = (), /) -> dict[str, object]:
    """What a report needs of an item, and which gates it missed, by the limits that it has of its own."""
    return {
        "id": id,
        "form": json.loads(as_json(row_form(item.row))),
        "output": None if item.output is ABSENT else json.loads(as_json(item.output)),
        "fault": None if item.fault is None else [type(item.fault).__name__, describe(item.fault)],
        "scores": [*_scores(item)],
        "missed": [*missed],
    }


def told_broken(id: str, why: str, /) -> dict[str, object]:
    """The same of a row that cannot be read."""
    return {"id": id, "form": {"id": id}, "output": None, "fault": ["BrokenRow", why], "scores": []}


def told_unscored(id: str, row: Row, why: str, /) -> dict[str, object]:
    """The same of a case whose test failed before it scored anything: of a target nothing is known."""
    form = json.loads(as_json(row_form(row)))
    return {
        "id": id,
        "form": form,
        "output": None,
        "fault": ["NotScored", f"{why[:1].upper()}{why[1:]}."],
        "scores": [],
    }


def _scores(item: ItemRecord) -> Iterator[dict[str, object]]:
    for each in item.scores:
        form: dict[str, object] = {"scorer": each.id, "turn": each.turn or 0}
        if each.spent is not None:
            form["spent"] = attrs.asdict(each.spent)
        if isinstance(each.result, Success):
            found = each.result.unwrap()
            yield {**form, "score": found.score, "reason": found.reason}
            continue
        failure = each.result.failure()
        if isinstance(failure.cause, NotScorable):
            yield {**form, "not_scorable": failure.cause.reason}
        else:
            step = getattr(done(each.result), "step", "")
            yield {**form, "step": step, "kind": type(failure.cause).__name__, "message": describe(failure.cause)}


def report_of_told(plan: Plan, cases: Mapping[str, Mapping[str, object]], /) -> Report:
    """The report of an evaluation; cases that it has and nobody told of wait, and so leave it open."""
    asked = attrs.evolve(asked_in(plan.name, plan.spec), source=plan.source)
    gathering = Gathering(asked)
    for id in plan.ids:
        for score in _list(cases[id]["scores"]) if id in cases else ():
            if is_object(score):
                _tell(gathering, id, score, paid=plan.paid)
    for id in plan.ids:
        held = cases.get(id, {})
        form, fault = held.get("form"), _list(held.get("fault"))
        kind, *message = map(_text, fault) if fault else ("",)
        gathering.item(
            id, form if is_object(form) else {"id": id}, held.get("output"), (kind, "".join(message)) if fault else None
        )
    missed = Counter(_text(id) for case in cases.values() for id in _list(case.get("missed")))
    return _held(finished(gathering, asked, "", ""), missed)


def _held(report: Report, missed: Counter[str]) -> Report:
    """The report with its gates as the cases missed them, each by its own limit; a report knows only the suite's."""
    gates = {each.scorer: each for each in report.checks if each.kind == "gate"}
    if all((each.n_missed or 0) == missed[id] for id, each in gates.items()) and missed.keys() <= gates.keys():
        return report
    thresholds = tuple(each for each in report.checks if each.kind == "threshold")
    again: list[Check] = []
    for scorer in report.scorers:
        gate, n, mean = gates.get(scorer.id), missed[scorer.id], scorer.mean
        if gate is None and not n:
            continue
        sign: Sign = ">=" if scorer.better == "higher" else "<="
        found = gate or Check("gate", scorer.id, "", sign, 0.0, mean.value, 0, mean.coverage, "met")
        is_open = not mean.coverage.n_scored or mean.coverage.n_failed or report.n_waiting
        decision: Decision = "missed" if n else "undecided" if is_open else "met"
        again.append(attrs.evolve(found, rule="every item has the limit of its row", n_missed=n, decision=decision))
    verdict = verdict_of(
        [ThresholdResult(Asserted(each.scorer, Threshold(each.sign, each.limit)), _measured(each), each.decision)
         for each in thresholds],
        [GateResult(Gate(each.scorer, each.sign, each.limit), _measured(each), each.n_missed or 0, each.decision)
         for each in again],
        stopped=bool(report.n_waiting),
        n_items=report.n_items,
        n_scored=sum(each.mean.coverage.n_scored for each in report.scorers),
        clean=not report.failures,
    )  # fmt: skip
    return attrs.evolve(report, checks=(*again, *thresholds), verdict=verdict)


def _measured(check: Check) -> Measured:
    return Measured(check.measured, check.coverage)


def _tell(gathering: Gathering, id: str, form: Mapping[str, object], *, paid: bool) -> None:
    scorer, turn, score, reason = _text(form["scorer"]), _count(form["turn"]), form.get("score"), form.get("reason")
    if isinstance(score, (int, float)):
        gathering.scored(id, scorer, turn, float(score), reason if isinstance(reason, str) else None)
    elif "not_scorable" in form:
        gathering.not_scorable(id, scorer, turn, _text(form["not_scorable"]))
    else:
        gathering.failed(id, scorer, turn, _text(form["step"]), _text(form["kind"]), _text(form["message"]))
    spent = form.get("spent")
    if paid and is_object(spent):
        dollars = spent["dollars"]
        gathering.took(
            Spent(
                _count(spent["attempts"]),
                _usage(spent["usage"]),
                _count(spent["uncounted"]),
                float(dollars) if isinstance(dollars, (int, float)) else None,
                _usage(spent["avoided"]),
            )
        )


def _usage(form: object) -> Usage:
    return Usage(**{name: _count(count) for name, count in form.items()}) if is_object(form) else Usage()


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


def _list(value: object) -> list[object]:
    return value if is_list(value) else []
