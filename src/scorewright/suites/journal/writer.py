"""One thread that writes: what comes while a commit is made goes into the next one, and is awaited by who needs it."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Condition, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, final

from scorewright.suites.journal import calls
from scorewright.suites.journal.batch import Batch, Waiter
from scorewright.suites.journal.opening import why_of, writing
from scorewright.suites.journal.orders import Claim, Flush, Lines, Order, Release, Reply, Stale
from scorewright.suites.journal.putting import put
from scorewright.suites.journal.records import StoreError
from scorewright.suites.journal.tables import ITEM, SCORE

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_MOST_IN_A_COMMIT = 4096
_MOST_WAITING = 8192
_HEARTBEAT = 5.0  # seconds
_GATHERING = 0.002  # seconds in which more may come, where several wait at once: a commit costs as much for all
_SEVERAL = 4


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
        self._orders: SimpleQueue[tuple[Order, Waiter | None] | None] = SimpleQueue()
        self._room = Condition()
        self._waiting = 0
        self._thread: Thread | None = None
        self._claims = False
        self._gathers = False
        self._seen = -_HEARTBEAT

    def tell(self, order: Stale | Lines, /) -> None:
        """Have this written soon; waits while too much is waiting."""
        size = len(order) if isinstance(order, Lines) else 1
        if size:
            with self._room:
                self._waiting += size
            self._put(order)
        with self._room:
            self._room.wait_for(lambda: self._waiting < _MOST_WAITING)
        self._raise()

    async def ask(self, order: Claim | Reply, /) -> calls.Claimed:
        """Wait until an order is committed."""
        import asyncio  # not `from` it: that takes a microsecond each time

        waiter = Waiter(asyncio.get_running_loop())
        self._put(order, waiter)
        return await waiter.done

    def release(self, key: str, /) -> None:
        """Give a claim back, soon."""
        self._put(Release(key))

    def flush(self) -> None:
        """Wait until all is written; what could not be is raised."""
        thread = self._thread
        if thread is not None:
            flush = Flush()
            self._put(flush)
            while not flush.done.wait(_HEARTBEAT) and thread.is_alive():  # it ends where another one closes meanwhile
                pass
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

    def _put(self, order: Order, waiter: Waiter | None = None) -> None:
        if waiter is not None:
            self._claims = True
        if self._thread is None:
            with self._room:
                if self._thread is None:
                    self._thread = Thread(target=self._write_all, name="scorewright-journal", daemon=True)
                    self._thread.start()
        self._orders.put((order, waiter))

    def _write_all(self) -> None:
        going = True
        while going:
            batch, going = self._taken()
            if self.failed is None:
                try:
                    self._commit(batch)
                except Exception as failed:  # noqa: BLE001 - whatever it was, those who wait must hear of it
                    self.failed = StoreError(f"the journal cannot be written: {why_of(failed)}")
            for loop, those in batch.by_loop(self.failed).items():
                with suppress(RuntimeError):  # the loop was closed, and nobody waits any more
                    loop.call_soon_threadsafe(_tell_each, those)
            self._gathers = len(batch.waiters) >= _SEVERAL
            for flush in batch.flushes:
                flush.done.set()
            if batch.told:
                with self._room:
                    self._waiting -= batch.told
                    self._room.notify_all()
            del batch  # not kept while it waits

    def _taken(self) -> tuple[Batch, bool]:
        """What has come by now, waiting for the first; nothing when it is time to say that this worker lives."""
        batch = Batch()
        try:
            told = self._orders.get(timeout=_HEARTBEAT if self._claims else None)
            if self._gathers:
                sleep(_GATHERING)
            while told is not None:
                batch.add(*told)
                if batch.size >= _MOST_IN_A_COMMIT:
                    return batch, True
                told = self._orders.get_nowait()
        except Empty:
            return batch, True
        return batch, False

    def _commit(self, batch: Batch) -> None:
        """In one transaction where one process writes at a time.

        Where several do, claims have their own: a claim waits for whoever is answering the same question, and must not
        hold answers that the other one's claims wait for.
        """
        alone = self._engine.dialect.name == "sqlite"
        with self._engine.begin() as connection:
            self._write(connection, batch)
            if alone:
                self._claim(connection, batch)
        if not alone and batch.claims:
            with self._engine.begin() as connection:
                self._claim(connection, batch)

    def _write(self, connection: Connection, batch: Batch) -> None:
        """What is stale, which a row is once, before it is done anew; rows, scores, replies, what was given back."""
        if self._claims and monotonic() - self._seen > _HEARTBEAT:
            calls.alive(connection, self.worker)
            self._seen = monotonic()
        _forget(connection, batch.stale)
        put(connection, ITEM, batch.items)
        put(connection, SCORE, batch.scores)
        calls.answer(connection, [(each.key, self.worker, each.entry) for each in batch.replies])
        calls.release(connection, batch.released, self.worker)

    def _claim(self, connection: Connection, batch: Batch) -> None:
        """Claims, then what was given back after it was claimed."""
        if batch.claims:
            batch.answer(calls.claim(connection, batch.claims, self.worker))
        calls.release(connection, batch.unclaimed, self.worker)


def _tell_each(waiters: list[Waiter]) -> None:
    for waiter in waiters:
        waiter.tell()


def _forget(connection: Connection, stale: list[Stale]) -> None:
    from sqlalchemy import bindparam, delete

    if stale:
        of = (SCORE.c.experiment == bindparam("of")) & (SCORE.c.row_id == bindparam("row"))
        connection.execute(delete(SCORE).where(of), [{"of": each.experiment, "row": each.row_id} for each in stale])
