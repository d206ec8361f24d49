"""Threads for plain code: one at a time runs it, and where that one is held another goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from threading import TIMEOUT_MAX, Condition, RLock, Thread, current_thread
from time import monotonic
from typing import Final, TypeAlias, final

import attrs

from scorewright.live.around import AROUND, Around
from scorewright.live.settings import LOG

HELD_AFTER: Final = 0.05  # seconds that a stretch may hold the thread that all share
MOST_HELD: Final = 32  # threads that may be held at a time; one more stretch that blocks holds all


@final
@attrs.frozen(eq=False)
class Stretch:
    """A piece of plain code of one scorer, which raises nothing."""

    of: str
    run: Callable[[], object]


More: TypeAlias = Callable[[Container[str]], "Stretch | None"]


@final
class Crew:
    """Runs stretches, those of one scorer one after another.

    One thread leads: it takes what comes and runs it. One watches the leader. When a stretch holds the leader for
    longer than `HELD_AFTER`, the thread keeps that stretch, nothing else of its scorer is begun until it is done, and
    the one that watched leads. So cheap code costs no change of threads, and what blocks holds its own scorer only.
    """

    def __init__(
        self,
        more: More,
        inside: Around,
        *,
        failed: Callable[[RuntimeError], object],
        overdue: Callable[[], float] = lambda: TIMEOUT_MAX,
    ) -> None:
        """`more` gives what is to be done next, of scorers that are not held; `failed` hears of threads that lack.

        `overdue` looks for what has taken too long, and gives the seconds until something will have. All three are
        called under the crew's lock. `inside` is what surrounds the stretches.
        """
        self._more = more
        self._inside = inside
        self._failed = failed
        self._overdue = overdue
        lock = RLock()
        self._leads = Condition(lock)
        self._watches = Condition(lock)
        self._leader: Thread | None = None
        self._watcher: Thread | None = None
        self._watcher_sleeps = False
        self._again: deque[Stretch] = deque()  # stretches of runs that have begun
        self._current: tuple[Stretch, float] | None = None  # with when it began
        self._held: set[str] = set()
        self._closed = False

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
        try:
            thread.start()
        except RuntimeError as failed:  # no more threads
            self._failed(failed)
            return None
        return thread

    def _work(self) -> None:
        AROUND.set(self._inside)
        me = current_thread()
        while self._came_to_lead(me):
            while (stretch := self._next(me)) is not None:
                try:
                    stretch.run()
                except BaseException:  # noqa: BLE001 - thrown into the thread from elsewhere, when it was in no step
                    LOG.exception("live scoring lost a run of the scorer %s", stretch.of)
                self._done(me, stretch)

    def _next(self, me: Thread) -> Stretch | None:
        """What the leader does next; None where it leads no more."""
        with self._leads:
            while not self._closed and self._leader is me:
                if self._watcher is None:
                    self._watcher = self._started()
                stretch = self._taken()
                if stretch is not None:
                    self._current = stretch, monotonic()
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
            if self._leader is me:
                self._current = None
            else:
                self._held.discard(stretch.of)
                self._leads.notify()
                self._watches.notify()  # another one may be held now

    def _came_to_lead(self, me: Thread) -> bool:
        """Watch until the leader is held, and then lead; False where nobody is needed."""
        with self._leads:
            if self._leader is not me and self._watcher is None:
                self._watcher = me
            while not self._closed and self._watcher is me:
                seconds = self._until_held()
                if self._current is not None and seconds <= 0:
                    self._held.add(self._current[0].of)
                    self._leader, self._watcher, self._current = me, None, None
                else:
                    self._watcher_sleeps = self._current is None
                    self._watches.wait(min(seconds, self._overdue()))
                    self._watcher_sleeps = False
            return not self._closed and self._leader is me

    def _until_held(self) -> float:
        """Seconds until the current stretch is one that holds the leader."""
        if self._current is None or len(self._held) >= MOST_HELD:
            return TIMEOUT_MAX
        return self._current[1] + HELD_AFTER - monotonic()
