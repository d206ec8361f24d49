"""Building a scorer: one class a stage, each with the methods that may come next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, Literal, Never, cast, overload

import attrs
from typing_extensions import TypeForm, TypeIs, TypeVar

from scorewright.core.about import About
from scorewright.core.ask import Answerer, Outcome
from scorewright.core.definition import lacking
from scorewright.core.evaluation import Calculated, Verdict
from scorewright.core.pipeline import Pipeline, Prepare
from scorewright.core.prompt import PromptStep, within
from scorewright.core.scale import UNIT, Scale
from scorewright.core.scorer import Scorer
from scorewright.core.step import Pure, PureAsync, ScoredStep, Step, StepInfo, absent
from scorewright.faults import DefinitionError

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
Pre = TypeVar("Pre")
Ana = TypeVar("Ana")
E = TypeVar("E")
F = TypeVar("F")
S = TypeVar("S")
T = TypeVar("T")


@attrs.frozen(repr=False)
class Scored(Scorer[In, Out, Ref, E], Generic[In, Out, Pre, Ana, Ref, E]):
    """A scorer that can still be given a reason."""

    pipeline: Pipeline[In, Out, Pre, Ana, Ref, E] = attrs.field(repr=False)

    def generate_reason(
        self, f: Callable[[ScoredStep[In, Out, Pre, Ana, Ref]], Outcome[str, F]], /
    ) -> Scorer[In, Out, Ref, E | F]:
        """The scorer with a reason for its score; a reason that fails keeps the score inside the failure.

        A function may give an empty text; a judge that gives one is the fault `EmptyReply`.
        """
        p = self.pipeline
        whole = Pipeline[In, Out, Pre, Ana, Ref, E | F](
            p.about, p.prepare_run, p.preprocess, p.analyze, p.generate_score, checked(f, "generate_reason", p.about)
        )
        return Scorer(p.about, described(whole), whole.begin)


@attrs.frozen
class Analyzed(Generic[In, Out, Pre, Ana, Ref, E]):
    """A scorer that lacks its score."""

    about: About
    prepare_run: Prepare[In, Out, Ref] | None = attrs.field(repr=False)
    pre: Callable[[Step[In, Out, None, None, Ref]], Outcome[Pre, E]] = attrs.field(repr=False)
    ana: Callable[[Step[In, Out, Pre, None, Ref]], Outcome[Ana, E]] = attrs.field(repr=False)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.about.told})"

    if not TYPE_CHECKING:  # a checker knows by itself what a half-built scorer does not have

        def __getattr__(self, name: str) -> Never:
            raise lacking(self, name, Scored, lambda: self.about.id)

    def generate_score(
        self, f: Callable[[Step[In, Out, Pre, Ana, Ref]], Outcome[float | Calculated, F]], /
    ) -> Scored[In, Out, Pre, Ana, Ref, E | F]:
        """The scorer whose score is what `f` gives: a finite number of the scale, else the run fails."""
        whole = Pipeline[In, Out, Pre, Ana, Ref, E | F](
            self.about,
            self.prepare_run,
            self.pre,
            self.ana,
            on_scale(checked(f, "generate_score", self.about), self.about.scale),
        )
        return Scored(self.about, described(whole), whole.begin, whole)

    def generate_verdict(
        self, f: Callable[[Step[In, Out, Pre, Ana, Ref]], Outcome[Verdict, F]], /
    ) -> Scorer[In, Out, Ref, E | F]:
        """The scorer whose score and reason come together."""
        whole = Pipeline[In, Out, Pre, Ana, Ref, E | F](
            self.about,
            self.prepare_run,
            self.pre,
            self.ana,
            on_scale(checked(f, "generate_verdict", self.about), self.about.scale),
            scoring="generate_verdict",
        )
        return Scorer(self.about, described(whole), whole.begin)


@attrs.frozen(repr=False)
class Preprocessed(Analyzed[In, Out, Pre, None, Ref, E], Generic[In, Out, Pre, Ref, E]):
    """A scorer that may still analyze."""

    def analyze(
        self, f: Callable[[Step[In, Out, Pre, None, Ref]], Outcome[T, F]], /
    ) -> Analyzed[In, Out, Pre, T, Ref, E | F]:
        """The draft with an analysis, which the later steps read as `step.ana`."""
        return Analyzed[In, Out, Pre, T, Ref, E | F](
            self.about, self.prepare_run, self.pre, checked(f, "analyze", self.about)
        )


@attrs.frozen(repr=False)
class Draft(Preprocessed[In, Out, None, Ref, Never], Generic[In, Out, Ref]):
    """A scorer without steps."""

    def preprocess(
        self, f: Callable[[Step[In, Out, None, None, Ref]], Outcome[T, F]], /
    ) -> Preprocessed[In, Out, T, Ref, F]:
        """The draft with a first step, which the later steps read as `step.pre`."""
        return Preprocessed[In, Out, T, Ref, F](
            self.about, self.prepare_run, checked(f, "preprocess", self.about), absent
        )


@overload
def create_scorer(
    id: str,
    *,
    input: TypeForm[In],
    output: TypeForm[Out],
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[In, Out, object] | None = None,
) -> Draft[In, Out, object]: ...
@overload
def create_scorer(
    id: str,
    *,
    input: TypeForm[In],
    output: TypeForm[Out],
    expected: TypeForm[Ref],
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[In, Out, Ref] | None = None,
) -> Draft[In, Out, Ref]: ...
def create_scorer(
    id: str,
    *,
    input: TypeForm[In],
    output: TypeForm[Out],
    expected: object = object,
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[In, Out, Ref] | None = None,
) -> Draft[In, Out, Ref]:
    """Begin a scorer of runs from `input` to `output`, with a reference answer of type `expected` where one is given.

    Chain `preprocess`, `analyze`, `generate_score` (or `generate_verdict`) and `generate_reason`, in this order; only
    the score must be there. A wrong definition raises `DefinitionError`.

    >>> from scorewright import Run, pure
    >>> short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) < 20))
    >>> short.run_sync(Run("Where is my parcel?", "On its way.")).unwrap().score
    1.0
    """
    if prepare_run is not None and not callable(prepare_run):
        raise DefinitionError(f"prepare_run= takes a function from run to run, not {prepare_run!r}")
    about = About(id, name or id, description, input, output, expected, judge, scale, better)
    return Draft(about, prepare_run, absent, absent)


def checked(f: Callable[[S], Outcome[T, E]], method: str, about: About, /) -> Callable[[S], Outcome[T, E]]:
    """The step, when it can be one."""
    if not callable(f):
        raise DefinitionError(
            f"{method}(…) of {about.id!r} takes a function or a prompt step, not {type(f).__name__}: "
            "write a def that returns ok(…) or err(…), pure(lambda step: …), or prompt(…)"
        )
    if is_prompt(f):
        if f.gives in _TAKEN_FOR.get(method, {}):
            raise DefinitionError(f"{method}(…) of {about.id!r} {_TAKEN_FOR[method][f.gives]}")
        check_asked(f.judge, f"{method}(…) of {about.id!r}", about)
    return f


_A_SCORE = "takes a prompt for a number: score_prompt(…), or score_from(…) with your calculation"
_TAKEN_FOR: Mapping[str, Mapping[str, str]] = {
    "generate_score": {
        "text": _A_SCORE,
        "verdict": "takes a prompt for a number; a verdict goes to generate_verdict(…)",
    },
    "generate_verdict": {
        "text": "takes a prompt for score and reason: verdict_prompt(…)",
        "score": "takes a prompt for score and reason: verdict_prompt(…); a bare score goes to generate_score(…)",
    },
    "generate_reason": {
        "score": "takes a prompt for a text: reason_prompt(…)",
        "verdict": "takes a prompt for a text: reason_prompt(…); a verdict goes to generate_verdict(…)",
    },
}


def check_asked(own: Answerer | None, asking: str, about: About, /) -> None:
    """Refuse a prompt of a stage that nobody can answer."""
    judge = about.judge if own is None else own if about.judge is None else own.filled(about.judge)
    if judge is None:
        raise DefinitionError(
            f"{asking} asks a judge and none is given: "
            'pass judge=Judge("openai/gpt-4o-mini") to create_scorer or to the prompt'
        )
    if judge.mistake:
        raise DefinitionError(f"{asking} asks a judge that cannot answer: {judge.mistake}")


def is_prompt(step: object, /) -> TypeIs[PromptStep[Never, object]]:
    """Whether the step is one judge call."""
    return isinstance(step, PromptStep)


def on_scale(f: Callable[[S], Outcome[T, E]], scale: Scale, /) -> Callable[[S], Outcome[T, E]]:
    """The step; one that asks for a score, or for a verdict, asks for one of this scale."""
    step: object = f
    return cast("Callable[[S], Outcome[T, E]]", within(step, scale)) if is_prompt(step) else f


def described(pipeline: Pipeline[In, Out, Pre, Ana, Ref, E], /) -> tuple[StepInfo, ...]:
    """What the scorer says of its steps."""
    slots = (pipeline.preprocess, pipeline.analyze, pipeline.generate_score, pipeline.generate_reason)
    return tuple(map(_info, pipeline.names, (step for step in slots if step is not absent)))


def _info(name: str, step: object) -> StepInfo:
    if isinstance(step, PromptStep):
        return StepInfo(name, "prompt", step.description, step.judge)
    return StepInfo(name, "pure" if isinstance(step, (Pure, PureAsync)) else "function")
