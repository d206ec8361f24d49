"""A calibration as one page: agreement, the threshold, the reliability curve, means, and rows to read."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import TYPE_CHECKING

from scorewright.core import Scale
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
from scorewright.reports.html.curves import curve, cut_drawn
from scorewright.reports.html.marks import said, table, text
from scorewright.reports.html.sections import on_axis
from scorewright.reports.html.shell import Section, document, header, notes, part
from scorewright.reports.report import Histogram
from scorewright.reports.sentences import NONE, interval, number
from scorewright.reports.texts import brief
from scorewright.suites.tally import histogram_of

if TYPE_CHECKING:
    from scorewright.calibration import Calibration, Cut, Matrix, Pair, Reliability

MOST_LISTED = 25
_BINS = 40
_MOST_SUMMED = 160
_MOST_TOLD = 4_000


def calibration_page(found: Calibration, source: str = "", /) -> str:
    """One file of HTML without a network."""
    head = _header(found, source, toggle=True)
    return document(f"{found.scorer} · calibration", head, [*_sections(found)])


def calibration_fragment(found: Calibration, source: str = "", /) -> str:
    """The same without a script, for a notebook."""
    return part(_header(found, source, toggle=False), _sections(found))


def _header(found: Calibration, source: str, *, toggle: bool) -> str:
    from scorewright.statistics import Undefined

    told = "Its scores beside what people said of the same rows."
    if not isinstance(found.cut, Undefined):
        told = text(cut_told(found.cut, found.better))
    origin = [("scorer", found.scorer), ("rows", source)]
    return header(f"Calibration of {found.scorer}", told, heading(found), origin, toggle=toggle)


def _sections(found: Calibration) -> Iterator[Section]:
    from scorewright.statistics import Undefined

    yield "agreement", "Agreement with people", _agreement(found)
    if not isinstance(found.cut, Undefined):
        yield "threshold", "The threshold", _cut(found, found.cut)
    if not isinstance(found.reliability, Undefined):
        yield "reliability", "Does a score mean what it says?", _curve(found, found.reliability)
    yield "means", "What people would say of all rows", _measures("Means", means(found), found.level)
    if held := [each for each in found.pairs[:MOST_LISTED] if each.apart]:
        told = '<p class="dim">Read these first: either the scorer is wrong, or a label is.</p>'
        yield "apart", "Farthest apart", told + "".join(_item(each, found.kind) for each in held)
    if found.unscored:
        rows = (
            [said(state), f"{n:,}", said(brief(first, _MOST_SUMMED)), said(brief(why, _MOST_TOLD))]
            for state, why, n, first in unscored(found)
        )
        heads = ["state", "count", "first row", "why"]
        yield (
            "unscored",
            "Labelled rows without a score",
            table("Without a score, by reason", heads, rows, numbers=(1,)),
        )
    if found.caution:
        yield "notes", "Before you trust a number", notes(found.caution)


def _measures(name: str, given: Iterable[Measure], level: float) -> str:
    heads = ["measure", "value", f"{100 * level:g} % interval", '<span class="hidden">drawn</span>', "rows"]
    rows = (
        [
            said(each.name),
            f"<b>{number(each.figure.value)}</b>",
            interval(each.figure)
            if each.figure.low is not None
            else f'<small class="dim">{text(each.figure.why) or NONE}</small>',
            on_axis(each.figure, each.low, each.high, each.name),
            f"{each.figure.coverage.n:,}",
        ]
        for each in given
    )
    return table(name, heads, rows, numbers=(1, 4))


def _agreement(found: Calibration) -> str:
    from scorewright.statistics import Undefined

    parts = _measures("Agreement with people", agreement(found), found.level)
    if not isinstance(found.annotators, Undefined):
        parts += "<h3>People with each other: the yardstick</h3>"
        parts += _measures("People with each other", annotators(found), found.level)
    if found.matrix is not None and found.kind == "levels":
        parts += f"<h3>Levels</h3>{_matrix(found.matrix)}"
    return parts


def _matrix(matrix: Matrix) -> str:
    heads = ["people ↓ · scorer →", *(said(name) for name in matrix.names)]
    rows = (
        [said(name), *(f"<b>{n:,}</b>" if at == row else f"{n:,}" for at, n in enumerate(counts))]
        for row, (name, counts) in enumerate(zip(matrix.names, matrix.counts, strict=True))
    )
    return table("Labels of people by those of the scorer", heads, rows, numbers=range(1, len(matrix.names) + 1))


def _cut(found: Calibration, cut: Cut) -> str:
    from scorewright.statistics import Interval, Undefined

    if isinstance(cut.value, Undefined):
        return f"<p>{text(cut_told(cut, found.better))}</p>"
    passed, failed = _sides(found)
    ends = (cut.interval.low, cut.interval.high) if isinstance(cut.interval, Interval) else None
    key = (
        '<p class="dim"><span class="key good"></span>people passed, above'
        '<span class="key failed"></span>people failed, below; dashed: the threshold; shaded: its interval</p>'
    )
    matrix = "" if found.matrix is None else _matrix(found.matrix)
    drawn = f'<div class="duo"><div>{cut_drawn(passed, failed, cut.value, ends)}{key}</div><div>{matrix}</div></div>'
    return f"{drawn}{_measures('The threshold', cut_measures(cut), found.level)}"


def _sides(found: Calibration) -> tuple[Histogram, Histogram]:
    """Scores of rows that people passed, and of those that they failed, on one axis."""
    pairs = [(pair.row.score or 0.0, pair.people) for pair in found.pairs]
    low = found.scale.low if isfinite(found.scale.low) else min(score for score, _ in pairs)
    high = found.scale.high if isfinite(found.scale.high) else max(score for score, _ in pairs)
    axis = Scale(low, high) if low < high else Scale(low, low + 1)
    half = 0.5
    up = array("d", (score for score, people in pairs if people > half))
    down = array("d", (score for score, people in pairs if people < half))
    return (
        Histogram(axis.low, axis.high, histogram_of(up, axis, _BINS)),
        Histogram(axis.low, axis.high, histogram_of(down, axis, _BINS)),
    )


def _curve(found: Calibration, held: Reliability) -> str:
    from scorewright.statistics import Undefined

    people = "people pass" if found.kind == "pass_fail" else "people say"
    rows = (
        [
            f"{each.low:g} to {each.high:g}",
            number(each.score),
            NONE if isinstance(each.people.value, Undefined) else f"<b>{number(each.people.value)}</b>",
            NONE if isinstance(each.people.interval, Undefined) else str(each.people.interval),
            f"{each.n:,}",
        ]
        for each in held.bins
    )
    heads = ["score", "mean score", people, f"{100 * found.level:g} % interval", "rows"]
    numbers = table("Reliability by bins of the score", heads, rows, numbers=(1, 2, 3, 4))
    flipped = (
        ' <p class="dim">Lower is better: scores are turned round, so that 1 is good.</p>'
        if found.better == "lower"
        else ""
    )
    drawn = f'<div class="duo">{curve(held.bins)}<div>{numbers}</div></div>'
    return f"{flipped}{drawn}{_measures('Calibration errors', reliability(found), found.level)}"


def _item(pair: Pair, kind: str) -> str:
    row = pair.row
    short = said(brief(row.told or row.output, _MOST_SUMMED))
    fields = (
        ("input", row.input),
        ("output", row.output),
        ("people said", labels_told(pair, kind)),
        ("the scorer's reason", row.told),
    )
    told = "".join(
        f"<dt>{name}</dt><dd>{said(brief(value, _MOST_TOLD), block=True)}</dd>" for name, value in fields if value
    )
    people = f"people {number(pair.people)}"
    return (
        f'<details class="item"><summary><b class="move">{number(row.score)} · {people}</b> '
        f'<span class="id">{said(brief(row.id, _MOST_SUMMED))}</span><span class="short">{short}</span></summary>'
        f"<dl>{told}</dl></details>"
    )
