"""The four steps of a scorer and the walk through them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import perf_counter_ns
from typing import Generic, TypeAlias, final

import attrs
from returns.result import Success
from typing_extensions import TypeVar

from scorewright.core.about import About
from scorewright.core.ask import Now, Outcome
from scorewright.core.evaluation import Calculated, Evaluation, ScoringFailure, Trail, Verdict
from scorewright.core.guard import Later, Recorded, caught, raised, recorded, stray
from scorewright.core.program import landed, settle
from scorewright.core.run import Run, with_id_of
from scorewright.core.step import PROGRAMS, ScoredStep, Step, absent, is_pure, not_lifted
from scorewright.faults import InvalidScore, NotScorable, PrepareFailed, RunFault, StepRaised
from scorewright.results import err, ok

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
Pre = TypeVar("Pre")
Ana = TypeVar("Ana")
E = TypeVar("E")
S = TypeVar("S", bound="Step[object, object, object, object] | ScoredStep[object, object, object, object]")
T = TypeVar("T")

Judged: TypeAlias = "Outcome[Evaluation, ScoringFailure[E]]"
Prepare: TypeAlias = "Callable[[Run[In, Out, Ref]], Run[In, Out, Ref] | Awaitable[Run[In, Out, Ref]]]"


@final
@attrs.frozen
class Pipeline(Generic[In, Out, Pre, Ana, Ref, E]):
    """One program: each step's answer is handed to the method that comes next."""

    about: About
    prepare_run: Prepare[In, Out, Ref] | None
    preprocess: Callable[[Step[In, Out, None, None, Ref]], Outcome[Pre, E]]
    analyze: Callable[[Step[In, Out, Pre, None, Ref]], Outcome[Ana, E]]
    generate_score: Callable[[Step[In, Out, Pre, Ana, Ref]], Outcome[float | Calculated | Verdict, E]]
    generate_reason: Callable[[ScoredStep[In, Out, Pre, Ana, Ref]], Outcome[str | None, E]] = absent
    scoring: str = "generate_score"  # or "generate_verdict"
    names: tuple[str, ...] = attrs.field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        slots = (
            ("preprocess", self.preprocess),
            ("analyze", self.analyze),
            (self.scoring, self.generate_score),
            ("generate_reason", self.generate_reason),
        )
        object.__setattr__(self, "names", tuple(name for name, step in slots if step is not absent))

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        if type(run) is not Run and (mistake := not_a_run(run)):
            raise mistake
        prepare = self.prepare_run
        if prepare is None:
            return self._preprocess(run)
        try:
            prepared = prepare(run)
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            return self._unprepared(run, exception)
        except BaseException as exception:
            if not stray(exception):
                raise
            return self._unprepared(run, exception)
        return self._prepared_later(run, prepared) if isinstance(prepared, Awaitable) else self._prepared(run, prepared)

    async def _prepared_later(
        self, run: Run[In, Out, Ref], waiting: Awaitable[Run[In, Out, Ref]]
    ) -> Now[Evaluation, ScoringFailure[E]]:
        try:
            prepared = await waiting
        except Exception as exception:  # noqa: BLE001 - as above
            return await landed(self._unprepared(run, exception))
        except BaseException as exception:
            if not stray(exception):
                raise
            return await landed(self._unprepared(run, exception))
        return await landed(self._prepared(run, prepared))

    def _prepared(self, run: Run[In, Out, Ref], prepared: Run[In, Out, Ref]) -> Judged[E]:
        mistake = not_a_run(prepared)
        return self._unprepared(run, mistake) if mistake else self._preprocess(with_id_of(run, prepared))

    def _unprepared(self, run: Run[In, Out, Ref], exception: BaseException) -> Judged[E]:
        return err(self._failure("prepare_run", PrepareFailed(raised(exception)), (), None, run))

    def _preprocess(self, run: Run[In, Out, Ref]) -> Judged[E]:
        if run.expected is None and self.about.needs_expected:
            return err(self._failure("prepare_run", NotScorable("the run has no reference answer"), (), None, run))
        return self._stage("preprocess", self.preprocess, Step(run, None, None), (perf_counter_ns(),), self._analyze)

    def _analyze(self, step: Step[In, Out, None, None, Ref], pre: Pre, trail: Trail) -> Judged[E]:
        return self._stage("analyze", self.analyze, Step(step.run, pre, None), trail, self._score)

    def _score(self, step: Step[In, Out, Pre, None, Ref], ana: Ana, trail: Trail) -> Judged[E]:
        return self._stage(self.scoring, self.generate_score, Step(step.run, step.pre, ana), trail, self._reason)

    def _reason(self, step: Step[In, Out, Pre, Ana, Ref], got: float | Calculated | Verdict, trail: Trail) -> Judged[E]:
        score = self.about.scale.check(got.score if type(got) is Calculated or type(got) is Verdict else got)
        if isinstance(score, InvalidScore):
            return err(self._failure(self.scoring, score, trail, None, step.run))
        scored = ScoredStep(step.run, step.pre, step.ana, score)
        if isinstance(got, Verdict):
            return self._evaluation(scored, got.reason, trail)
        if self.scoring == "generate_verdict":
            mistake = TypeError(f"generate_verdict takes a Verdict(score, reason), not {type(got).__name__}")
            return err(self._failure(self.scoring, StepRaised(raised(mistake)), trail, score, step.run))
        return self._stage("generate_reason", self.generate_reason, scored, trail, self._evaluation)

    def _evaluation(self, step: ScoredStep[In, Out, Pre, Ana, Ref], reason: str | None, trail: Trail) -> Judged[E]:
        if reason is None or type(reason) is str or not (mistake := not_a_reason(reason)):
            return ok(Evaluation(self.names, trail, step.run.drawn_id, step.score, reason))
        at = self.names[-1]
        return err(self._failure(at, StepRaised(raised(mistake)), trail, step.score, step.run))

    def _failure(
        self, step: str, cause: E | RunFault, trail: Trail, score: float | None, run: Run[object, object]
    ) -> ScoringFailure[E]:
        return ScoringFailure[E](
            self.names[: len(trail) // 3], trail, run.drawn_id, step=step, cause=cause, score=score
        )

    def _stage(
        self,
        name: str,
        f: Callable[[S], Outcome[T, E]],
        step: S,
        trail: Trail,
        go: Callable[[S, T, Trail], Judged[E]],
    ) -> Judged[E]:
        """One step: a plain answer goes straight on, anything else is recorded until it settles."""
        try:
            if is_pure(f):
                value = f.f(step)
                if type(value) in PROGRAMS:
                    not_lifted(value)
            else:
                outcome = f(step)
                if not isinstance(outcome, Success):
                    return self._settled(name, self._recorded(outcome, step.run, name), step, trail, go)
                value = outcome.unwrap()
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            return self._settled(name, caught(exception, None), step, trail, go)
        except BaseException as exception:
            if not stray(exception):
                raise
            return self._settled(name, caught(exception, None), step, trail, go)
        if f is absent:
            return go(step, value, trail)
        return go(step, value, trail + (value, (), perf_counter_ns()))  # noqa: RUF005  # half the time of unpacking

    def _recorded(
        self, outcome: Outcome[T, E], run: Run[object, object], name: str
    ) -> Outcome[Recorded[T], Recorded[E | StepRaised]]:
        judge = self.about.judge
        return recorded(outcome, judge and Later(judge, run.request_context), name)

    def _settled(
        self,
        name: str,
        outcome: Outcome[Recorded[T], Recorded[E | StepRaised]],
        step: S,
        trail: Trail,
        go: Callable[[S, T, Trail], Judged[E]],
    ) -> Judged[E]:
        def keep(done: Recorded[T]) -> Judged[E]:
            return go(step, done.value, (*trail, done.value, done.exchanges, perf_counter_ns()))

        def lose(lost: Recorded[E | StepRaised]) -> Judged[E]:
            kept = (*trail, lost.answer, lost.exchanges, perf_counter_ns())
            if isinstance(step, ScoredStep):
                if isinstance(lost.value, NotScorable):  # the score stands; there is nothing to say about it
                    return ok(Evaluation(self.names, kept, step.run.drawn_id, step.score, None))
                return err(self._failure(name, lost.value, kept, step.score, step.run))
            return err(self._failure(name, lost.value, kept, None, step.run))

        return settle(outcome, keep, lose)


def not_a_run(given: object, /) -> TypeError | None:
    """How to mend something else where a run is due."""
    if isinstance(given, Run):
        return None
    return TypeError(f"a Run is due, not {type(given).__name__}: Run(input, output)")


def not_a_reason(given: object, /) -> TypeError | None:
    """How to mend something else where a text is due."""
    if given is None or isinstance(given, str):
        return None
    return TypeError(f"a reason is text, not {type(given).__name__}")
