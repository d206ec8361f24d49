"""What all runs came to: for each scorer a mean with its coverage, and what went wrong where."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import final

import attrs
from returns.pipeline import is_successful

from scorewright.cli.loading import AnyScorer
from scorewright.cli.scoring import Scored
from scorewright.core import Evaluation
from scorewright.faults import NotScorable
from scorewright.suites.rows import BrokenRow, Row
from scorewright.suites.tally import histogram_of, mean_of, spread_of
from scorewright.wording import describe

KEPT = 100  # so many failures, runs that are not scorable, and broken lines are kept to be told; all are counted
FIRST = 3  # so many runs are told of each reason for which a scorer could not score them
LOWEST = 3  # so many of the worst scores of each scorer are kept
_MOST_SAID = 2_000


@final
@attrs.frozen
class Failed:
    """One failure, to be told."""

    line: int | None
    id: str | None
    scorer: str
    step: str
    kind: str
    message: str


@final
@attrs.frozen
class Low:
    """One score far from the good end, to be told."""

    score: float
    line: int | None
    id: str | None
    reason: str | None


@final
@attrs.frozen
class Unscored:
    """One run that is not scorable, to be told."""

    line: int | None
    id: str | None
    scorer: str
    reason: str


@final
@attrs.define
class Reason:
    """Why a scorer could not score runs, how many, and which were the first."""

    count: int = 0
    first: list[Unscored] = attrs.field(factory=list[Unscored])


@final
@attrs.define
class Tally:
    """The scores of one scorer, eight bytes each, and the counts of the runs that have none."""

    scorer: AnyScorer
    scores: array[float] = attrs.field(factory=lambda: array("d"))
    lowest: list[Low] = attrs.field(factory=list[Low])
    n_not_scorable: int = 0
    n_failed: int = 0

    def add(self, row: Row, done: Evaluation, /) -> None:
        """Count a score, and keep it in view when it is among the worst; of equals the first are kept."""
        self.scores.append(done.score)
        scorer = self.scorer
        best, sign = (scorer.scale.high, 1) if scorer.better == "higher" else (scorer.scale.low, -1)
        if done.score == best or (len(self.lowest) == LOWEST and sign * done.score >= sign * self.lowest[-1].score):
            return
        low = Low(
            done.score, row.place.line, written_id(row), None if done.reason is None else done.reason[:_MOST_SAID]
        )
        self.lowest = sorted([*self.lowest, low], key=lambda each: sign * each.score)[:LOWEST]

    @property
    def n_scored(self) -> int:
        """The runs that have a score."""
        return len(self.scores)

    @property
    def mean(self) -> float | None:
        """The mean of the scores there are; never to be shown without the counts."""
        return mean_of(self.scores)

    @property
    def spread(self) -> tuple[float, float, float] | None:
        """Minimum, median, maximum."""
        return spread_of(self.scores)

    def histogram(self, bins: int, /) -> tuple[int, ...]:
        """How many scores lie in each part of the scale, or of their own range where the scale has no ends."""
        return histogram_of(self.scores, self.scorer.scale, bins)


@final
@attrs.define
class Summary:
    """Grows with every run and every broken line; the memory it takes does not grow with what they hold."""

    source: str
    tallies: Mapping[str, Tally]
    n_rows: int = 0
    n_broken: int = 0
    n_failed: int = 0
    failures: list[Failed] = attrs.field(factory=list[Failed])
    broken: list[BrokenRow] = attrs.field(factory=list[BrokenRow])
    n_not_scorable: int = 0
    not_scorable: list[Unscored] = attrs.field(factory=list[Unscored])
    reasons: dict[tuple[str, str], Reason] = attrs.field(factory=dict[tuple[str, str], Reason])
    stopped: str = ""  # why not all rows were scored
    last: Row | None = None
    unit: str = "row"  # what the source holds

    def add(self, item: Scored | BrokenRow, /) -> None:
        """Count one more."""
        if isinstance(item, BrokenRow):
            self.n_broken += 1
            if len(self.broken) < KEPT:
                self.broken.append(item)
            return
        if item.row is not self.last:  # the scorers of one row come one after another
            self.last = item.row
            self.n_rows += 1
        tally = self.tallies[item.scorer.id]
        if is_successful(item.result):
            tally.add(item.row, item.result.unwrap())
            return
        failure = item.result.failure()
        if isinstance(failure.cause, NotScorable):
            tally.n_not_scorable += 1
            self._unscored(
                Unscored(item.row.place.line, written_id(item.row), item.scorer.id, failure.cause.reason[:_MOST_SAID])
            )
            return
        tally.n_failed += 1
        self.n_failed += 1
        if len(self.failures) < KEPT:
            message = describe(failure.cause)[:_MOST_SAID]
            kind = type(failure.cause).__name__
            self.failures.append(
                Failed(item.row.place.line, written_id(item.row), item.scorer.id, failure.step, kind, message)
            )

    def _unscored(self, unscored: Unscored) -> None:
        self.n_not_scorable += 1
        if len(self.not_scorable) < KEPT:
            self.not_scorable.append(unscored)
        key = unscored.scorer, unscored.reason
        if key in self.reasons or len(self.reasons) < KEPT:
            reason = self.reasons.setdefault(key, Reason())
            reason.count += 1
            if len(reason.first) < FIRST:
                reason.first.append(unscored)


def written_id(row: Row, /) -> str | None:
    """The id that stands in the file; None where there is none."""
    return row.id if row.has_id else None


def summary_of(source: str, scorers: Sequence[AnyScorer], unit: str = "row", /) -> Summary:
    """A summary of nothing yet."""
    return Summary(source, {scorer.id: Tally(scorer) for scorer in scorers}, unit=unit)
