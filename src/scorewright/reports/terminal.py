"""A report in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scorewright.reports.markdown import bars
from scorewright.reports.report import Check, Report
from scorewright.reports.sentences import (
    DECISIONS,
    NONE,
    cautions,
    check,
    counted,
    failed,
    heading,
    interval,
    number,
    slice_name,
    verdict,
)
from scorewright.reports.texts import brief, visible
from scorewright.suites.deciding import Decision, Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

LISTED = 20
_WORST = 3  # of each scorer
_MOST_CELL = 120
_RIGHT = {"mean", "score", "count", "first", "second", "difference", "p", "better", "worse", "same"}
_STYLES: dict[Verdict | Decision, str] = {
    "passed": "bold green",
    "met": "bold green",
    "scored": "bold red",
    "failed": "bold red",
    "missed": "bold red",
    "inconclusive": "bold yellow",
    "incomplete": "bold yellow",
    "undecided": "bold yellow",
}


def shown(text: str, most: int = _MOST_CELL, /) -> Text:
    """Text of others on one line: it cannot move the cursor, change colours or turn the line round."""
    from rich.text import Text

    return Text(brief(visible(text).replace("\n", " ").replace("\t", " "), most))


def renderable(report: Report, /) -> RenderableType:
    """What `rich.print(report)` shows."""
    from rich.console import Group

    return Group(*(line for part in _parts(report) for line in (part, "")))


def _parts(report: Report) -> Iterator[RenderableType]:
    from rich.console import Group
    from rich.text import Text

    yield Text.assemble((shown(report.name).plain, "bold"), f"  {heading(report)}")
    yield table_of(
        ["scorer", "mean", "95 % interval", "coverage", "distribution"],
        (
            [
                shown(each.id + ("  ↓ lower is better" if each.better == "lower" else "")),
                Text(number(each.mean.value), "bold"),
                Text(interval(each.mean)),
                Text(str(each.mean.coverage), "" if each.mean.coverage.is_whole else "yellow"),
                Text(NONE if each.histogram is None else bars(each.histogram.counts), "cyan"),
            ]
            for each in report.scorers
        ),
    )
    if report.checks:
        yield Group(*map(_check, report.checks))
    slices = [(each.id, part) for each in report.scorers for part in each.slices if part.kind == "tag"]
    if slices:
        yield table_of(
            ["scorer", "slice", "mean", "95 % interval", "coverage"],
            (
                [
                    shown(id),
                    shown(slice_name(part)),
                    Text(number(part.mean.value)),
                    Text(interval(part.mean)),
                    Text(str(part.mean.coverage)),
                ]
                for id, part in slices[:LISTED]
            ),
        )
        yield from _more(len(slices))
    worst = [(each.id, low) for each in report.scorers for low in each.worst[:_WORST]]
    if worst:
        yield table_of(
            ["worst", "score", "row", "reason"],
            ([shown(id), Text(number(low.score)), shown(low.case.id), shown(low.reason)] for id, low in worst[:LISTED]),
        )
        yield from _more(len(worst))
    yield from _failures(report)
    notes = [*report.notes, *(f"{each.id}: {said}" for each in report.scorers for said in cautions(each))]
    if notes:
        said = (Text.assemble(("note ", "bold yellow"), shown(note, 300)) for note in dict.fromkeys(notes))
        yield Group(*said)
    yield Text(": ".join(verdict(report)), _STYLES[report.verdict])


def _check(each: Check) -> Text:
    from rich.text import Text

    decided = (f"{DECISIONS[each.decision]:<9} ", _STYLES[each.decision])
    return Text.assemble(decided, f"{each.kind} ", shown(f"{each.scorer}: {check(each)}", 300))


def _failures(report: Report) -> Iterator[RenderableType]:
    from rich.text import Text

    for each in report.scorers:
        if said := failed(report, each):
            yield Text.assemble((shown(each.id).plain, "bold red"), ": ", shown(said, 300))
    if report.failures:
        yield table_of(
            ["failed", "scorer", "count", "first rows", "message"],
            (
                [
                    shown(each.kind),
                    shown(each.scorer or "target"),
                    Text(f"{each.count:,}"),
                    shown(", ".join(each.first)),
                    shown(each.message),
                ]
                for each in report.failures[:LISTED]
            ),
        )
        yield from _more(len(report.failures))
    if report.not_scorable:
        yield table_of(
            ["not scorable", "count", "first rows", "reason"],
            (
                [shown(each.scorer), Text(f"{each.count:,}"), shown(", ".join(each.first)), shown(each.reason)]
                for each in report.not_scorable[:LISTED]
            ),
        )
        yield from _more(len(report.not_scorable))


def _more(n: int) -> Iterator[Text]:
    from rich.text import Text

    if n > LISTED:
        yield Text(f"… and {counted(n - LISTED, 'more line')}", "dim")


def table_of(names: Sequence[str], rows: Iterable[Sequence[RenderableType]], /) -> Table:
    """A table without lines but the one under its heads."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim", padding=(0, 1, 0, 0))
    for name in names:
        table.add_column(name, justify="right" if name in _RIGHT else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
