"""Running the async driver from code that cannot await: on one background loop, kept so that connections are too."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, final

import attrs
from typing_extensions import TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from anyio.from_thread import BlockingPortal

T = TypeVar("T")


class _LoopThread(threading.Thread):
    """A thread that runs one of our loops, and so must not wait for another program on it."""


@final
@attrs.frozen
class _Interrupt:
    """What a step raised to end the process."""

    exception: KeyboardInterrupt | SystemExit


async def _contained(begin: Callable[[], Awaitable[T]]) -> T | _Interrupt:
    try:
        return await begin()
    except (KeyboardInterrupt, SystemExit) as exception:  # raised here, it would end the loop and all that runs on it
        return _Interrupt(exception)


class Background:
    """An event loop in a daemon thread, with a portal into it."""

    def __init__(self) -> None:
        from concurrent.futures import Future

        ready: Future[BlockingPortal] = Future()
        self.thread = _LoopThread(target=_serve, args=(ready,), name="scorewright", daemon=True)
        self.thread.start()
        self.portal = ready.result()

    def finished(self, begin: Callable[[], Awaitable[T]], /) -> T:
        """What the coroutine comes to, run there in a copy of the caller's context; an interrupt here cancels it."""
        future = self.portal.start_task_soon(_contained, begin)
        try:
            done = future.result()
        except BaseException:
            future.cancel()
            raise
        if isinstance(done, _Interrupt):
            raise done.exception
        return done

    def close(self) -> None:
        """Stop the loop and wait for the thread."""
        if self.thread.is_alive():
            self.portal.call(self.portal.stop)
            self.thread.join()


def _serve(ready: Future[BlockingPortal]) -> None:
    import anyio
    from anyio.from_thread import BlockingPortal

    async def until_stopped() -> None:
        async with BlockingPortal() as portal:
            ready.set_result(portal)
            await portal.sleep_until_stopped()

    anyio.run(until_stopped)


class _Keeper:
    """Holds the background loop of this process: started when it is needed, stopped at exit, forgotten in a fork."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._lock = threading.Lock()
        self._kept: Background | None = None

    def background(self) -> Background:
        with self._lock:
            if self._kept is None or not self._kept.thread.is_alive():
                self._kept = Background()
            return self._kept

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()


_keeper = _Keeper()
os.register_at_fork(after_in_child=_keeper.forget)
atexit.register(_keeper.close)


def finished(begin: Callable[[], Awaitable[T]], /) -> T:
    """What the coroutine comes to, from any thread, also where a loop is running already."""
    if not isinstance(threading.current_thread(), _LoopThread):
        return _keeper.background().finished(begin)
    nested = Background()  # called from a step on such a loop, which waits here and can run nothing else
    try:
        return nested.finished(begin)
    finally:
        nested.close()
