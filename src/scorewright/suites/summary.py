"""What a suite came to: for each scorer a mean with its coverage, what was asked of it, and what went wrong where."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Literal, final

import attrs

from scorewright.core import Scale
from scorewright.judges.usage import Spent
from scorewright.suites.coverage import Measured
from scorewright.suites.deciding import GateResult, ThresholdResult, Verdict
from scorewright.suites.rows.row import BrokenRow, Place
from scorewright.suites.tally import Low

SCHEMA_VERSION = 1


@final
@attrs.frozen
class FailedItem:
    """One failure, to be told; without a scorer it is the target's."""

    place: Place
    id: str
    scorer: str
    step: str
    kind: str
    message: str


@final
@attrs.frozen
class UnscoredItem:
    """One item that a scorer could not score, to be told."""

    place: Place
    id: str
    scorer: str
    reason: str


@final
@attrs.frozen
class Reason:
    """Why a scorer could not score items, how many, and which were the first."""

    scorer: str
    reason: str
    count: int
    first: tuple[UnscoredItem, ...]


@final
@attrs.frozen
class ScorerSummary:
    """What one scorer's scores came to. `spread` is minimum, median and maximum; None where nothing was scored."""

    id: str
    name: str
    scale: Scale
    better: Literal["higher", "lower"]
    mean: Measured
    spread: tuple[float, float, float] | None
    histogram: tuple[int, ...]
    lowest: tuple[Low, ...]


@final
@attrs.frozen
class Summary:
    """All that was counted, and the first hundred of each kind of thing that went wrong.

    `n_items` counts the items of this call and `n_before` those that a store had already; both are in the aggregates.
    A target that failed counts as failed with every scorer. `stopped` says why not all rows were evaluated.
    """

    suite: str
    source: str
    verdict: Verdict
    stopped: str
    n_items: int
    n_before: int
    n_broken: int
    n_target_failed: int
    n_failed: int
    n_not_scorable: int
    scorers: Mapping[str, ScorerSummary]
    thresholds: tuple[ThresholdResult, ...]
    gates: tuple[GateResult, ...]
    spent: Spent
    failures: tuple[FailedItem, ...] = attrs.field(repr=False)
    broken: tuple[BrokenRow, ...] = attrs.field(repr=False)
    not_scorable: tuple[UnscoredItem, ...] = attrs.field(repr=False)
    reasons: tuple[Reason, ...] = attrs.field(repr=False)
    experiment: str = ""  # the id under which a store holds the items

    def __getitem__(self, id: str, /) -> ScorerSummary:
        return self.scorers[id]

    def to_json(self) -> dict[str, object]:
        """The summary as JSON holds it: no NaN, and an end of a scale that is none is null."""
        return {
            "schema_version": SCHEMA_VERSION,
            "suite": self.suite,
            "source": self.source,
            "experiment": self.experiment or None,
            "verdict": self.verdict,
            "stopped": self.stopped or None,
            "n_items": self.n_items,
            "n_before": self.n_before,
            "n_broken": self.n_broken,
            "n_target_failed": self.n_target_failed,
            "n_failed": self.n_failed,
            "n_not_scorable": self.n_not_scorable,
            "scorers": [_scorer(each) for each in self.scorers.values()],
            "thresholds": [_threshold(each) for each in self.thresholds],
            "gates": [_gate(each) for each in self.gates],
            "spent": attrs.asdict(self.spent),
            "failures": [_placed(each, each.place) for each in self.failures],
            "broken": [_placed(each, each.place) for each in self.broken],
            "not_scorable": [_placed(each, each.place) for each in self.not_scorable],
        }


def _scorer(each: ScorerSummary) -> dict[str, object]:
    low, median, high = each.spread or (None, None, None)
    return {
        "id": each.id,
        "name": each.name,
        "better": each.better,
        "scale": [end if isfinite(end) else None for end in (each.scale.low, each.scale.high)],
        "mean": each.mean.value,
        **attrs.asdict(each.mean.coverage),
        "min": low,
        "median": median,
        "max": high,
        "lowest": [_placed(low, low.place) for low in each.lowest],
    }


def _threshold(each: ThresholdResult) -> dict[str, object]:
    return {
        "scorer": each.asserted.scorer,
        "wanted": str(each.asserted.threshold),
        "value": each.measured.value,
        **attrs.asdict(each.measured.coverage),
        "decision": each.decision,
    }


def _gate(each: GateResult) -> dict[str, object]:
    return {
        "scorer": each.gate.scorer,
        "wanted": f"{each.gate.sign} {each.gate.limit:g}",
        "n_missed": each.n_missed,
        **attrs.asdict(each.measured.coverage),
        "decision": each.decision,
    }


def _placed(each: FailedItem | UnscoredItem | BrokenRow | Low, place: Place) -> dict[str, object]:
    fields = {name: value for name, value in attrs.asdict(each, recurse=False).items() if name != "place"}
    return {"place": str(place) or None, "line": place.line, "column": place.column, **fields}
