"""The journal notes what will be asked, and what was answered, while others ask: no place waits for a commit."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from scorewright import Judge, create_scorer, ok, score_prompt
from scorewright.core import Answer, JudgeReply, JudgeRequest
from scorewright.suites import Suite, Summary, evaluate
from scorewright.suites.journal import open_store

judged = create_scorer("judged", input=str, output=str, judge=Judge("openai/m")).generate_score(
    score_prompt(lambda step: f"How good is {step.run.output}?")
)


def looking(store: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(store, isolation_level=None))


def claimed(store: Path) -> int:
    with looking(store) as connection:
        count: int = connection.execute("SELECT count(*) FROM call").fetchone()[0]
    return count


def recorded(store: Path) -> int:
    with looking(store) as connection:
        count: int = connection.execute("SELECT count(entry) FROM call").fetchone()[0]
    return count


def evaluated(n: int, answer: Answer, store: Path, concurrency: int) -> Coroutine[object, object, Summary]:
    rows = [{"id": str(at), "input": "q", "output": f"<{at}>"} for at in range(n)]
    return asyncio.wait_for(evaluate(Suite(judged), rows, answer=answer, store=store, concurrency=concurrency), 60)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - what is waited for is in a file, which another thread writes
            await asyncio.sleep(0.002)


@attrs.define
class Asked:
    """How many questions have come, how many are out, and the most that were ever out, or not recorded."""

    store: Path
    came: int = 0
    out: int = 0
    most_out: int = 0
    most_unrecorded: int = 0

    async def __call__(self, _: JudgeRequest, /) -> JudgeReply:
        self.came += 1
        self.out += 1
        self.most_out = max(self.most_out, self.out)
        self.most_unrecorded = max(self.most_unrecorded, self.came - recorded(self.store))
        await asyncio.sleep(0.001 * (self.came % 3))
        self.out -= 1
        return JudgeReply(ok('{"score": 0.5}'))


@pytest.mark.parametrize(("concurrency", "unrecorded"), [(1, 1), (3, 3), (4, 5), (8, 10), (32, 40)])
def test_so_many_are_out_and_a_quarter_more_is_not_recorded(tmp_path: Path, concurrency: int, unrecorded: int) -> None:
    """Counted whenever one is asked, beside what the file holds then."""
    asked = Asked(tmp_path / "runs.db")
    rows = 40 + 4 * concurrency
    summary = asyncio.run(evaluated(rows, asked, asked.store, concurrency))
    assert summary["judged"].mean.coverage.n_scored == asked.came == rows
    assert asked.most_out <= concurrency
    assert asked.most_unrecorded <= unrecorded


def test_a_reply_that_is_being_recorded_holds_no_place(tmp_path: Path) -> None:
    """Nothing can be written from the fourth question on, and the fifth, which was claimed ahead, is asked."""
    store = tmp_path / "runs.db"
    came = 0
    fourth, fifth = asyncio.Event(), asyncio.Event()

    async def answer(_: JudgeRequest, /) -> JudgeReply:
        nonlocal came
        came += 1
        if came == 4:
            await until(lambda: claimed(store) >= 5)
            full.execute("BEGIN IMMEDIATE")
            fourth.set()
        await fourth.wait()
        if came == 5:
            fifth.set()
        return JudgeReply(ok('{"score": 0.5}'))

    async def main() -> Summary:
        running = asyncio.ensure_future(evaluated(12, answer, store, 4))
        await asyncio.wait_for(fifth.wait(), 20)  # within what a commit waits for the file
        assert (came, recorded(store)) == (5, 0)
        full.execute("ROLLBACK")
        return await running

    with looking(store) as full:
        assert asyncio.run(main())["judged"].mean.coverage.n_scored == 12
    assert came == 12


def test_what_was_claimed_ahead_is_given_back_when_all_is_cancelled(tmp_path: Path) -> None:
    """So that whoever goes on need not wait for it."""
    store = tmp_path / "runs.db"
    open_store(store).close()

    async def never(_: JudgeRequest, /) -> JudgeReply:
        await asyncio.Event().wait()
        raise AssertionError

    async def main() -> None:
        running = asyncio.ensure_future(evaluated(12, never, store, 4))
        await until(lambda: claimed(store) == 6)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(main())
    assert claimed(store) == 0
