"""A scorer: a value that turns a run into an evaluation, or into a failure that keeps what was finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Literal, Never, overload

import attrs
from returns.result import Failure, Result, Success
from typing_extensions import TypeForm, TypeVar

from scorewright.core.about import About
from scorewright.core.agreement import shared_about
from scorewright.core.ask import Answer
from scorewright.core.bench import answer_here
from scorewright.core.definition import expect_function, expect_scale, expect_text, no_scorer
from scorewright.core.describing import as_html
from scorewright.core.evaluation import Evaluation, ScoringFailure
from scorewright.core.interpret import interpreted
from scorewright.core.mapping import Admitting, Contramapped, Mapped, ToFault, ToReason, ToScore, same
from scorewright.core.pairing import Either
from scorewright.core.parts import labels_of
from scorewright.core.pipeline import Judged
from scorewright.core.rescaling import AtLeast, Linear, Mirrored
from scorewright.core.run import Run
from scorewright.core.scale import UNIT, Scale
from scorewright.core.step import StepInfo
from scorewright.faults import DefinitionError
from scorewright.results import ok

if TYPE_CHECKING:
    from scorewright.core.zipped import Zipped

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")
F = TypeVar("F")
In_contra = TypeVar("In_contra", contravariant=True)
Out_contra = TypeVar("Out_contra", contravariant=True)
Ref_contra = TypeVar("Ref_contra", contravariant=True, default=object)
E_co = TypeVar("E_co", covariant=True, default=object)


@attrs.frozen
class Scorer(Generic[In_contra, Out_contra, Ref_contra, E_co]):
    """What `create_scorer(…)` builds. `program` begins the program of one run; the two `run` methods drive it.

    The other methods give a new scorer. Those that adapt one keep its evidence and the places of its asks; `zip` and
    `or_else`, like everything in `scorewright.algebra`, make one out of several `parts`, each a step of the whole.
    """

    about: About
    steps: tuple[StepInfo, ...]
    program: Callable[[Run[In_contra, Out_contra, Ref_contra]], Judged[E_co]] = attrs.field(repr=False)
    parts: tuple[Scorer[Never, Never, Never, object], ...] = attrs.field(default=(), repr=False, kw_only=True)

    def __repr__(self) -> str:
        steps = " → ".join(step.name for step in self.steps)
        return f"Scorer({self.about.told}, {steps}, {self.scale.low:g}..{self.scale.high:g})"

    @property
    def id(self) -> str:
        """The name that results, files and the command line know it by."""
        return self.about.id

    @property
    def name(self) -> str:
        """The name that people read; the id unless given."""
        return self.about.name

    @property
    def scale(self) -> Scale:
        """The range of its scores."""
        return self.about.scale

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Which end of the scale is good."""
        return self.about.better

    async def run(
        self, run: Run[In_contra, Out_contra, Ref_contra], /, *, answer: Answer = answer_here
    ) -> Result[Evaluation, ScoringFailure[E_co]]:
        """Score one run. `answer` says who answers: the judges through this loop's bench, unless given."""
        return await interpreted(self.program(run), answer)

    def run_sync(
        self, run: Run[In_contra, Out_contra, Ref_contra], /, *, answer: Answer = answer_here
    ) -> Result[Evaluation, ScoringFailure[E_co]]:
        """Score one run and wait for it: at once when nothing is asked or awaited, else on a background loop."""
        outcome = self.program(run)
        if isinstance(outcome, (Success, Failure)):
            return outcome
        from scorewright.core.portal import finished

        return finished(lambda: interpreted(outcome, answer))

    def named(
        self, id: str, /, *, name: str = "", description: str = ""
    ) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        """The same scorer under another id."""
        about = attrs.evolve(self.about, id=id, name=name or id, description=description or self.about.description)
        return assembled(about, self.steps, self.program, self.parts)

    def contramap_input(
        self, input: TypeForm[In], f: Callable[[In], In_contra], /
    ) -> Scorer[In, Out_contra, Ref_contra, E_co]:
        """The scorer of runs whose input `f` turns into what this one takes. A row's input is read as the new type.

        Laws: the identity changes nothing; `f` after `g` is `g`, then `f`. An `f` that raises fails that run.
        """

        expect_function(f, "contramap_input(type, f)", "lambda row: row.question")

        def adapted(run: Run[In, Out_contra, Ref_contra]) -> Run[In_contra, Out_contra, Ref_contra]:
            return run.with_input(f(run.input))

        program = Contramapped(self.program, "contramap_input", adapted)
        about = attrs.evolve(self.about, input=input)
        return assembled(about, self.steps, program.begin, self.parts)

    def contramap_output(
        self, output: TypeForm[Out], f: Callable[[Out], Out_contra], /
    ) -> Scorer[In_contra, Out, Ref_contra, E_co]:
        """The scorer of runs whose output `f` turns into what this one takes; else as `contramap_input`."""

        expect_function(f, "contramap_output(type, f)", "lambda page: page.text")

        def adapted(run: Run[In_contra, Out, Ref_contra]) -> Run[In_contra, Out_contra, Ref_contra]:
            return run.with_output(f(run.output))

        program = Contramapped(self.program, "contramap_output", adapted)
        about = attrs.evolve(self.about, output=output)
        return assembled(about, self.steps, program.begin, self.parts)

    @overload
    def contramap_run(
        self,
        input: TypeForm[In],
        output: TypeForm[Out],
        f: Callable[[Run[In, Out, Ref_contra]], Run[In_contra, Out_contra, Ref_contra]],
        /,
    ) -> Scorer[In, Out, Ref_contra, E_co]: ...
    @overload
    def contramap_run(
        self,
        input: TypeForm[In],
        output: TypeForm[Out],
        f: Callable[[Run[In, Out, Ref]], Run[In_contra, Out_contra, Ref_contra]],
        /,
        *,
        expected: TypeForm[Ref],
    ) -> Scorer[In, Out, Ref, E_co]: ...
    def contramap_run(
        self,
        input: TypeForm[In],
        output: TypeForm[Out],
        f: Callable[[Run[In, Out, Ref]], Run[In_contra, Out_contra, Ref_contra]],
        /,
        *,
        expected: object = None,
    ) -> Scorer[In, Out, Ref, E_co]:
        """The scorer of runs that `f` turns into those of this one; else as `contramap_input`. The run id is kept."""
        expect_function(f, "contramap_run(input, output, f)", "lambda run: Run(run.input, run.output)")
        about = attrs.evolve(
            self.about, input=input, output=output, expected=self.about.expected if expected is None else expected
        )
        program = Contramapped(self.program, "contramap_run", f)
        return assembled(about, self.steps, program.begin, self.parts)

    def when(
        self: Scorer[In, Out, Ref, E_co], predicate: Callable[[Run[In, Out, Ref]], bool], /, *, why: str = ""
    ) -> Scorer[In, Out, Ref, E_co]:
        """The scorer of those runs for which the predicate holds; others are `NotScorable`, and nothing is asked."""
        expect_function(predicate, "when(…)", "lambda run: bool(run.output)")
        expect_text(why, "when(…, why=…)")
        told = why or f"the condition of {self.id} does not hold"
        program = Admitting(self.program, predicate, told)
        return assembled(self.about, self.steps, program.begin, self.parts)

    def map_score(
        self, f: Callable[[float], float], /, *, scale: Scale | None = None
    ) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        """The scorer with another score: of the same scale unless another is given; off it, the run fails.

        Laws: the identity changes no score; `f`, then `g` is `g` after `f`.
        """
        expect_function(f, "map_score(…)", "lambda score: score ** 2")
        if scale is not None:
            expect_scale(scale, "map_score(f, scale=…)")
        return self._scored(ToScore("map_score", f, scale or self.scale), self.better)

    def rescale(self, to: Scale = UNIT, /) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        """The scorer on another scale: ends go to ends, and all between in proportion."""
        expect_scale(to, "rescale(…)")
        return self._scored(ToScore("rescale", Linear(self.scale, to), to), self.better)

    def invert(self) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        """The scorer with its scale the other way round, so that the other end is the good one. Twice is not at all."""
        mirror = Mirrored(self.scale)
        return self._scored(ToScore("invert", mirror, mirror.target), "lower" if self.better == "higher" else "higher")

    def passing(self, threshold: float, /) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        """Pass (1) or fail (0): whether the score is as good as the threshold, which itself passes."""
        return self._scored(ToScore("passing", AtLeast(threshold, self.scale, self.better), UNIT), "higher")

    def map_reason(self, f: Callable[[str], str], /) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        """The scorer with another reason, where it gives one."""
        expect_function(f, "map_reason(…)", "str.strip")
        program = Mapped(self.program, ToReason(f), same)
        return assembled(self.about, self.steps, program.begin, self.parts)

    def map_fault(self, f: Callable[[E_co], F], /) -> Scorer[In_contra, Out_contra, Ref_contra, F]:
        """The scorer whose steps' own faults are another's; what can befall any run (`RunFault`) stays what it is."""
        expect_function(f, "map_fault(…)", "str")
        program = Mapped(self.program, ok, ToFault(f))
        return assembled(self.about, self.steps, program.begin, self.parts)

    @overload
    def zip(
        self: Scorer[In, Out, object, E_co], other: Scorer[In, Out, Ref, F], /
    ) -> Zipped[In, Out, Ref, E_co | F]: ...
    @overload
    def zip(self: Scorer[In, Out, Ref, E_co], other: Scorer[In, Out, Ref, F], /) -> Zipped[In, Out, Ref, E_co | F]: ...
    def zip(self: Scorer[In, Out, Ref, E_co], other: Scorer[In, Out, Ref, F], /) -> Zipped[In, Out, Ref, E_co | F]:
        """Both scorers, whatever their scales; `.generate_score(lambda first, second: …)` gives the pair a score."""
        from scorewright.core.zipped import Zipped

        return Zipped(self, expect_scorer(other, "zip"))

    @overload
    def or_else(
        self: Scorer[In, Out, object, E_co], other: Scorer[In, Out, Ref, F], /
    ) -> Scorer[In, Out, Ref, E_co | F]: ...
    @overload
    def or_else(
        self: Scorer[In, Out, Ref, E_co], other: Scorer[In, Out, Ref, F], /
    ) -> Scorer[In, Out, Ref, E_co | F]: ...
    def or_else(self: Scorer[In, Out, Ref, E_co], other: Scorer[In, Out, Ref, F], /) -> Scorer[In, Out, Ref, E_co | F]:
        """This scorer, and for a run that it does not score, whether it failed or could not, the other one.

        What came first stays in the evidence. When neither scores, the cause is that of the last that failed; only
        where none failed is the run not scorable. The other is not begun before it is needed. Law: associative.
        """
        labels = labels_of((self.id, expect_scorer(other, "or_else").id))
        about = shared_about(f"{self.id} or else {other.id}", (self.about, other.about))
        program = Either[In, Out, Ref, E_co | F](labels, (self.program, other.program))
        steps = part_steps(labels, (self, other))
        return assembled(about, steps, program.begin, (self, other))

    def _repr_html_(self) -> str:
        return as_html(self)

    def _scored(
        self, to: ToScore, better: Literal["higher", "lower"]
    ) -> Scorer[In_contra, Out_contra, Ref_contra, E_co]:
        about = attrs.evolve(self.about, scale=to.scale, better=better)
        steps = (*self.steps, StepInfo(to.step, "pure", to.told))
        program = Mapped(self.program, to, to.kept)
        return assembled(about, steps, program.begin, self.parts)


