"""What scores beside the caller: a crew for plain code, a loop for what waits, and a thread that keeps."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextvars import copy_context
from threading import current_thread
from time import monotonic
from typing import final

from returns.result import Failure, Success

from scorewright.live.crew import Crew, Stretch
from scorewright.live.driver import Begun, Driver, close, found_in, too_long
from scorewright.live.jobs import Found, Job, Unreadable, broken, raised_in
from scorewright.live.keeping import Keeper
from scorewright.live.pending import Pending
from scorewright.live.settings import LOG, Settings


@final
class Worker:
    """Scores what waits. Its threads begin when they are first needed; all are daemons, so they never keep a process.

    A program is begun on the crew. Most are finished there; one that asks, forks or awaits is driven on the loop, and
    comes back to the crew for each stretch of plain code.
    """

    def __init__(self, settings: Settings, pending: Callable[[], Pending]) -> None:
        """The queue is given as a function, since queue and worker know each other."""
        self._settings = settings
        self._pending = pending
        self._keeper = Keeper(settings, pending)
        self._crew = Crew(self._next, late_after=settings.timeout, failed=self._lacks_threads)
        self._driver = Driver(settings, self._crew, self._over, self._broke_off)
        self.hand_over = self._keeper.hand_over
        self.flushed = self._keeper.flushed

    def wake(self) -> None:
        """There is something to take."""
        try:
            self._keeper.start()
        except RuntimeError as failed:
            self._lacks_threads(failed)
        else:
            self._crew.wake()

    @property
    def is_here(self) -> bool:
        """Whether this is one of the worker's own threads, which must not wait for itself."""
        here = current_thread()
        return here in self._crew or here in (self._driver.thread, self._keeper.thread)

    def stop(self, timeout: float, /) -> None:
        """End all threads but those that a scorer holds; what is under way is cancelled."""
        until = monotonic() + timeout
        self._crew.close()
        self._driver.stop()
        self._keeper.close()
        if not self.is_here:
            self._crew.join(timeout / 2)
            for thread in (self._driver.thread, self._keeper.thread):
                if thread is not None:
                    thread.join(max(0.0, until - monotonic()))

    def _lacks_threads(self, failed: RuntimeError) -> None:
        LOG.warning("live scoring cannot start its threads, and tries again with the next run: %s", failed)
        self._pending().sleep()

    def _next(self, held: Container[str]) -> Stretch | None:
        job = self._pending().take(held)
        if job is None:
            return None
        beginning = _Beginning(job, self._settings, self._over, self._keeper.keep, self._driver.take)
        return Stretch(job.attached.id, beginning.run, beginning.late)

    def _over(self, job: Job, found: Found) -> None:
        self._keeper.keep(job, found)
        if self._pending().release(job):
            self._crew.wake()

    def _broke_off(self, jobs: Sequence[Job], begun: bool) -> None:
        pending = self._pending()
        for job in jobs:
            pending.release(job)
        pending.put_back(jobs, begun=begun)
        if begun:
            self._crew.wake()
        else:
            pending.sleep()


@final
class _Beginning:
    """The first stretch of a run. When it takes too long the run has failed, whatever comes of it later."""

    __slots__ = ("_is_late", "_job", "_keep", "_over", "_settings", "_until", "_waits")

    def __init__(
        self,
        job: Job,
        settings: Settings,
        over: Callable[[Job, Found], object],
        keep: Callable[[Job, Found], object],
        waits: Callable[[Begun], object],
    ) -> None:
        self._job = job
        self._settings = settings
        self._over = over
        self._keep = keep
        self._waits = waits
        self._until = None if settings.timeout is None else monotonic() + settings.timeout
        self._is_late = False

    def late(self) -> None:
        """It has failed; its place is free when it is done."""
        self._is_late = True
        self._keep(self._job, too_long(self._job, self._settings))

    def run(self) -> None:
        """Begin the program, and end it where it waits for nothing."""
        job = self._job
        try:
            found = self._found()
        except BaseException as raised:  # noqa: BLE001 - a scorer that exits or interrupts must end no thread of ours
            found = raised_in(job.run, "run", raised)
        if found is not None:
            self._over(job, found)

    def _found(self) -> Found | None:
        job = self._job
        if isinstance(job.spoiled, Unreadable):
            return broken(job.run, "run", job.spoiled.fault)
        if job.spoiled is not None:
            return raised_in(job.run, "input", job.spoiled)
        context = copy_context()
        program = context.run(job.attached.begin, job.run)
        if isinstance(program, (Success, Failure)):
            return found_in(program)
        if self._is_late:
            close(program)
            return too_long(job, self._settings)
        self._waits(Begun(job, program, context, self._until))
        return None
