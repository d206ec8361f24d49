"""How far a scorer can be trusted: its scores beside what people said of the same rows."""

from __future__ import annotations

from math import isfinite
from typing import Literal, TypeAlias, final

import attrs

from scorewright.calibration.cutting import Cut
from scorewright.calibration.labels import Better, Kind
from scorewright.calibration.people import People
from scorewright.calibration.reliability import Reliability
from scorewright.core import Scale
from scorewright.faults import DefinitionError
from scorewright.statistics.agreement import Agreement
from scorewright.statistics.estimate import Estimate, Undefined
from scorewright.suites.coverage import Coverage

State: TypeAlias = Literal["scored", "failed", "not_scorable"]


@final
@attrs.frozen
class LabelledRow:
    """One row: what the scorer made of it, and what each annotator said, None where one said nothing.

    `score` is None where `state` is not "scored". `told` is the scorer's reason, or why there is no score. A row
    without labels counts for the correction alone.
    """

    id: str
    score: float | None
    labels: tuple[object, ...] = ()
    state: State = "scored"
    group: str | None = None
    told: str = ""
    input: str = ""
    output: str = ""

    def __attrs_post_init__(self) -> None:
        if (self.score is None) == (self.state == "scored"):
            raise DefinitionError(f"row {self.id!r}: a row that is scored has a score, and no other has one")
        if self.score is not None and not isfinite(self.score):
            raise DefinitionError(f"row {self.id!r}: {self.score} is no score")


@final
@attrs.frozen
class Pair:
    """A row that has both: the score, and what people said together, a share of passes or a mean."""

    row: LabelledRow
    people: float
    apart: float  # how far the two are from each other, on 0..1 where the scale has ends


@final
@attrs.frozen
class Matrix:
    """How many rows people put at one label and the scorer at another: a row for each label of people."""

    names: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@final
@attrs.frozen
class Calibration:
    """How a scorer's scores compare with people's labels.

    `coverage` is of the labelled rows: one whose scorer failed is counted and in no number. `agreement` is of the
    kind of the labels; `cut` is there for passes and failures, `bias` (score minus label) for levels and numbers.
    `judged` is the scorer's mean over all rows, `people` that of the labels, `corrected` what people's would be over
    all rows. `pairs` are those farthest apart first, `unscored` the labelled
    rows without a score. `annotators` says how well people agree with each other.
    """

    scorer: str
    scale: Scale
    better: Better
    kind: Kind
    level: float
    coverage: Coverage
    n_unlabelled: int
    n_tied: int
    agreement: tuple[Agreement, ...]
    annotators: People | Undefined
    cut: Cut | Undefined
    reliability: Reliability | Undefined
    matrix: Matrix | None
    bias: Estimate | Undefined
    judged: Estimate
    people: Estimate
    corrected: Estimate
    pairs: tuple[Pair, ...] = attrs.field(repr=False)
    unscored: tuple[LabelledRow, ...] = attrs.field(default=(), repr=False)
    caution: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.scorer}: {'; '.join(map(str, self.agreement))} ({self.coverage})"
