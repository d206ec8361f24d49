"""`evaluate`: a suite on rows, from the first to the last, with whatever it waits for side by side."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, cast, final

import attrs

from scorewright.core import Answer, Bench
from scorewright.core.budget import Budget
from scorewright.faults import DefinitionError
from scorewright.suites.counting import Counting
from scorewright.suites.engine import Emit, Engine, Going
from scorewright.suites.reading import reader_for
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import BrokenRow, RowItem
from scorewright.suites.suite import Suite
from scorewright.suites.summary import Summary
from scorewright.suites.targets import call_of

if TYPE_CHECKING:
    from scorewright.suites.executors import Executor
    from scorewright.suites.keeping import Keeping, Keeps

Rows: TypeAlias = "RowStream | str | PathLike[str] | Iterable[Mapping[str, object] | RowItem]"


@final
@attrs.frozen
class RowStream:
    """Rows that are rows already, under a name: what is picked out of a source, or read out of a store."""

    name: str
    items: Iterable[RowItem] = attrs.field(repr=False)


OnItem: TypeAlias = Callable[[ItemRecord], Awaitable[None] | None]


@final
@attrs.frozen
class How:
    """How a suite is evaluated: what `evaluate` takes beside the suite and the rows. `called` is kept by the store."""

    target: object = None
    store: Keeps = None
    concurrency: int | None = None
    on_item: OnItem | None = None
    fail_fast: bool = False
    budget: Budget | None = None
    answer: Answer | None = None
    executor: Executor | None = None
    on_broken: Callable[[BrokenRow], None] | None = None
    called: Mapping[str, object] = attrs.field(factory=dict[str, object])


BUDGET = "the budget is exhausted"
FAIL_FAST = "the first failure ends it (fail_fast)"


async def evaluate(
    suite: Suite,
    rows: Rows,
    /,
    *,
    target: object = None,
    store: Keeps = None,
    concurrency: int | None = None,
    on_item: OnItem | None = None,
    fail_fast: bool = False,
    budget: Budget | None = None,
    answer: Answer | None = None,
    executor: Executor | None = None,
) -> Summary:
    """Evaluate every row and say what came of it.

    `rows` is a path or an iterable of rows or mappings. `target` is what is evaluated: a function from a row's input to
    an output, async or plain, or an agent; without one the rows hold the outputs. `on_item` is called with every
    `ItemRecord` as it is done, in the order in which items finish; nothing else keeps them, so `items.append` keeps
    all. With a `store`, a path or an address, items and paid replies are recorded, and a second call continues.

    A target or a scorer that fails fails its item alone; with `fail_fast` no further row is begun then. Nothing is
    begun once the `budget` is exhausted either. Those under way are finished. What is wrong with the call raises
    `DefinitionError`; what `on_item` raises ends the evaluation. Cancelled, it ends what is under way and raises.
    """
    how = How(target, store, concurrency, on_item, fail_fast, budget, answer, executor)
    return await counted(Counting(suite, source_name(rows)), rows, how)


def evaluate_sync(
    suite: Suite,
    rows: Rows,
    /,
    *,
    target: object = None,
    store: Keeps = None,
    concurrency: int | None = None,
    on_item: OnItem | None = None,
    fail_fast: bool = False,
    budget: Budget | None = None,
    answer: Answer | None = None,
    executor: Executor | None = None,
) -> Summary:
    """`evaluate`, waited for: on a background loop, so that it may be called where a loop runs already."""
    from scorewright.core.portal import finished

    how = How(target, store, concurrency, on_item, fail_fast, budget, answer, executor)
    return finished(lambda: counted(Counting(suite, source_name(rows)), rows, how))


async def counted(counting: Counting, rows: Rows, how: How, /) -> Summary:
    """`evaluate`, whose counts are the caller's: what was counted by then is there when it is interrupted."""
    suite = counting.suite
    several = suite.concurrency if how.concurrency is None else how.concurrency
    budget = how.budget or suite.budget
    _check(several, budget, how)
    call = None if how.target is None else call_of(how.target)
    readers = [reader_for(each) for each in suite.assigned]
    with _kept(counting, rows, how) as keeping:
        engine = Engine(readers, call, several, suite.timeout, keeping)
        emit, going = _emitting(counting, keeping, how), _going(counting, how)
        numbered = _numbered(rows) if keeping is None else keeping.rest(_numbered(rows))
        if how.executor is not None:
            await how.executor.run(numbered, emit, going)
        else:
            async with Bench(budget=budget) as bench:
                answer = how.answer or bench.answer
                await engine.run(numbered, answer if keeping is None else keeping.answering(answer), emit, going)
        if keeping is not None:
            await keeping.flush()
    return counting.summary()


def _check(concurrency: int, budget: Budget | None, how: How) -> None:
    if concurrency < 1:
        raise DefinitionError(f"concurrency= is at least 1, not {concurrency}")
    if budget is not None and (how.answer is not None or how.executor is not None):
        raise DefinitionError("a budget is kept by the bench of this call: with answer= give it to yours instead")


def _emitting(counting: Counting, keeping: Keeping | None, how: How) -> Emit:
    def emit(item: ItemRecord | BrokenRow) -> Awaitable[None] | None:
        counting.add(item)
        if isinstance(item, BrokenRow):
            if how.on_broken is not None:
                how.on_broken(item)
            return None
        if keeping is not None:
            keeping.keep(item)
        return None if how.on_item is None else how.on_item(item)

    return emit


def _going(counting: Counting, how: How) -> Going:
    def going() -> bool:
        if counting.budget_exhausted:
            counting.stopped = counting.stopped or BUDGET
        elif how.fail_fast and counting.something_failed:
            counting.stopped = counting.stopped or FAIL_FAST
        return not counting.stopped

    return going


def _kept(counting: Counting, rows: Rows, how: How) -> AbstractContextManager[Keeping | None]:
    if how.store is None:
        return nullcontext()
    from scorewright.suites.keeping import keeping_in

    return keeping_in(how.store, counting, source_name(rows), how.target, how.called)


def source_name(rows: Rows, /) -> str:
    """What the rows are called in a summary and in a store."""
    if isinstance(rows, (str, PathLike)):
        return str(rows)
    name: object = getattr(rows, "name", "")
    return name if isinstance(name, str) else ""


def _numbered(rows: Rows) -> Iterator[tuple[int, RowItem]]:
    from scorewright.suites.rows import RowSource, read_rows

    if isinstance(rows, RowStream):
        return enumerate(rows.items)
    return enumerate(rows if isinstance(rows, RowSource) else read_rows(cast("object", rows), needs=("input",)))
