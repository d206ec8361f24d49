"""An evaluation in a store: items and scores are recorded as they are done, and what was done is not done again."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, final

from returns.result import Success

from scorewright.core import Answer
from scorewright.faults import NotScorable
from scorewright.suites.counting import Counting
from scorewright.suites.experiments import UNSTABLE, experiment_of, hashes_of
from scorewright.suites.journal import Experiment, State, Store, StoreError, open_store
from scorewright.suites.journal.orders import Lines
from scorewright.suites.journal.putting import Values
from scorewright.suites.records import ItemRecord, ItemScore
from scorewright.suites.rows.ids import sayable
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.stored_text import Done, row_text, score_text
from scorewright.suites.suite import Suite
from scorewright.suites.targets import Answered
from scorewright.suites.written import answered_form, as_json, kept_item, plain, row_form, target_fault_form

if TYPE_CHECKING:
    from asyncio import Semaphore

    from scorewright.suites.journal.answering import Journaled

Keeps: TypeAlias = "Store | str | PathLike[str] | None"

_AT_ONCE = 512  # so many items without a target are handed over together
_SOON = 0.05  # seconds after which those that asked a judge are: its replies are recorded already


@final
class Keeping:
    """One experiment in an open store."""

    def __init__(self, store: Store, experiment: Experiment, counting: Counting, owns: bool) -> None:
        self.store = store
        self.experiment = experiment
        self._counting = counting
        self._owns = owns
        self._hashes = hashes_of(counting.suite)
        self._items: list[Values] = []
        self._scores: list[Values] = []
        self._before = _Before(store, experiment.id, counting.suite, self._hashes)
        self._counted = False
        self._timed = False  # whether what is kept will be handed over without more that comes

    def __enter__(self) -> Self:
        self.store.begin(self.experiment)
        self._counting.experiment = self.experiment.id
        self._before.read()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._count_before()
            self._hand_over()
            self.store.flush()
        finally:
            if self._owns:
                self.store.close()

    def rest(self, rows: Iterator[tuple[int, RowItem]], /) -> Iterator[tuple[int, RowItem]]:
        """The rows that are not done yet."""
        for index, row in rows:
            if isinstance(row, BrokenRow) or not self._before.has(row):
                if isinstance(row, Row) and self._before.scored(row):
                    self.store.forget(self.experiment.id, row.id)
                yield index, row
            else:
                self._counting.skip(row)

    def recalled(self, row: Row, /) -> Answered | None:
        """What the target answered to this row before, where some scorer still has to see it."""
        return self._before.answers.get(_key(row.id, row_text(row)))

    def heard(self, index: int, row: Row, answered: Answered, /) -> None:
        """Record what the target answered, before it is scored."""
        self.store.writer.tell(heard_line(self.experiment.id, index, row, answered))

    def keep(self, record: ItemRecord, /) -> None:
        """Record an item and its scores: soon, and before `flush` returns."""
        row_id = sayable(record.row.id)
        self._items.append(self._item_of(record, row_id))
        waits = False  # whether a judge was waited for
        for score in record.scores:
            self._scores.append(self._score(row_id, score))
            waits = waits or score.spent is not None
        if record.answered is not None or len(self._items) >= _AT_ONCE:
            self._hand_over()
        elif waits and not self._timed:
            from asyncio import get_running_loop

            self._timed = True
            get_running_loop().call_later(_SOON, self._hand_over_soon)

    def answering(self, answer: Answer, asking: Semaphore | None = None, /) -> Journaled:
        """Who answers: the store where it can, `answer` where it cannot, within the bound of `asking`."""
        return self.store.answering(answer, asking)

    async def flush(self) -> None:
        """Wait until all is committed."""
        from asyncio import to_thread

        self._hand_over()
        await to_thread(self.store.flush)

    def _count_before(self) -> None:
        if not self._counted:
            self._counted = True
            self._before.count(self._counting)

    def _hand_over_soon(self) -> None:
        self._timed = False
        with suppress(StoreError):  # whoever tells or flushes next hears of it
            self._hand_over()

    def _hand_over(self) -> None:
        if self._items:
            self.store.writer.tell(Lines(self._items, self._scores))
            self._items = list[Values]()  # the other is the writer's now
            self._scores = list[Values]()

    def _item_of(self, record: ItemRecord, row_id: str) -> Values:
        if record.answered is not None:
            return _item(self.experiment.id, record.index, record.row, record.answered)
        fault = None if record.fault is None else sayable(as_json(target_fault_form(record.fault)))
        return self.experiment.id, row_id, record.index, sayable(row_text(record.row)), None, fault

    def _score(self, row_id: str, score: ItemScore) -> Values:
        """What is kept of a result: `StoredScore`, as its table holds it."""
        result = score.result
        found: Done
        state: State = "failed"
        value: float | None = None
        reason: str | None = None
        if isinstance(result, Success):
            found = evaluation = result.unwrap()
            state, value, reason = "scored", evaluation.score, evaluation.reason
        else:
            found = failure = result.failure()
            if isinstance(failure.cause, NotScorable):
                state, reason = "not_scorable", failure.cause.reason
        return (
            self.experiment.id,
            row_id,
            sayable(score.key),
            self._hashes[score.id],
            state,
            value,
            None if reason is None else sayable(reason),
            sayable(score_text(found, score.spent)),
        )


def heard_line(experiment: str, index: int, row: Row, answered: Answered, /) -> Lines:
    """What a target answered, to be recorded before it is scored."""
    return Lines([_item(experiment, index, row, answered)])


def _item(experiment: str, index: int, row: Row, answered: Answered) -> Values:
    beside = answered_form(answered)
    written = as_json({**row_form(row), "answered": beside}) if beside else row_text(row)
    return experiment, sayable(row.id), index, sayable(written), sayable(as_json(plain(answered.output))), None


@final
class _Before:
    """What the store holds of earlier calls, 16 bytes an item; the answers of items that are not whole are kept."""

    def __init__(self, store: Store, experiment: str, suite: Suite, hashes: Mapping[str, str]) -> None:
        self._store = store
        self._experiment = experiment
        self._suite = suite
        self._hashes = hashes
        self._done: array[int] = array("Q")
        self._skipped: array[int] = array("Q")
        self._scored: array[int] = array("Q")
        self.answers: dict[int, Answered] = {}

    def read(self) -> None:
        """Read keys, then items; of those that are whole only a number is kept."""
        whole = self._whole()
        finished: list[int] = []
        for item in self._store.items(self._experiment):
            kept = kept_item(item.row, item.output)
            key = _key(item.row_id, kept.identity)
            if _number(item.row_id) in whole:
                finished.append(key)
            elif kept.answered is not None:
                self.answers[key] = kept.answered
        self._done = array("Q", sorted(finished))

    def has(self, row: Row, /) -> bool:
        """Whether the row, as it is now, was done; it is then remembered as one to be counted."""
        if not self._done:
            return False
        key = _key(row.id, row_text(row))
        if not _holds(self._done, key):
            return False
        self._skipped.append(_number(row.id))
        return True

    def scored(self, row: Row, /) -> bool:
        """Whether there are scores of a row with this id, whatever it was then."""
        return bool(self._scored) and _holds(self._scored, _number(row.id))

    def count(self, counting: Counting, /) -> None:
        """Count the scores of the rows that were done before."""
        if not self._skipped:
            return
        skipped = set(self._skipped)
        for score in self._store.scores(self._experiment):
            id = self._scorer_of(score.scorer)
            if id in self._hashes and self._hashes[id] == score.scorer_hash and _number(score.row_id) in skipped:
                counting.add_stored(id, score.row_id, score.value, score.reason)

    def _scorer_of(self, key: str) -> str:
        """The scorer of a key, which may have a turn after its id."""
        return key if key in self._hashes else key.rpartition("[")[0]

    def _whole(self) -> set[int]:
        """The rows of which every scorer is done; turns are as many as they are."""
        due = {each.id for each in self._suite.assigned if each.level != "turn"}
        missing: dict[int, set[str]] = {}
        whole: set[int] = set()
        failed: set[int] = set()
        for each in self._store.finished(self._experiment):
            row = _number(each.row_id)
            id = self._scorer_of(each.scorer)
            if self._hashes.get(id) != each.scorer_hash:
                continue
            if each.state == "failed" or each.scorer_hash == UNSTABLE:
                failed.add(row)
            elif id in due:
                left = missing.setdefault(row, set(due))
                left.discard(id)
                if not left:
                    whole.add(row)
                    del missing[row]
            elif not due:
                whole.add(row)
        self._scored = array("Q", sorted({*whole, *failed, *missing}))
        return whole - failed


def _holds(sorted_numbers: array[int], number: int) -> bool:
    at = bisect_left(sorted_numbers, number)
    return at < len(sorted_numbers) and sorted_numbers[at] == number


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _key(row_id: str, identity: str) -> int:
    return _number(f"{row_id}\0{identity}")


def keeping_in(
    where: Store | str | PathLike[str],
    counting: Counting,
    source: str,
    target: object,
    call: Mapping[str, object],
    /,
) -> Keeping:
    """The evaluation's place in a store; one that is given as a path or an address is closed in the end."""
    experiment = experiment_of(counting.suite, source, target, call)
    if isinstance(where, Store):
        return Keeping(where, experiment, counting, False)
    return Keeping(open_store(where), experiment, counting, True)
