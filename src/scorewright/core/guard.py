"""Running user code so that nothing raises, every exchange is kept and every ask knows its judge and its place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Generic, Never, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Answerer, Ask, Exchange, Fork, JudgeReply, JudgeRequest, Now, Outcome
from scorewright.core.program import landed, settle
from scorewright.faults import Aborted, JudgeFault, Raised, StepRaised
from scorewright.results import err, ok
from scorewright.wording import safely

A = TypeVar("A")
E = TypeVar("E")
A_co = TypeVar("A_co", covariant=True)


@final
@attrs.frozen
class Seen:
    """The exchanges so far: a chain that grows at one end and is unrolled once, so that keeping them is linear."""

    before: Seen | None
    exchange: Exchange | None
    parts: tuple[Seen | None, ...]
    length: int


@final
@attrs.frozen
class Recorded(Generic[A_co]):
    """A value or a fault, with what led to it; `answer` is a judge's answer whose calculation raised."""

    value: A_co
    seen: Seen | None
    answer: object = None

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every exchange, in the order of the program."""
        return unrolled(self.seen)


class RaisedAfterAnswer(Exception):
    """Carries a judge's answer past user code that raised on it; the guard unpacks it."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer


def raised(exception: BaseException, /) -> Raised:
    """An exception as data."""
    if isinstance(exception, RaisedAfterAnswer):
        exception = exception.__cause__ or exception
    return Raised(type(exception).__name__, message_of(exception), exception)


def message_of(exception: BaseException, /) -> str:
    """What an exception says of itself."""
    return safely(str, exception)


def stray(exception: BaseException, /) -> bool:
    """Whether it is a cancellation that nobody asked of this task: something else was cancelled, and a step saw it."""
    from asyncio import CancelledError, current_task

    if not isinstance(exception, CancelledError):
        return False
    try:
        task = current_task()
    except RuntimeError:  # no loop runs here
        return True
    return task is None or not task.cancelling()


@final
@attrs.frozen
class Later:
    """A judge that the run's context decides, once something is asked; what that raises is the fault of who asks."""

    judge: Answerer
    context: Mapping[str, object]
    _decided: list[Answerer] = attrs.field(init=False, factory=list[Answerer])

    def decided(self) -> Answerer:
        """The judge, decided once."""
        if not self._decided:
            self._decided.append(self.judge.resolved(self.context))
        return self._decided[0]


Judging: TypeAlias = Answerer | Later | None


def guarded(
    begin: Callable[[], Outcome[A, E]], judge: Judging, at: str, seen: Seen | None = None, /
) -> Outcome[Recorded[A], Recorded[E | StepRaised]]:
    """Begin a program, keeping what it raises."""
    try:
        outcome = begin()
    except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
        return caught(exception, seen)
    except BaseException as exception:
        if not stray(exception):
            raise
        return caught(exception, seen)
    return recorded(outcome, judge, at, seen)


def caught(exception: BaseException, seen: Seen | None, /) -> Result[Never, Recorded[StepRaised]]:
    """What user code raised, as a failure."""
    answer = exception.answer if isinstance(exception, RaisedAfterAnswer) else None
    return err(Recorded(StepRaised(raised(exception)), seen, answer))


def recorded(
    outcome: Outcome[A, E], judge: Judging, at: str, seen: Seen | None = None, /
) -> Outcome[Recorded[A], Recorded[E | StepRaised]]:
    """The program, with its exchanges threaded along and its asks bound to a judge and a place."""
    if isinstance(outcome, Result):
        if is_successful(outcome):
            return ok(Recorded(outcome.unwrap(), seen))
        return err(Recorded(outcome.failure(), seen))
    here = f"{at}[{seen.length if seen else 0}]"
    if isinstance(outcome, Ask):
        try:
            request = bound(outcome.request, judge, here)
        except Exception as exception:  # noqa: BLE001 - a judge may be a user's class
            return caught(exception, seen)
        return _asked(request, outcome.resume, judge, at, seen)
    if isinstance(outcome, Fork):
        fork = outcome

        def join(results: tuple[Result[object, object], ...]) -> Outcome[Recorded[A], Recorded[E | StepRaised]]:
            ends = [end_of(part) for part in results]
            plain = tuple(
                ok(end.value) if is_successful(part) else err(end.value)
                for part, end in zip(results, ends, strict=True)
            )
            after = _after(seen, None, tuple(end.seen for end in ends))
            return _with_answer(guarded(lambda: fork.join(plain), judge, at, after), ends)

        return Fork(tuple(_part(part, judge, f"{here}.{i}") for i, part in enumerate(fork.parts)), join)
    mistake = not_an_outcome(outcome)
    return caught(mistake, seen) if mistake else _recorded_later(outcome, judge, at, seen)


def end_of(part: Result[object, object], /) -> Recorded[object]:
    """How a part of a fork ended; a part that another driver ended, and not this guard, has no evidence."""
    end = part.unwrap() if is_successful(part) else part.failure()
    return end if is_recorded(end) else Recorded(end, None)


def is_recorded(end: object, /) -> TypeIs[Recorded[object]]:
    """Whether the guard made it."""
    return isinstance(end, Recorded)


