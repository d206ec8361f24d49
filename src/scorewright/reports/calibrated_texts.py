"""A calibration as Markdown and in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from scorewright.reports.calibrated import (
    Measure,
    agreement,
    annotators,
    cut_measures,
    cut_told,
    heading,
    labels_told,
    means,
    reliability,
    unscored,
)
from scorewright.reports.markdown import escaped, table_lines
from scorewright.reports.sentences import interval, number
from scorewright.reports.terminal import shown, table_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from scorewright.calibration import Calibration

LISTED = 10
TITLES = ("agreement with people", "people with each other", "the threshold", "does a score mean what it says", "means")


def parts(found: Calibration, /) -> Iterator[tuple[str, list[Measure]]]:
    """The measures by what they are about; what there is nothing of is left out."""
    from scorewright.statistics import Undefined

    cut: list[Measure] = [] if isinstance(found.cut, Undefined) else [*cut_measures(found.cut)]
    held = ([*agreement(found)], [*annotators(found)], cut, [*reliability(found)], [*means(found)])
    yield from ((title, those) for title, those in zip(TITLES, held, strict=True) if those)


def calibration_markdown(found: Calibration, /, *, listed: int = LISTED) -> str:
    """The whole calibration for a pull request; every text of others stays text."""
    from scorewright.statistics import Undefined

    lines = [f"# Calibration of {escaped(found.scorer)}", "", heading(found), ""]
    for title, measures in parts(found):
        lines += [f"## {title.capitalize()}", ""]
        if title == TITLES[2] and not isinstance(found.cut, Undefined):
            lines += [escaped(cut_told(found.cut, found.better)), ""]
        lines += [*table_lines(_heads(found), ([escaped(cell) for cell in _cells(each)] for each in measures)), ""]
    if found.pairs:
        lines += ["## Where the scorer and people are farthest apart", ""]
        rows = ([escaped(cell) for cell in each] for each in _apart(found, listed))
        lines += [*table_lines(("row", "score", "people", "output", "reason"), rows), ""]
    if found.unscored:
        lines += ["## Labelled rows without a score", ""]
        rows = ([escaped(str(cell)) for cell in each] for each in unscored(found))
        lines += [*table_lines(("state", "why", "count", "first row"), rows), ""]
    if found.caution:
        lines += ["## Before you trust a number", "", *(f"- {escaped(each)}" for each in found.caution)]
    return "\n".join(lines).rstrip() + "\n"


def renderable(found: Calibration, /) -> RenderableType:
    """What a terminal shows."""
    from rich.console import Group

    return Group(*(line for part in _shown(found) for line in (part, "")))


def _shown(found: Calibration) -> Iterator[RenderableType]:
    from rich.text import Text

    from scorewright.statistics import Undefined

    yield Text.assemble((shown(found.scorer).plain, "bold"), f"  {heading(found)}")
    for title, measures in parts(found):
        rows = ([shown(cell) for cell in _cells(each)] for each in measures)
        if title == TITLES[2] and not isinstance(found.cut, Undefined):
            yield Text(cut_told(found.cut, found.better))
        yield table_of((title, *_heads(found)[1:]), rows)
    if found.pairs:
        yield table_of(
            ("farthest apart", "score", "people", "output", "reason"),
            ([shown(cell, 60) for cell in each] for each in _apart(found, 5)),
        )
    if found.unscored:
        rows = ([shown(str(cell)) for cell in each] for each in unscored(found)[:LISTED])
        yield table_of(("without a score", "why", "count", "first row"), rows)
    for each in found.caution:
        yield Text.assemble(("note ", "bold yellow"), shown(each, 300))


def _heads(found: Calibration) -> tuple[str, ...]:
    return "", "value", f"{100 * found.level:g} % interval", "rows"


def _cells(each: Measure) -> list[str]:
    figure = each.figure
    told = interval(figure)
    if figure.value is None or figure.low is None:
        told = figure.why or told
    return [each.name, number(figure.value), told, f"{figure.coverage.n:,}"]


def _apart(found: Calibration, listed: int) -> Iterable[list[str]]:
    for pair in found.pairs[:listed]:
        row = pair.row
        if pair.apart:
            yield [row.id, number(row.score), labels_told(pair, found.kind), row.output, row.told]
