"""Running scorers inside a scorer: side by side or one after another, each a step of the whole.

The record of a part holds the part's own `Evaluation` or `ScoringFailure` as its value, and the part's exchanges. The
places of what it asks begin with its label, so that a transcript of the whole tells the parts apart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import CORO_CREATED, getcoroutinelocals, getcoroutinestate, iscoroutine
from time import perf_counter_ns
from types import FunctionType
from typing import Generic, TypeAlias, cast, final

import attrs
from returns.result import Failure, Result, Success
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Ask, Exchange, Fork, Outcome
from scorewright.core.evaluation import Evaluation, ScoringFailure, Trail
from scorewright.core.guard import Recorded, end_of, guarded, raised, recorded
from scorewright.core.pipeline import Judged
from scorewright.core.program import settle
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.faults import Fault, InvalidScore, NotScorable, RunFault, StepRaised
from scorewright.results import err, ok
from scorewright.wording import listed

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")
F = TypeVar("F")
E_co = TypeVar("E_co", covariant=True, default=Fault)

Ended: TypeAlias = "Evaluation | ScoringFailure[E]"
Program: TypeAlias = "Callable[[Run[In, Out, Ref]], Judged[E]]"


@final
@attrs.frozen
class PartsFailed(Fault, Generic[E_co]):
    """Parts of a composed scorer gave no score: all that did not, by label and in order."""

    failures: tuple[tuple[str, ScoringFailure[E_co]], ...]

    @property
    def causes(self) -> tuple[E_co | RunFault, ...]:
        """Why, part by part."""
        return tuple(failure.cause for _, failure in self.failures)

    def described(self) -> str:
        """Which parts gave no score, and why, in one sentence."""
        return f"Parts gave no score: {listed((label, failure.cause) for label, failure in self.failures)}"


@final
@attrs.frozen
class Conclusion:
    """What a composed scorer makes of its parts: a score, perhaps a reason, and a note that becomes its own record."""

    score: object
    reason: str | None = None
    note: object = None


def labels_of(ids: tuple[str, ...], /) -> tuple[str, ...]:
    """A label a part: its id, numbered where ids repeat.

    >>> labels_of(("tone", "facts", "tone"))
    ('tone', 'facts', 'tone #2')
    """
    given: list[str] = []
    for id in ids:
        label, count = id, 1
        while label in given:
            count += 1
            label = f"{id} #{count}"
        given.append(label)
    return tuple(given)


def side_by_side(
    labels: tuple[str, ...],
    programs: tuple[Program[In, Out, Ref, E], ...],
    run: Run[In, Out, Ref],
    go: Callable[[tuple[str, ...], tuple[Ended[E], ...], Trail], Judged[F]],
    decided: Callable[[tuple[Ended[E], ...]], bool] | None = None,
) -> Judged[F]:
    """Run all parts, then `go` on with those that were run, their ends and the evidence.

    What asks nothing is finished at once and without a fork. When what is finished has `decided`, nothing is asked.
    """
    now = perf_counter_ns()
    begun = [program(run) for program in programs]
    ends = [outcome.unwrap() if isinstance(outcome, Success) else _end_of(outcome) for outcome in begun]
    finished = tuple([end for end in ends if end is not None])
    if len(finished) == len(begun):
        return go(labels, finished, _trail(now, finished, None))
    if decided is not None and decided(finished):
        for outcome in begun:
            close(outcome)
        names = tuple(label for label, end in zip(labels, ends, strict=True) if end is not None)
        return go(names, finished, _trail(now, finished, None))
    thunks = tuple(
        _thunk(label, outcome, program, run)
        for label, outcome, program, end in zip(labels, begun, programs, ends, strict=True)
        if end is None
    )

    def join(results: tuple[Result[object, object], ...]) -> Judged[F]:
        late = iter(cast("tuple[Result[Recorded[Evaluation], Recorded[ScoringFailure[E] | StepRaised]], ...]", results))
        settled = tuple(
            (end, ()) if end is not None else _settled(next(late), label, run)
            for label, end in zip(labels, ends, strict=True)
        )
        done = tuple(end for end, _ in settled)
        return go(labels, done, _trail(now, done, tuple(exchanges for _, exchanges in settled)))

    return Fork(thunks, join)


def in_turn(
    label: str,
    program: Program[In, Out, Ref, E],
    run: Run[In, Out, Ref],
    trail: Trail,
    go: Callable[[Ended[E], Trail], Judged[F]],
) -> Judged[F]:
    """Run one part after those of the trail, then `go` on with its end and the longer trail."""
    before = trail or (perf_counter_ns(),)
    outcome = program(run)
    end = _end_of(outcome)
    if end is not None:
        return go(end, (*before, end, (), perf_counter_ns()))

    def settled(result: Result[Recorded[Evaluation], Recorded[ScoringFailure[E] | StepRaised]]) -> Judged[F]:
        late, exchanges = _settled(result, label, run)
        return go(late, (*before, late, exchanges, perf_counter_ns()))

    return settle(recorded(outcome, None, label), lambda done: settled(ok(done)), lambda lost: settled(err(lost)))


def concluded(
    step: str,
    names: tuple[str, ...],
    trail: Trail,
    run: Run[object, object],
    *,
    scale: Scale,
    conclude: Callable[[], Conclusion | F | RunFault],
) -> Judged[F]:
    """The end of a composed scorer: an evaluation on this scale, or why there is none, with all parts in evidence."""
    try:
        got = conclude()
    except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
        return err(_failure(step, names, trail, run, StepRaised(raised(exception))))
    if not isinstance(got, Conclusion):
        return err(_failure(step, names, trail, run, got))
    score = scale.check(got.score)
    if isinstance(score, InvalidScore):
        return err(_failure(step, names, trail, run, score))
    return ok(Evaluation((*names, step), (*trail, got.note, (), perf_counter_ns()), run.drawn_id, score, got.reason))


def missing(labels: tuple[str, ...], ends: tuple[Ended[E], ...], /) -> PartsFailed[E] | NotScorable | None:
    """Why a whole that needs all its parts has no score, if so: one failed part fails it, with all that are not scored.

    Where no part failed but some are not scorable, the whole is not scorable either.
    """
    lost = tuple((label, end) for label, end in zip(labels, ends, strict=True) if isinstance(end, ScoringFailure))
    reasons = [f"{label}: {end.cause.reason}" for label, end in lost if isinstance(end.cause, NotScorable)]
    if len(reasons) < len(lost):
        return PartsFailed(lost)
    return NotScorable("; ".join(reasons)) if lost else None


def reasons_of(labels: tuple[str, ...], ends: tuple[Ended[E], ...], /) -> str | None:
    """The reasons that parts gave, a line each; None where none did."""
    said = [
        f"{label} {end.score:g}: {end.reason}"
        for label, end in zip(labels, ends, strict=True)
        if isinstance(end, Evaluation) and end.reason is not None
    ]
    return "\n".join(said) if said else None


class _Begun(Generic[E_co]):
    """The thunk of a part that waits: it hands over what was begun, and begins anew when it is called again."""

    def __init__(self, waiting: Awaitable[object], again: Callable[[], Judged[E_co]]) -> None:
        self._waiting: Awaitable[object] | None = waiting
        self._again = again

    def __call__(self) -> Judged[E_co]:
        waiting, self._waiting = self._waiting, None
        return self._again() if waiting is None else cast("Judged[E_co]", waiting)

    def close(self) -> None:
        """Give up what was begun."""
        waiting, self._waiting = self._waiting, None
        close(waiting)

    __del__ = close


def close(held: object, /) -> None:
    """Close the coroutines of a program that nobody will come to await: in each other, in a fork, in thunks.

    So that Python tells of none that it was never awaited. What has no coroutine in it stays as it is.
    """
    if iscoroutine(held):
        if getcoroutinestate(held) == CORO_CREATED:
            close(getcoroutinelocals(held).get("waiting"))
        held.close()
    elif isinstance(held, Fork):
        for part in held.parts:
            close(part)
    elif isinstance(held, FunctionType) and held.__module__.startswith("scorewright.core"):
        for cell in held.__closure__ or ():
            close(cell.cell_contents)
    elif _is_begun(held):
        held.close()


def _is_begun(held: object) -> TypeIs[_Begun[object]]:
    return isinstance(held, _Begun)


def _thunk(
    label: str, outcome: Judged[E], program: Program[In, Out, Ref, E], run: Run[In, Out, Ref]
) -> Callable[[], Outcome[Recorded[Evaluation], Recorded[ScoringFailure[E] | StepRaised]]]:
    if isinstance(outcome, (Result, Ask, Fork)):
        return lambda: recorded(outcome, None, label)
    begun = _Begun[E](outcome, lambda: program(run))
    return lambda: guarded(begun, None, label)


def _end_of(outcome: Judged[E]) -> Ended[E] | None:
    if isinstance(outcome, Success):
        end: Evaluation = outcome.unwrap()
        return end
    if isinstance(outcome, Failure):
        lost: ScoringFailure[E] = outcome.failure()
        return lost
    return None


def _settled(
    result: Result[Recorded[Evaluation], Recorded[ScoringFailure[E] | StepRaised]], label: str, run: Run[object, object]
) -> tuple[Ended[E], tuple[Exchange, ...]]:
    ended = end_of(cast("Result[object, object]", result))  # a part that another driver ended is not recorded
    end = cast("Ended[E] | StepRaised", ended.value)
    return (_failure(label, (), (), run, end) if isinstance(end, StepRaised) else end), ended.exchanges


def _trail(now: int, ends: tuple[Ended[E], ...], exchanges: tuple[tuple[Exchange, ...], ...] | None) -> Trail:
    trail: list[object] = [now] * (1 + 3 * len(ends))
    trail[1::3] = ends
    trail[2::3] = exchanges or [()] * len(ends)
    trail[3::3] = [perf_counter_ns()] * len(ends)
    return tuple(trail)


def _failure(
    step: str, names: tuple[str, ...], trail: Trail, run: Run[object, object], cause: E | RunFault
) -> ScoringFailure[E]:
    return ScoringFailure[E](names, trail, run.drawn_id, step=step, cause=cause, score=None)
