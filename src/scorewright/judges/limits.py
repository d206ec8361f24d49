"""How fast a model may be asked: at once, a minute, in tokens a minute."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, final

from scorewright.core.bench import Bench

if TYPE_CHECKING:
    from scorewright.judges.judge import Judge


@final
class Pace:
    """So much a minute, evenly: what was let through is paid off in time before the next may go, first come first."""

    def __init__(self, a_minute: int) -> None:
        self._seconds_each = 60 / a_minute
        self._free_at = 0.0
        self._turn = asyncio.Lock()

    async def wait(self, amount: int, /) -> None:
        """Wait until the pace allows one more; who is cancelled while waiting takes nothing."""
        async with self._turn:
            clock = asyncio.get_running_loop().time
            await asyncio.sleep(max(0.0, self._free_at - clock()))
            self._free_at = clock() + amount * self._seconds_each


def is_limited(judge: Judge, /) -> bool:
    """Whether a request of this judge may have to wait for others."""
    return bool(judge.concurrency or judge.requests_per_minute or judge.tokens_per_minute)


@asynccontextmanager
async def permitted(judge: Judge, bench: Bench, address: str, tokens: int, until: float, /) -> AsyncGenerator[None]:
    """Wait for a place among the requests to this address, and give it back at the end; `TimeoutError` when late."""
    async with AsyncExitStack() as places:
        async with asyncio.timeout(None if until == inf else until - monotonic()):
            if at_once := judge.concurrency:
                places_left = bench.hold(("at once", address, at_once), lambda: asyncio.Semaphore(at_once))
                await places.enter_async_context(places_left)
            if requests := judge.requests_per_minute:
                await bench.hold(("requests", address, requests), lambda: Pace(requests)).wait(1)
            if a_minute := judge.tokens_per_minute:
                await bench.hold(("tokens", address, a_minute), lambda: Pace(a_minute)).wait(tokens)
        yield
