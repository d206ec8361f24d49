"""Two threads beside the caller's: one scores, on a loop of its own; one keeps what came of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import TYPE_CHECKING, Final, TypeAlias, final

import attrs

from scorewright.core import Answer, Bench
from scorewright.core.budget import Budget
from scorewright.faults import TimedOut
from scorewright.live.around import AROUND, Around
from scorewright.live.jobs import Found, Job, LiveScore, Unreadable, broken, raised_in
from scorewright.live.pending import Pending
from scorewright.live.sinks import HandsOver, Sink, fault_kind

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task

LOG: Final = logging.getLogger("scorewright.live")
_AT_ONCE = 256  # results that are kept together

Hears: TypeAlias = Callable[[LiveScore], None]


@final
@attrs.frozen
class Settings:
    """How the worker works."""

    concurrency: int
    budget: Budget | None
    timeout: float | None
    sinks: tuple[Sink, ...]
    hears: tuple[Hears, ...] = ()

    @property
    def hand_over(self) -> HandsOver | None:
        """The store that keeps what is still to be scored, if one does."""
        return next((sink for sink in self.sinks if isinstance(sink, HandsOver) and sink.hands_over), None)


@final
@attrs.frozen
class _Result:
    job: Job
    found: Found


_Order: TypeAlias = "_Result | tuple[Job, ...] | Event | None"


@final
class Worker:
    """Scores what waits. Its threads begin with the first run; both are daemons, so they never keep a process."""

    def __init__(self, settings: Settings, pending: Callable[[], Pending]) -> None:
        """The queue is given as a function, since queue and worker know each other."""
        self._settings = settings
        self._store = settings.hand_over
        self._pending = pending
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        self._starting = Lock()
        self._scorer: Thread | None = None
        self._keeper: Thread | None = None
        self._loop: AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._main: Task[None] | None = None

    def wake(self) -> None:
        """There is something to take."""
        with self._starting:
            loop, runs = self._loop, self._scorer is not None and self._scorer.is_alive()
            if not runs:
                self._start()
                return
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self._woken.set)
            except RuntimeError:  # it was closed in between: shut down
                self._pending().sleep()

    def hand_over(self, jobs: tuple[Job, ...], /) -> None:
        """Have runs stored until they are scored."""
        if jobs and self._store is not None:
            self._orders.put(jobs)

    def flushed(self, timeout: float | None, /) -> bool:
        """Wait until all results so far are kept, and the sinks are flushed."""
        if self._keeper is None or not self._keeper.is_alive():
            return True
        done = Event()
        self._orders.put(done)
        return done.wait(timeout)

    @property
    def is_here(self) -> bool:
        """Whether this is one of the worker's own threads, which must not wait for itself."""
        return current_thread() in (self._scorer, self._keeper)

    def stop(self, timeout: float, /) -> None:
        """End both threads; what is under way is cancelled."""
        scorer, keeper, loop = self._scorer, self._keeper, self._loop
        if loop is not None and scorer is not None:
            with suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(self._cancel)
        if keeper is not None:
            self._orders.put(None)
        for thread in (scorer, keeper):
            if thread is not None and not self.is_here:
                thread.join(timeout / 2)

    def _cancel(self) -> None:
        if self._main is not None:
            self._main.cancel()

    def _start(self) -> None:
        try:
            self._scorer = Thread(target=self._score_all, name="scorewright-live", daemon=True)
            self._scorer.start()
            if self._keeper is None:
                self._keeper = Thread(target=self._keep_all, name="scorewright-live-keeper", daemon=True)
                self._keeper.start()
        except RuntimeError as failed:  # no more threads: the next run tries again
            LOG.warning("live scoring cannot start its threads, and tries again with the next run: %s", failed)
            self._pending().sleep()

    # the thread that scores

    def _score_all(self) -> None:
        AROUND.set(Around(off="inside a scorer"))
        try:
            asyncio.run(self._serve())
        except asyncio.CancelledError:
            return
        except BaseException:  # a task that a scorer made may exit or interrupt, and that ends the loop
            LOG.exception("live scoring broke off, and begins again")
            with self._starting:
                self._loop = self._scorer = None
            if self._pending().put_back():
                self.wake()

    async def _serve(self) -> None:
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._main = asyncio.current_task()
        slots = asyncio.Semaphore(self._settings.concurrency)
        tasks: set[Task[None]] = set()

        def ended(task: Task[None]) -> None:
            tasks.discard(task)
            slots.release()

        async with Bench(budget=self._settings.budget) as bench:
            answer = bench.answer if self._store is None else self._store.answering(bench.answer)
            try:
                while True:
                    await slots.acquire()
                    task = asyncio.create_task(self._score(await self._next(), answer))
                    tasks.add(task)
                    task.add_done_callback(ended)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _next(self) -> Job:
        while (job := self._pending().take()) is None:
            await self._woken.wait()
            self._woken.clear()
        return job

    async def _score(self, job: Job, answer: Answer) -> None:
        task = asyncio.current_task()
        try:
            found = await self._found(job, answer)
        except BaseException as raised:  # a scorer that exits or interrupts must end neither loop nor caller
            if isinstance(raised, asyncio.CancelledError) and task is not None and task.cancelling():
                raise
            found = raised_in(job.run, "run", raised)
        self._orders.put(_Result(job, found))

    async def _found(self, job: Job, answer: Answer) -> Found:
        if isinstance(job.spoiled, Unreadable):
            return broken(job.run, "run", job.spoiled.fault)
        if job.spoiled is not None:
            return raised_in(job.run, "input", job.spoiled)
        within = asyncio.timeout(self._settings.timeout)
        try:
            async with within:
                return await job.attached.score(job.run, answer)
        except TimeoutError:
            if not within.expired():
                raise
            return broken(job.run, "run", TimedOut(f"the scorer took longer than {self._settings.timeout:g} s"))

    # the thread that keeps

    def _keep_all(self) -> None:
        AROUND.set(Around(off="inside a sink"))
        going = True
        while going:
            orders = self._taken()
            going = None not in orders
            self._hand_over([job for each in orders if isinstance(each, tuple) for job in each])
            self._keep([each for each in orders if isinstance(each, _Result)])
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
