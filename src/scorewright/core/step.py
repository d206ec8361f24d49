"""What a step sees, and how a function becomes one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isasyncgenfunction, iscoroutinefunction
from types import CoroutineType
from typing import Generic, Literal, Never, final

import attrs
from returns.result import Failure, Result, Success
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Answerer, Ask, Fork, Outcome
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
        value = self.f(step)
        return ok(not_lifted(value) if type(value) in PROGRAMS else value)


@final
@attrs.frozen
class PureAsync(Generic[S_contra, T_co]):
    """An async function without faults as a step."""

    f: Callable[[S_contra], Awaitable[T_co]]

    async def __call__(self, step: S_contra, /) -> Result[T_co, Never]:
        """What the function comes to, as a success."""
        return ok(await self.f(step))


PROGRAMS: frozenset[type] = frozenset({Success, Failure, Ask, Fork, CoroutineType})


def not_lifted(program: object, /) -> Never:
    """Refuse what a lifted function gave that is no value."""
    if isinstance(program, CoroutineType):
        program.close()
        raise TypeError("pure(…) lifts a plain function, and this one gave a coroutine: lift it with pure_async(…)")
    raise TypeError(
        "leave pure(…) away: the function gives a program already, such as ok(…), err(…) or what a judge says"
    )


def _check_plain(f: object, lift: str) -> None:
    """Refuse what is a step already, and what gives no value."""
    from scorewright.core.prompt import PromptStep

    if isinstance(f, (Pure, PureAsync, PromptStep)):
        raise DefinitionError(f"leave {lift}(…) away: what it was given is a step already")
    if isasyncgenfunction(f):
        raise DefinitionError(f"{_named(f)} is an async generator, which gives no value: return one")


def pure(f: Callable[[S], T], /) -> Callable[[S], Result[T, Never]]:
    """Lift a function that has no faults of its own."""
    if not callable(f):
        raise DefinitionError(f"pure(…) lifts a function, not {type(f).__name__}")
    _check_plain(f, "pure")
    if iscoroutinefunction(f) or iscoroutinefunction(getattr(f, "__call__", None)):  # noqa: B004 - an object's own
        raise DefinitionError(f"{_named(f)} is async: lift it with pure_async(…)")
    return Pure(f)


def pure_async(f: Callable[[S], Awaitable[T]], /) -> Callable[[S], Awaitable[Result[T, Never]]]:
    """Lift an async function that has no faults of its own."""
    if not callable(f):
        raise DefinitionError(f"pure_async(…) lifts an async function, not {type(f).__name__}")
    _check_plain(f, "pure_async")
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