def _asked(
    request: JudgeRequest,
    resume: Callable[[JudgeReply], Outcome[A, E]],
    judge: Judging,
    at: str,
    seen: Seen | None,
) -> Outcome[Recorded[A], Recorded[E | StepRaised]]:
    """An ask at the stage that it passes; the first stage that knows its judge lets the judge's processors see it."""
    if request.judge is None or request.received:
        return Ask(request, lambda reply: guarded(lambda: resume(reply), judge, at, _exchanged(seen, request, reply)))

    asked = request.judge

    def send(received: Recorded[JudgeRequest]) -> Outcome[Recorded[A], Recorded[E | StepRaised]]:
        sent = received.value
        if (misfit := _misfit("incoming", JudgeRequest, sent)) is not None:
            return stop(Recorded(misfit, received.seen))
        return Ask(
            sent,
            lambda reply: guarded(
                lambda: settle(asked.outgoing(reply), resume_with(sent), never),
                judge,
                at,
                _exchanged(received.seen, sent, reply),
            ),
        )

    def resume_with(sent: JudgeRequest) -> Callable[[JudgeReply], Outcome[A, E]]:
        def resumed(reply: JudgeReply) -> Outcome[A, E]:
            if (misfit := _misfit("outgoing", JudgeReply, reply)) is not None:
                return resume(JudgeReply(err(misfit)))
            return resume(reply if sent == request else attrs.evolve(reply, sent=sent))

        return resumed

    def stop(lost: Recorded[JudgeFault | StepRaised]) -> Outcome[Recorded[A], Recorded[E | StepRaised]]:
        fault = lost.value
        if isinstance(fault, StepRaised):
            return err(Recorded(fault, lost.seen))
        reply = JudgeReply(err(fault))
        unsent = attrs.evolve(request, prompt="")  # what was to be redacted may stand in it still
        return guarded(lambda: resume(reply), judge, at, _exchanged(lost.seen, unsent, reply))

    return settle(guarded(lambda: asked.incoming(attrs.evolve(request, received=True)), None, at, seen), send, stop)


async def _recorded_later(
    waiting: Awaitable[Now[A, E]], judge: Judging, at: str, seen: Seen | None
) -> Now[Recorded[A], Recorded[E | StepRaised]]:
    try:
        now = await waiting
    except Exception as exception:  # noqa: BLE001 - a user's coroutine may raise anything
        return caught(exception, seen)
    except BaseException as exception:
        if not stray(exception):
            raise
        return caught(exception, seen)
    return await landed(recorded(now, judge, at, seen))


def _with_answer(
    outcome: Outcome[Recorded[A], Recorded[E]], ends: list[Recorded[object]]
) -> Outcome[Recorded[A], Recorded[E]]:
    """The program after a fork; where it fails with the fault of a part, the answer on which that raised is kept."""

    def lost(whole: Recorded[E]) -> Result[Recorded[A], Recorded[E]]:
        answers = [end.answer for end in ends if end.value is whole.value]
        return err(attrs.evolve(whole, answer=answers[0]) if answers and whole.answer is None else whole)

    return settle(outcome, ok, lost) if any(end.answer is not None for end in ends) else outcome


def _misfit(which: str, due: type[object], given: object) -> Aborted | None:
    """What to say of a processor that gave something else."""
    if isinstance(given, due):
        return None
    return Aborted(which, f"it gave ok({type(given).__name__}): ok({due.__name__}) is due")


def _part(
    part: Callable[[], Outcome[object, object]], judge: Judging, at: str
) -> Callable[[], Outcome[object, object]]:
    return lambda: guarded(part, judge, at)


def _exchanged(seen: Seen | None, request: JudgeRequest, reply: JudgeReply) -> Seen:
    return _after(seen, Exchange(request, reply), ())


def never(absurd: Never, /) -> Never:
    """The continuation of a side that does not exist."""
    raise AssertionError(absurd)


def _after(seen: Seen | None, exchange: Exchange | None, parts: tuple[Seen | None, ...]) -> Seen:
    return Seen(seen, exchange, parts, (seen.length if seen else 0) + 1)


def bound(request: JudgeRequest, judging: Judging, here: str, /) -> JudgeRequest:
    """The request as it passes a stage: what its judge leaves open is filled, its place gets the stage in front.

    Where a judge has no processors, they are done with it.
    """
    own = request.judge
    judge = judging.decided() if isinstance(judging, Later) else judging
    filled = judge if own is None else own if judge is None else own.filled(judge)
    received = request.received or (filled is not None and filled.transparent)
    return request.bound(filled, f"{here}/{request.place}" if request.place else here, received=received)


def unrolled(seen: Seen | None, /) -> tuple[Exchange, ...]:
    """The chain as a tuple, the parts of a fork in their order."""
    backwards: list[Exchange] = []
    waiting = [seen]
    while waiting:
        link = waiting.pop()
        if link is not None:
            if link.exchange is not None:
                backwards.append(link.exchange)
            waiting.append(link.before)
            waiting.extend(link.parts)
    return tuple(reversed(backwards))


def not_an_outcome(given: object, /) -> TypeError | None:
    """How to mend a step that answered with a bare value."""
    if isinstance(given, Awaitable):
        return None
    return TypeError(f"a step answered {type(given).__name__}: return ok(…) or err(…), or lift it with pure(…)")
