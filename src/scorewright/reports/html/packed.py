"""Rows as gzip in base64, which the page unpacks: what a browser reads is never markup."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from gzip import compress
from math import isfinite
from typing import TypeAlias, final

import attrs

from scorewright.reports.report import FAILED, Report, ScorerReport
from scorewright.reports.texts import brief, visible

Cell: TypeAlias = tuple[float | str | None, str]  # what a table shows, and what was told

MOST_BYTES = 3_600_000  # packed; a third more in base64, so that a page stays below 5 MB
_MOST_ID = 120
_CUTS = (300, 200, 120, 60, 24, 0)  # characters of a text: the most that fits
_SAMPLED = 500  # rows
_UNSEEN: Cell = (None, "")
_LEVEL = 4  # of gzip: a tenth larger than the usual 6, in half the time


@final
@attrs.frozen
class Packed:
    """Rows for the page's table, how many there are, and how long their texts may be."""

    rows: str = attrs.field(repr=False)
    n: int
    most: int


def packed(report: Report, most_bytes: int = MOST_BYTES, /) -> Packed:
    """As many rows as fit, with texts as long as fit; a sample tells which length that will be."""
    lines = len(report.lines)
    columns = [_column(each, lines) for each in report.scorers]
    cuts = list(_CUTS)
    while True:
        cuts = [most for most in cuts if _guessed(report, columns, most, lines) <= most_bytes] or cuts[-1:]
        held = _compressed(report, columns, cuts[0], range(lines))
        if len(held) <= most_bytes or not lines:
            return Packed(b64encode(held).decode("ascii"), lines, cuts[0])
        if len(cuts) == 1:
            lines //= 2
        else:
            del cuts[0]


def _guessed(report: Report, columns: Sequence[Sequence[Cell]], most: int, lines: int) -> float:
    """The packed size as a sample of rows tells it; rows together pack better than apart."""
    step = max(lines // _SAMPLED, 1)
    chosen = range(0, lines, step)
    return len(_compressed(report, columns, most, chosen)) * (lines / max(len(chosen), 1))


def _compressed(report: Report, columns: Sequence[Sequence[Cell]], most: int, chosen: range) -> bytes:
    return compress(_json(report, columns, most, chosen), _LEVEL, mtime=0)


def _json(report: Report, columns: Sequence[Sequence[Cell]], most: int, chosen: range) -> bytes:
    rows: list[list[object]] = []
    for at in chosen:
        line = report.lines[at]
        texts = (line.input, line.output, line.expected, line.fault)
        told = [brief(visible(column[at][1]), most) if most else "" for column in columns]
        rows.append([
            brief(visible(line.id), _MOST_ID),
            *(brief(visible(each), most) if most else "" for each in texts),
            visible(" · ".join((*line.tags, *([line.group] if line.group else [])))),
            [column[at][0] for column in columns],
            told,
        ])  # fmt: skip
    scorers = [{"id": visible(each.id), "better": each.better} for each in report.scorers]
    text = json.dumps({"scorers": scorers, "rows": rows}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _column(scorer: ScorerReport, lines: int) -> list[Cell]:
    """Of each row a score, "failed", "not scorable", or None where the scorer has not seen it; of turns the worst."""
    cells = [_UNSEEN] * lines
    sign = 1 if scorer.better == "higher" else -1
    scores, states, told = scorer.outcomes.scores, scorer.outcomes.states, scorer.outcomes.told
    for at, row in enumerate(scorer.outcomes.rows):
        if row < lines:
            score = scores[at]
            value = score if isfinite(score) else "failed" if states[at] == FAILED else "not scorable"
            held = cells[row]
            if held is _UNSEEN or _rank(value, sign) < _rank(held[0], sign):
                cells[row] = value, told.get(at, "")
    return cells


def _rank(value: float | str | None, sign: int) -> tuple[int, float]:
    """Failures before scores, the worst of which come first, before what is not scorable."""
    if isinstance(value, str):
        return (0, 0.0) if value == "failed" else (2, 0.0)
    return 1, sign * (value or 0.0)
