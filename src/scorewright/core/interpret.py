"""One driver for every interpreter: only who answers differs."""

from __future__ import annotations

from collections.abc import Callable

from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core.ask import Answer, Ask, Fork, JudgeReply, JudgeRequest, Outcome
from scorewright.core.guard import raised
from scorewright.faults import StepRaised, Unreachable
from scorewright.results import err

A = TypeVar("A")
E = TypeVar("E")


async def interpret(outcome: Outcome[A, E], answer: Answer, /) -> Result[A, E]:
    """Answer every ask until the program has its result; the parts of a fork advance on their own."""
    while not isinstance(outcome, Result):
        if isinstance(outcome, Ask):
            outcome = outcome.resume(await replied(outcome.request, answer))
        elif isinstance(outcome, Fork):
            import asyncio

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(_part(part, answer)) for part in outcome.parts]
            outcome = outcome.join(tuple(task.result() for task in tasks))
        else:
            outcome = await outcome
    return outcome


async def _part(part: Callable[[], Outcome[object, object]], answer: Answer) -> Result[object, object]:
    try:
        return await interpret(part(), answer)
    except Exception as exception:  # a part of a bare fork; in a pipeline the guard has caught it already
        return err(StepRaised(raised(exception)))


async def replied(request: JudgeRequest, answer: Answer, /) -> JudgeReply:
    """The reply; an answerer that breaks its promise and raises is a judge that could not be reached."""
    try:
        return await answer(request)
    except Exception as exception:  # whoever answers may be a user's code
        return JudgeReply(err(Unreachable(f"the judge raised {type(exception).__name__}: {exception}")))
