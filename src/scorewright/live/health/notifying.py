"""Telling events without ever standing in the way: a bounded queue and one thread beside."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from queue import Empty, Full, Queue
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic
from types import MappingProxyType
from typing import Final, TypeAlias, final

import attrs

from scorewright.live.health.events import Event
from scorewright.live.health.webhook import WebhookFailed

LOG: Final = logging.getLogger("scorewright.live")
Notify: TypeAlias = Callable[[Event], object]
_MOST = 1000
_IDLE = 1.0


@final
@attrs.frozen
class Notices:
    """What became of events: told by every notifier, not told by some, or lost since too many waited."""

    told: int = 0
    failed: int = 0
    lost: int = 0
    reasons: Mapping[str, int] = MappingProxyType({})


@final
class Outbox:
    """Hands events to notifiers, in order, on a daemon thread that ends when there is nothing to do."""

    def __init__(self, notify: tuple[Notify, ...]) -> None:
        self._notify = notify
        self._queue: Queue[Event | Flag] = Queue(_MOST)
        self._lock = Lock()
        self._thread: Thread | None = None
        self._counts = {"told": 0, "failed": 0, "lost": 0}
        self._reasons: dict[str, int] = {}

    def put(self, event: Event, /) -> None:
        """Have it told soon."""
        if not self._notify:
            return
        with self._lock:
            try:
                self._queue.put_nowait(event)
            except Full:
                self._counts["lost"] += 1
                return
            self._start()

    def notices(self) -> Notices:
        """What became of events so far."""
        with self._lock:
            return Notices(**self._counts, reasons=MappingProxyType(dict(self._reasons)))

    def told(self, timeout: float, /) -> bool:
        """Wait until all that was put is told, or could not be; False where that takes longer."""
        until, done = monotonic() + timeout, Flag()
        with self._lock:
            if self._thread is None and self._queue.empty():
                return True
            try:
                self._queue.put_nowait(done)
            except Full:
                return False
            self._start()
        return done.wait(max(0.0, until - monotonic()))

    def _start(self) -> None:
        if self._thread is None:
            thread = Thread(target=self._tell_all, name="scorewright-health-notify", daemon=True)
            try:
                thread.start()
            except RuntimeError as failed:  # no more threads, or the process ends: the next event tries again
                LOG.warning("a health event waits, since no thread can be started: %s", failed)
                return
            self._thread = thread

    def _tell_all(self) -> None:
        while True:
            try:
                event = self._queue.get(timeout=_IDLE)
            except Empty:
                with self._lock:
                    if self._queue.empty():
                        self._thread = None
                        return
                continue
            if isinstance(event, Flag):
                event.set()
            else:
                self._tell(event)

    def _tell(self, event: Event) -> None:
        wrong: list[str] = []
        for notify in self._notify:
            try:
                notify(event)
            except BaseException as failed:  # noqa: BLE001 - a user's function; whatever it raises must not end the thread
                said = f": {failed}" if isinstance(failed, WebhookFailed) else ""  # others may quote what is secret
                wrong.append(f"{_name(notify)} raised {type(failed).__name__}{said}")
                LOG.warning("the health event %r was not told: %s", event.status.name, wrong[-1])
        with self._lock:
            self._counts["failed" if wrong else "told"] += 1
            for why in wrong:
                self._reasons[why] = self._reasons.get(why, 0) + 1


def _name(notify: Notify) -> str:
    name: object = getattr(notify, "__name__", None)
    return name if isinstance(name, str) else type(notify).__name__
