"""Where items are worked on: on the loop of the caller, or in processes of their own; a cluster would be a third."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import islice
from pickle import dumps, loads
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast, final

import attrs

from scorewright.core import Bench
from scorewright.faults import DefinitionError
from scorewright.suites.calling import call_of
from scorewright.suites.engine import Emit, Engine, Going, told
from scorewright.suites.kinds import checked_count
from scorewright.suites.reading import Reader, reader_for
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.settled import Settled
from scorewright.suites.suite import Suite
from scorewright.suites.targets import Call
from scorewright.suites.traveling import portable, sent

if TYPE_CHECKING:
    import asyncio
    from multiprocessing.connection import Connection

    from scorewright.suites.claiming import Claims

Numbered: TypeAlias = Iterable[tuple[int, RowItem]]
Chunk: TypeAlias = Sequence[tuple[int, Row]]


@final
@attrs.frozen
class Kept:
    """Where what is paid is recorded at once, as data: the path or address of a store, and an experiment in it."""

    store: str = attrs.field(repr=False)  # it may hold a password
    experiment: str


class Executor(Protocol):
    """What works on the items of an evaluation somewhere else than on its own loop."""

    @property
    def target(self) -> object:
        """What is asked there; None where the rows hold the outputs."""
        ...

    async def run(self, rows: Numbered, emit: Emit, going: Going, kept: Kept | None, /) -> None:
        """Work on every row while `going()`, and emit each item as it is done."""
        ...


@final
@attrs.frozen
class ChunkJob:
    """What is done with a chunk of rows, as data: `suite` and `target` are named "module:name", so it can travel.

    Where it is `kept` in a store, a row is claimed there before its target is called, and a question before its judge
    is asked, so whichever process asks, each is paid once. An evaluation with a store says so itself.
    """

    suite: str
    target: str | None = None
    concurrency: int | None = None
    kept: Kept | None = None


def score_chunk(job: ChunkJob, chunk: Chunk, /) -> list[ItemRecord]:
    """Work on a chunk of rows, in whatever process: the same engine everywhere."""
    work = _work(job)
    engine = work.engine()
    done: list[ItemRecord] = []
    waiting: list[tuple[int, Row]] = []
    for index, row in chunk:
        begun = engine.begin(row, index)
        if isinstance(begun, ItemRecord):
            done.append(begun)
        else:
            waiting.append((index, row))  # begun anew on the loop
    if waiting:
        import asyncio

        asyncio.run(_waited_for(work, waiting, done, job.kept))
    return done


async def _waited_for(work: _Work, rows: Numbered, done: list[ItemRecord], kept: Kept | None) -> None:
    def emit(item: ItemRecord | BrokenRow) -> None:
        if isinstance(item, ItemRecord):
            done.append(item)

    async with Bench() as bench:
        if kept is None:
            await work.engine().run(rows, bench.answer, emit, lambda: True)
            return
        from scorewright.suites.claiming import claiming, settling
        from scorewright.suites.journal import open_store

        with open_store(kept.store) as store, claiming(store, kept.experiment, work.call) as claims:
            claimed = rows if claims is None else claims.rows(rows)
            keep = settling(store, claims, emit)
            await work.engine(claims).run(claimed, bench.answer, keep, lambda: True, store.answering)


@final
@attrs.frozen
class _Work:
    """What a job names."""

    readers: tuple[Reader, ...]
    settled: Settled
    call: Call | None
    concurrency: int

    def engine(self, claims: Claims | None = None) -> Engine:
        """Of one chunk, where the target is called only for rows that are claimed, if there are `claims`."""
        return Engine(self.readers, claims or self.call, self.concurrency, self.settled.timeout, claims)


@lru_cache(maxsize=8)
def _work(job: ChunkJob) -> _Work:
    suite = named(job.suite)
    if not isinstance(suite, Suite):
        raise DefinitionError(f"{job.suite} is not a Suite but of type {type(suite).__name__}")
    settled = Settled(suite)
    return _Work(
        tuple(reader_for(each, settled) for each in suite.assigned),
        settled,
        None if job.target is None else call_of(named(job.target)),
        job.concurrency or suite.concurrency,
    )


def named(spec: str, /) -> object:
    """What "module:name" names."""
    place, colon, name = spec.partition(":")
    if not colon or not name:
        raise DefinitionError(f"a job travels by name, such as 'package.module:suite', not {spec!r}")
    try:
        module = import_module(place)
    except ModuleNotFoundError as missing:
        raise DefinitionError(f"a job travels by name, and there is no module {missing.name!r} ({spec!r})") from missing
    if not hasattr(module, name):
        raise DefinitionError(f"{place} has no {name!r}")
    found: object = getattr(module, name)
    return found


class WorkerDied(RuntimeError):
    """A worker process ended before its chunk was done: killed, out of memory, or a crash in native code."""


@final
@attrs.frozen
class ProcessExecutor:
    """Chunks of rows in processes of their own, for scorers that compute much; what it gives is what one loop gives.

    Everything a worker needs is found by name, the target too. A budget is kept by one process, so it takes none.
    """

    job: ChunkJob
    workers: int = 2
    chunk: int = 256

    def __attrs_post_init__(self) -> None:
        checked_count("workers", self.workers)
        checked_count("chunk", self.chunk)

    @property
    def target(self) -> object:
        """What the job names."""
        return None if self.job.target is None else named(self.job.target)

    async def run(self, rows: Numbered, emit: Emit, going: Going, kept: Kept | None = None, /) -> None:
        """Keep twice as many chunks under way as there are workers; emit what comes of each as it comes."""
        import asyncio
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        loop, job = asyncio.get_running_loop(), self.job if kept is None else attrs.evolve(self.job, kept=kept)
        context = get_context("spawn")
        watched, held = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(self.workers, context, _end_with, (watched,))
        flying: set[asyncio.Future[bytes]] = set()
        try:
            for chunk, broken in _chunks(rows, self.chunk):
                for each in broken:
                    await told(emit, each)
                if not going():
                    break
                if chunk:
                    flying.add(loop.run_in_executor(pool, _pickled, job, chunk))
                if len(flying) >= 2 * self.workers:
                    flying = await _landed(flying, emit)
            while flying:
                flying = await _landed(flying, emit)
        except BrokenProcessPool as broke:
            await asyncio.gather(*flying, return_exceptions=True)  # the pool fails them all, and may not be raced
            raise WorkerDied(
                "a worker process died; with a store, the same call again continues. Where none can begin: a worker"
                " imports the main module, so that has to be a file, with this call under if __name__ == '__main__'"
            ) from broke
        finally:
            _left(flying)
            if flying:  # what is under way may never come back
                held.close()
            pool.shutdown(wait=not flying, cancel_futures=True)
            held.close()
            watched.close()


def _left(flying: Iterable[asyncio.Future[bytes]]) -> None:
    """Wait for these no more: what the first raised was told, and what the others raise is no news."""
    for left in flying:
        if not left.cancel() and not left.cancelled():
            left.exception()


async def _landed(flying: set[asyncio.Future[bytes]], emit: Emit) -> set[asyncio.Future[bytes]]:
    import asyncio

    done, rest = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
    for each in done:
        for record in cast("list[ItemRecord]", loads(each.result())):  # noqa: S301 - our own worker wrote it
            await told(emit, record)
    return rest


def _chunks(rows: Numbered, size: int) -> Iterator[tuple[list[tuple[int, Row]], list[BrokenRow]]]:
    given = iter(rows)
    while part := list(islice(given, size)):
        chunk = [(index, row) for index, row in part if isinstance(row, Row)]
        yield chunk, [row for _, row in part if isinstance(row, BrokenRow)]


def _pickled(job: ChunkJob, chunk: Chunk) -> bytes:
    with _AT_WORK:
        records = score_chunk(job, chunk)
        return sent(records) or dumps([portable(record) for record in records])


_AT_WORK = Lock()  # of this process, a worker, which has one chunk at a time
_GRACE = 1.0  # seconds to record what was paid


def _end_with(watched: Connection) -> None:
    """Let this process end when the other end is closed: nobody waits for it any more, or that process was killed.

    A chunk under way is interrupted first, so that what was paid is recorded.
    """
    import os
    from multiprocessing.connection import wait
    from signal import SIGINT
    from threading import Thread

    def watch() -> None:
        wait([watched])
        if not _AT_WORK.acquire(blocking=False):
            os.kill(os.getpid(), SIGINT)
            _AT_WORK.acquire(timeout=_GRACE)
        os._exit(1)  # without a word, and before another chunk is begun

    Thread(target=watch, daemon=True).start()
