"""Running the async driver from code that cannot await: on one background loop, kept so that connections are too."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, Never, final

import attrs
from typing_extensions import TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Event, Task
    from concurrent.futures import Future

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

PATIENCE = 0.5  # seconds for a loop to begin a run; one that is blocked longer may be waiting for this very run
_FAREWELL = 5.0  # seconds for a loop to end


class _LoopThread(threading.Thread):
    """A thread that runs one of our loops, and so must not wait for another program on it."""


@final
@attrs.frozen
class _Returned(Generic[T_co]):
    """What a run came to."""

    value: T_co


@final
@attrs.frozen
class _Escaped:
    """What a run raised. Raised on the loop, an interrupt would end it and all that runs there."""

    exception: BaseException


class _NotBegun(Exception):
    """The loop has stopped, or something blocks it; nothing of the run was begun."""


async def _contained(begin: Callable[[], Awaitable[T]]) -> _Returned[T] | _Escaped:
    from asyncio import CancelledError

    process = os.getpid()
    try:
        done: _Returned[T] | _Escaped = _Returned(await begin())
    except CancelledError:
        raise
    except BaseException as exception:  # noqa: BLE001 - for whoever waits, and for nobody else
        done = _Escaped(exception)
    if os.getpid() != process:  # a step forked on the loop: whoever waits for this run is in the parent
        _end_of_child(done.exception if isinstance(done, _Escaped) else None)
    return done


def _end_of_child(exception: BaseException | None) -> Never:
    """End a forked process as Python does on its main thread: the status of `sys.exit`, or a traceback and 1."""
    code = exception.code if isinstance(exception, SystemExit) else exception and 1
    if exception is not None and not isinstance(exception, SystemExit):
        sys.excepthook(type(exception), exception, exception.__traceback__)
    elif code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code & 0xFF if isinstance(code, int) else int(code is not None))


class Background:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        from concurrent.futures import Future

        ready: Future[tuple[AbstractEventLoop, Event]] = Future()
        self._ended = threading.Event()
        self.thread: threading.Thread = _LoopThread(
            target=_serve, args=(ready, self._ended), name="scorewright", daemon=True
        )
        self.thread.start()
        loop, self._stopped = ready.result()
        self.loop: AbstractEventLoop = loop

    @property
    def runs(self) -> bool:
        """Whether it may still begin something."""
        return self.thread.is_alive() and not self._ended.is_set()

    def finished(self, begin: Callable[[], Awaitable[T]], /, patience: float | None = None) -> T:
        """What the coroutine comes to, run there in a copy of the caller's context; an interrupt here cancels it.

        Raises `_NotBegun` where the loop has not begun it within `patience` seconds, and then never will.
        """
        from concurrent.futures import Future

        done: Future[_Returned[T] | _Escaped] = Future()
        begun = threading.Event()
        tasks: list[Task[_Returned[T] | _Escaped]] = []

        def start() -> None:
            if self._ended.is_set():
                done.cancel()
            if done.set_running_or_notify_cancel():
                task = self.loop.create_task(_contained(begin))
                tasks.append(task)
                task.add_done_callback(lambda task: _tell(task, done))
            begun.set()

        try:
            self.loop.call_soon_threadsafe(start)
        except RuntimeError as closed:
            raise _NotBegun from closed
        try:
            given_up = (not begun.wait(patience) and done.cancel()) or done.cancelled()
            got = None if given_up else done.result()
        except BaseException:
            if not done.cancel():
                with suppress(RuntimeError):  # the loop is closed
                    self.loop.call_soon_threadsafe(_cancel, tasks)
            raise
        if got is None:
            raise _NotBegun
        if isinstance(got, _Escaped):
            raise got.exception
        return got.value

    def close(self) -> None:
        """Stop the loop, cancel what still runs there and wait for the thread, though not for ever."""
        with suppress(RuntimeError):  # the loop is closed
            self.loop.call_soon_threadsafe(self._stopped.set)
        self.thread.join(_FAREWELL)


def _cancel(tasks: list[Task[_Returned[T] | _Escaped]]) -> None:
    for task in tasks:
        task.cancel()


def _tell(task: Task[_Returned[T] | _Escaped], done: Future[_Returned[T] | _Escaped]) -> None:
    if task.cancelled():
        from asyncio import CancelledError

        done.set_exception(CancelledError())
    else:
        done.set_result(task.result())


def _serve(ready: Future[tuple[AbstractEventLoop, Event]], ended: threading.Event) -> None:
    import asyncio

    async def until_stopped() -> None:
        stopped = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), stopped))
        await stopped.wait()

    try:
        with asyncio.Runner() as runner:
            try:
                runner.run(until_stopped())
            finally:
                ended.set()  # before the runner runs the loop once more, to end what is left
    except BaseException as exception:
        if ready.done():
            raise
        ready.set_exception(exception)  # no loop could be made: too many open files, perhaps


class _Keeper:
    """Holds the background loop of this process: started when it is needed, stopped at exit, forgotten in a fork."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._lock = threading.RLock()  # a signal handler may come in while the lock is held, and run a scorer too
        self._kept: Background | None = None

    def background(self) -> Background:
        with self._lock:
            kept = self._kept
            if kept is None or not kept.runs:
                fresh = Background()
                if self._kept is kept:
                    self._kept = fresh
                else:  # a signal handler was faster
                    fresh.close()
            return self._kept or self.background()

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()


_keeper = _Keeper()
os.register_at_fork(after_in_child=_keeper.forget)
atexit.register(_keeper.close)


def finished(begin: Callable[[], Awaitable[T]], /) -> T:
    """What the coroutine comes to, from any thread, also where a loop is running already.

    A step may wait for other runs, in its own thread or in threads that it started: these get a loop of their own.
    """
    if not isinstance(threading.current_thread(), _LoopThread):
        with suppress(_NotBegun):
            return _keeper.background().finished(begin, PATIENCE)
    nested = Background()  # on a loop that something blocks nothing else can run
    try:
        return nested.finished(begin)
    finally:
        nested.close()
