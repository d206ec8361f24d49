"""What scoring a file would ask and cost: every row is planned, nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import final

import attrs
from returns.pipeline import is_successful

from scorewright.cli.table import counted
from scorewright.core import plan
from scorewright.judges.estimate import NOTHING, Bounds, Estimate, estimate
from scorewright.suites.rows import BrokenRow, RowItem
from scorewright.suites.rows.structuring import RowReader


@final
@attrs.frozen
class Estimated:
    """The sum, and how many rows it is of; rows that do not fit a scorer would ask nothing."""

    rows: int
    broken: int
    total: Estimate
    scorers: Mapping[str, Estimate]


def estimated(lines: Iterable[RowItem], readers: Sequence[RowReader], /) -> Estimated:
    """Plan every row with every scorer: their plain steps run up to the first question of each."""
    rows = broken = 0
    each = {reader.scorer.id: NOTHING for reader in readers}
    for line in lines:
        if isinstance(line, BrokenRow):
            broken += 1
            continue
        rows += 1
        for reader in readers:
            run = reader.run(line)
            if is_successful(run):
                each[reader.scorer.id] += estimate([plan(reader.scorer, run.unwrap())])
    return Estimated(rows, broken, sum(each.values(), NOTHING), each)


def estimate_lines(found: Estimated, source: str, unit: str, /) -> str:
    """The estimate as a person reads it."""
    broken = f" · {counted(found.broken, 'broken line')}" if found.broken else ""
    total = found.total
    named = (
        ("questions", total.asks),
        ("requests", total.calls),
        ("tokens in, about", total.input_tokens),
        ("tokens out", total.output_tokens),
        ("US dollars", total.dollars),
    )
    width = max(len(name) for name, _ in named)
    lines = [f"{source}  {counted(found.rows, unit)}{broken} · {counted(len(found.scorers), 'scorer')}", ""]
    return (
        "\n".join([*lines, *(f"{name:<{width}}  {bounds}" for name, bounds in named), "", "Nothing was sent."]) + "\n"
    )


def estimate_report(found: Estimated, source: str, /) -> Mapping[str, object]:
    """The estimate as a machine reads it; what is unknown is null."""
    return {
        "schema_version": 1,
        "source": source,
        "rows": found.rows,
        "n_broken": found.broken,
        "estimate": _all(found.total),
        "scorers": [{"id": id, "estimate": _all(each)} for id, each in found.scorers.items()],
    }


def _all(each: Estimate) -> Mapping[str, object]:
    return {
        "asks": _pair(each.asks),
        "calls": _pair(each.calls),
        "input_tokens": _pair(each.input_tokens),
        "output_tokens": _pair(each.output_tokens),
        "dollars": _pair(each.dollars),
    }


def _pair(bounds: Bounds) -> list[float | None]:
    return [bounds.low, bounds.high]
