"""One driver for every interpreter: only who answers differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core.ask import Answer, Ask, Fork, JudgeReply, JudgeRequest, Outcome
from scorewright.core.guard import message_of, raised
from scorewright.faults import StepRaised, Unreachable
from scorewright.results import err

if TYPE_CHECKING:
    from asyncio import Future

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
    except Exception as exception:  # noqa: BLE001 - a part of a bare fork; in a pipeline the guard has caught it already
        return err(StepRaised(raised(exception)))


async def replied(request: JudgeRequest, answer: Answer, /) -> JudgeReply:
    """The reply; an answerer that breaks its promise and raises is a judge that could not be reached."""
    try:
        return await answer(request)
    except Exception as exception:  # noqa: BLE001 - whoever answers may be a user's code
        return JudgeReply(err(Unreachable(f"the judge raised {type(exception).__name__}: {message_of(exception)}")))


def asking_once(answer: Answer, /) -> Answer:
    """An answerer for one run: what two parts of a composed scorer ask alike is sent once, and counted once.

    Two asks are alike when their contents are, and their places inside their parts; so a step that asks the same thing
    three times gets three answers, and so do samples. A failed reply is shared only with those that wait already.
    """
    flying: dict[tuple[str, str], Future[JudgeReply]] = {}

    async def ask(request: JudgeRequest) -> JudgeReply:
        part, _, inside = request.place.rpartition("/")
        if not part or (request.judge is not None and not request.judge.identity):  # no identity: alike to nothing
            return await replied(request, answer)
        import asyncio

        key = (request.content, inside)
        while (sent := flying.get(key)) is not None:
            await asyncio.wait([sent])
            if not sent.cancelled():
                return JudgeReply(sent.result().answer)
        sent = flying[key] = asyncio.get_running_loop().create_future()
        try:
            reply = await replied(request, answer)
        except BaseException:  # cancelled: whoever waits asks for itself
            del flying[key]
            sent.cancel()
            raise
        sent.set_result(reply)
        if not is_successful(reply.answer):
            del flying[key]
        return reply

    return ask
