"""Two evaluations of one experiment at the same time: a target is asked once a row."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.openai_server import Answer, Body, FakeOpenAI, said
from fakes.postgres import missing, postgres
from suites.scoring import plain, words

from scorewright.suites import ChunkJob, ProcessExecutor, Row, Suite, Summary, evaluate
from scorewright.suites.journal import Store, open_store

ASKER = Path(__file__).with_name("asker.py")
ROWS = 24


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A store of each kind that holds nothing."""
    if request.param == "sqlite":
        yield str(tmp_path / "runs.db")
        return
    if why := missing():
        pytest.skip(why)
    with postgres() as url:
        yield url


@pytest.mark.once
def test_two_processes_ask_a_target_once_a_row(place: str) -> None:
    """One begins with the first row, one with the last: they meet in the middle, and each has all scores."""
    both, asking = threading.Event(), set[str]()

    def answer(body: Body, number: int) -> Answer:
        asking.add(str(body["model"]))
        if len(asking) == 2:
            both.set()
        assert both.wait(timeout=120)
        return said("fine")

    with FakeOpenAI(answer) as server:
        workers = [
            subprocess.Popen([sys.executable, str(ASKER), place, server.base_url, str(ROWS), name])
            for name in ("first", "last")
        ]
        try:
            assert [worker.wait(300) for worker in workers] == [0, 0]
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
        asked = Counter(str(request.messages) for request in server.requests)
    assert asking == {"first", "last"}
    assert (len(asked), asked.total()) == (ROWS, ROWS)


def test_workers_of_two_evaluations_ask_a_target_once_a_row(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the ends they begin from: in each all rows have their scores."""
    monkeypatch.setenv("ASKED", str(tmp_path / "asked.txt"))
    rows = [Row(f"r{at}", f"1 {at}") for at in range(40)]
    executor = ProcessExecutor(ChunkJob("suites.scoring:plain", "suites.scoring:asked"), workers=1, chunk=7)

    async def both() -> list[Summary]:
        ran = (evaluate(plain, given, executor=executor, store=place) for given in (rows, rows[::-1]))
        return [*await asyncio.gather(*ran)]

    summaries = asyncio.run(both())
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    assert sorted(asked) == sorted(str(row.input) for row in rows)
    assert [each["number"].mean.coverage.n_scored for each in summaries] == [40, 40]


async def twice(store: Store, suite: Suite, rows: list[Row], target: object) -> list[Summary]:
    """The same evaluation, two times at once."""
    return [*await asyncio.gather(*(evaluate(suite, rows, store=store, target=target) for _ in range(2)))]


def test_a_conversation_is_held_once(store: str) -> None:
    """It is claimed whole; the other one scores the turns that were recorded."""
    asked: list[object] = []

    async def target(said: list[object]) -> str:
        asked.append(said)
        await asyncio.sleep(0)
        return f"answer {len(said)}"

    turns = ({"input": "Hi"}, {"input": "Where is it?"})
    rows = [Row(str(n), f"talk {n}", turns=turns) for n in range(3)]
    with open_store(store) as opened:
        summaries = asyncio.run(twice(opened, Suite(turns=[words]), rows, target))
    assert len(asked) == 6
    assert [each["words"].mean.coverage.n_scored for each in summaries] == [6, 6]


def test_a_target_that_fails_is_asked_by_the_other(store: str) -> None:
    """A claim is given back where there is no answer."""
    asked: list[str] = []

    async def target(given: str) -> str:
        asked.append(given)
        await asyncio.sleep(0)
        if len(asked) == 1:
            raise ConnectionError("once")
        return given

    with open_store(store) as opened:
        summaries = asyncio.run(twice(opened, Suite(words), [Row("a", "a")], target))
    assert asked == ["a", "a"]
    assert sorted(each.n_target_failed for each in summaries) == [0, 1]


def test_a_claim_is_given_back_when_the_evaluation_is_cancelled(store: str) -> None:
    """So that the same process may go on at once."""

    async def main() -> Summary:
        begun = asyncio.Event()

        async def target(given: str) -> str:
            if not begun.is_set():
                begun.set()
                await asyncio.Event().wait()
            return given

        with open_store(store) as opened:
            first = asyncio.create_task(evaluate(Suite(words), [Row("a", "a")], store=opened, target=target))
            await begun.wait()
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            return await evaluate(Suite(words), [Row("a", "a")], store=opened, target=target)

    assert asyncio.run(main())["words"].mean.coverage.n_scored == 1


def test_what_waits_to_be_told_in_order_holds_no_claim(store: str) -> None:
    """Two that go through the same conversations from both ends do not wait for each other for ever."""
    asked: list[object] = []

    async def target(said: list[object]) -> str:
        asked.append(said)
        await asyncio.sleep(0)
        return "fine"

    rows = [Row(str(n), f"talk {n}", turns=({"input": f"Hi {n}"},)) for n in range(40)]

    async def main(opened: Store) -> list[Summary]:
        both = (
            evaluate(Suite(turns=[words]), given, store=opened, target=target, concurrency=2, in_order=True)
            for given in (rows, rows[::-1])
        )
        return [*await asyncio.gather(*both)]

    with open_store(store) as opened:
        summaries = asyncio.run(main(opened))
    assert len(asked) == 40
    assert [each["words"].mean.coverage.n_scored for each in summaries] == [40, 40]
