"""Working on items: at once where nothing is asked, a bounded window where a target or a judge is waited for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Protocol, TypeAlias, final

import attrs
from returns.result import Failure, Success
from typing_extensions import TypeIs

from scorewright.core import Answer, JudgeReply, JudgeRequest, ScoringFailure, interpret
from scorewright.core.guard import raised
from scorewright.core.interpret import asking_once
from scorewright.faults import StepRaised, TimedOut
from scorewright.results import err
from scorewright.suites.conversing import Turn, conversation
from scorewright.suites.reading import Begun, Reader
from scorewright.suites.records import ItemRecord, ItemScore, Judged, item_score
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.targets import Answered, Call, TargetFault, TargetTimedOut, answered, failed

if TYPE_CHECKING:
    from asyncio import Semaphore

Emit: TypeAlias = Callable[[ItemRecord | BrokenRow], Awaitable[None] | None]
Going: TypeAlias = Callable[[], bool]

_BREATH = 64  # so many items are done at once before others may run on the loop
_NOTING = 4  # for so many questions that are out, a journal may be noting one that will be, and one that was answered
_SCORING = "scoring"  # the step that failed where the time of the item was over


@final
@attrs.frozen
class Opened:
    """An item whose scorers have begun, with what some of them still wait for."""

    index: int
    row: Row
    begun: tuple[tuple[Reader, int | None, Begun], ...]
    answered: Answered | None = None
    nanoseconds: int = 0

    def record(self, results: Iterable[Judged], /) -> ItemRecord:
        """The item, done."""
        scores = tuple(
            item_score(reader.assigned.id, result, turn)
            for (reader, turn, _), result in zip(self.begun, results, strict=True)
        )
        return ItemRecord(self.index, self.row, scores, self.answered, None, self.nanoseconds)


class Memory(Protocol):
    """What is remembered of a target's answers, so that it is not asked twice."""

    def recalled(self, row: Row, /) -> Answered | None:
        """What it answered to this row before."""
        ...

    def heard(self, index: int, row: Row, answered: Answered, /) -> None:
        """That it answered this."""
        ...


@final
class Engine:
    """The readers of a suite, the target, and who answers, for one evaluation on one event loop."""

    def __init__(
        self,
        readers: Sequence[Reader],
        call: Call | None,
        concurrency: int,
        timeout: Callable[[Row], float | None] = lambda _: None,
        memory: Memory | None = None,
    ) -> None:
        self.concurrency = concurrency
        self._readers = tuple(readers)
        self._whole = tuple(reader for reader in readers if reader.assigned.level == "run")
        self._steps = tuple(reader for reader in readers if reader.assigned.level == "step")
        self._turns = tuple(reader for reader in readers if reader.assigned.level == "turn")
        self._plain = call is None and not self._steps and not self._turns
        self._call = call
        self._timeout = timeout
        self._memory = memory

    def begin(self, row: Row, index: int, /) -> ItemRecord | Opened | None:
        """A row that needs no target: done at once, or begun. None where a target, or a conversation, comes first."""
        if not self._plain or row.turns:
            return None
        outcomes: list[Begun] = []
        scores: list[ItemScore] = []
        for reader in self._whole:
            outcome = reader.begin(row)
            outcomes.append(outcome)
            if _is_done(outcome):
                scores.append(item_score(reader.assigned.id, outcome, None))
        if len(scores) == len(outcomes):
            return ItemRecord(index, row, tuple(scores))
        return Opened(
            index, row, tuple((reader, None, each) for reader, each in zip(self._whole, outcomes, strict=True))
        )

    async def run(
        self,
        rows: Iterable[tuple[int, RowItem]],
        answer: Answer,
        emit: Emit,
        going: Going,
        journal: Callable[[Answer, Semaphore], Answer] | None = None,
    ) -> None:
        """Work on every row while `going()`, at most `concurrency` at once, and emit each as it is done.

        A `journal` answers what it holds, and holds what `answer` says. No more than `concurrency` questions are out.
        Where no target is called, half as many items again are under way meanwhile, whose questions or answers it is
        noting; their time runs while they wait for their turn. It may lack the answers to a quarter more questions
        than `concurrency`: so much may be paid again after a crash.

        Cancelled, it cancels what is under way and waits for it; what was done by then has been emitted. What `emit`
        raises ends it in the same way, and so does what is no `Exception` out of a scorer or a target.
        """
        import asyncio

        more = 0 if journal is None or self._call is not None else self.concurrency // _NOTING
        slots = asyncio.Semaphore(self.concurrency + 2 * more)
        asked = _bounded(answer, asyncio.Semaphore(self.concurrency))
        if journal is not None:
            asked = journal(asked, asyncio.Semaphore(self.concurrency + more))

        try:
            async with asyncio.TaskGroup() as group:
                for number, (index, row) in enumerate(rows, 1):
                    if not going():
                        break
                    begun = row if isinstance(row, BrokenRow) else self.begin(row, index)
                    if isinstance(begun, (ItemRecord, BrokenRow)):
                        waiting = emit(begun)
                        if waiting is not None:
                            await waiting
                    elif isinstance(row, Row):
                        await slots.acquire()
                        group.create_task(self._finished(row, index, begun, asked, emit, slots))
                    if not number % _BREATH:
                        await asyncio.sleep(0)
        except BaseExceptionGroup as escaped:
            first = escaped.exceptions[0]
            raise (first.__cause__ or first if isinstance(first, _Escaped) else first) from None

    async def _finished(  # noqa: PLR0917 - what a task of `run` needs
        self, row: Row, index: int, opened: Opened | None, answer: Answer, emit: Emit, slots: Semaphore
    ) -> None:
        from asyncio import CancelledError

        try:
            await told(emit, await self.finish(row, index, answer, opened))
        except (KeyboardInterrupt, SystemExit) as ending:  # as it is, it would end the loop and all that runs there
            raise _Escaped from ending
        except CancelledError as ending:  # a group would take it for its own, and the item would be lost
            if _is_cancelled():
                raise
            raise _Escaped from ending
        finally:
            slots.release()

    async def finish(self, row: Row, index: int, answer: Answer, opened: Opened | None = None, /) -> ItemRecord:
        """One item, to its end."""
        seconds = self._timeout(row)
        deadline = None
        if seconds is not None:
            import asyncio

            deadline = asyncio.get_running_loop().time() + seconds
        if opened is None:
            ready = await self._opened(row, index, deadline)
            if isinstance(ready, ItemRecord):
                return ready
            opened = ready
        return opened.record(await _all(opened, answer, deadline))

    async def _opened(self, row: Row, index: int, deadline: float | None) -> Opened | ItemRecord:
        """Ask the target, turn by turn where it is a conversation, and begin the scorers of what it answered."""
        began = perf_counter_ns()
        known = self._memory.recalled(row) if self._memory is not None and not row.turns else None
        if row.turns:
            told = await conversation(row, self._call, lambda call, each: self._asked(call, each, deadline))
            reply, whole, turns = told.fault or told.answered, told.row, told.turns
        else:
            reply, whole, turns = known or await self._answer(row, deadline), row, ()
        took = perf_counter_ns() - began
        if isinstance(reply, TargetFault):
            return ItemRecord(index, row, (), None, reply, took)
        if self._memory is not None and self._call is not None and known is None:
            self._memory.heard(index, row, reply)
        begun = [(reader, None, reader.begin_answered(whole, reply)) for reader in (*self._whole, *self._steps)]
        asked = reply if self._call is not None else None
        return Opened(index, row, (*begun, *self._turned(turns)), asked, took if asked else 0)

    async def _answer(self, row: Row, deadline: float | None) -> Answered | TargetFault:
        return Answered(row.output) if self._call is None else await self._asked(self._call, row, deadline)

    def _turned(self, turns: tuple[Turn, ...]) -> list[tuple[Reader, int | None, Begun]]:
        return [
            (reader, number, reader.begin_answered(turn.row, turn.answered))
            for number, turn in enumerate(turns, 1)
            for reader in self._turns
            if turn.scorers is None or reader.assigned.id in turn.scorers
        ]

    async def _asked(self, call: Call, row: Row, deadline: float | None) -> Answered | TargetFault:
        import asyncio

        scope = asyncio.timeout_at(deadline)
        try:
            async with scope:
                return answered(await call(row))
        except asyncio.CancelledError as cancelled:
            if _is_cancelled():
                raise
            return failed(cancelled)  # out of a task of its own
        except Exception as exception:  # noqa: BLE001 - a target may raise anything
            if isinstance(exception, TimeoutError) and scope.expired():
                return TargetTimedOut(self._timeout(row) or 0.0)
            return failed(exception)
        except SystemExit as ended:  # a target that calls sys.exit() does not decide how the evaluation ends
            return failed(ended)


