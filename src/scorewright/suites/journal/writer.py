"""One thread that writes: what comes while a commit is made goes into the next one, and is awaited by who needs it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias, cast, final

import attrs

from scorewright.suites.journal import calls
from scorewright.suites.journal.opening import why_of, writing
from scorewright.suites.journal.putting import Values, put
from scorewright.suites.journal.records import StoredItem, StoredScore, StoreError
from scorewright.suites.journal.tables import ITEM, SCORE
from scorewright.suites.rows.ids import sayable

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future

    from sqlalchemy import Connection, Engine

_MOST_IN_A_COMMIT = 4096
_MOST_WAITING = 8192
_HEARTBEAT = 5.0  # seconds


@final
@attrs.frozen
class Claim:
    """A question that is to be asked."""

    key: str


@final
@attrs.frozen
class Reply:
    """An answer that was received; `entry` is its JSON."""

    key: str
    entry: str


@final
@attrs.frozen
class Release:
    """A question that was claimed and got no answer: anyone may ask it."""

    key: str


@final
@attrs.frozen
class Stale:
    """A row that is done anew: what was scored of it before is of another row, or of another answer."""

    experiment: str
    row_id: str


Order: TypeAlias = Claim | Reply | Release | Stale | StoredItem | StoredScore


@final
class _Waiter:
    """Whoever waits on a loop for an order to be committed."""

    __slots__ = ("claimed", "done", "failed", "loop")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.loop = loop
        self.done: Future[calls.Claimed] = loop.create_future()
        self.claimed: calls.Claimed = calls.MINE
        self.failed: StoreError | None = None

    def tell(self) -> None:
        if self.done.done():  # cancelled
            return
        if self.failed is None:
            self.done.set_result(self.claimed)
        else:
            self.done.set_exception(self.failed)


_Batch: TypeAlias = list[tuple[Order, _Waiter | None]]


@final
class Writer:
    """Writes for one process. Its thread begins with the first order; `close` writes what is left and ends it.

    After a write has failed nothing more is written: `failed` says why, and every later order raises it.
    """

    def __init__(self, engine: Engine) -> None:
        """The name of the worker tells host and process, so that another one of this host sees when it is gone."""
        self.worker: str = f"{socket.gethostname()}/{os.getpid()}/{token_hex(4)}"
        self.failed: StoreError | None = None
        self._engine = writing(engine)
        self._orders: SimpleQueue[_Batch | None] = SimpleQueue()
        self._room = Condition()
        self._waiting = 0
        self._thread: Thread | None = None
        self._claims = False
        self._seen = -_HEARTBEAT

    def tell(self, orders: Iterable[Stale | StoredItem | StoredScore], /) -> None:
        """Have these written soon; waits while too much is waiting."""
        told: _Batch = [(order, None) for order in orders]
        if told:
            self._put(told)
        with self._room:
            self._room.wait_for(lambda: self._waiting < _MOST_WAITING)
        self._raise()

    async def ask(self, order: Claim | Reply, /) -> calls.Claimed:
        """Wait until an order is committed."""
        from asyncio import get_running_loop

        waiter = _Waiter(get_running_loop())
        self._put([(order, waiter)], claims=True)
        return await waiter.done

    def release(self, key: str, /) -> None:
        """Give a claim back, soon."""
        self._put([(Release(key), None)])

    def flush(self) -> None:
        """Wait until all is written; what could not be is raised."""
        with self._room:
            self._room.wait_for(lambda: not self._waiting)
        self._raise()

    def close(self) -> None:
        """Write what is left and end; what could not be written is raised."""
        if self._thread is not None:
            self._orders.put(None)
            self._thread.join()
            self._thread = None
        self._raise()

    def _raise(self) -> None:
        if self.failed is not None:
            raise self.failed

    def _put(self, told: _Batch, *, claims: bool = False) -> None:
        with self._room:
            self._waiting += len(told)
            self._claims = self._claims or claims
            if self._thread is None:
                self._thread = Thread(target=self._write_all, name="scorewright-journal", daemon=True)
                self._thread.start()
        self._orders.put(told)

    def _write_all(self) -> None:
        going = True
        while going:
            batch, going = self._taken()
            if self.failed is None:
                try:
                    self._commit(batch)
                except Exception as failed:  # noqa: BLE001 - whatever it was, those who wait must hear of it
                    self.failed = StoreError(f"the journal cannot be written: {why_of(failed)}")
            self._tell(waiter for _, waiter in batch if waiter is not None)
            with self._room:
                self._waiting -= len(batch)
                self._room.notify_all()

    def _taken(self) -> tuple[_Batch, bool]:
        """What has come by now, waiting for the first; nothing when it is time to say that this worker lives."""
        batch: _Batch = []
        try:
            queued = self._orders.get(timeout=_HEARTBEAT if self._claims else None)
            while queued is not None:
                batch += queued
                if len(batch) >= _MOST_IN_A_COMMIT:
                    return batch, True
                queued = self._orders.get_nowait()
        except Empty:
            return batch, True
        return batch, False

    def _commit(self, batch: _Batch) -> None:
        """In one transaction where one process writes at a time.

        Where several do, claims have their own: a claim waits for whoever is answering the same question, and must not
        hold answers that the other one's claims wait for.
        """
        alone = self._engine.dialect.name == "sqlite"
        with self._engine.begin() as connection:
            self._write(connection, batch)
            if alone:
                self._ask(connection, batch)
        if not alone and any(isinstance(order, Claim) for order, _ in batch):
            with self._engine.begin() as connection:
                self._ask(connection, batch)

    def _write(self, connection: Connection, batch: _Batch) -> None:
        """What is stale, which a row is once, before it is done anew; rows, scores, replies, what was given back."""
        if self._claims and monotonic() - self._seen > _HEARTBEAT:
            calls.alive(connection, self.worker)
            self._seen = monotonic()
        _forget(connection, [order for order, _ in batch if isinstance(order, Stale)])
        put(connection, ITEM, [_values(order) for order, _ in batch if isinstance(order, StoredItem)])
        put(connection, SCORE, [_values(order) for order, _ in batch if isinstance(order, StoredScore)])
        calls.answer(connection, [(each.key, self.worker, each.entry) for each, _ in batch if isinstance(each, Reply)])
        calls.release(connection, _given_back(batch, after_claims=False), self.worker)

    def _ask(self, connection: Connection, batch: _Batch) -> None:
        """Claims, then what was given back after it was claimed."""
        claims: dict[str, list[_Waiter]] = {}
        for order, waiter in batch:
            if isinstance(order, Claim) and waiter is not None:
                claims.setdefault(order.key, []).append(waiter)
        self._claim(connection, claims)
        calls.release(connection, _given_back(batch, after_claims=True), self.worker)

    def _claim(self, connection: Connection, claims: Mapping[str, list[_Waiter]]) -> None:
        if not claims:
            return
        for key, claimed in calls.claim(connection, claims, self.worker).items():
            first, *others = claims[key]
            first.claimed = claimed
            for other in others:
                other.claimed = calls.THEIRS if claimed is calls.MINE else claimed

    def _tell(self, waiters: Iterable[_Waiter]) -> None:
        by_loop: dict[AbstractEventLoop, list[_Waiter]] = {}
        for waiter in waiters:
            waiter.failed = self.failed
            by_loop.setdefault(waiter.loop, []).append(waiter)
        for loop, those in by_loop.items():
            try:
                loop.call_soon_threadsafe(_tell_each, those)
            except RuntimeError:  # the loop was closed, and nobody waits any more
                continue


def _tell_each(waiters: list[_Waiter]) -> None:
    for waiter in waiters:
        waiter.tell()


def _given_back(batch: _Batch, *, after_claims: bool) -> list[str]:
    """The questions that are given back, those that the same batch claims before or all others."""
    claimed: set[str] = set()
    keys: list[str] = []
    for order, _ in batch:
        if isinstance(order, Claim):
            claimed.add(order.key)
        elif isinstance(order, Release) and (order.key in claimed) is after_claims:
            keys.append(order.key)
    return keys


def _forget(connection: Connection, stale: list[Stale]) -> None:
    from sqlalchemy import bindparam, delete

    if stale:
        of = (SCORE.c.experiment == bindparam("of")) & (SCORE.c.row_id == bindparam("row"))
        connection.execute(delete(SCORE).where(of), [{"of": each.experiment, "row": each.row_id} for each in stale])


def _values(order: StoredItem | StoredScore) -> Values:
    return tuple([sayable(value) if isinstance(value, str) else value for value in _FIELDS[order.__class__](order)])


def _fields(kind: type[attrs.AttrsInstance]) -> Callable[[object], Values]:
    return cast("Callable[[object], Values]", attrgetter(*(field.name for field in attrs.fields(kind))))


_FIELDS: Mapping[type, Callable[[object], Values]] = {kind: _fields(kind) for kind in (StoredItem, StoredScore)}
