"""The loop on which runs wait, for judges and for `async` steps; their plain code runs on the crew."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from inspect import CORO_CREATED, getcoroutinelocals, getcoroutinestate, iscoroutine
from threading import RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, final

import attrs
from returns.result import Result, Success
from typing_extensions import TypeVar

from scorewright.core import Answer, Bench, Evaluation, ScoringFailure
from scorewright.core.ask import Ask, Fork
from scorewright.core.interpret import interpreted
from scorewright.core.pipeline import Judged
from scorewright.core.program import landed
from scorewright.faults import TimedOut
from scorewright.live.around import AROUND, Around
from scorewright.live.crew import Crew, Stretch
from scorewright.live.holding import Holding
from scorewright.live.jobs import Found, Job, broken, raised_in
from scorewright.live.settings import LOG, Settings

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task

    from scorewright.core.ask import Now, Outcome

A = TypeVar("A")
E = TypeVar("E")


@final
@attrs.frozen
class Elsewhere:
    """A program whose plain code runs on the crew, as code of this scorer: the same asks, forks, awaits and result."""

    crew: Crew
    of: str
    holding: Holding = attrs.field(factory=Holding)

    def __call__(self, outcome: Outcome[A, E], /) -> Outcome[A, E]:
        """The program as it goes on from here."""
        if isinstance(outcome, Result):
            return outcome
        if isinstance(outcome, Ask):
            ask = outcome
            return Ask(ask.request, lambda reply: self._there(partial(ask.resume, reply)))
        if isinstance(outcome, Fork):
            fork = outcome
            parts = tuple(partial(self._there, part) for part in fork.parts)
            return Fork(parts, lambda results: self._there(partial(fork.join, results)))
        waiting = outcome

        async def awaited() -> Now[A, E]:
            return await landed(self(await self.holding.watched(waiting, self.of)))

        return awaited()

    async def _there(self, f: Callable[[], Outcome[A, E]]) -> Now[A, E]:
        context = copy_context()
        done: Future[Outcome[A, E] | BaseException] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(context.run(f))
            except BaseException as raised:  # noqa: BLE001 - it is raised again, where it is awaited
                done.set_result(raised)

        self.crew.put(Stretch(self.of, run))
        got = await asyncio.wrap_future(done)
        for variable, value in context.items():  # what was set there holds from here on
            if variable.get(None) is not value:
                variable.set(value)
        if isinstance(got, BaseException):
            raise got
        return await landed(self(got))


@final
@attrs.frozen(eq=False)
class Begun:
    """A run whose program has come to something that it waits for; `until` is by the monotonic clock."""

    job: Job
    program: Judged[object]
    context: Context
    until: float | None


@final
class Driver:
    """Drives programs to their end. Its thread begins with the first that waits for anything."""

    def __init__(
        self,
        settings: Settings,
        crew: Crew,
        over: Callable[[Job, Found], object],
        broke_off: Callable[[Sequence[Job], bool], object],
    ) -> None:
        """`over` hears what came of a run; `broke_off` of runs that have to begin again, and whether any had begun."""
        self._settings = settings
        self._crew = crew
        self._over = over
        self._broke_off = broke_off
        self._holding = Holding()
        self._changing = RLock()
        self._closed = False
        self._begun: deque[Begun] = deque()
        self._jobs: set[Job] = set()
        self.thread: Thread | None = None
        self._loop: AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._main: Task[None] | None = None

    def take(self, begun: Begun, /) -> None:
        """Drive this one, too."""
        with self._changing:
            self._begun.append(begun)
            self._jobs.add(begun.job)
            loop = self._loop
            if self.thread is None and not self._closed:
                self._start()
        if loop is not None:
            with suppress(RuntimeError):  # it was closed in between: it shuts down, or breaks off
                loop.call_soon_threadsafe(self._woken.set)

    def stop(self) -> None:
        """Cancel what is under way, and end."""
        with self._changing:
            self._closed = True
            loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._main is not None:
            self._main.cancel()

    def _start(self) -> None:
        thread = Thread(target=self._drive_all, name="scorewright-live-loop", daemon=True)
        try:
            thread.start()
        except RuntimeError as failed:  # no more threads
            LOG.warning("live scoring cannot start its threads, and tries again with the next run: %s", failed)
            self._leave(begun=False)
        else:
            self.thread = thread

    def _leave(self, *, begun: bool) -> None:
        with self._changing:
            jobs = [*self._jobs]
            self._jobs.clear()
            while self._begun:
                close(self._begun.popleft().program)
            self._loop = self.thread = None
        self._broke_off(jobs, begun)

    def _drive_all(self) -> None:
        AROUND.set(Around(off="inside a scorer"))
        try:
            asyncio.run(self._serve())
        except asyncio.CancelledError:
            while self._begun:
                close(self._begun.popleft().program)
        except BaseException:  # noqa: BLE001 - a task that a scorer made may exit or interrupt, which ends the loop
            LOG.exception("live scoring broke off, and begins again")
            self._leave(begun=self._loop is not None)

    async def _serve(self) -> None:
        self._woken = asyncio.Event()
        self._main = asyncio.current_task()
        tasks: dict[Task[None], Begun] = {}
        store = self._settings.hand_over
        async with Bench(budget=self._settings.budget) as bench:
            answer = bench.answer if store is None else store.answering(bench.answer)
            with self._changing:
                self._loop = asyncio.get_running_loop()
                if self._closed:
                    return
            try:
                while True:
                    while self._begun:
                        begun = self._begun.popleft()
                        task = asyncio.create_task(self._drive(begun, answer), context=begun.context)
                        tasks[task] = begun
                        task.add_done_callback(tasks.pop)
                    await self._woken.wait()
                    self._woken.clear()
            finally:
                left = tasks.copy()
                for task in left:
                    task.cancel()
                await asyncio.gather(*left, return_exceptions=True)
                for begun in left.values():
                    close(begun.program)  # a task that was cancelled before its first step has not

    async def _drive(self, begun: Begun, answer: Answer) -> None:
        task, job = asyncio.current_task(), begun.job
        try:
            found = await self._found(begun, answer)
        except BaseException as raised:  # a scorer that exits or interrupts must end neither loop nor caller
            if isinstance(raised, asyncio.CancelledError) and task is not None and task.cancelling():
                raise
            found = raised_in(job.run, "run", raised)
        with self._changing:
            self._jobs.discard(job)
        self._over(job, found)

    async def _found(self, begun: Begun, answer: Answer) -> Found:
        program = Elsewhere(self._crew, begun.job.attached.id, self._holding)(begun.program)
        within = asyncio.timeout(None if begun.until is None else begun.until - monotonic())
        try:
            async with within:
                result = await interpreted(program, answer)
        except TimeoutError:
            if not within.expired():
                raise
            return too_long(begun.job, self._settings)
        return found_in(result)


def found_in(result: Result[Evaluation, ScoringFailure[object]], /) -> Found:
    """What a program came to, either way."""
    return result.unwrap() if isinstance(result, Success) else result.failure()


def too_long(job: Job, settings: Settings, /) -> Found:
    """The failure of a run that took longer than it may."""
    return broken(job.run, "run", TimedOut(f"the scorer took longer than {settings.timeout:g} s"))


def close(program: object, /) -> None:
    """Close the coroutines that nobody will come to await, each around the next, so that nothing is told of them."""
    while iscoroutine(program):
        inner: object = getcoroutinelocals(program).get("waiting") if _is_new(program) else None
        program.close()
        program = inner


def _is_new(program: Coroutine[object, object, object]) -> bool:
    return getcoroutinestate(program) == CORO_CREATED
