"""The thread that keeps what came of the runs: it tells the sinks, and then the counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TypeAlias, final

import attrs

from scorewright.live.around import AROUND, Around
from scorewright.live.jobs import Found, Job, LiveScore
from scorewright.live.pending import Pending
from scorewright.live.settings import LOG, Settings
from scorewright.live.sinks import fault_kind

_AT_ONCE = 256  # results that are kept together


@final
@attrs.frozen
class _Result:
    job: Job
    found: Found


_Order: TypeAlias = "_Result | tuple[Job, ...] | Event | None"


@final
class Keeper:
    """Keeps results in the order in which they come. What a sink raises is counted, and harms nobody else."""

    def __init__(self, settings: Settings, pending: Callable[[], Pending], inside: Around) -> None:
        self._settings = settings
        self._inside = inside
        self._store = settings.hand_over
        self._pending = pending
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        self._changing = Lock()
        self._closed = False
        self.thread: Thread | None = None

    def start(self) -> None:
        """Begin, unless it has; a thread that cannot be started raises `RuntimeError`."""
        with self._changing:
            if self.thread is None and not self._closed:
                thread = Thread(target=self._keep_all, name="scorewright-live-keeper", daemon=True)
                thread.start()
                self.thread = thread

    def keep(self, job: Job, found: Found, /) -> None:
        """Keep what came of a run; of a run that comes twice the first."""
        self._orders.put(_Result(job, found))

    def hand_over(self, jobs: tuple[Job, ...], /) -> None:
        """Have runs stored until they are scored."""
        if jobs and self._store is not None:
            self._orders.put(jobs)

    def flushed(self, timeout: float | None, /) -> bool:
        """Wait until all results so far are kept, and the sinks are flushed."""
        done = Event()
        with self._changing:
            thread, closed = self.thread, self._closed
            if not closed:
                self._orders.put(done)
        if thread is None:
            return True
        if closed:
            thread.join(timeout)
            return not thread.is_alive()
        return done.wait(timeout)

    def close(self) -> None:
        """Keep what is there, and end."""
        with self._changing:
            self._closed = True
            self._orders.put(None)

    # the thread that keeps

    def _keep_all(self) -> None:
        AROUND.set(self._inside)
        going = True
        while going:
            orders = self._taken()
            going = None not in orders
            self._hand_over([job for each in orders if isinstance(each, tuple) for job in each])
            results = self._first_of_each(orders)
            try:
                self._keep(results)
            except BaseException as failed:  # noqa: BLE001 - as of a fault that a user made, which may tell nothing of itself
                LOG.exception("%d live scores could not be kept", len(results))
                for result in results:
                    self._pending().settle(result.job, "failed", False, (f"failed: {type(failed).__name__}",))
            for each in orders:
                if isinstance(each, Event):
                    self._flush()
                    each.set()

    def _taken(self) -> list[_Order]:
        orders = [self._orders.get()]
        try:
            while len(orders) < _AT_ONCE and orders[-1] is not None:
                orders.append(self._orders.get_nowait())
        except Empty:
            pass
        return orders

    def _first_of_each(self, orders: Sequence[_Order]) -> Sequence[_Result]:
        """A run that took too long may come to a result after all, and it was counted when it did."""
        first: dict[Job, _Result] = {}
        for each in orders:
            if isinstance(each, _Result) and each.job not in first and self._pending().awaits(each.job):
                first[each.job] = each
        return [*first.values()]

    def _hand_over(self, jobs: Sequence[Job]) -> None:
        if not jobs or self._store is None:
            return
        try:
            self._store.hand_over(jobs)
        except BaseException as failed:  # noqa: BLE001 - they are scored all the same; only a restart would lose them
            self._say("handed over", failed)
            for job in jobs:
                self._pending().note(job.attached.id, f"not handed over: {type(failed).__name__}")

    def _keep(self, results: Sequence[_Result]) -> None:
        pairs = [(each.job, _score_of(each)) for each in results]
        wrong: dict[int, list[str]] = {}
        for sink in self._settings.sinks:
            for at in range(0, len(pairs), sink.at_once):
                group = pairs[at : at + sink.at_once]
                try:
                    sink.keep([score for _, score in group])
                except BaseException as failed:  # noqa: BLE001 - a user's, and may exit: the thread must not
                    self._say(f"kept by {type(sink).__name__}", failed)
                    for job, _ in group:
                        why = f"unstored: {type(sink).__name__} raised {type(failed).__name__}"
                        wrong.setdefault(id(job), []).append(why)
        for job, score in pairs:
            self._tell(score)
            kind = fault_kind(score)
            reasons = (*([f"failed: {kind}"] if kind else []), *wrong.get(id(job), []))
            stored = bool(self._settings.sinks) and id(job) not in wrong
            self._pending().settle(job, score.state, stored, reasons)

    def _tell(self, score: LiveScore) -> None:
        for hear in self._settings.hears:
            try:
                hear(score)
            except BaseException as failed:  # noqa: BLE001 - an exporter's
                self._say("measured", failed)

    def _flush(self) -> None:
        for sink in self._settings.sinks:
            try:
                sink.flush()
            except BaseException as failed:  # noqa: BLE001 - as above
                self._say(f"flushed by {type(sink).__name__}", failed)

    def _say(self, what: str, failed: BaseException) -> None:
        LOG.warning("a live score could not be %s: %s: %s", what, type(failed).__name__, failed)


def _score_of(result: _Result) -> LiveScore:
    job = result.job
    return LiveScore(job.attached.id, job.attached.version.digest, job.run, job.origin, result.found)
