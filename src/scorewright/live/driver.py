"""The loop on which runs wait, for judges and for `async` steps; their plain code runs on the crew."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from threading import RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final, final

import attrs
from returns.result import Result, Success
from typing_extensions import TypeVar

from scorewright.core import Answer, Bench, Evaluation, ScoringFailure
from scorewright.core.ask import Ask, Fork
from scorewright.core.interpret import interpreted
from scorewright.core.parts import close
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

_UNSET: Final = object()


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
        try:
            got = await asyncio.wrap_future(done)
        except asyncio.CancelledError:
            done.add_done_callback(_unheard)
            raise
        for variable, value in context.items():  # what was set there holds from here on
            if variable.get(_UNSET) is not value:
                variable.set(value)
        if isinstance(got, BaseException):
            raise got
        return await landed(self(got))


def _unheard(done: Future[Outcome[A, E] | BaseException]) -> None:
    """What came of code that went on when nobody waited for it any more."""
    if not done.cancelled():
        close(done.result())


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
    """Drives programs to their end, on a thread of its own."""

    def __init__(
        self,
        settings: Settings,
        crew: Crew,
        inside: Around,
        over: Callable[[Job, Found], object],
        broke_off: Callable[[Sequence[Job]], object],
    ) -> None:
        """`over` hears what came of a run, and `broke_off` of runs that have to begin again."""
        self._settings = settings
        self._crew = crew
        self._inside = inside
        self._over = over
        self._broke_off = broke_off
        self._holding = Holding()
        self._changing = RLock()
        self._closed = False
        self._begun: deque[Begun] = deque()  # those that the loop has not taken
        self._tasks: dict[Task[None], Begun] = {}
        self.thread: Thread | None = None
        self._loop: AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._main: Task[None] | None = None

    def start(self) -> None:
        """Begin, unless it has; a thread that cannot be started raises `RuntimeError`, and what was taken waits."""
        with self._changing:
            if self.thread is None and not self._closed:
                thread = Thread(target=self._drive_all, name="scorewright-live-loop", daemon=True)
                thread.start()
                self.thread = thread

    def take(self, begun: Begun, /) -> None:
        """Drive this one, too."""
        with self._changing:
            if self._closed:
                close(begun.program)
            else:
                self._begun.append(begun)
                self._call(self._woken.set)

    def stop(self) -> None:
        """Cancel what is under way, and end."""
        with self._changing:
            self._closed = True
            while self._begun:
                close(self._begun.popleft().program)
            self._call(lambda: self._main and self._main.cancel())

    def _call(self, f: Callable[[], object]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # it has broken off, and what follows is seen to after that
                self._loop.call_soon_threadsafe(f)

    # the thread

    def _drive_all(self) -> None:
        AROUND.set(self._inside)
        try:
            asyncio.run(self._serve())
        except BaseException:  # noqa: BLE001 - a task that a scorer made may exit or interrupt, which ends the loop
            if not self._closed:
                LOG.exception("live scoring broke off, and begins again")
        left = {task: begun for task, begun in self._tasks.items() if task.cancelled() or not task.done()}
        self._tasks.clear()
        for task, begun in left.items():
            if task.cancelled():
                close(begun.program)  # it may have been before its first step
        with self._changing:
            served, self._loop, self.thread = self._loop is not None, None, None
        if served and not self._closed:
            self._broke_off([begun.job for begun in left.values()])

    async def _serve(self) -> None:
        self._woken = asyncio.Event()
        self._main = asyncio.current_task()
        store = self._settings.hand_over
        async with Bench(budget=self._settings.budget) as bench:
            answer = bench.answer if store is None else store.answering(bench.answer)
            with self._changing:
                if self._closed:
                    return
                self._loop = asyncio.get_running_loop()
            try:
                while True:
                    while self._begun:
                        begun = self._begun.popleft()
                        task = asyncio.create_task(self._drive(begun, answer), context=begun.context)
                        self._tasks[task] = begun
                        task.add_done_callback(self._ended)
                    await self._woken.wait()
                    self._woken.clear()
            finally:
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: Task[None]) -> None:
        if not task.cancelled():  # by whoever ends all of it
            del self._tasks[task]

    async def _drive(self, begun: Begun, answer: Answer) -> None:
        job = begun.job
        try:
            found = await self._found(begun, answer)
        except BaseException as raised:  # a scorer that exits, interrupts or cancels must end neither loop nor caller
            if isinstance(raised, asyncio.CancelledError) and self._main is not None and self._main.cancelling():
                raise  # all of it ends
            found = raised_in(job.run, "run", raised)
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
