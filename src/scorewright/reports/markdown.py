"""A report as Markdown (GitHub's), where every text of others stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scorewright.reports.report import Report, ScorerReport, Worst
from scorewright.reports.sentences import (
    DECISIONS,
    NONE,
    cautions,
    check,
    failed,
    heading,
    interval,
    number,
    slice_name,
    verdict,
)
from scorewright.reports.texts import brief, visible

_BARS = "▁▂▃▄▅▆▇█"
_MARKUP = re.compile(r"[\\`*_{}\[\]#|~$]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "://": "&#58;//", "www.": "www&#46;"}
_ENTITY = re.compile("|".join(map(re.escape, _ENTITIES)))
_MOST_CELL = 300


def escaped(text: str, most: int = _MOST_CELL, /) -> str:
    r"""Text of others for one line of Markdown: no markup, no link, no mention, no line break.

    >>> escaped("<b>*x*|\n@all")
    '&lt;b&gt;\\*x\\*\\| ⏎ &#64;all'
    """
    plain = brief(visible(text), most).replace("\n", " ⏎ ").replace("\t", " ")
    return _ENTITY.sub(lambda found: _ENTITIES[found[0]], _MARKUP.sub(r"\\\g<0>", plain))


def markdown(report: Report, /) -> str:
    """The whole report."""
    return "\n".join(line for part in _parts(report) for line in (*part, "")).rstrip() + "\n"


def bars(counts: Sequence[int], /) -> str:
    """A histogram in one line."""
    most = max(counts)
    if not most:
        return NONE
    return "".join("·" if not each else _BARS[max(each * len(_BARS) // most - 1, 0)] for each in counts)


def _parts(report: Report) -> Iterator[Iterable[str]]:
    yield [f"# {escaped(report.name)}"]
    yield [f"**{': '.join(verdict(report))}**", "", heading(report)]
    origin = [("rows", report.source), ("target", report.target), ("experiment", report.experiment)]
    told = [f"{name}: {escaped(value)}" for name, value in (*origin, ("created", report.created)) if value]
    if told:
        yield [" · ".join(told)]
    yield table_lines(
        ["scorer", "mean", "95 % interval", "coverage", "min", "median", "max", "distribution"],
        map(_scorer, report.scorers),
    )
    if report.checks:
        yield ["## Gates and thresholds"]
        yield table_lines(
            ["decision", "kind", "scorer", "rule"],
            (
                [DECISIONS[each.decision], each.kind, escaped(each.scorer), escaped(check(each))]
                for each in report.checks
            ),
        )
    if slices := [*_slices(report)]:
        yield ["## Slices"]
        yield table_lines(["scorer", "slice", "mean", "95 % interval", "coverage"], slices)
    if worst := [*_worst(report)]:
        yield ["## Worst items"]
        yield table_lines(["scorer", "score", "row", "input", "output", "reason"], worst)
    if report.failures:
        yield ["## Failures"]
        yield [f"- {escaped(each.id)}: {escaped(said)}" for each in report.scorers if (said := failed(report, each))]
        yield table_lines(
            ["kind", "scorer", "step", "count", "first rows", "message"],
            (
                [
                    escaped(each.kind),
                    escaped(each.scorer) or "target",
                    escaped(each.step),
                    str(each.count),
                    _ids(each.first),
                    escaped(each.message),
                ]
                for each in report.failures
            ),
        )
    if report.not_scorable:
        yield ["## Not scorable"]
        yield table_lines(
            ["scorer", "count", "first rows", "reason"],
            (
                [escaped(each.scorer), str(each.count), _ids(each.first), escaped(each.reason)]
                for each in report.not_scorable
            ),
        )
    notes = [*report.notes, *(f"{each.id}: {said}" for each in report.scorers for said in cautions(each))]
    if notes:
        yield ["## Before you trust a number"]
        yield [f"- {escaped(each)}" for each in dict.fromkeys(notes)]


def table_lines(names: Sequence[str], rows: Iterable[Sequence[str]], /) -> Iterator[str]:
    """A table, whose cells are Markdown already."""
    yield f"| {' | '.join(names)} |"
    yield f"|{'|'.join(' --- ' for _ in names)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _scorer(each: ScorerReport) -> Sequence[str]:
    name = escaped(each.id) + (" (lower is better)" if each.better == "lower" else "")
    drawn = NONE if each.histogram is None else bars(each.histogram.counts)
    spread = each.spread or (None, None, None)
    return [name, number(each.mean.value), interval(each.mean), str(each.mean.coverage), *map(number, spread), drawn]


def _slices(report: Report) -> Iterator[Sequence[str]]:
    for each in report.scorers:
        for part in each.slices:
            mean = part.mean
            yield [escaped(each.id), escaped(slice_name(part)), number(mean.value), interval(mean), str(mean.coverage)]


def _worst(report: Report) -> Iterator[Sequence[str]]:
    for each in report.scorers:
        for low in each.worst:
            yield [escaped(each.id), number(low.score), escaped(low.case.id), *_exchange(low), escaped(low.reason)]


def _exchange(low: Worst) -> tuple[str, str]:
    said = low.case.said
    if not said:
        return "", ""
    return escaped(said[max(len(said) - 2, 0)].text), escaped(said[-1].text)


def _ids(ids: Sequence[str]) -> str:
    return ", ".join(map(escaped, ids))
