"""Two evaluations side by side: what changed, by how much, and whether chance explains it."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

import attrs

from scorewright.reports.report import Better, Figure, Histogram
from scorewright.suites.coverage import Coverage

Outcome: TypeAlias = Literal["better", "worse", "noise", "unknown"]
Change: TypeAlias = Literal["better", "worse", "only first", "only second"]


@final
@attrs.frozen
class Changed:
    """A row whose score differs, or that only one side has scored; `turn` counts from 1.

    The texts are cut short, and those of rows beyond the first 20,000 are not kept.
    """

    id: str
    turn: int | None
    first: float | None
    second: float | None
    change: Change
    first_reason: str
    second_reason: str
    input: str = ""
    first_output: str = ""
    second_output: str = ""


@final
@attrs.frozen
class ScorerComparison:
    """The paired difference of one scorer, second minus first, over the rows that both have scored.

    `p_value` is corrected for the number of scorers (Holm). `outcome` follows from it alone: "better" and "worse" where
    it is below 0.05, "noise" where it is not, "unknown" where there is none; `why` says why. `differences` are those of
    rows that changed, as wide below 0 as above; None where none did.
    """

    id: str
    better: Better
    first: Figure
    second: Figure
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    test: str
    why: str
    n_better: int
    n_worse: int
    n_same: int
    coverage: Coverage  # of the rows that both know: scored are those that both have scored
    only_first: int
    only_second: int
    outcome: Outcome
    changed: tuple[Changed, ...]
    differences: Histogram | None = None


@attrs.frozen
class RunComparison:
    """Two evaluations compared. `differs` is what is not the same in both, where that was allowed."""

    first: str
    second: str
    differs: tuple[str, ...]
    scorers: tuple[ScorerComparison, ...]


@final
@attrs.frozen
class NotComparable:
    """Why two evaluations are not compared: what differs would be taken for what changed."""

    why: tuple[str, ...]
