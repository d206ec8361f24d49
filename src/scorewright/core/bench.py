"""What is open while judges are asked: connections, limiters, what was learnt. One bench an event loop."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast
from weakref import WeakKeyDictionary

from typing_extensions import TypeVar

from scorewright.core.ask import JudgeReply, JudgeRequest
from scorewright.core.budget import Budget
from scorewright.faults import NoJudge
from scorewright.results import err

if TYPE_CHECKING:
    import asyncio
    from asyncio import AbstractEventLoop

T = TypeVar("T")


class Bench:
    """Keeps what judges open, from the first ask to the end of the `async with` block.

    Pass `answer=bench.answer` to runs that are to share it. Runs that are given none share one that belongs to
    their event loop and is closed with it.
    """

    def __init__(self, *, budget: Budget | None = None) -> None:
        self.budget = budget
        self._kept: dict[Hashable, object] = {}
        self._open = AsyncExitStack()

    def __repr__(self) -> str:
        budget = f", {self.budget!r}" if self.budget else ""
        return f"Bench(keeps {len(self._kept)}{budget})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kept.clear()
        await self._open.aclose()

    async def answer(self, request: JudgeRequest, /) -> JudgeReply:
        """Ask the request's judge."""
        judge = request.judge
        return JudgeReply(err(NoJudge())) if judge is None else await judge.answer(request, self)

    async def keep(self, key: Hashable, opened: Callable[[], AbstractAsyncContextManager[T]], /) -> T:
        """What was opened under this key; opened now if nothing was, and closed with the bench.

        Not for an `@asynccontextmanager`: a loop that ends closes such a generator on its own, at the same time.
        """
        import asyncio

        waiting = self._kept.get(key)
        if waiting is None:
            waiting = self._kept[key] = asyncio.ensure_future(self._open.enter_async_context(opened()))
            waiting.add_done_callback(lambda done: self._forget(key, done))
        opening = cast("asyncio.Future[T]", waiting)  # one dict holds things of many types
        return opening.result() if opening.done() else await asyncio.shield(opening)

    def _forget(self, key: Hashable, opened: asyncio.Future[T]) -> None:
        """What could not be opened is opened anew when it is next asked for."""
        if opened.cancelled() or opened.exception() is not None:
            self._kept.pop(key, None)

    def hold(self, key: Hashable, make: Callable[[], T], /) -> T:
        """What was made under this key, made now if nothing was: limiters, ledgers, what was learnt of a model."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast("T", self._kept[key])  # as above


_benches: WeakKeyDictionary[AbstractEventLoop, tuple[Bench, AsyncGenerator[Bench, None]]] = WeakKeyDictionary()


async def bench_of_loop() -> Bench:
    """The bench of the running event loop, made at the first call.

    An async generator holds it: a loop that ends properly closes its generators, and so the connections too.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    held = _benches.get(loop)
    if held is None:
        generator = _held(loop)
        held = _benches[loop] = (await anext(generator), generator)
    return held[0]


async def _held(loop: AbstractEventLoop) -> AsyncGenerator[Bench, None]:
    try:
        async with Bench() as bench:
            yield bench
    finally:
        _benches.pop(loop, None)  # the bench and its generator know the loop, so it would never be collected


async def answer_here(request: JudgeRequest, /) -> JudgeReply:
    """Ask through the bench of the running loop."""
    return await (await bench_of_loop()).answer(request)
