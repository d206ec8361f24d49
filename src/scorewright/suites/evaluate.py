"""`evaluate`: a suite on rows, from the first to the last, with whatever it waits for side by side."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias, cast, final

import attrs

from scorewright.core import Answer, Bench
from scorewright.core.budget import Budget
from scorewright.faults import DefinitionError
from scorewright.suites.calling import call_of
from scorewright.suites.counting import Counting
from scorewright.suites.engine import Emit, Engine, Going
from scorewright.suites.identity import target_hash, target_name
from scorewright.suites.kinds import checked_count, checked_kind
from scorewright.suites.ordering import InOrder
from scorewright.suites.reading import reader_for
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import BrokenRow, RowItem
from scorewright.suites.settled import Settled
from scorewright.suites.suite import Suite
from scorewright.suites.summary import Summary
from scorewright.suites.targets import Call

if TYPE_CHECKING:
    from scorewright.suites.claiming import Claims
    from scorewright.suites.executors import Executor, Kept
    from scorewright.suites.keeping import Keeping, Keeps

Numbered: TypeAlias = Iterator[tuple[int, RowItem]]
Rows: TypeAlias = "RowStream | str | PathLike[str] | Iterable[Mapping[str, object] | RowItem]"


@final
@attrs.frozen
class RowStream:
    """Rows that are rows already, under a name: what is picked out of a source, or read out of a store."""

    name: str
    items: Iterable[RowItem] = attrs.field(repr=False)


OnItem: TypeAlias = Callable[[ItemRecord], Awaitable[None] | None]
Taped: TypeAlias = Callable[[Answer], AbstractAsyncContextManager[Answer]]


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
    in_order: bool = False
    claims: bool = True  # rows before the target is called, where there is a store
    taped: Taped | None = None  # what stands between the judges and the bench of this call, such as a transcript


BUDGET = "the budget is exhausted"
_AHEAD = 4  # so many times the concurrency are done, and held, while an earlier item is waited for
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
    in_order: bool = False,
) -> Summary:
    """Evaluate every row and say what came of it.

    `rows` is a path or an iterable of rows or mappings. `target` is what is evaluated: a function from a row's input to
    an output, async or plain, or an agent; without one the rows hold the outputs. `on_item` is called with every
    `ItemRecord` as it is done, in the order in which items finish, or with `in_order` in that of the rows; nothing else
    keeps them, so `items.append` keeps all. With a `store`, a path or an address, items and paid replies are recorded,
    and a second call continues; of two at the same time one asks the target for a row, and the other has its answer.

    A target or a scorer that fails fails its item alone; with `fail_fast` no further row is begun then. Nothing is
    begun once the `budget` is exhausted either. Those under way are finished. What is wrong with the call raises
    `DefinitionError`; what `on_item` raises ends the evaluation. Cancelled, it ends what is under way and raises.
    """
    how = How(target, store, concurrency, on_item, fail_fast, budget, answer, executor, in_order=in_order)
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
    in_order: bool = False,
) -> Summary:
    """`evaluate`, waited for: on a background loop, so that it may be called where a loop runs already."""
    from scorewright.core.portal import finished

    how = How(target, store, concurrency, on_item, fail_fast, budget, answer, executor, in_order=in_order)
    return finished(lambda: counted(Counting(suite, source_name(rows)), rows, how))


async def counted(counting: Counting, rows: Rows, how: How, /) -> Summary:
    """`evaluate`, whose counts are the caller's: what was counted by then is there when it is interrupted."""
    suite = counting.suite
    several = suite.concurrency if how.concurrency is None else how.concurrency
    budget = how.budget or suite.budget
    _check(suite, several, budget, how)
    target = _target(how)
    call = None if target is None or how.executor is not None else call_of(target)
    settled = Settled(suite)
    readers = [reader_for(each, settled) for each in suite.assigned]
    with _keeping(counting, rows, target, how) as keeping, _claiming(keeping, call, how) as claims:
        going, numbered = _going(counting, how), settled.fitting(_numbered(rows))
        numbered = numbered if keeping is None else keeping.rest(numbered)
        numbered = numbered if claims is None else claims.rows(numbered)
        async with _ordered(numbered, _telling(counting, how), several, how) as (numbered, tell):
            emit = tell if keeping is None else _recording(keeping, claims, tell)
            if how.executor is not None:
                await how.executor.run(numbered, emit, going, _kept(keeping, how))
            else:
                engine = Engine(readers, claims or call, several, settled.timeout, claims or keeping)
                async with Bench(budget=budget) as bench, _answering(bench.answer, how) as answer:
                    await engine.run(numbered, answer, emit, going, None if keeping is None else keeping.answering)
        if keeping is not None:
            await keeping.flush()
    return counting.summary()