def _is_done(outcome: Begun) -> TypeIs[Judged]:
    return outcome.__class__ is Success or outcome.__class__ is Failure


def _is_cancelled() -> bool:
    """Whether this task is asked to end; without that a `CancelledError` is one that user code lets through."""
    from asyncio import current_task

    task = current_task()
    return task is not None and task.cancelling() > 0


class _Escaped(Exception):
    """Carries what is no `Exception` out of a task: raised as it is, it would end the loop."""


async def told(emit: Emit, item: ItemRecord | BrokenRow, /) -> None:
    """Emit an item, and wait where that has to be waited for."""
    waiting = emit(item)
    if waiting is not None:
        await waiting


def _bounded(answer: Answer, asking: Semaphore) -> Answer:
    async def ask(request: JudgeRequest, /) -> JudgeReply:
        async with asking:  # the scorers of an item, and the parts of a fork, ask at once
            return await answer(request)

    return ask


async def _all(opened: Opened, answer: Answer, deadline: float | None) -> list[Judged]:
    """Every scorer's result; those that wait do so side by side, and none can stop another."""
    waiting = [at for at, (_, _, outcome) in enumerate(opened.begun) if not _is_done(outcome)]
    if len(waiting) <= 1:
        return [await _one(outcome, opened.row.id, answer, deadline) for _, _, outcome in opened.begun]
    import asyncio

    async with asyncio.TaskGroup() as group:
        tasks = {at: group.create_task(_one(opened.begun[at][2], opened.row.id, answer, deadline)) for at in waiting}
    return [
        tasks[at].result() if at in tasks else await _one(outcome, opened.row.id, answer, deadline)
        for at, (_, _, outcome) in enumerate(opened.begun)
    ]


async def _one(outcome: Begun, run_id: str, answer: Answer, deadline: float | None) -> Judged:
    import asyncio

    if _is_done(outcome):
        return outcome
    scope = asyncio.timeout_at(deadline)
    try:
        async with scope:
            return await interpret(outcome, asking_once(answer))
    except (Exception, asyncio.CancelledError) as exception:  # a program that is no pipeline may raise anything
        if isinstance(exception, asyncio.CancelledError) and _is_cancelled():
            raise
        late = isinstance(exception, TimeoutError) and scope.expired()
        cause = TimedOut("the time for the item is over") if late else StepRaised(raised(exception))
        return err(ScoringFailure[object]((), (), run_id, step=_SCORING, cause=cause, score=None))
