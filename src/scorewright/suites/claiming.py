"""A target is asked once for a row, however many processes evaluate one experiment in one store at the same time.

A row is claimed before its target is called, in the same table and in the same way as questions to judges: by a worker
that says every few seconds that it lives. It is given back when the answer is recorded. Whoever waited for it then has
the claim, finds the answer in the store, and scores that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias, final

from scorewright.suites.engine import Emit
from scorewright.suites.journal.calls import Mine
from scorewright.suites.journal.orders import Claim
from scorewright.suites.keeping import heard_line
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.targets import EARLIER, Answered, Call
from scorewright.suites.written import as_json, kept_item, row_form

if TYPE_CHECKING:
    from scorewright.suites.journal import Store

Recall: TypeAlias = Callable[[Row], Answered | None]

_PAUSES = (0.05, 0.1, 0.2, 0.5)  # seconds between looks at a row that another worker has


@final
class Claims:
    """A target whose rows are claimed: pass it to an engine as its call, and as its memory.

    A conversation is claimed with its first turn, and given back when the whole is recorded: `settle` says that.
    """

    def __init__(self, store: Store, experiment: str, call: Call, recall: Recall = lambda _: None) -> None:
        """The experiment in its open store, the target, and what is known of its answers without a look there."""
        self._store = store
        self._experiment = experiment
        self._call = call
        self._recall = recall
        self._held: dict[str, str] = {}  # keys of claims, by the id of the row
        self._talks: dict[str, str] = {}  # what conversations are told apart by: a turn does not know the others
        self._replies: dict[str, list[Answered]] = {}  # of conversations that another worker has had, the last first

    def close(self) -> None:
        """Give back what is left."""
        for row_id in [*self._held]:
            self.settle(row_id)

    def rows(self, rows: Iterable[tuple[int, RowItem]], /) -> Iterator[tuple[int, RowItem]]:
        """The same rows; conversations are noted as they are read."""
        for index, row in rows:
            if not isinstance(row, BrokenRow) and row.turns:
                self._talks[row.id] = as_json(row_form(row))
            yield index, row

    async def __call__(self, row: Row, /) -> object:
        """What the target answers to the row, or has answered to another worker meanwhile."""
        replies = self._replies.get(row.id)
        if replies is None and row.id not in self._held:
            replies = await self._claimed(row)
        return replies.pop() if replies else await self._call(row)

    def recalled(self, row: Row, /) -> Answered | None:
        """What the target answered to this row in an earlier call."""
        return self._recall(row)

    def heard(self, index: int, row: Row, answered: Answered, /) -> None:
        """Record what the target answered, and give the row back."""
        self._store.writer.tell(heard_line(self._experiment, index, row, answered))
        self.settle(row.id)

    def settle(self, row_id: str, /) -> None:
        """Give a row back: its answer is recorded, or there is none."""
        key = self._held.pop(row_id, None)
        self._talks.pop(row_id, None)
        self._replies.pop(row_id, None)
        if key is not None:
            self._store.writer.release(key)

    async def _claimed(self, row: Row) -> list[Answered]:
        """Wait for the claim; what is recorded by then, turn by turn where it is a conversation, the last first."""
        from asyncio import sleep, to_thread

        talk = EARLIER in row.request_context
        identity = self._talks.get(row.id, "") if talk else as_json(row_form(row))
        experiment, store = self._experiment, self._store
        key = sha256(f"target\n{experiment}\n{row.id}\n{identity}".encode("utf-8", "surrogatepass")).hexdigest()
        self._held[row.id] = key  # given back also where it is cancelled meanwhile; a claim of others stays theirs
        looks = 0
        while not isinstance(await store.writer.ask(Claim(key)), Mine):
            await sleep(_PAUSES[min(looks, len(_PAUSES) - 1)])
            looks += 1
        item = await to_thread(store.item, experiment, row.id)
        kept = None if item is None else kept_item(item.row, item.output)
        if kept is None or kept.answered is None or kept.identity != identity:
            return []
        *earlier, _ = kept.answered.turns or (None,)
        replies = [kept.answered, *(Answered(output) for output in reversed(earlier))]
        if talk:
            self._replies[row.id] = replies
        return replies


@contextmanager
def claiming(
    store: Store, experiment: str, call: Call | None, recall: Recall = lambda _: None
) -> Generator[Claims | None]:
    """The claims of one evaluation, which are given back in the end; None where there is no target."""
    if call is None:
        yield None
        return
    claims = Claims(store, experiment, call, recall)
    try:
        yield claims
    finally:
        claims.close()


def settling(store: Store, claims: Claims | None, emit: Emit, /) -> Emit:
    """Give a row back as it is done; once nothing can be kept any more, all ends: it would be paid again."""

    def done(item: ItemRecord | BrokenRow) -> Awaitable[None] | None:
        if store.writer.failed is not None:
            raise store.writer.failed
        if claims is not None and isinstance(item, ItemRecord):
            claims.settle(item.row.id)
        return emit(item)

    return done