@asynccontextmanager
async def _answering(judges: Answer, how: How) -> AsyncGenerator[Answer]:
    if how.taped is None:
        yield judges if how.answer is None else how.answer  # an empty transcript is false
        return
    async with how.taped(judges) as taped:
        yield taped


def _check(suite: Suite, concurrency: int, budget: Budget | None, how: How) -> None:
    if not suite.assigned and how.target is None and how.executor is None:
        raise DefinitionError("there is nothing to do: the suite has no scorers, and there is no target to ask")
    checked_count("concurrency", concurrency)
    if budget is not None:
        checked_kind("budget", budget, Budget, "a Budget")
    for name, given in (("on_item", how.on_item), ("answer", how.answer)):
        if given is not None and not callable(given):
            raise DefinitionError(f"{name}= is a function, not {type(given).__name__}")
    if how.executor is not None and not callable(getattr(how.executor, "run", None)):
        raise DefinitionError(f"executor= is an Executor, not {type(how.executor).__name__}")
    if how.executor is not None and how.store is not None and not isinstance(how.store, (str, PathLike)):
        raise DefinitionError("an executor's processes open the store too: give store= its path or address")
    if budget is not None and (how.answer is not None or how.executor is not None):
        raise DefinitionError("a budget is kept by the bench of this call: with answer= give it to yours instead")


@asynccontextmanager
async def _ordered(rows: Numbered, emit: Emit, several: int, how: How) -> AsyncGenerator[tuple[Numbered, Emit]]:
    """The rows and what takes their items, which holds them back where they are wanted in order."""
    if not how.in_order:
        yield rows, emit
        return
    order = InOrder(emit, _AHEAD * several if how.executor is None else None)
    try:
        yield order.rows(rows), order.emit
    finally:
        await order.rest()


def _telling(counting: Counting, how: How) -> Emit:
    def tell(item: ItemRecord | BrokenRow) -> Awaitable[None] | None:
        counting.add(item)
        if isinstance(item, BrokenRow):
            if how.on_broken is not None:
                how.on_broken(item)
            return None
        return None if how.on_item is None else how.on_item(item)

    return tell


def _recording(keeping: Keeping, claims: Claims | None, tell: Emit) -> Emit:
    """Record what is done at once, also where it is told later: what is paid is safe, and claims are given back."""
    from scorewright.suites.claiming import settling

    settled = settling(keeping.store, claims, tell)

    def emit(item: ItemRecord | BrokenRow) -> Awaitable[None] | None:
        if isinstance(item, ItemRecord) and keeping.store.writer.failed is None:
            keeping.keep(item)
        return settled(item)

    return emit


def _going(counting: Counting, how: How) -> Going:
    def going() -> bool:
        if counting.budget_exhausted:
            counting.stopped = counting.stopped or BUDGET
        elif how.fail_fast and counting.something_failed:
            counting.stopped = counting.stopped or FAIL_FAST
        return not counting.stopped

    return going


def _target(how: How) -> object:
    """What is asked, wherever that is done: a job names it, so that it is found there, and known here."""
    if how.executor is None:
        return how.target
    there = how.executor.target
    if how.target is not None and target_hash(how.target) != target_hash(there):
        called = target_name(there) or "none"
        raise DefinitionError(f"target= is {target_name(how.target)}, and the target of the executor's job is {called}")
    return there


def _keeping(counting: Counting, rows: Rows, target: object, how: How) -> AbstractContextManager[Keeping | None]:
    if how.store is None:
        return nullcontext()
    from scorewright.suites.keeping import keeping_in

    return keeping_in(how.store, counting, source_name(rows), target, how.called)


def _kept(keeping: Keeping | None, how: How) -> Kept | None:
    """Where other processes record what they pay."""
    if keeping is None or not isinstance(how.store, (str, PathLike)):
        return None
    from scorewright.suites.executors import Kept

    return Kept(fspath(how.store), keeping.experiment.id)


def _claiming(keeping: Keeping | None, call: Call | None, how: How) -> AbstractContextManager[Claims | None]:
    if keeping is None or not how.claims:
        return nullcontext()
    from scorewright.suites.claiming import claiming

    return claiming(keeping.store, keeping.experiment.id, call, keeping.recalled)


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
