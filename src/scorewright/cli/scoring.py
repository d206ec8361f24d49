"""Scoring rows: at once where a scorer asks nothing, many at a time where it waits for something, always in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Protocol, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.cli.answering import Opening, asked
from scorewright.cli.loading import AnyScorer, UsageError
from scorewright.core import Evaluation, JudgeReply, JudgeRequest, Outcome, Run, ScoringFailure, interpret
from scorewright.core.interpret import asking_once
from scorewright.faults import DefinitionError, RunFault
from scorewright.results import err
from scorewright.suites.rows import BrokenRow, Row, RowItem
from scorewright.suites.rows.structuring import RowReader, row_reader

if TYPE_CHECKING:
    from asyncio import Task

_WINDOW = 4  # so many times the concurrency are begun or done while an earlier one is waited for

Judged: TypeAlias = Result[Evaluation, ScoringFailure[object]]


class Reads(Protocol):
    """A scorer, and what makes its runs out of rows, of whatever kind; `step` names what failed where that cannot."""

    @property
    def scorer(self) -> AnyScorer:
        """Who scores."""
        ...

    @property
    def step(self) -> str:
        """The name of the reading."""
        ...

    def run(self, row: Row, /) -> Result[Run[object, object, object], RunFault]:
        """The row as this scorer's run."""
        ...


@final
@attrs.frozen
class Scored:
    """One row, one scorer, and what came of them."""

    row: Row
    scorer: AnyScorer
    result: Judged


@final
@attrs.frozen
class _Begun:
    row: Row
    scorer: AnyScorer
    outcome: Outcome[Evaluation, ScoringFailure[object]]


Emit: TypeAlias = Callable[[Scored | BrokenRow], None]
_Job: TypeAlias = Callable[[], _Begun]


def reader_for(scorer: AnyScorer, /) -> RowReader:
    """The reader of a scorer; types that no row can be structured into are a usage error."""
    try:
        return row_reader(scorer)
    except DefinitionError as unserved:
        raise UsageError(f"rows cannot be read for the scorer {scorer.about.id!r}: {unserved}") from unserved


def score_lines(
    lines: Iterable[RowItem], readers: Sequence[Reads], concurrency: int, emit: Emit, opened: Opening = asked, /
) -> None:
    """Score every row with every scorer and emit what comes of it, in the order of the lines.

    No event loop exists until a scorer first waits for something; from there on, up to `concurrency` run at once.
    """
    jobs = _jobs(lines, readers)
    for job in jobs:
        if isinstance(job, BrokenRow):
            emit(job)
            continue
        begun = job()
        if isinstance(begun.outcome, Result):
            emit(Scored(begun.row, begun.scorer, begun.outcome))
            continue
        import asyncio

        asyncio.run(_concurrently(chain([_resumed(begun)], jobs), concurrency, emit, opened))


def _jobs(lines: Iterable[RowItem], readers: Sequence[Reads]) -> Iterator[_Job | BrokenRow]:
    for line in lines:
        if isinstance(line, BrokenRow):
            yield line
        else:
            yield from (_job(line, reader) for reader in readers)


def _job(row: Row, reader: Reads) -> _Job:
    def begin() -> _Begun:
        scorer, run = reader.scorer, reader.run(row)
        if is_successful(run):
            return _Begun(row, scorer, scorer.program(run.unwrap()))
        unread = ScoringFailure[object]((), (), row.id, step=reader.step, cause=run.failure(), score=None)
        return _Begun(row, scorer, err(unread))

    return begin


def _resumed(begun: _Begun) -> _Job:
    return lambda: begun


async def _concurrently(jobs: Iterable[_Job | BrokenRow], concurrency: int, emit: Emit, opened: Opening) -> None:
    """Keep a window of programs going; what is done waits in it for those before."""
    import asyncio

    window: deque[Task[Scored] | BrokenRow] = deque()
    running, asking = asyncio.Semaphore(concurrency), asyncio.Semaphore(concurrency)
    async with opened() as answerer:

        async def answer(request: JudgeRequest, /) -> JudgeReply:
            async with asking:  # the parts of a fork ask at once
                return await answerer(request)

        async def finish(job: _Job) -> Scored:
            async with running:
                begun = job()
                return Scored(begun.row, begun.scorer, await interpret(begun.outcome, asking_once(answer)))

        try:
            for job in jobs:
                window.append(job if isinstance(job, BrokenRow) else asyncio.create_task(finish(job)))
                if len(window) >= _WINDOW * concurrency:
                    await _head(window, emit)
            while window:
                await _head(window, emit)
        except BaseException as stop:  # an interrupt, or a results file that cannot be written
            tasks = [task for task in window if not isinstance(task, BrokenRow)]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if isinstance(stop, asyncio.CancelledError):
                _rescue(window, emit)
            raise


async def _head(window: deque[Task[Scored] | BrokenRow], emit: Emit) -> None:
    head = window[0]
    emit(head if isinstance(head, BrokenRow) else await head)
    window.popleft()


def _rescue(window: deque[Task[Scored] | BrokenRow], emit: Emit) -> None:
    """What was done when the interrupt came, and perhaps paid for."""
    for item in window:
        if isinstance(item, BrokenRow):
            emit(item)
        elif not item.cancelled() and item.exception() is None:
            emit(item.result())
