"""How fast a model may be asked: at once, a minute, in tokens a minute."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from scorewright.core.bench import Bench

if TYPE_CHECKING:
    from scorewright.judges.judge import Judge


@asynccontextmanager
async def permitted(judge: Judge, bench: Bench, address: str, tokens: int, /) -> AsyncGenerator[None]:
    """Wait for a place among the requests to this address; the place is given back at the end."""
    if not (judge.concurrency or judge.requests_per_minute or judge.tokens_per_minute):
        yield
        return
    import asyncio

    from aiolimiter import AsyncLimiter

    async with AsyncExitStack() as places:
        if judge.concurrency:
            at_once = judge.concurrency
            await places.enter_async_context(
                bench.hold(("at once", address, at_once), lambda: asyncio.Semaphore(at_once))
            )
        if judge.requests_per_minute:
            each = 60 / judge.requests_per_minute
            await bench.hold(("requests", address, each), lambda: AsyncLimiter(1, each)).acquire()
        if judge.tokens_per_minute:
            minute = judge.tokens_per_minute
            limiter = bench.hold(("tokens", address, minute), lambda: AsyncLimiter(minute, 60))
            await limiter.acquire(min(tokens, minute))
        yield
