"""An `async` step that blocks the loop of all others is told of; else it is what it was."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from scorewright.live.holding import Holding


async def gives(value: object) -> object:
    await asyncio.sleep(0)
    return value


async def raises(error: BaseException) -> object:
    await asyncio.sleep(0)
    raise error


async def catches() -> object:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return "cancelled"
    return "not"


@pytest.mark.parametrize("most", [-1.0, 1e9])
def test_it_changes_nothing(most: float) -> None:
    """What is given, raised, or made of being cancelled, told of or not."""

    async def outcome(make: Callable[[], Awaitable[object]]) -> object:
        task = asyncio.ensure_future(make())
        asyncio.get_running_loop().call_later(0.01, task.cancel)
        [result] = await asyncio.gather(task, return_exceptions=True)
        return result

    def watched(make: Callable[[], Awaitable[object]]) -> Callable[[], Awaitable[object]]:
        async def run() -> object:
            return await Holding(most).watched(make(), "a")

        return run

    error = ValueError("no")
    makers: list[Callable[[], Awaitable[object]]] = [lambda: gives(5), lambda: raises(error), catches]
    for make, expected in zip(makers, (5, error, "cancelled"), strict=True):
        assert asyncio.run(outcome(watched(make))) == asyncio.run(outcome(make)) == expected


def test_what_blocks_is_told_once_a_scorer(caplog: pytest.LogCaptureFixture) -> None:
    """With its name; what does not block is not."""
    caplog.set_level(logging.WARNING, logger="scorewright.live")
    always, never = Holding(-1.0), Holding(1e9)

    async def use() -> None:
        for of in ("a", "b", "a"):
            await always.watched(gives(1), of)
            await never.watched(gives(1), of)

    asyncio.run(use())
    assert [record.getMessage().split(" blocked")[0] for record in caplog.records] == [
        "an async step of the scorer a",
        "an async step of the scorer b",
    ]


def test_what_is_closed_is_closed() -> None:
    """As a coroutine is whose loop has gone."""
    closed: list[str] = []

    async def waits() -> object:
        try:
            await asyncio.Event().wait()
        finally:
            closed.append("yes")

    async def begin() -> object:
        return await Holding().watched(waits(), "a")

    async def use() -> None:
        begun = begin()
        begun.send(None)
        begun.close()

    asyncio.run(use())
    assert closed == ["yes"]
