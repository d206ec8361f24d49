"""What came of one item: what the target answered or how it failed, and every scorer's result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TypeAlias, final

import attrs
from returns.result import Result, Success

from scorewright.core import Evaluation, ScoringFailure
from scorewright.core.run import writers
from scorewright.faults import NotScorable
from scorewright.judges.usage import Spent, spent
from scorewright.suites.rows.row import Absent, Row
from scorewright.suites.spending import NOTHING_SPENT, added
from scorewright.suites.targets import Answered, TargetFault

Judged: TypeAlias = Result[Evaluation, ScoringFailure[object]]


@final
@attrs.frozen(init=False)
class ItemScore:
    """One scorer's result for an item; `turn` counts from 1 where it is of one turn of a conversation.

    `spent` is None where nothing was asked.
    """

    id: str
    result: Judged
    turn: int | None = None
    spent: Spent | None = attrs.field(default=None, eq=False)

    def __init__(self, id: str, result: Judged, turn: int | None = None, spent: Spent | None = None) -> None:
        _id(self, id)
        _result(self, result)
        _turn(self, turn)
        _spent(self, spent)

    @property
    def key(self) -> str:
        """The id, and the turn where there is one: different for every result of an item."""
        return self.id if self.turn is None else f"{self.id}[{self.turn}]"


_id, _result, _turn, _spent = writers(ItemScore, "id", "result", "turn", "spent")


@final
@attrs.frozen(init=False)
class ItemRecord:
    """One item that is done. `index` is its place among the rows, from 0; records come as items finish.

    With a `fault` the target failed, and no scorer saw the item. `answered` is what the target gave; None where there
    was none to ask, or it failed. `nanoseconds` is the target's time; those of scorers are in their evidence.
    """

    index: int
    row: Row
    scores: tuple[ItemScore, ...] = ()
    answered: Answered | None = None
    fault: TargetFault | None = None
    nanoseconds: int = attrs.field(default=0, eq=False)

    def __init__(  # noqa: PLR0917 - it writes the fields in their order, in half the time of attrs
        self,
        index: int,
        row: Row,
        scores: tuple[ItemScore, ...] = (),
        answered: Answered | None = None,
        fault: TargetFault | None = None,
        nanoseconds: int = 0,
    ) -> None:
        _index(self, index)
        _row(self, row)
        _scores(self, scores)
        _answered(self, answered)
        _fault(self, fault)
        _nanoseconds(self, nanoseconds)

    @property
    def output(self) -> object | Absent:
        """What was scored: the target's answer, or the row's own output."""
        return self.row.output if self.answered is None else self.answered.output

    @property
    def results(self) -> Mapping[str, Judged]:
        """Every scorer's result by its id, with the turn after it where it is of one: "polite", "polite[2]"."""
        return {score.key: score.result for score in self.scores}

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        """The results that have a score."""
        return {each.key: each.result.unwrap() for each in self.scores if isinstance(each.result, Success)}

    @property
    def failures(self) -> Mapping[str, ScoringFailure[object]]:
        """The results of scorers that failed."""
        return {key: failure for key, failure in self._without_score() if not isinstance(failure.cause, NotScorable)}

    @property
    def not_scorable(self) -> Mapping[str, str]:
        """Why scorers could not score the item, where it does not hold what they judge."""
        causes = ((key, failure.cause) for key, failure in self._without_score())
        return {key: cause.reason for key, cause in causes if isinstance(cause, NotScorable)}

    @property
    def spent(self) -> Spent:
        """What all scorers asked, and what that cost; dollars are None where a price is not known."""
        return reduce(added, (each.spent for each in self.scores if each.spent is not None), NOTHING_SPENT)

    def _without_score(self) -> list[tuple[str, ScoringFailure[object]]]:
        return [(each.key, each.result.failure()) for each in self.scores if not isinstance(each.result, Success)]


_index, _row, _scores, _answered, _fault, _nanoseconds = writers(
    ItemRecord, *(field.name for field in attrs.fields(ItemRecord))
)


def done(result: Judged, /) -> Evaluation | ScoringFailure[object]:
    """The evaluation or the failure."""
    return result.unwrap() if isinstance(result, Success) else result.failure()


def item_score(id: str, result: Judged, turn: int | None, /) -> ItemScore:
    """The result, and what it took where something was asked."""
    found = done(result)
    return ItemScore(id, result, turn, spent(found) if any(found.trail[2::3]) else None)
