"""Small drawings: a mean with its interval, a distribution, a coverage. Each says in words what it shows."""

from __future__ import annotations

from scorewright.reports.html.marks import text
from scorewright.reports.report import Figure, Histogram
from scorewright.reports.sentences import counted, number
from scorewright.suites.coverage import Coverage

_WIDE, _HIGH, _EDGE = 240, 24, 8
_BAR, _TALL = 8, 36
_COVER = 120


def strip(figure: Figure, low: float, high: float, name: str = "mean", /) -> str:
    """A number as a dot and its interval as a line, on an axis from low to high."""
    if figure.value is None:
        return ""
    middle = _HIGH / 2
    told = f"{name} {number(figure.value)}"
    drawn = [f'<line class="axis" x1="{_EDGE}" y1="{middle}" x2="{_WIDE - _EDGE}" y2="{middle}"/>']
    drawn += [
        f'<line class="axis" x1="{x:.1f}" y1="{middle - h}" x2="{x:.1f}" y2="{middle + h}"/>'
        for x, h in ((_EDGE, 5), (_WIDE / 2, 3), (_WIDE - _EDGE, 5))
    ]
    if figure.low is not None and figure.high is not None:
        told += f", 95 % interval {number(figure.low)} to {number(figure.high)}"
        ends = _at(figure.low, low, high), _at(figure.high, low, high)
        drawn.append(f'<line class="interval" x1="{ends[0]:.1f}" y1="{middle}" x2="{ends[1]:.1f}" y2="{middle}"/>')
        drawn += [
            f'<line class="cap" x1="{x:.1f}" y1="{middle - 5}" x2="{x:.1f}" y2="{middle + 5}"/>'
            for x, end in zip(ends, (figure.low, figure.high), strict=True)
            if low <= end <= high  # an end that lies outside has no cap
        ]
    drawn.append(f'<circle class="dot" cx="{_at(figure.value, low, high):.1f}" cy="{middle}" r="4.5"/>')
    told += f"; the axis runs from {number(low)} to {number(high)}"
    return svg(_WIDE, _HIGH, told, "".join(drawn), "strip")


def bars(histogram: Histogram, /) -> str:
    """A distribution: one bar for each part of the scale."""
    most = max(histogram.counts) or 1
    width = (histogram.high - histogram.low) / len(histogram.counts)
    drawn: list[str] = []
    for at, count in enumerate(histogram.counts):
        tall = max(count / most * (_TALL - 4), 1.5) if count else 0
        part = f"{number(histogram.low + at * width)} to {number(histogram.low + (at + 1) * width)}"
        drawn.append(
            f'<rect class="bar" x="{at * _BAR}" y="{_TALL - 1 - tall:.1f}" width="{_BAR - 1.5}" '
            f'height="{tall:.1f}" rx="1">'
            f"<title>{part}: {count}</title></rect>"
        )
    end = len(histogram.counts) * _BAR
    drawn.append(f'<line class="axis" x1="0" y1="{_TALL - 0.5}" x2="{end}" y2="{_TALL - 0.5}"/>')
    full = max(range(len(histogram.counts)), key=histogram.counts.__getitem__)
    told = (
        f"distribution of {counted(sum(histogram.counts), 'score')} from {number(histogram.low)} to "
        f"{number(histogram.high)}; the fullest part, from {number(histogram.low + full * width)}, holds {most}"
    )
    return svg(end, _TALL, told, "".join(drawn), "bars")


def covered(coverage: Coverage, /) -> str:
    """Scored, not scorable and failed runs as parts of one bar."""
    whole, x = coverage.n or 1, 0.0
    drawn = f'<rect class="none" x="0" y="0" width="{_COVER}" height="8" rx="2"/>'
    for count, name in (
        (coverage.n_scored, "scored"),
        (coverage.n_not_scorable, "unscored"),
        (coverage.n_failed, "failed"),
    ):
        if count:
            wide = count / whole * _COVER
            drawn += f'<rect class="{name}" x="{x:.1f}" y="0" width="{max(wide, 1.5):.1f}" height="8"/>'
            x += wide
    return svg(_COVER, 8, str(coverage), drawn, "cover")


def share(count: int, most: int, /) -> str:
    """A count as a bar, the longest being the greatest; the number stands beside it, so it is not said."""
    wide = max(count / max(most, 1) * _COVER, 2)
    bar = f'<rect class="failed" x="0" y="0" width="{wide:.1f}" height="8" rx="2"/>'
    return f'<svg class="cover" viewBox="0 0 {_COVER} 8" width="{_COVER}" height="8" aria-hidden="true">{bar}</svg>'


def _at(value: float, low: float, high: float) -> float:
    part = (value - low) / (high - low) if high > low else 0.5
    return _EDGE + min(max(part, 0.0), 1.0) * (_WIDE - 2 * _EDGE)


def svg(wide: float, high: float, told: str, drawn: str, name: str, /) -> str:
    """A drawing that says in words what it shows."""
    return (
        f'<svg class="{name}" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}" role="img" '
        f'aria-label="{text(told)}">{drawn}</svg>'
    )
