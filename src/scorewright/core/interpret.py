"""One driver for every interpreter: only who answers differs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Answer, Ask, Fork, JudgeReply, JudgeRequest, Outcome
from scorewright.core.guard import message_of, raised, stray
from scorewright.faults import StepRaised, Unreachable
from scorewright.results import err

if TYPE_CHECKING:
    from asyncio import Future

A = TypeVar("A")
E = TypeVar("E")

Branch: TypeAlias = tuple[tuple[int, int], ...]  # the way to a part: for each fork around it, which fork and which part

_branch: ContextVar[Branch] = ContextVar("_branch", default=())
_forks = count()


class _Escaped(Exception):
    """Carries what is no `Exception` out of a part: raised as it is, it would end the loop and all that runs there."""


async def interpret(outcome: Outcome[A, E], answer: Answer, /) -> Result[A, E]:
    """Answer every ask until the program has its result; the parts of a fork advance on their own."""
    while not isinstance(outcome, Result):
        if isinstance(outcome, Ask):
            outcome = outcome.resume(await replied(outcome.request, answer))
        elif isinstance(outcome, Fork):
            outcome = outcome.join(await _parts(outcome.parts, answer))
        else:
            outcome = await outcome
    return outcome


async def _parts(
    parts: tuple[Callable[[], Outcome[object, object]], ...], answer: Answer
) -> tuple[Result[object, object], ...]:
    import asyncio

    fork = next(_forks)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_part(part, answer, (fork, at))) for at, part in enumerate(parts)]
    except ExceptionGroup as group_of_escaped:
        first = group_of_escaped.exceptions[0]
        escaped = first.__cause__ or first
    else:
        return tuple(task.result() for task in tasks)
    raise escaped  # here, where it keeps the cause that it has


async def _part(
    part: Callable[[], Outcome[object, object]], answer: Answer, place: tuple[int, int]
) -> Result[object, object]:
    from asyncio import CancelledError

    _branch.set((*_branch.get(), place))
    try:
        return await interpret(part(), answer)
    except Exception as exception:  # noqa: BLE001 - a part of a bare fork; in a pipeline the guard has caught it already
        return err(StepRaised(raised(exception)))
    except BaseException as exception:
        if stray(exception):
            return err(StepRaised(raised(exception)))
        if isinstance(exception, CancelledError):
            raise
        raise _Escaped from exception


async def replied(request: JudgeRequest, answer: Answer, /) -> JudgeReply:
    """The reply; an answerer that breaks its promise and raises is a judge that could not be reached."""
    try:
        return as_reply(await answer(request))
    except Exception as exception:  # noqa: BLE001 - whoever answers may be a user's code
        return _unreached(exception)
    except BaseException as exception:
        if not stray(exception):
            raise
        return _unreached(exception)


def _unreached(exception: BaseException) -> JudgeReply:
    return JudgeReply(err(Unreachable(f"the judge raised {type(exception).__name__}: {message_of(exception)}")))


class _Misused(TypeError):
    """What was passed as `answer=` does not answer."""


_ANSWER = "answer= is an async function from a JudgeRequest to a JudgeReply"


def as_reply(given: object, /) -> JudgeReply:
    """The reply; anything else is a mistake of whoever passed `answer=`, and told to them."""
    if isinstance(given, JudgeReply):
        return given
    raise _Misused(f"{_ANSWER}: return JudgeReply(ok(text)), not {type(given).__name__}")


async def interpreted(outcome: Outcome[A, E], answer: Answer, /) -> Result[A, E]:
    """One run, where what is asked alike is sent once. An `answer` that is none raises `TypeError`.

    It is found out by the first reply: what would be asked after it is not sent, and no step is blamed for it.
    """
    vetted = _Vetted(answer)
    result = await interpret(outcome, asking_once(vetted))
    if vetted.mistake is not None:
        raise vetted.mistake
    return result


def _is_awaitable(given: object) -> TypeIs[Awaitable[object]]:
    return isinstance(given, Awaitable)


def _awaitable(given: object) -> Awaitable[object]:
    if _is_awaitable(given):
        return given
    raise _Misused(f"{_ANSWER}, not a plain one that gives {type(given).__name__}: write async def")


class _Vetted:
    """An answerer that is stopped, and remembered, when its first reply is none."""

    def __init__(self, answer: Answer) -> None:
        given: object = answer
        if not callable(given):
            as_reply(given)
        self._answer = answer
        self._good = False
        self.mistake: TypeError | None = None

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        if self.mistake is not None:
            raise self.mistake
        given: object = self._answer(request)
        try:
            reply = as_reply(await _awaitable(given))
        except _Misused as mistake:
            if not self._good:
                self.mistake = mistake
            raise
        self._good = True
        return reply


@final
@attrs.frozen
class _Sent:
    """A question that was sent: where it was asked, and its reply."""

    branch: Branch
    reply: Future[JudgeReply]


def asking_once(answer: Answer, /) -> Answer:
    """An answerer for one run: what two parts of a composed scorer ask alike is sent once, and counted once.

    Two asks are alike when their contents are, and their places inside their parts; so a step that asks the same thing
    three times gets three answers, and so do samples. A failed reply is shared only with those that wait already.

    Only parts that run side by side share: `mean(a, b)` asks once, however long each takes to come to its question.
    What comes after a reply asks again, so that `b` in `a.or_else(b)` is not handed the very text on which `a` failed.
    Whoever shares a reply has as many attempts left as whoever sent it, and may ask for its own mended answer.
    """
    flying: dict[tuple[str, str], _Sent] = {}

    def ask(request: JudgeRequest) -> Awaitable[JudgeReply]:
        part, _, inside = request.place.rpartition("/")
        if not part or (request.judge is not None and not request.judge.identity):  # no identity: alike to nothing
            return answer(request)  # what it raises, the driver catches
        return shared(request, inside)

    async def shared(request: JudgeRequest, inside: str) -> JudgeReply:
        import asyncio

        key, here = (request.content, inside), _branch.get()
        while (sent := flying.get(key)) is not None and _side_by_side(sent.branch, here):
            await asyncio.wait([sent.reply])
            if not sent.reply.cancelled():
                return attrs.evolve(sent.reply.result(), attempts=(), nanoseconds=0)
        sent = flying[key] = _Sent(here, asyncio.get_running_loop().create_future())
        try:
            reply = await replied(request, answer)
        except BaseException:  # cancelled: whoever waits asks for itself
            _forget(flying, key, sent)
            sent.reply.cancel()
            raise
        sent.reply.set_result(reply)
        if not is_successful(reply.answer):
            _forget(flying, key, sent)
        return reply

    return ask


def _forget(flying: dict[tuple[str, str], _Sent], key: tuple[str, str], sent: _Sent) -> None:
    if flying.get(key) is sent:
        del flying[key]


def _side_by_side(one: Branch, other: Branch) -> bool:
    """Whether two branches part at one fork; else one was over, or waited, when the other went on."""
    for (fork, part), (other_fork, other_part) in zip(one, other, strict=False):
        if fork != other_fork:
            return False
        if part != other_part:
            return True
    return False
