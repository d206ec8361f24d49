"""Scoring what a store holds once more, with other scorers: the target is not called again."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.suites.counting import Counting
from scorewright.suites.evaluate import How, OnItem, RowStream, counted
from scorewright.suites.identity import RESCORED
from scorewright.suites.rows.row import BrokenRow, Place, Row, RowItem
from scorewright.suites.suite import Suite
from scorewright.suites.summary import Summary
from scorewright.suites.targets import Answered

if TYPE_CHECKING:
    from scorewright.core import Answer
    from scorewright.core.budget import Budget
    from scorewright.suites.journal import Store


async def rescore(
    suite: Suite,
    store: Store | str | PathLike[str],
    experiment: str | None = None,
    /,
    *,
    concurrency: int | None = None,
    on_item: OnItem | None = None,
    budget: Budget | None = None,
    answer: Answer | None = None,
) -> Summary:
    """Evaluate a suite on the stored items of an experiment, in the same store.

    Without an id it is the latest that is no rescoring itself, so that the same call again continues. Scorers
    see what the target answered then: its output, its steps, its run, every turn. Items whose target failed stay
    without scores, and count as broken. The result is an experiment of its own.
    """
    how = How(store=store, concurrency=concurrency, on_item=on_item, budget=budget, answer=answer)
    return await rescored(Counting(suite), experiment, how)


async def rescored(counting: Counting, experiment: str | None, how: How, /) -> Summary:
    """`rescore`, whose counts are the caller's; `how` names the store."""
    from scorewright.suites.journal import open_store

    store = how.store
    if store is None:
        raise DefinitionError("what is scored again is in a store: store= is a path or an address")
    if isinstance(store, (str, PathLike)):
        with open_store(store) as opened:
            return await rescored(counting, experiment, attrs.evolve(how, store=opened))
    stored = Stored(store, store.experiment(experiment or _evaluated(store)).id)
    counting.source = stored.name
    anew = attrs.evolve(how, target=stored.target, claims=False)
    return await counted(counting, RowStream(stored.name, stored), anew)


def _evaluated(store: Store) -> str | None:
    """The latest experiment that a target, or the rows themselves, answered."""
    there = reversed(store.experiments())
    return next((each.id for each in there if each.settings.get("target_name") != RESCORED), None)


@final
class Stored:
    """The rows of an experiment, and a target that knows their answers."""

    def __init__(self, store: Store, experiment: str) -> None:
        self.name: str = f"experiment {experiment}"
        self._store = store
        self._experiment = experiment
        self._answers: dict[str, list[Answered]] = {}  # of rows that were read and not yet asked for, the last first

    def __iter__(self) -> Iterator[RowItem]:
        from scorewright.suites.written import kept_item

        for item in self._store.items(self._experiment):
            if item.fault is not None:
                yield BrokenRow(Place(self.name, item.position + 1), "its target had failed", item.row_id)
                continue
            kept = kept_item(item.row, item.output)
            row, answered = kept.row, kept.answered
            if answered is not None:
                *earlier, _ = answered.turns or (None,)
                self._answers[row.id] = [answered, *(Answered(output) for output in reversed(earlier))]
            yield row

    async def target(self, row: Row) -> Answered:
        """What was answered to the row, turn by turn where it has some; of a row that held its own output, that."""
        answers = self._answers.get(row.id)
        if answers is None:
            return Answered(row.output)
        answer = answers.pop()
        if not answers:
            del self._answers[row.id]
        return answer
