"""An evaluation in a store: items and scores are recorded as they are done, and what was done is not done again."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, final

from returns.result import Success

from scorewright.core import Answer, Evaluation
from scorewright.faults import NotScorable
from scorewright.suites.counting import Counting
from scorewright.suites.experiments import UNSTABLE, experiment_of, hashes_of
from scorewright.suites.journal import Experiment, State, Store, StoredItem, StoredScore, open_store
from scorewright.suites.records import ItemRecord, ItemScore, done
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.suite import Suite
from scorewright.suites.targets import Answered
from scorewright.suites.written import answered_form, as_json, kept_item, plain, row_form, score_form, target_fault_form

if TYPE_CHECKING:
    from scorewright.suites.journal.answering import Journaled

Keeps: TypeAlias = "Store | str | PathLike[str] | None"

_AT_ONCE = 512  # so many items without a target are handed over together


@final
class Keeping:
    """One experiment in an open store."""

    def __init__(self, store: Store, experiment: Experiment, counting: Counting, owns: bool) -> None:
        self.store = store
        self.experiment = experiment
        self._counting = counting
        self._owns = owns
        self._hashes = hashes_of(counting.suite)
        self._items: list[StoredItem] = []
        self._scores: list[StoredScore] = []
        self._before = _Before(store, experiment.id, counting.suite, self._hashes)
        self._counted = False
        self._waits = False  # whether a target or a judge was waited for

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
                self._counting.n_before += 1

    def recalled(self, row: Row, /) -> Answered | None:
        """What the target answered to this row before, where some scorer still has to see it."""
        return self._before.answers.get(_key(row.id, as_json(row_form(row))))

    def heard(self, index: int, row: Row, answered: Answered, /) -> None:
        """Record what the target answered, before it is scored."""
        self.store.add([self._item(index, row, answered)])

    def keep(self, record: ItemRecord, /) -> None:
        """Record an item and its scores: soon, and before `flush` returns."""
        self._items.append(self._item_of(record))
        for score in record.scores:
            self._scores.append(self._score(record.row.id, score))
            self._waits = self._waits or score.spent is not None
        self._waits = self._waits or record.answered is not None
        if self._waits or len(self._items) >= _AT_ONCE:
            self._hand_over()

    def answering(self, answer: Answer, /) -> Journaled:
        """Who answers: the store where it can, `answer` where it cannot."""
        return self.store.answering(answer)

    async def flush(self) -> None:
        """Wait until all is committed."""
        from asyncio import to_thread

        self._hand_over()
        await to_thread(self.store.flush)

    def _count_before(self) -> None:
        if not self._counted:
            self._counted = True
            self._before.count(self._counting)

    def _hand_over(self) -> None:
        if self._items:
            self.store.add(self._items, self._scores)
            self._items.clear()  # it was taken up whole
            self._scores.clear()

    def _item(self, index: int, row: Row, answered: Answered) -> StoredItem:
        form = row_form(row)
        beside = answered_form(answered)
        written = as_json({**form, "answered": beside} if beside else form)
        return StoredItem(self.experiment.id, row.id, index, written, as_json(plain(answered.output)))

    def _item_of(self, record: ItemRecord) -> StoredItem:
        if record.answered is not None:
            return self._item(record.index, record.row, record.answered)
        fault = None if record.fault is None else as_json(target_fault_form(record.fault))
        return StoredItem(self.experiment.id, record.row.id, record.index, as_json(row_form(record.row)), None, fault)

    def _score(self, row_id: str, score: ItemScore) -> StoredScore:
        finished = done(score.result)
        state: State = "scored"
        reason = None
        if isinstance(finished, Evaluation):
            reason = finished.reason
        elif isinstance(finished.cause, NotScorable):
            state, reason = "not_scorable", finished.cause.reason
        else:
            state = "failed"
        return StoredScore(
            self.experiment.id,
            row_id,
            score.key,
            self._hashes[score.id],
            state,
            finished.score if isinstance(score.result, Success) else None,
            reason,
            as_json(score_form(finished, score.spent)),
        )


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
        key = _key(row.id, as_json(row_form(row)))
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
