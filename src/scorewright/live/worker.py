"""What scores beside the caller: a crew for plain code, a loop for what waits, and a thread that keeps."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextvars import copy_context
from functools import partial
from threading import TIMEOUT_MAX
from time import monotonic
from typing import final

from returns.result import Failure, Success

from scorewright.live.around import AROUND, Around
from scorewright.live.crew import Crew, Stretch
from scorewright.live.driver import Begun, Driver, found_in, too_long
from scorewright.live.jobs import Found, Job, Unreadable, broken, raised_in
from scorewright.live.keeping import Keeper
from scorewright.live.pending import Pending
from scorewright.live.settings import LOG, Settings


@final
class Worker:
    """Scores what waits. Its threads begin with the first run; all are daemons, so they never keep a process.

    A program is begun on the crew. Most are finished there; one that asks, forks or awaits is driven on the loop, and
    comes back to the crew for each stretch of plain code. A run that takes too long has failed then, and what it does
    yet changes nothing; where it waits it is cancelled, else it keeps its place until it is done.
    """

    def __init__(self, settings: Settings, pending: Callable[[], Pending]) -> None:
        """The queue is given as a function, since queue and worker know each other."""
        self._settings = settings
        self._pending = pending
        self._until: dict[Job, float] = {}  # in the order in which they began, by the monotonic clock
        self._lacks = False
        inside = Around(off="inside a scorer", within=self)
        self._keeper = Keeper(settings, pending, Around(off="inside a sink", within=self))
        self._crew = Crew(self._next, inside, failed=self._lacks_threads, overdue=self._overdue)
        self._driver = Driver(settings, self._crew, inside, self._over, self._broke_off)
        self.hand_over: Callable[[tuple[Job, ...]], None] = self._keeper.hand_over
        self.flushed: Callable[[float | None], bool] = self._keeper.flushed

    def wake(self) -> None:
        """There is something to take."""
        try:
            self._keeper.start()
            self._driver.start()  # now, since at the end of a process no thread can be started any more
        except RuntimeError as failed:
            self._lacks_threads(failed)
        else:
            self._crew.wake()

    @property
    def is_here(self) -> bool:
        """Whether this is code of a scorer or a sink, for which the worker must not wait."""
        return AROUND.get().within is self

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
        if not self._lacks:
            self._lacks = True
            LOG.warning("live scoring cannot start its threads, and tries again with every run: %s", failed)

    def _next(self, held: Container[str]) -> Stretch | None:
        job = self._pending().take(held)
        if job is None:
            return None
        if self._settings.timeout is not None:
            self._until[job] = monotonic() + self._settings.timeout
        return Stretch(job.attached.id, partial(self._begin, job))

    def _begin(self, job: Job) -> None:
        """Begin the program of a run, and end it where it waits for nothing."""
        until = self._until.get(job)
        try:
            found = self._found(job, until)
        except BaseException as raised:  # noqa: BLE001 - a scorer that exits or interrupts must end no thread of ours
            found = raised_in(job.run, "run", raised)
        if found is not None:
            self._over(job, found)

    def _found(self, job: Job, until: float | None) -> Found | None:
        if isinstance(job.spoiled, Unreadable):
            return broken(job.run, "run", job.spoiled.fault)
        if job.spoiled is not None:
            return raised_in(job.run, "input", job.spoiled)
        context = copy_context()
        program = context.run(job.attached.begin, job.run)
        if isinstance(program, (Success, Failure)):
            return found_in(program)
        self._driver.take(Begun(job, program, context, until))
        return None

    def _overdue(self) -> float:
        """Fail the runs that take too long; the seconds until the next one will."""
        while (first := next(iter(self._until.items()), None)) is not None:
            job, until = first
            left = until - monotonic()
            if left > 0:
                return left
            self._until.pop(job, None)
            self._keeper.keep(job, too_long(job, self._settings))
        return TIMEOUT_MAX

    def _over(self, job: Job, found: Found) -> None:
        self._until.pop(job, None)
        self._keeper.keep(job, found)
        if self._pending().release(job):
            self._crew.wake()

    def _broke_off(self, jobs: Sequence[Job]) -> None:
        """What had begun does so once more."""
        for job in jobs:
            self._until.pop(job, None)
        self._pending().put_back(jobs)
        self.wake()
