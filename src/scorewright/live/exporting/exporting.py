"""Exporting: scores in batches to a target, several at the same time, and an account of every one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import final

from typing_extensions import TypeIs

from scorewright.core.definition import shown
from scorewright.faults import DefinitionError
from scorewright.live.exporting.ledger import Sent
from scorewright.live.exporting.line import Patience
from scorewright.live.exporting.reading import Exportable
from scorewright.live.exporting.scores import Exported, Left, Score, left
from scorewright.live.exporting.target import Delivery, Target, is_target


async def export_scores(
    scores: Iterable[Exportable],
    target: Target,
    /,
    *,
    sent: Sent | None = None,
    patience: Patience | None = None,
) -> Exported:
    """Export scores, and say what came of each.

    With a `sent` file those that the target took before, as they are now, are left out, and a batch is in the file as
    soon as it was taken. What a server refuses is in `failed`; exporting again tries it anew. Scores are read as they
    go. What reading them or writing the file raises ends the export; cancelled, it ends what is under way and raises.
    """
    if not is_target(target):
        raise DefinitionError(f"export_scores(scores, target) takes a target, such as Phoenix(), not {shown(target)}")
    return await _Exporting(target, sent).run(scores, Patience() if patience is None else patience)


def export_scores_sync(
    scores: Iterable[Exportable],
    target: Target,
    /,
    *,
    sent: Sent | None = None,
    patience: Patience | None = None,
) -> Exported:
    """`export_scores`, waited for: on a background loop, so that it may be called where a loop runs already."""
    from scorewright.core.portal import finished

    return finished(lambda: export_scores(scores, target, sent=sent, patience=patience))


@final
class _Exporting:
    def __init__(self, target: Target, ledger: Sent | None) -> None:
        self._target = target
        self._name = target.name
        self._ledger = ledger
        self._sent = 0
        self._unchanged = 0
        self._skipped: list[Left] = []
        self._failed: list[Left] = []

    async def run(self, scores: Iterable[Exportable], patience: Patience) -> Exported:
        waiting: set[asyncio.Task[None]] = set()
        batch: list[Score] = []
        async with self._target.open(patience) as delivery:
            try:
                for each in scores:
                    if not self._goes(each):
                        continue
                    batch.append(each)
                    if len(batch) == self._target.at_once:
                        waiting = await self._begun(delivery, batch, waiting)
                        batch = []
                if batch:
                    waiting = await self._begun(delivery, batch, waiting)
                if waiting:
                    await asyncio.gather(*waiting)
            finally:
                for task in waiting:
                    task.cancel()
                await asyncio.gather(*waiting, return_exceptions=True)
        self._failed.sort(key=lambda each: (each.row_id, each.scorer))
        return Exported(self._name, self._sent, self._unchanged, tuple(self._skipped), tuple(self._failed))

    def _goes(self, each: Exportable) -> TypeIs[Score]:
        if isinstance(each, Left):
            self._skipped.append(each)
        elif lack := self._target.lacks(each):
            self._skipped.append(left(each, lack))
        elif self._ledger is not None and self._ledger.has(self._name, each):
            self._unchanged += 1
        else:
            return True
        return False

    async def _begun(
        self, delivery: Delivery, batch: Sequence[Score], waiting: set[asyncio.Task[None]]
    ) -> set[asyncio.Task[None]]:
        """Begin a batch, and wait while as many as may be are under way."""
        waiting.add(asyncio.create_task(self._send(delivery, batch)))
        while len(waiting) >= self._target.side_by_side:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        return waiting

    async def _send(self, delivery: Delivery, batch: Sequence[Score]) -> None:
        refused = await delivery.send(batch)
        taken = [score for score in batch if score.id not in refused]
        self._failed += [left(score, refused[score.id]) for score in batch if score.id in refused]
        if self._ledger is not None:
            self._ledger.remember(self._name, taken)
        self._sent += len(taken)
