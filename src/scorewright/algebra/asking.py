"""The same program with other requests: another sample, another judge.

What a part's own evidence says of its requests is then brought in line with what was sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Generic, Never, cast, final

import attrs
from returns.result import Failure, Result, Success
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Answerer, Ask, Exchange, Fork, JudgeReply, JudgeRequest, Now, Outcome
from scorewright.core.evaluation import Evaluation, Evidence, ScoringFailure, Trail
from scorewright.core.parts import Ended, Program
from scorewright.core.pipeline import Judged
from scorewright.core.program import landed, settle
from scorewright.core.run import Run
from scorewright.faults import JudgeFault
from scorewright.results import err

A = TypeVar("A")
In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


@final
@attrs.frozen
class Sampled:
    """The sample of a request becomes the `index`-th of `of`, distinct from every other, also when repeats nest."""

    index: int
    of: int
    judge: Answerer | None = None

    def __call__(self, request: JudgeRequest, /) -> JudgeRequest:
        """The request as this sample's, to the judge that was put in if there is one."""
        asked = request.judge
        judge = asked if self.judge is None else self.judge if asked is None else self.judge.filled(asked)
        return attrs.evolve(request, judge=judge, sample=request.sample * self.of + self.index)


@final
@attrs.frozen
class Asking(Generic[In, Out, Ref, E]):
    """A program whose requests are changed before they leave it, and pass the processors of a judge that is put in."""

    program: Program[In, Out, Ref, E]
    change: Sampled

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        outcome = self.program(run)
        return outcome if isinstance(outcome, (Success, Failure)) else _asking(outcome, self.change)


def _asking(outcome: Outcome[A, E], change: Sampled) -> Outcome[A, E]:
    if isinstance(outcome, Result):
        return outcome
    if isinstance(outcome, Ask):
        return _asked(outcome, change)
    if isinstance(outcome, Fork):
        fork = outcome
        parts = tuple(_part(part, change) for part in fork.parts)
        return Fork(parts, lambda results: _asking(fork.join(results), change))
    return _asking_later(outcome, change)


def _asked(ask: Ask[A, E], change: Sampled) -> Outcome[A, E]:
    request = change(ask.request)
    if change.judge is None:
        return Ask(request, lambda reply: _asking(ask.resume(reply), change))
    judge: Answerer = change.judge

    def seen(reply: JudgeReply) -> Outcome[A, E]:
        return _asking(ask.resume(reply), change)

    def send(sent: JudgeRequest) -> Outcome[A, E]:
        return Ask(sent, lambda reply: settle(judge.outgoing(reply), seen, _never))

    def stop(fault: JudgeFault) -> Outcome[A, E]:
        return seen(JudgeReply(err(fault)))

    return settle(judge.incoming(request), send, stop)


async def _asking_later(waiting: Awaitable[Now[A, E]], change: Sampled) -> Now[A, E]:
    return await landed(_asking(await waiting, change))


def _part(part: Callable[[], Outcome[object, object]], change: Sampled) -> Callable[[], Outcome[object, object]]:
    return lambda: _asking(part(), change)


def _never(absurd: Never) -> Never:
    raise AssertionError(absurd)


def as_sent(trail: Trail, /) -> Trail:
    """The trail of parts with what each says of its own requests replaced by what was sent."""
    if not any(trail[2::3]):
        return trail
    put = list(trail)
    for at in range(1, len(trail), 3):
        end = trail[at]
        exchanges = cast("tuple[Exchange, ...]", trail[at + 1])
        if isinstance(end, Evidence) and exchanges and len(end.exchanges) == len(exchanges):
            put[at] = _resent(end, iter(exchanges))
    return tuple(put)


def ends_in(trail: Trail, of: tuple[Ended[E], ...], /) -> tuple[Ended[E], ...]:
    """The parts as the trail has them now; `of` says what they can be."""
    return cast("tuple[Ended[E], ...]", trail[1::3][: len(of)])


def _resent(end: Evidence, sent: Iterator[Exchange]) -> Evidence:
    put: list[object] = list(end.trail)
    for at in range(1, len(put), 3):
        inside = put[at]
        exchanges = cast("tuple[Exchange, ...]", put[at + 1])
        if isinstance(inside, Evidence) and len(inside.exchanges) == len(exchanges):
            mine = [next(sent) for _ in exchanges]
            put[at] = _resent(inside, iter(mine))
        else:
            mine = [next(sent) for _ in exchanges]
        put[at + 1] = tuple(
            Exchange(attrs.evolve(new.request, place=old.request.place), new.reply)
            for new, old in zip(mine, exchanges, strict=True)
        )
    trail = tuple(put)
    if isinstance(end, Evaluation):
        return Evaluation(end.names, trail, end.drawn_id, end.score, end.reason)
    return attrs.evolve(end, trail=trail) if _is_failure(end) else end


def _is_failure(end: Evidence) -> TypeIs[ScoringFailure[object]]:
    return isinstance(end, ScoringFailure)
