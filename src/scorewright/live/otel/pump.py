"""A thread beside the caller's that looks now and then at what was put before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import TIMEOUT_MAX, Event, Lock, Thread, current_thread
from typing import Generic, final

from typing_extensions import TypeVar

from scorewright.live.around import AROUND, Around
from scorewright.live.settings import LOG

T = TypeVar("T")

TICK = 0.1  # seconds between two looks while something is put now and then


@final
class Pump(Generic[T]):
    """`put` costs its caller an append; `turn` is called on the thread, which begins with the first item.

    `turn` gets what was put since, and whether somebody waits for all to be done; it says after how many seconds to
    look again though nothing was put, 0 for never. One belongs to one process.
    """

    def __init__(self, name: str, most: int, turn: Callable[[Sequence[T], bool], float]) -> None:
        self._name = name
        self._most = most
        self._turn = turn
        self._items: deque[T] = deque()
        self._waiting: deque[Event] = deque()
        self._wake = Event()
        self._awake = False
        self._stopped = False
        self._starting = Lock()
        self._thread: Thread | None = None

    @property
    def is_here(self) -> bool:
        """Whether this is the thread, which must not wait for itself."""
        return current_thread() is self._thread

    @property
    def room(self) -> int:
        """How many more it takes."""
        return self._most - len(self._items)

    def put(self, item: T, /) -> bool:
        """Have it looked at soon; False where too many wait."""
        if len(self._items) >= self._most:
            return False
        self._items.append(item)
        if not self._awake:
            self._rouse()
        return True

    def look(self) -> None:
        """Have it look, whether there is something or not."""
        if not self._awake:
            self._rouse()

    def flush(self, timeout: float, /) -> bool:
        """Wait until all that was put is done; False where that takes longer than so many seconds.

        After the end nothing is waited for, since nothing is done any more.
        """
        if self.is_here:
            return False
        if self._stopped:
            return not self._items
        done = Event()
        self._waiting.append(done)
        self._rouse()
        if self._has_ended():  # meanwhile, so that the thread may not have seen it
            self._let_go()
        came = done.wait(min(max(0.0, timeout), TIMEOUT_MAX))
        return came and not (self._has_ended() and self._items)

    def stop(self, timeout: float, /) -> None:
        """End the thread."""
        self._stopped = True
        self._wake.set()
        thread = self._thread
        if thread is not None and not self.is_here:
            thread.join(min(max(0.0, timeout), TIMEOUT_MAX))

    def _rouse(self) -> None:
        self._awake = True
        with self._starting:
            if self._thread is None and not self._stopped:
                thread = Thread(target=self._run, name=self._name, daemon=True)
                try:
                    thread.start()
                except RuntimeError as failed:  # no more threads: the next item tries again
                    self._awake = False
                    LOG.warning("live scoring cannot start the thread for spans, and tries again: %s", failed)
                    return
                self._thread = thread
        self._wake.set()

    def _run(self) -> None:
        AROUND.set(Around(off="inside a scorer"))
        roused = True
        while not self._stopped:
            seconds = self._once(roused=roused)
            roused = self._wake.wait(seconds or None)
            self._wake.clear()
        self._let_go()

    def _has_ended(self) -> bool:
        return self._stopped

    def _let_go(self) -> None:
        while self._waiting:
            with suppress(IndexError):  # another one was quicker
                self._waiting.popleft().set()

    def _once(self, *, roused: bool) -> float:
        """One look; the seconds until another is to follow, 0 where none has to."""
        waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
        items = [self._items.popleft() for _ in range(len(self._items))]
        try:
            seconds = self._turn(items, bool(waiting))
        except BaseException:  # noqa: BLE001 - neither a bug of ours nor a predicate that exits ends the thread
            LOG.exception("live scoring lost %d spans", len(items))
            seconds = TICK
        for done in waiting:
            done.set()
        if roused or items:
            return TICK  # so that whoever puts more has not to rouse
        self._awake = False
        return TICK if self._items or self._waiting else seconds  # what came in between saw a thread that was awake
