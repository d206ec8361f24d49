"""A thread that has something checked again and again, and keeps nothing alive."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Final, Protocol, final

LOG: Final = logging.getLogger("scorewright.live")


class Checked(Protocol):
    """What is checked."""

    def check(self) -> object:
        """Look once."""
        ...


@final
class Ticker:
    """Checks every so many seconds, from `start` on until `stop`, or until nobody else has what is checked."""

    def __init__(self, checked: Checked, every: float | None) -> None:
        """Without seconds it never starts."""
        self._checked = weakref.ref(checked)
        self._every = every
        self._stopped = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin; a second time does nothing."""
        if self._every is None:
            return
        with self._lock:
            if self._thread is None and not self._stopped.is_set():
                args = (self._checked, self._stopped, self._every)
                thread = Thread(target=_tick, args=args, name="scorewright-health", daemon=True)
                try:
                    thread.start()
                except RuntimeError as failed:  # no more threads: the next score tries again
                    LOG.warning(
                        "the health of live scorers is not looked at, since no thread can be started: %s", failed
                    )
                else:
                    self._thread = thread

    def stop(self) -> bool:
        """End; whether it had not been stopped before."""
        with self._lock:
            was_stopped = self._stopped.is_set()
            self._stopped.set()
            return not was_stopped


def _tick(of: Callable[[], Checked | None], stopped: Event, every: float) -> None:
    while not stopped.wait(every):
        checked = of()
        if checked is None:
            return
        try:
            checked.check()
        except BaseException:  # what a user's clock raises must not end the thread
            LOG.exception("the health of live scorers could not be checked, and is looked at again")
        del checked
