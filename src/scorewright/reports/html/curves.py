"""Drawings of a calibration and of a comparison: a reliability curve, scores on both sides of a cut, differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scorewright.reports.html.svg import svg
from scorewright.reports.report import Histogram
from scorewright.reports.sentences import counted, number

if TYPE_CHECKING:
    from scorewright.calibration import Bin

_SIDE, _LEFT, _BOTTOM, _TOP = 320, 40, 34, 10
_COUNTS = 44  # the height of the bars below the curve
_WIDE, _TALL, _EDGE = 480, 64, 12
_BAR, _HIGH = 8, 40


def curve(bins: Sequence[Bin], /) -> str:
    """People's share by the mean score of each bin, with intervals; on the diagonal both are the same."""
    from scorewright.statistics import Interval

    drawn = [f'<line class="axis" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>']
    for tick in (0, 0.25, 0.5, 0.75, 1):
        drawn.append(f'<line class="grid" x1="{_x(tick)}" y1="{_y(0)}" x2="{_x(tick)}" y2="{_y(1)}"/>')
        drawn.append(f'<line class="grid" x1="{_x(0)}" y1="{_y(tick)}" x2="{_x(1)}" y2="{_y(tick)}"/>')
        drawn.append(f'<text class="tick" x="{_x(tick)}" y="{_y(0) + 14}" text-anchor="middle">{tick:g}</text>')
        drawn.append(f'<text class="tick" x="{_x(0) - 6}" y="{_y(tick) + 4}" text-anchor="end">{tick:g}</text>')
    points: list[tuple[float, float]] = []
    most = max((each.n for each in bins), default=1)
    base = _y(0) + _BOTTOM + _COUNTS
    for each in bins:
        x, interval = _x(each.score), each.people.interval
        tall = max(each.n / most * (_COUNTS - 6), 1.5)
        told = f"score {number(each.score)}: people {each.people.value}, {counted(each.n, 'row')}"
        left, wide = _x(each.low) + 1, _x(each.high) - _x(each.low) - 2
        drawn.append(
            f'<rect class="count" x="{left:.1f}" y="{base - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}">'
            f"<title>{told}</title></rect>"
        )
        if isinstance(interval, Interval):
            low, high = _y(min(max(interval.low, 0.0), 1.0)), _y(min(max(interval.high, 0.0), 1.0))
            drawn.append(f'<line class="interval" x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}"/>')
        if isinstance(each.people.value, float):
            points.append((x, _y(each.people.value)))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn.append(f'<polyline class="curve" points="{path}"/>')
    drawn += [f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>' for x, y in points]
    drawn.append(f'<line class="axis" x1="{_x(0)}" y1="{base}" x2="{_x(1)}" y2="{base}"/>')
    drawn.append(f'<text class="tick" x="{_x(0.5)}" y="{base + 14}" text-anchor="middle">mean score, and rows</text>')
    said = f"reliability curve of {counted(len(bins), 'bin')}; the table beside it holds its numbers"
    return svg(_LEFT + _SIDE + _EDGE, base + 22, said, "".join(drawn), "reliability")


def _x(value: float) -> float:
    return _LEFT + value * _SIDE


def _y(value: float) -> float:
    return _TOP + (1 - value) * (_SIDE - _TOP)


def cut_drawn(passed: Histogram, failed: Histogram, at: float, ends: tuple[float, float] | None, /) -> str:
    """Scores of rows that people passed above the line, of those that they failed below, and where they are cut."""
    most = max(*passed.counts, *failed.counts, 1)
    middle = _TALL + 4
    width = (_WIDE - 2 * _EDGE) / len(passed.counts)
    drawn: list[str] = []
    if ends is not None:
        low, high = (_at(end, passed) for end in ends)
        drawn.append(
            f'<rect class="band" x="{low:.1f}" y="2" width="{max(high - low, 1):.1f}" height="{2 * _TALL + 4}"/>'
        )
    for up, held in ((True, passed), (False, failed)):
        name = "good" if up else "failed"
        for part, count in enumerate(held.counts):
            if count:
                tall = max(count / most * (_TALL - 6), 1.5)
                y = middle - 1 - tall if up else middle + 1
                drawn.append(
                    f'<rect class="{name}" x="{_EDGE + part * width + 0.75:.1f}" y="{y:.1f}" rx="1" '
                    f'width="{width - 1.5:.1f}" height="{tall:.1f}"><title>{counted(count, "row")}</title></rect>'
                )
    drawn.append(f'<line class="axis" x1="{_EDGE}" y1="{middle}" x2="{_WIDE - _EDGE}" y2="{middle}"/>')
    x = _at(at, passed)
    drawn.append(f'<line class="cut" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{2 * _TALL + 8}"/>')
    told = f"scores of rows that people passed, above, and failed, below, on {number(passed.low)} to "
    told += f"{number(passed.high)}; cut at {number(at)}"
    if ends is not None:
        told += f", between {number(ends[0])} and {number(ends[1])}"
    return svg(_WIDE, 2 * _TALL + 8, told, "".join(drawn), "cut")


def _at(value: float, axis: Histogram) -> float:
    part = (value - axis.low) / (axis.high - axis.low) if axis.high > axis.low else 0.5
    return _EDGE + min(max(part, 0.0), 1.0) * (_WIDE - 2 * _EDGE)


def differences(held: Histogram, better: str, /) -> str:
    """How far rows changed: worse ones red and better ones green, on both sides of no change."""
    most = max(held.counts) or 1
    half = len(held.counts) // 2
    drawn: list[str] = []
    for at, count in enumerate(held.counts):
        if count:
            tall = max(count / most * (_HIGH - 4), 1.5)
            name = "good" if (at >= half) == (better == "higher") else "failed"
            drawn.append(
                f'<rect class="{name}" x="{at * _BAR}" y="{_HIGH - 1 - tall:.1f}" width="{_BAR - 1.5}" '
                f'height="{tall:.1f}" rx="1"><title>{counted(count, "row")}</title></rect>'
            )
    wide = len(held.counts) * _BAR
    drawn.append(f'<line class="axis" x1="0" y1="{_HIGH - 0.5}" x2="{wide}" y2="{_HIGH - 0.5}"/>')
    drawn.append(f'<line class="axis" x1="{wide / 2}" y1="0" x2="{wide / 2}" y2="{_HIGH}"/>')
    told = f"differences of {counted(sum(held.counts), 'row')} that changed, from {number(held.low)} to "
    return svg(wide, _HIGH, f"{told}{number(held.high)}", "".join(drawn), "differences")


def moved(worse: int, same: int, better: int, /) -> str:
    """Rows that became worse, stayed, and became better as parts of one bar."""
    whole, x, drawn = max(worse + same + better, 1), 0.0, ""
    for count, name in ((worse, "failed"), (same, "none"), (better, "good")):
        if count:
            wide = count / whole * _MOVED
            drawn += f'<rect class="{name}" x="{x:.1f}" y="0" width="{max(wide, 1.5):.1f}" height="8"/>'
            x += wide
    return svg(_MOVED, 8, f"{worse:,} worse, {same:,} same, {better:,} better", drawn, "cover")


_MOVED = 140
