"""Items in the order of their rows, where that is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

import pytest

from scorewright import create_scorer, pure
from scorewright.suites import ItemRecord, Row, RowItem, Suite, evaluate, evaluate_sync
from scorewright.suites.engine import Emit, Going, told
from scorewright.suites.evaluate import RowStream
from scorewright.suites.executors import Kept

words = create_scorer("words", input=int, output=str).generate_score(pure(lambda s: len(s.run.output) == 1))


def rows(n: int) -> list[Row]:
    return [Row(str(at), at) for at in range(n)]


async def slower_first(given: int) -> str:
    """The later a row, the sooner its answer."""
    for _ in range(200 - 10 * given):
        await asyncio.sleep(0)
    return str(given)


def test_items_come_in_the_order_of_their_rows() -> None:
    """Also where all after the first are done before it; without it they come as they are done."""
    given = [*rows(8)[:4], {"output": "no input"}, *rows(8)[4:]]
    for in_order in (True, False):
        items: list[ItemRecord] = []
        summary = evaluate_sync(Suite(words), given, target=slower_first, on_item=items.append, in_order=in_order)
        came = [item.row.id for item in items]
        assert (summary.n_items, summary.n_broken) == (8, 1)
        assert (came == list("01234567")) is in_order


def test_what_takes_items_may_be_waited_for() -> None:
    """It is called in the order of the rows."""
    items: list[str] = []

    async def take(item: ItemRecord) -> None:
        items.append(item.row.id)
        await asyncio.sleep(0)

    evaluate_sync(Suite(words), rows(20), target=slower_first, on_item=take, in_order=True)
    assert items == [str(at) for at in range(20)]


def test_a_first_row_that_waits_bounds_what_is_held() -> None:
    """Some rows are done ahead of it, and no more are begun."""
    read: list[int] = []
    seen: list[int] = []

    def counted() -> Iterator[RowItem]:
        for row in rows(500):
            read.append(1)
            yield row

    async def target(given: int) -> str:
        if given == 0:
            for _ in range(2_000):
                await asyncio.sleep(0)
            seen.append(len(read))
        return str(given)

    items: list[ItemRecord] = []
    stream = RowStream("rows", counted())
    evaluate_sync(Suite(words), stream, target=target, on_item=items.append, in_order=True, concurrency=2)
    assert [item.index for item in items] == list(range(500))
    assert 2 < seen[0] < 20


def test_what_was_done_is_handed_on_when_it_is_cancelled() -> None:
    """Behind a row that never was; it may be paid for."""
    items: list[str] = []

    async def main() -> None:
        going = asyncio.Event()

        async def target(given: int) -> str:
            if given == 1:
                await asyncio.Event().wait()
            if given == 3:
                going.set()
            return str(given)

        task = asyncio.create_task(
            evaluate(
                Suite(words), rows(4), target=target, on_item=lambda item: items.append(item.row.id), in_order=True
            )
        )
        await going.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert items == ["0"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert items == ["0", "2", "3"]


def test_what_cannot_take_an_item_is_given_no_other() -> None:
    """The failure ends the evaluation, as without order."""
    items: list[str] = []

    def take(item: ItemRecord) -> None:
        items.append(item.row.id)
        if item.index == 1:
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        evaluate_sync(Suite(words), rows(8), target=slower_first, on_item=take, in_order=True)
    assert items == ["0", "1"]


def test_rows_that_were_done_before_leave_no_gap(store: str) -> None:
    """Only those that are done now come."""
    evaluate_sync(Suite(words), rows(8)[::2], target=slower_first, store=store)
    items: list[str] = []
    summary = evaluate_sync(
        Suite(words), rows(8), target=slower_first, store=store, on_item=lambda item: items.append(item.row.id),
        in_order=True,
    )  # fmt: skip
    assert (summary.n_before, items) == (4, ["1", "3", "5", "7"])


class Backwards:
    """An executor that hands its items over from the last to the first."""

    target: object = None

    async def run(self, rows: Iterable[tuple[int, RowItem]], emit: Emit, going: Going, kept: Kept | None, /) -> None:
        assert going()
        assert kept is None
        given = [(index, row) for index, row in rows if isinstance(row, Row)]
        for index, row in reversed(given):
            await told(emit, ItemRecord(index, row))


def test_an_executor_may_give_chunks_in_any_order() -> None:
    """However many have to be held."""
    items: list[int] = []
    evaluate_sync(
        Suite(words), rows(300), executor=Backwards(), on_item=lambda item: items.append(item.index), in_order=True
    )
    assert items == list(range(300))
