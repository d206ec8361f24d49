"""A thread beside the caller's that looks now and then at what was put before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread, current_thread
from typing import Generic, final

from typing_extensions import TypeVar

from scorewright.live.around import AROUND, Around
from scorewright.live.settings import LOG

T = TypeVar("T")

TICK = 0.1  # seconds between two looks while there is something


@final
class Pump(Generic[T]):
    """`put` costs its caller an append; `turn` is called on the thread, which begins with the first item.

    `turn` gets what was put since, and whether somebody waits for all to be done; it says whether to look again soon.
    One belongs to one process.
    """

    def __init__(self, name: str, most: int, turn: Callable[[Sequence[T], bool], bool]) -> None:
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
        return done.wait(max(0.0, timeout))

    def stop(self, timeout: float, /) -> None:
        """End the thread."""
        self._stopped = True
        self._wake.set()
        thread = self._thread
        if thread is not None and not self.is_here:
            thread.join(max(0.0, timeout))

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
        while not self._stopped:
            self._wake.wait()
            self._wake.clear()
            while self._once() and not self._stopped:
                self._wake.wait(TICK)
                self._wake.clear()
        for done in self._waiting:
            done.set()

    def _once(self) -> bool:
        """One look; whether another is to follow soon."""
        waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
        items = [self._items.popleft() for _ in range(len(self._items))]
        try:
            busy = self._turn(items, bool(waiting))
        except BaseException:  # noqa: BLE001 - neither a bug of ours nor a predicate that exits ends the thread
            LOG.exception("live scoring lost %d spans", len(items))
            busy = True
        for done in waiting:
            done.set()
        if busy or self._items or self._waiting:
            return True
        self._awake = False
        self._awake = bool(self._items or self._waiting)  # what came in between saw a thread that was awake
        return self._awake
