"""Programs of scorers, changed at one end: another run goes in, or another evaluation comes out."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Generic, Never, TypeAlias, final

import attrs
from returns.result import Success
from typing_extensions import TypeIs, TypeVar

from scorewright.core.evaluation import Evaluation, ScoringFailure
from scorewright.core.guard import raised
from scorewright.core.pipeline import Judged, not_a_reason, not_a_run
from scorewright.core.program import settle
from scorewright.core.rescaling import AtLeast, Linear
from scorewright.core.run import Run, with_id_of
from scorewright.core.scale import Scale
from scorewright.faults import (
    InvalidRun,
    InvalidScore,
    NotScorable,
    PrepareFailed,
    RunFault,
    StepRaised,
)
from scorewright.results import err, ok

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
In2 = TypeVar("In2")
Out2 = TypeVar("Out2")
Ref2 = TypeVar("Ref2")
E = TypeVar("E")
F = TypeVar("F")

Program: TypeAlias = "Callable[[Run[In, Out, Ref]], Judged[E]]"


@final
@attrs.frozen
class Contramapped(Generic[In, Out, Ref, In2, Out2, Ref2, E]):
    """A program that scores what `f` makes of a run. The evaluation carries the id of the run that was given."""

    program: Program[In2, Out2, Ref2, E]
    step: str
    f: Callable[[Run[In, Out, Ref]], Run[In2, Out2, Ref2]]

    @property
    def told(self) -> str:
        """What it is to a reader of the scorer."""
        return f"{self.step}(…)"

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        if mistake := not_a_run(run):
            raise mistake
        try:
            made = self.f(run)
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            return err(unbegun(self.step, run, StepRaised(raised(exception))))
        if mistake := not_a_run(made):
            return err(unbegun(self.step, run, StepRaised(raised(mistake))))
        return self.program(with_id_of(run, made))


@final
@attrs.frozen
class Admitting(Generic[In, Out, Ref, E]):
    """A program that begins only with runs for which a predicate holds; the others are not scorable."""

    program: Program[In, Out, Ref, E]
    holds: Callable[[Run[In, Out, Ref]], bool]
    why: str

    @property
    def told(self) -> str:
        """What it is to a reader of the scorer."""
        return f'when(…), else "{self.why}"'

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        if mistake := not_a_run(run):
            raise mistake
        try:
            held: object = self.holds(run)
        except Exception as exception:  # noqa: BLE001 - as above
            return err(unbegun("when", run, StepRaised(raised(exception))))
        if type(held).__name__ not in {"bool", "bool_"}:  # numpy's own is one too; None and coroutines are not
            mistake = TypeError(f"the predicate of when(…) gave {type(held).__name__}, not a bool")
            return err(unbegun("when", run, StepRaised(raised(mistake))))
        return self.program(run) if held else err(unbegun("when", run, NotScorable(self.why)))


@final
@attrs.frozen
class Mapped(Generic[In, Out, Ref, E, F]):
    """A program whose end is changed: an evaluation by `good`, a failure by `bad`."""

    program: Program[In, Out, Ref, E]
    good: Callable[[Evaluation], Judged[F]]
    bad: Callable[[ScoringFailure[E]], Judged[F]]

    @property
    def told(self) -> str:
        """What it is to a reader of the scorer; nothing of a score, which has a step to tell it."""
        return (
            "map_reason(…)"
            if isinstance(self.good, ToReason)
            else "map_fault(…)"
            if isinstance(self.bad, ToFault)
            else ""
        )

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[F]:
        """The program of one run."""
        outcome = self.program(run)
        if isinstance(outcome, Success):
            return self.good(outcome.unwrap())
        return settle(outcome, self.good, self.bad)


@final
@attrs.frozen
class ToScore:
    """Another score: a number of the scale, else the run fails. The step's record holds the new score."""

    step: str
    f: Callable[[float], float]
    scale: Scale

    @property
    def told(self) -> str:
        """What it was made with, as its step tells it; nothing of a function."""
        return str(self.f) if isinstance(self.f, (AtLeast, Linear)) else ""

    def __call__(self, done: Evaluation, /) -> Judged[Never]:
        """The evaluation with the new score."""
        try:
            score = self.scale.check(self.f(done.score))
        except Exception as exception:  # noqa: BLE001 - as above
            return err(_after(done, self.step, StepRaised(raised(exception)), None))
        if isinstance(score, InvalidScore):
            return err(_after(done, self.step, score, None))
        now = perf_counter_ns()
        trail = (*(done.trail or (now,)), score, (), now)
        return ok(Evaluation((*done.names, self.step), trail, done.drawn_id, score, done.reason))

    def kept(self, lost: ScoringFailure[E], /) -> Judged[E]:
        """The failure with the new score in it, where only a reason failed; none where there is no new score."""
        if lost.score is None:
            return err(lost)
        try:
            score = self.scale.check(self.f(lost.score))
        except Exception:  # noqa: BLE001 - as above; the fault that was there before stays
            score = None
        number = None if isinstance(score, InvalidScore) else score
        return err(ScoringFailure[E](lost.names, lost.trail, lost.drawn_id, lost.step, lost.cause, number))


@final
@attrs.frozen
class ToReason:
    """Another reason for the same score, where there is one; raising keeps the score inside the failure."""

    f: Callable[[str], str]

    def __call__(self, done: Evaluation, /) -> Judged[Never]:
        """The evaluation with the new reason."""
        if done.reason is None:
            return ok(done)
        try:
            reason = self.f(done.reason)
        except Exception as exception:  # noqa: BLE001 - as above
            return err(_after(done, "map_reason", StepRaised(raised(exception)), done.score))
        if mistake := not_a_reason(reason):
            return err(_after(done, "map_reason", StepRaised(raised(mistake)), done.score))
        return ok(Evaluation(done.names, done.trail, done.drawn_id, done.score, reason))


@final
@attrs.frozen
class ToFault(Generic[E, F]):
    """Another fault in place of the steps' own; what can befall any run stays what it is."""

    f: Callable[[E], F]

    def __call__(self, lost: ScoringFailure[E], /) -> Judged[F]:
        """The failure with the new fault."""
        return err(
            ScoringFailure[F](lost.names, lost.trail, lost.drawn_id, lost.step, self._mapped(lost.cause), lost.score)
        )

    def _mapped(self, cause: E | RunFault) -> F | RunFault:
        if is_run_fault(cause):
            return cause
        try:
            return self.f(cause)
        except Exception as exception:  # noqa: BLE001 - as above
            return StepRaised(raised(exception))


def same(lost: ScoringFailure[E], /) -> Judged[E]:
    """The failure as it is."""
    return err(lost)


def is_run_fault(cause: object, /) -> TypeIs[RunFault]:
    """Whether it is one of the faults that any scorer can meet."""
    return isinstance(cause, (NotScorable, StepRaised, InvalidScore, PrepareFailed, InvalidRun))


def unbegun(step: str, run: Run[object, object], cause: E | RunFault, /) -> ScoringFailure[E]:
    """A failure before the first step."""
    return ScoringFailure[E]((), (), run.drawn_id, step=step, cause=cause, score=None)


def _after(done: Evaluation, step: str, cause: RunFault, score: float | None) -> ScoringFailure[Never]:
    now = perf_counter_ns()
    trail = (*(done.trail or (now,)), None, (), now)
    return ScoringFailure[Never]((*done.names, step), trail, done.drawn_id, step=step, cause=cause, score=score)
