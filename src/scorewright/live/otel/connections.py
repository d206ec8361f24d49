"""Connections of a receiver: those that bring no request for long are closed, and what is under way is waited for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol, final

from typing_extensions import override

from scorewright.live.settings import LOG


class Connection(Protocol):
    """What a server has for each client."""

    def force_close(self) -> None:
        """End."""
        ...


@final
class Connections:
    """A client may be silent for so many seconds, also before its first request and in the middle of its head.

    How long a body may take its reader decides.
    """

    def __init__(self, now_open: Callable[[], Sequence[Connection]], seconds: float) -> None:
        self._now_open = now_open
        self._seconds = seconds
        self._heard: dict[Connection, float] = {}
        self._under_way: set[Connection] = set()
        self._free = asyncio.Event()
        self._free.set()
        self._sweeping: asyncio.Task[None] | None = None

    @property
    def busy(self) -> int:
        """Requests that are under way."""
        return len(self._under_way)

    def begin(self, connection: Connection, /) -> None:
        """A request has come, on a connection that has no other."""
        self._under_way.add(connection)
        self._free.clear()

    def end(self, connection: Connection, /) -> None:
        """It can be answered."""
        self._under_way.discard(connection)
        self._heard[connection] = asyncio.get_running_loop().time()
        if not self._under_way:
            self._free.set()

    def start(self) -> None:
        """Begin to look for those that are silent."""
        self._sweeping = asyncio.create_task(self._sweep())

    async def stop(self, seconds: float, /) -> None:
        """Wait so long for what is under way."""
        try:
            async with asyncio.timeout(seconds):
                await self._free.wait()
        except TimeoutError:
            pass
        if self._sweeping is not None:
            self._sweeping.cancel()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / 4)
            now = asyncio.get_running_loop().time()
            self._heard = {each: self._heard.get(each, now) for each in self._now_open()}
            for each, heard in self._heard.items():
                if now - heard > self._seconds and each not in self._under_way:
                    each.force_close()


def server_log() -> logging.Logger:
    """The log of a server: that a client speaks another protocol is said in one line, and not again."""
    made = logging.Logger("scorewright.live.http")
    made.parent = LOG
    made.addFilter(_Brief())
    return made


@final
class _Brief(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self._said = False

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        failed = record.exc_info[1] if record.exc_info else None
        if type(failed).__name__ != "BadHttpMessage":
            return True
        said, self._said = self._said, True
        record.msg = "the client at %s speaks no HTTP/1.1: an exporter for gRPC is none for this receiver"
        record.exc_info = None
        return not said
