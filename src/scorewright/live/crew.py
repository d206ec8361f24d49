"""Threads for plain code: one at a time runs it, and where that one is held another goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from threading import Condition, RLock, Thread, current_thread
from time import monotonic
from typing import Final, TypeAlias, final

import attrs

from scorewright.live.around import AROUND, Around

HELD_AFTER: Final = 0.05  # seconds that a stretch may hold the thread that all share
_LOOKS: Final = 20  # in vain, before who watches sleeps


@final
@attrs.frozen(eq=False)
class Stretch:
    """A piece of plain code of one scorer, which raises nothing. `late` is told when it takes too long; it goes on."""

    of: str
    run: Callable[[], object]
    late: Callable[[], object] | None = None


More: TypeAlias = Callable[[Container[str]], "Stretch | None"]


@final
class Crew:
    """Runs stretches, those of one scorer one after another.

    One thread leads: it takes what comes and runs it. One watches the leader. When a stretch holds the leader for
    longer than `HELD_AFTER`, the thread keeps that stretch, nothing else of its scorer is begun until it is done, and
    the one that watched leads. So cheap code costs no change of threads, and what blocks holds its own scorer only.
    """

    def __init__(self, more: More, *, late_after: float | None, failed: Callable[[RuntimeError], object]) -> None:
        """`more` gives what is to be done next, of scorers that are not held; `failed` hears of threads that lack."""
        self._more = more
        self._late_after = late_after
        self._failed = failed
        lock = RLock()
        self._leads = Condition(lock)
        self._watches = Condition(lock)
        self._leader: Thread | None = None
        self._watcher: Thread | None = None
        self._watcher_sleeps = False
        self._threads: set[Thread] = set()
        self._again: deque[Stretch] = deque()  # stretches of runs that have begun
        self._current: Stretch | None = None
        self._began: dict[Stretch, float] = {}  # the current one, and those that hold a thread
        self._told_late: set[Stretch] = set()
        self._held: set[str] = set()
        self._closed = False

    def __contains__(self, thread: Thread) -> bool:
        return thread in self._threads

    def wake(self) -> bool:
        """There is more to do; whether there is a thread for it."""
        with self._leads:
            if self._leader is None or not self._leader.is_alive():
                self._leader = self._started()
            else:
                self._leads.notify()
            return self._leader is not None

    def put(self, stretch: Stretch, /) -> None:
        """Run it soon, before what is new."""
        with self._leads:
            self._again.append(stretch)
        self.wake()

    def close(self) -> None:
        """Begin nothing more."""
        with self._leads:
            self._closed = True
            self._leads.notify_all()
            self._watches.notify_all()

    def join(self, timeout: float, /) -> None:
        """Wait for the threads to end, those that are held apart, for so many seconds at most."""
        until = monotonic() + timeout
        for thread in (self._leader, self._watcher):
            if thread is not None and thread is not current_thread():
                thread.join(max(0.0, until - monotonic()))

    # the threads

    def _started(self) -> Thread | None:
        if self._closed:
            return None
        thread = Thread(target=self._work, name="scorewright-live", daemon=True)
        self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError as failed:  # no more threads
            self._threads.discard(thread)
            self._failed(failed)
            return None
        return thread

    def _work(self) -> None:
        AROUND.set(Around(off="inside a scorer"))
        me = current_thread()
        while self._came_to_lead(me):
            while (stretch := self._next(me)) is not None:
                stretch.run()
                self._done(me, stretch)
        with self._leads:
            self._threads.discard(me)

    def _next(self, me: Thread) -> Stretch | None:
        """What the leader does next; None where it leads no more."""
        with self._leads:
            while not self._closed and self._leader is me:
                if self._watcher is None:
                    self._watcher = self._started()
                stretch = self._taken()
                if stretch is not None:
                    self._current = stretch
                    self._began[stretch] = monotonic()
                    if self._watcher_sleeps:
                        self._watcher_sleeps = False
                        self._watches.notify()
                    return stretch
                self._leads.wait()
            return None

    def _taken(self) -> Stretch | None:
        for stretch in self._again:
            if stretch.of not in self._held:
                self._again.remove(stretch)
                return stretch
        return self._more(self._held)

    def _done(self, me: Thread, stretch: Stretch) -> None:
        with self._leads:
            del self._began[stretch]
            self._told_late.discard(stretch)
            if self._leader is me:
                self._current = None
            else:
                self._held.discard(stretch.of)
                self._leads.notify()

    def _came_to_lead(self, me: Thread) -> bool:
        """Watch until the leader is held, and then lead; False where nobody is needed."""
        looks = 0
        with self._leads:
            if self._leader is not me and self._watcher is None:
                self._watcher = me
            while not self._closed and self._watcher is me:
                if self._leader_is_held():
                    self._leader, self._watcher = me, None
                elif looks < _LOOKS or self._began:
                    looks = 0 if self._began else looks + 1
                    self._watches.wait(HELD_AFTER)
                    self._tell_late()
                else:
                    looks, self._watcher_sleeps = 0, True
                    self._watches.wait()
                    self._watcher_sleeps = False
            return not self._closed and self._leader is me

    def _leader_is_held(self) -> bool:
        stretch = self._current
        if stretch is None or monotonic() - self._began[stretch] < HELD_AFTER:
            return False
        self._held.add(stretch.of)
        self._current = None
        return True

    def _tell_late(self) -> None:
        """Those that take too long, without the lock."""
        if self._late_after is None:
            return
        now = monotonic()
        late = [
            stretch
            for stretch, began in self._began.items()
            if stretch.late is not None and stretch not in self._told_late and now - began > self._late_after
        ]
        self._told_late.update(late)
        self._leads.release()
        try:
            for stretch in late:
                if stretch.late is not None:
                    stretch.late()
        finally:
            self._leads.acquire()
