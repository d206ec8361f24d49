"""What a report says in words, the same in every format."""

from __future__ import annotations

from collections.abc import Iterator

from scorewright.reports.report import Check, Figure, Report, ScorerReport, Slice
from scorewright.suites.deciding import Decision, Verdict

NONE = "—"
_VERDICTS: dict[Verdict, tuple[str, str]] = {
    "passed": ("passed", "every gate holds and every threshold is met"),
    "scored": ("missed", "a threshold is missed"),
    "failed": ("failed", "an item missed a gate"),
    "inconclusive": ("inconclusive", "what is missing could change the answer"),
    "incomplete": ("incomplete", "something failed, or rows have no scores yet"),
}
DECISIONS: dict[Decision, str] = {"met": "met", "missed": "missed", "undecided": "undecided"}


def verdict(report: Report, /) -> tuple[str, str]:
    """The verdict in a word, and the rule that it follows from."""
    word, why = _VERDICTS[report.verdict]
    if report.verdict == "failed" and not report.n_items:
        why = "there was nothing to evaluate"
    elif report.verdict == "inconclusive" and not any(each.mean.coverage.n_scored for each in report.scorers):
        why = "nothing has a score"
    elif report.verdict == "passed" and not report.checks:
        why = "every row was scored, and nothing more was asked"
    return word, why


def number(value: float | None, /) -> str:
    """Four digits that matter; a dash where there is no number."""
    return NONE if value is None else f"{value:.4g}"


def interval(figure: Figure, /) -> str:
    """The interval, or a dash."""
    if figure.low is None or figure.high is None:
        return NONE
    return f"[{figure.low:.3g}, {figure.high:.3g}]"


def counted(n: int, name: str, /) -> str:
    """Such as "1 row", "2,000 rows"."""
    return f"{n:,} {name}{'' if n == 1 else 's'}"


def heading(report: Report, /) -> str:
    """How much was evaluated, how much went wrong, what it cost."""
    parts = [counted(report.n_items, "row"), counted(len(report.scorers), "scorer")]
    if report.n_waiting:
        parts.append(f"{report.n_waiting:,} not done")
    if report.n_failed:
        parts.append(f"{report.n_failed:,} failed")
    if report.spent.attempts:
        parts.append(counted(report.spent.attempts, "request"))
        parts.append("cost unknown" if report.spent.dollars is None else f"${report.spent.dollars:.4f}")
    return " · ".join(parts)


def failed(report: Report, scorer: ScorerReport, /) -> str:
    """How many runs failed, and the most common cause; empty where none did."""
    n = scorer.mean.coverage.n_failed
    if not n:
        return ""
    causes = [each for each in report.failures if each.scorer in (scorer.id, "")]
    whole = f"{n:,} of {scorer.mean.coverage.n:,} failed"
    if not causes:
        return whole
    return f"{whole}; most common cause: {causes[0].message or causes[0].kind} ({causes[0].count:,})"


def check(each: Check, /) -> str:
    """What decides, and what was measured."""
    if each.kind == "gate":
        missed = f"{counted(each.n_missed or 0, 'item')} missed it"
        return f"{each.rule}; {missed} ({each.coverage})"
    return f"{each.rule}; {number(each.measured)} measured ({each.coverage})"


def cautions(scorer: ScorerReport, /) -> Iterator[str]:
    """What to know before the mean is trusted."""
    if scorer.mean.why and scorer.mean.value is not None:
        yield scorer.mean.why
    yield from scorer.mean.caution


def slice_name(each: Slice, /) -> str:
    """Such as "tag de"."""
    return f"{each.kind} {each.name}"
