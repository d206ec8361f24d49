"""The summary as a machine reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import attrs

from scorewright.cli.gates import Gate
from scorewright.cli.summary import Summary, Tally

SCHEMA_VERSION = 1


def report(summary: Summary, gates: Sequence[Gate], exit_code: int, /) -> Mapping[str, object]:
    """All counts, and what was kept of failures, broken lines and runs that are not scorable.

    A scale without an end has null there.
    """
    tallies = [*summary.tallies.values()]
    return {
        "schema_version": SCHEMA_VERSION,
        "source": summary.source,
        "rows": summary.n_rows,
        "stopped": summary.stopped or None,
        "exit_code": exit_code,
        "scorers": [_scorer(tally) for tally in tallies],
        "gates": [
            {
                "scorer": gate.scorer,
                f"fail_{gate.way}": gate.limit,
                "mean": gate.mean(tallies),
                "passed": gate.passes(tallies),
            }
            for gate in gates
        ],
        "n_failed": summary.n_failed,
        "failures": [attrs.asdict(failed) for failed in summary.failures],
        "n_not_scorable": summary.n_not_scorable,
        "not_scorable": [attrs.asdict(unscored) for unscored in summary.not_scorable],
        "n_broken": summary.n_broken,
        "broken": [{"line": line.place.line, "column": line.place.column, "why": line.why} for line in summary.broken],
    }


def _scorer(tally: Tally) -> Mapping[str, object]:
    low, median, high = tally.spread or (None, None, None)
    scale = tally.scorer.scale
    return {
        "id": tally.scorer.id,
        "name": tally.scorer.name,
        "better": tally.scorer.better,
        "scale": [end if isfinite(end) else None for end in (scale.low, scale.high)],
        "mean": tally.mean,
        "n_scored": tally.n_scored,
        "n_not_scorable": tally.n_not_scorable,
        "n_failed": tally.n_failed,
        "min": low,
        "median": median,
        "max": high,
        "lowest": [attrs.asdict(low) for low in tally.lowest],
    }
