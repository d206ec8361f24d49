"""What a step sees, and how a function becomes one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Generic, Literal, Never, final

import attrs
from returns.result import Result
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Answerer, Outcome
from scorewright.core.run import Run, record, writers
from scorewright.faults import DefinitionError
from scorewright.results import ok

E = TypeVar("E")
S = TypeVar("S")
T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)
T_co = TypeVar("T_co", covariant=True)
In_co = TypeVar("In_co", covariant=True)
Out_co = TypeVar("Out_co", covariant=True)
Pre_co = TypeVar("Pre_co", covariant=True)
Ana_co = TypeVar("Ana_co", covariant=True)
Ref_co = TypeVar("Ref_co", covariant=True, default=object)


@final
@record
class Step(Generic[In_co, Out_co, Pre_co, Ana_co, Ref_co]):
    """What preprocess, analyze and generate_score see: the run and the values of the steps before."""

    run: Run[In_co, Out_co, Ref_co]
    pre: Pre_co
    ana: Ana_co

    def __init__(self, run: Run[In_co, Out_co, Ref_co], pre: Pre_co, ana: Ana_co) -> None:
        _run(self, run)
        _pre(self, pre)
        _ana(self, ana)


_run, _pre, _ana = writers(Step, "run", "pre", "ana")


@final
@record
class ScoredStep(Generic[In_co, Out_co, Pre_co, Ana_co, Ref_co]):
    """What generate_reason sees: the score too."""

    run: Run[In_co, Out_co, Ref_co]
    pre: Pre_co
    ana: Ana_co
    score: float

    def __init__(self, run: Run[In_co, Out_co, Ref_co], pre: Pre_co, ana: Ana_co, score: float) -> None:
        _scored_run(self, run)
        _scored_pre(self, pre)
        _scored_ana(self, ana)
        _score(self, score)


_scored_run, _scored_pre, _scored_ana, _score = writers(ScoredStep, "run", "pre", "ana", "score")


@final
@attrs.frozen
class Pure(Generic[S_contra, T_co]):
    """A plain function as a step; the walk calls `f` itself and so saves a wrapper a step."""

    f: Callable[[S_contra], T_co]

    def __call__(self, step: S_contra, /) -> Result[T_co, Never]:
        """What the function gives, as a success."""
        return ok(self.f(step))


@final
@attrs.frozen
class PureAsync(Generic[S_contra, T_co]):
    """An async function without faults as a step."""

    f: Callable[[S_contra], Awaitable[T_co]]

    async def __call__(self, step: S_contra, /) -> Result[T_co, Never]:
        """What the function comes to, as a success."""
        return ok(await self.f(step))


def pure(f: Callable[[S], T], /) -> Callable[[S], Result[T, Never]]:
    """Lift a function that has no faults of its own."""
    if not callable(f):
        raise DefinitionError(f"pure(…) lifts a function, not {type(f).__name__}")
    if iscoroutinefunction(f):
        raise DefinitionError(f"{_named(f)} is async: lift it with pure_async(…)")
    return Pure(f)


def pure_async(f: Callable[[S], Awaitable[T]], /) -> Callable[[S], Awaitable[Result[T, Never]]]:
    """Lift an async function that has no faults of its own."""
    if not callable(f):
        raise DefinitionError(f"pure_async(…) lifts an async function, not {type(f).__name__}")
    return PureAsync(f)


def is_pure(f: Callable[[S], Outcome[T, E]], /) -> TypeIs[Pure[S, T]]:
    """Whether the step is a lifted plain function."""
    return isinstance(f, Pure)


def absent(_step: object, /) -> Result[None, Never]:
    """The step that is not there."""
    return _ABSENT


_ABSENT: Result[None, Never] = ok(None)


@final
@attrs.frozen
class StepInfo:
    """What a scorer says of one of its steps.

    A "pure" step cannot ask, a "prompt" asks once, and a "function" may ask or not: only a run tells.
    """

    name: str
    kind: Literal["pure", "function", "prompt"]
    description: str = ""
    judge: Answerer | None = None


def _named(f: object) -> str:
    return str(getattr(f, "__qualname__", None) or type(f).__name__)
