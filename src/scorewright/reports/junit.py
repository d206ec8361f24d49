"""A report as JUnit XML: a test case for every row and scorer, so that any CI server shows it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from scorewright.reports.report import FAILED, SCORED, Check, Report, ScorerReport
from scorewright.reports.sentences import check
from scorewright.reports.texts import visible

CHECKS = "thresholds"


def junit(report: Report, /) -> str:
    """A row that misses a gate is a failure, one that a scorer could not judge an error, one not scorable is skipped.

    The score is a property of the case. Thresholds are cases of their own; one that cannot be decided is an error.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites name={_attribute(report.name)}>"
    for scorer in report.scorers:
        gate = next((each for each in report.checks if each.kind == "gate" and each.scorer == scorer.id), None)
        outcomes = scorer.outcomes
        missed = 0 if gate is None else gate.n_missed or 0
        errors = outcomes.states.count(FAILED)
        skipped = len(outcomes) - errors - outcomes.states.count(SCORED)
        yield (
            f'<testsuite name={_attribute(scorer.id)} tests="{len(outcomes)}" failures="{missed}" '
            f'errors="{errors}" skipped="{skipped}">'
        )
        yield from _cases(report, scorer, gate)
        yield "</testsuite>"
    thresholds = [each for each in report.checks if each.kind == "threshold"]
    if thresholds:
        missed = sum(each.decision == "missed" for each in thresholds)
        errors = sum(each.decision == "undecided" for each in thresholds)
        yield f'<testsuite name="{CHECKS}" tests="{len(thresholds)}" failures="{missed}" errors="{errors}" skipped="0">'
        yield from map(_threshold, thresholds)
        yield "</testsuite>"
    yield "</testsuites>"


def _cases(report: Report, scorer: ScorerReport, gate: Check | None) -> Iterator[str]:
    outcomes, classname = scorer.outcomes, _attribute(scorer.id)
    for at, row in enumerate(outcomes.rows):
        turn = f"[{outcomes.turns[at]}]" if outcomes.turns[at] else ""
        case = f"<testcase classname={classname} name={_attribute(report.ids[row] + turn)}"
        told = outcomes.told.get(at, "")
        if outcomes.states[at] != SCORED:
            kind = "error" if outcomes.states[at] == FAILED else "skipped"
            yield f"{case}><{kind} message={_attribute(told)}/></testcase>"
            continue
        score = outcomes.scores[at]
        held = f'{case}><properties><property name="score" value="{score!r}"/></properties>'
        if gate is not None and not _holds(gate, score):
            held += f"<failure message={_attribute(f'{score:g} measured, {gate.rule} wanted')}>{_text(told)}</failure>"
        elif told:
            held += f"<system-out>{_text(told)}</system-out>"
        yield f"{held}</testcase>"


def _threshold(each: Check) -> str:
    case = f"<testcase classname={_attribute(each.scorer)} name={_attribute(each.rule)}>"
    if each.measured is not None:
        case += f'<properties><property name="measured" value="{each.measured!r}"/></properties>'
    if each.decision == "missed":
        case += f"<failure message={_attribute(check(each))}/>"
    elif each.decision == "undecided":
        case += f"<error message={_attribute(f'undecided: {check(each)}')}/>"
    return f"{case}</testcase>"


def _holds(gate: Check, score: float) -> bool:
    return score >= gate.limit if gate.sign == ">=" else score <= gate.limit


def _attribute(text: str) -> str:
    return quoteattr(_xml(text), {"\n": "&#10;", "\t": "&#9;"})


def _text(text: str) -> str:
    return escape(_xml(text))


def _xml(text: str) -> str:
    """Without the two characters that XML cannot hold and that can be read."""
    return visible(text).replace("\ufffe", r"\ufffe").replace("\uffff", r"\uffff")
