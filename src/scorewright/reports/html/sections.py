"""The parts of the page, each a section with a heading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite

from scorewright.reports.html.marks import said, table, text
from scorewright.reports.html.shell import notes as noted
from scorewright.reports.html.svg import bars, covered, share, strip
from scorewright.reports.report import Case, Check, Figure, Report, ScorerReport, Worst
from scorewright.reports.sentences import NONE, cautions, check, counted, failed, interval, number
from scorewright.reports.texts import brief
from scorewright.suites.deciding import Decision

_MARKS: dict[Decision, str] = {"met": "✓", "missed": "✗", "undecided": "?"}
_MOST_SUMMED = 160
_FEW = 8
_AXIS = '<span class="hidden">on the scale</span>'


def sections(report: Report, /) -> Iterator[tuple[str, str, str]]:
    """Id, title and content of each section that has something to say."""
    yield "scorers", "Scorers", _scorers(report)
    if report.checks:
        yield "checks", "Gates and thresholds", _checks(report.checks)
    if any(each.slices for each in report.scorers):
        yield "slices", "Slices", "".join(_slices(each) for each in report.scorers if each.slices)
    if any(each.worst for each in report.scorers):
        yield "worst", "Worst items", "".join(_worst(each) for each in report.scorers if each.worst)
    if report.failures or report.not_scorable:
        yield "failures", "Failures", _failures(report)
    notes = [*report.notes, *(f"{each.id}: {note}" for each in report.scorers for note in cautions(each))]
    if notes:
        yield "notes", "Before you trust a number", noted(notes)


def _axis(each: ScorerReport) -> tuple[float, float]:
    low, high = (each.histogram.low, each.histogram.high) if each.histogram else (0.0, 1.0)
    if each.scale is not None and isfinite(each.scale.low) and isfinite(each.scale.high):
        low, high = each.scale.low, each.scale.high
    return low, high


def _scorers(report: Report) -> str:
    return table(
        "Scorers: means, intervals, coverage and distributions",
        ["scorer", "mean", "95 % interval", _AXIS, "coverage", "distribution"],
        (
            [
                f"{said(each.id)}{_direction(each)}",
                f"<b>{number(each.mean.value)}</b>",
                interval(each.mean),
                on_axis(each.mean, *_axis(each)),
                _coverage(each.mean),
                NONE if each.histogram is None else bars(each.histogram),
            ]
            for each in report.scorers
        ),
        numbers=(1, 2),
    )


def _direction(each: ScorerReport) -> str:
    return '<small class="dim">↓ lower is better</small>' if each.better == "lower" else ""


def on_axis(figure: Figure, low: float, high: float, name: str = "mean", /) -> str:
    """A number with its interval, drawn, and the ends of the axis."""
    if figure.value is None:
        return ""
    ends = f'<small class="ends" aria-hidden="true"><span>{number(low)}</span><span>{number(high)}</span></small>'
    return f'<div class="forest">{strip(figure, low, high, name)}{ends}</div>'


def _coverage(figure: Figure) -> str:
    return f'{covered(figure.coverage)}<small class="dim">{figure.coverage}</small>'


def _checks(checks: Iterable[Check]) -> str:
    return table(
        "Gates and thresholds, and what came of them",
        ["scorer", "decision", "kind", "rule"],
        (
            [
                said(each.scorer),
                f'<span class="pill {each.decision}"><span aria-hidden="true">{_MARKS[each.decision]}</span> '
                f"{each.decision}</span>",
                each.kind,
                text(check(each)),
            ]
            for each in checks
        ),
    )


def _slices(scorer: ScorerReport) -> str:
    """Tags are open while they are few; groups, of which there are often many, are closed. The worst come first."""
    return "".join(_sliced(scorer, kind) for kind in ("tag", "group"))


def _sliced(scorer: ScorerReport, kind: str) -> str:
    sign = 1 if scorer.better == "higher" else -1
    parts = [each for each in scorer.slices if each.kind == kind]
    parts.sort(key=lambda each: (each.mean.value is None, sign * (each.mean.value or 0.0)))
    if not parts:
        return ""
    low, high = _axis(scorer)
    rows = (
        [
            said(each.name),
            f"<b>{number(each.mean.value)}</b>",
            interval(each.mean),
            on_axis(each.mean, low, high),
            _coverage(each.mean),
        ]
        for each in parts
    )
    held = table(f"{scorer.id} by {kind}", [kind, "mean", "95 % interval", _AXIS, "coverage"], rows, numbers=(1, 2))
    is_open = " open" if kind == "tag" and len(parts) <= _FEW else ""
    named = f'<summary>{said(scorer.id)} <small class="dim">{counted(len(parts), kind)}</small></summary>'
    return f"<details{is_open}>{named}{held}</details>"


def _worst(scorer: ScorerReport) -> str:
    items = "".join(_item(each) for each in scorer.worst)
    return f"<h3>{said(scorer.id)}{_direction(scorer)}</h3>{items}"


def _item(each: Worst) -> str:
    turn = "" if each.turn is None else f' <small class="dim">turn {each.turn}</small>'
    short = said(brief(each.reason or (each.case.said[-1].text if each.case.said else ""), _MOST_SUMMED))
    reason = f"<dt>reason</dt><dd>{said(each.reason, block=True)}</dd>" if each.reason else ""
    return (
        f'<details class="item"><summary><b class="score">{number(each.score)}</b> '
        f'<span class="id">{said(each.case.id)}</span>{turn}<span class="short">{short}</span></summary>'
        f"{_case(each.case, reason)}</details>"
    )


def _case(case: Case, more: str) -> str:
    talk = "".join(
        f'<li class="{_side(each.role)}"><span class="role">{text(each.role)}</span>{said(each.text, block=True)}</li>'
        for each in case.said
    )
    fields = (("expected", case.expected), ("context", case.context), ("the target failed", case.fault))
    about = " · ".join((*case.tags, *([case.group] if case.group else [])))
    told = "".join(
        f"<dt>{name}</dt><dd>{said(value, block=True)}</dd>"
        for name, value in (*fields, ("tags, group", about))
        if value
    )
    return f'<ol class="talk">{talk}</ol><dl>{more}{told}</dl>'


def _side(role: str) -> str:
    return {"user": "given", "input": "given", "assistant": "answered", "output": "answered"}.get(role, "beside")


def _failures(report: Report) -> str:
    told = "".join(
        f"<li>{said(each.id)}: {said(sentence)}</li>" for each in report.scorers if (sentence := failed(report, each))
    )
    parts = f"<ul>{told}</ul>" if told else ""
    if report.failures:
        most = max(each.count for each in report.failures)
        rows = (
            [
                said(each.kind),
                said(each.scorer or "target"),
                f"{each.count:,}",
                share(each.count, most),
                said(", ".join(each.first)),
                said(each.message),
            ]
            for each in report.failures
        )
        heads = ["kind", "scorer", "count", "", "first rows", "message"]
        parts += table("Failures by kind", heads, rows, numbers=(2,))
    if report.not_scorable:
        rows_ = (
            [said(each.scorer), f"{each.count:,}", said(", ".join(each.first)), said(each.reason)]
            for each in report.not_scorable
        )
        parts += "<h3>Not scorable</h3>"
        parts += table("Not scorable, by reason", ["scorer", "count", "first rows", "reason"], rows_, numbers=(1,))
    return parts