def assembled(
    about: About,
    steps: tuple[StepInfo, ...],
    program: Callable[[Run[In, Out, Ref]], Judged[E]],
    parts: tuple[Scorer[Never, Never, Never, object], ...] = (),
    /,
) -> Scorer[In, Out, Ref, E]:
    """The scorer; a function, since pyrefly forgets the arguments of a class that one of its own methods calls."""
    return Scorer(about, steps, program, parts=parts)


def expect_scorer(part: Scorer[In, Out, Ref, E], call: str, /) -> Scorer[In, Out, Ref, E]:
    """The part, when it is a finished scorer; else a mistake of the call that it was given to."""
    if not _is_scorer(part):
        raise DefinitionError(no_scorer(part, call))
    return part


def _is_scorer(given: object) -> bool:
    return isinstance(given, Scorer)


def part_steps(
    labels: tuple[str, ...], parts: tuple[Scorer[Never, Never, Never, object], ...], /
) -> tuple[StepInfo, ...]:
    """The parts as steps of the whole: each as pure, as asking or as unknown as its own steps together."""
    return tuple(_as_step(label, part) for label, part in zip(labels, parts, strict=True))


def _as_step(label: str, part: Scorer[Never, Never, Never, object]) -> StepInfo:
    asking = [step for step in part.steps if step.kind != "pure"]
    if not asking:
        return StepInfo(label, "pure", part.about.description)
    only = asking[0] if len(asking) == 1 else None
    judge = only.judge if only and only.judge else part.about.judge
    return StepInfo(label, only.kind if only else "function", part.about.description, judge)
