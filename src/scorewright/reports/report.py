"""A report: what an evaluation came to, as every writer of this room shows it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from math import isfinite, nan
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core import Scale
from scorewright.judges.usage import Spent
from scorewright.suites.coverage import Coverage
from scorewright.suites.deciding import Decision, Verdict
from scorewright.suites.spending import NOTHING_SPENT
from scorewright.suites.thresholds import Sign

Better: TypeAlias = Literal["higher", "lower"]
SCORED, NOT_SCORABLE, FAILED = 0, 1, 2


@final
@attrs.frozen
class Figure:
    """A mean, its interval where there is one, and the runs that both are of.

    `value` is None where nothing was scored. `why` says why there is no interval; `caution` what to know before the
    number is trusted.
    """

    value: float | None
    low: float | None
    high: float | None
    method: str
    why: str
    coverage: Coverage
    caution: tuple[str, ...] = ()


@final
@attrs.frozen
class Histogram:
    """How many scores lie in each equal part of low..high."""

    low: float
    high: float
    counts: tuple[int, ...]


@final
@attrs.frozen
class Slice:
    """The runs of one tag or one group, and their mean."""

    kind: Literal["tag", "group"]
    name: str
    mean: Figure


@final
@attrs.frozen
class Said:
    """One message of a conversation."""

    role: str
    text: str


@final
@attrs.frozen
class Case:
    """A row as a person reads it, long texts cut: what was said, what was expected, how the target failed."""

    id: str
    said: tuple[Said, ...]
    expected: str = ""
    context: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    fault: str = ""


@final
@attrs.frozen
class Worst:
    """One of the scores that are farthest from the good end, with its reason; `turn` counts from 1."""

    score: float
    turn: int | None
    reason: str
    case: Case


@final
@attrs.frozen
class Line:
    """A row as a table shows it: short."""

    id: str
    input: str
    output: str
    expected: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    fault: str = ""


@final
@attrs.frozen
class Outcomes:
    """What came of every run of one scorer, in columns; `rows` are numbers of `Report.ids`, turn 0 is a whole run.

    A score is NaN where there is none: `states` says why, and `told` (by position) holds reasons and messages, cut
    short, of the rows that a table shows.
    """

    rows: array[int] = attrs.field(factory=lambda: array("I"))
    turns: array[int] = attrs.field(factory=lambda: array("I"))
    scores: array[float] = attrs.field(factory=lambda: array("d"))
    states: bytearray = attrs.field(factory=bytearray)
    told: dict[int, str] = attrs.field(factory=dict[int, str])

    def add(self, row: int, turn: int, state: int, score: float | None, told: str = "", /) -> int:
        """Add one; its position."""
        at = len(self.states)
        self.rows.append(row)
        self.turns.append(turn)
        self.states.append(state)
        self.scores.append(nan if score is None else score)
        if told:
            self.told[at] = told
        return at

    def scored(self) -> Iterator[tuple[int, float]]:
        """Positions and scores of those that have one."""
        return ((at, score) for at, score in enumerate(self.scores) if isfinite(score))

    def __len__(self) -> int:
        return len(self.states)


@final
@attrs.frozen
class ScorerReport:
    """One scorer: its mean, distribution, slices and worst items. `scale` is None where nothing says it."""

    id: str
    hash: str
    scale: Scale | None
    better: Better
    mean: Figure
    spread: tuple[float, float, float] | None
    histogram: Histogram | None
    slices: tuple[Slice, ...]
    worst: tuple[Worst, ...]
    outcomes: Outcomes = attrs.field(repr=False, eq=False)


@final
@attrs.frozen
class Failure:
    """Things that went wrong alike: how often, and in which rows first. Without a scorer it is the target."""

    scorer: str
    step: str
    kind: str
    message: str
    count: int
    first: tuple[str, ...]


@final
@attrs.frozen
class Unscored:
    """Why runs could not be scored by a scorer: how many, and which first."""

    scorer: str
    reason: str
    count: int
    first: tuple[str, ...]


@final
@attrs.frozen
class Check:
    """A threshold or a gate, what was measured, and what came of it. `rule` names what decides."""

    kind: Literal["threshold", "gate"]
    scorer: str
    rule: str
    sign: Sign
    limit: float
    measured: float | None
    n_missed: int | None
    coverage: Coverage
    decision: Decision


@attrs.frozen
class Report:
    """What an evaluation came to. `n_waiting` rows are not done; `lines` are the first rows, `ids` all of them.

    `groups` and `questions` are by a row's number in `ids`: its group, and a number of what was asked in it.
    """

    name: str
    source: str
    experiment: str
    created: str
    target: str
    verdict: Verdict
    n_items: int
    n_target_failed: int
    n_waiting: int
    scorers: tuple[ScorerReport, ...]
    checks: tuple[Check, ...]
    failures: tuple[Failure, ...]
    not_scorable: tuple[Unscored, ...]
    notes: tuple[str, ...] = ()
    spent: Spent = NOTHING_SPENT
    ids: tuple[str, ...] = attrs.field(default=(), repr=False)
    lines: tuple[Line, ...] = attrs.field(default=(), repr=False)
    groups: Mapping[int, str] = attrs.field(factory=dict[int, str], repr=False)
    questions: Mapping[int, int] = attrs.field(factory=dict[int, int], repr=False)

    @property
    def n_failed(self) -> int:
        """All things that went wrong."""
        return sum(each.count for each in self.failures)

    @property
    def by_id(self) -> Mapping[str, ScorerReport]:
        """The scorers by their ids."""
        return {each.id: each for each in self.scorers}
