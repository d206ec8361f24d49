"""Steps: everything that can be called with a step and answers an outcome."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal
from functools import partial
from typing import Never, assert_type

import attrs
from returns.result import Result, safe
from scorewright import (
    Calculated,
    NotScorable,
    Outcome,
    Run,
    ScoredStep,
    Step,
    attempt,
    create_scorer,
    err,
    ok,
    pure,
    pure_async,
)
from scorewright.core import Analyzed, Preprocessed, Scored


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class TooLong:
    length: int


draft = create_scorer("steps", input=str, output=str)


# A def, an async def, and either with the widest annotation.
def plain(step: Step[str, str, None, None]) -> Result[list[str], Empty]:
    return ok(step.run.output.split()) if step.run.output else err(Empty("output"))


async def later(step: Step[str, str, None, None]) -> Result[list[str], Empty]:
    return plain(step)


def either(step: Step[str, str, None, None]) -> Outcome[list[str], Empty]:
    return plain(step)


async def outcome_later(step: Step[str, str, None, None]) -> Result[list[str], Empty | TooLong]:
    words = plain(step)
    return words if len(step.run.output) < 9 else err(TooLong(len(step.run.output)))


assert_type(draft.preprocess(plain), Preprocessed[str, str, list[str], object, Empty])
assert_type(draft.preprocess(later), Preprocessed[str, str, list[str], object, Empty])
assert_type(draft.preprocess(either), Preprocessed[str, str, list[str], object, Empty])
assert_type(draft.preprocess(outcome_later), Preprocessed[str, str, list[str], object, Empty | TooLong])

# Lambdas: pure ones, and ones that answer a result.
assert_type(draft.preprocess(lambda step: ok(len(step.run.output))), Preprocessed[str, str, int, object, Never])
assert_type(
    draft.preprocess(pure(lambda step: step.run.output.split())), Preprocessed[str, str, list[str], object, Never]
)
assert_type(draft.preprocess(lambda step: plain(step)), Preprocessed[str, str, list[str], object, Empty])
assert_type(draft.preprocess(lambda step: later(step)), Preprocessed[str, str, list[str], object, Empty])


# Lifted functions.
def length(step: Step[str, str, None, None]) -> int:
    return len(step.run.output)


async def length_later(step: Step[str, str, None, None]) -> int:
    return len(step.run.output)


assert_type(draft.preprocess(pure(length)), Preprocessed[str, str, int, object, Never])
assert_type(draft.preprocess(pure_async(length_later)), Preprocessed[str, str, int, object, Never])
assert_type(draft.preprocess(pure_async(lambda step: length_later(step))), Preprocessed[str, str, int, object, Never])
lifted: Callable[[Step[str, str, None, None]], Result[int, Never]] = pure(length)
lifted_later: Callable[[Step[str, str, None, None]], Awaitable[Result[int, Never]]] = pure_async(length_later)


# A partial, a callable value, a bound method, a class as a function.
def at_least(least: int, step: Step[str, str, None, None]) -> Result[int, TooLong]:
    size = len(step.run.output)
    return ok(size) if size >= least else err(TooLong(size))


assert_type(draft.preprocess(partial(at_least, 3)), Preprocessed[str, str, int, object, TooLong])
assert_type(draft.analyze(partial(at_least, 3)), Analyzed[str, str, None, int, object, TooLong])


@attrs.frozen
class AtMost:
    most: int

    def __call__(self, step: Step[str, str, None, None]) -> Result[int, TooLong]:
        return at_least(self.most, step)

    def counted(self, step: Step[str, str, None, None]) -> Result[int, Empty]:
        return ok(min(self.most, len(step.run.output)))

    async def counted_later(self, step: Step[str, str, None, None]) -> Result[int, Empty]:
        return self.counted(step)

    @staticmethod
    def nothing(step: Step[str, str, None, None]) -> Result[None, Empty]:
        return ok(None)

    @classmethod
    def named(cls, step: Step[str, str, None, None]) -> Result[str, Never]:
        return ok(cls.__name__)


@attrs.frozen
class LaterAtMost:
    most: int

    async def __call__(self, step: Step[str, str, None, None]) -> Result[int, TooLong]:
        return at_least(self.most, step)


@attrs.frozen
class Shape:
    step: Step[str, str, None, None]


assert_type(draft.preprocess(AtMost(3)), Preprocessed[str, str, int, object, TooLong])
assert_type(draft.preprocess(LaterAtMost(3)), Preprocessed[str, str, int, object, TooLong])
assert_type(draft.preprocess(AtMost(3).counted), Preprocessed[str, str, int, object, Empty])
assert_type(draft.preprocess(AtMost(3).counted_later), Preprocessed[str, str, int, object, Empty])
assert_type(draft.preprocess(AtMost.nothing), Preprocessed[str, str, None, object, Empty])
assert_type(draft.preprocess(AtMost.named), Preprocessed[str, str, str, object, Never])
assert_type(draft.preprocess(pure(Shape)), Preprocessed[str, str, Shape, object, Never])


# Functions that raise, lifted by `returns` or by `attempt`.
@safe
def number(step: Step[str, str, None, None]) -> int:
    return int(step.run.output)


def parsed(step: Step[str, str, None, None]) -> int:
    return int(step.run.output)


assert_type(draft.preprocess(number), Preprocessed[str, str, int, object, Exception])
assert_type(draft.preprocess(attempt(ValueError)(parsed)), Preprocessed[str, str, int, object, ValueError])
assert_type(
    draft.preprocess(lambda step: attempt(ValueError)(int)(step.run.output)),
    Preprocessed[str, str, int, object, ValueError],
)


# A step may end the run without a score.
def scorable(step: Step[str, str, None, None]) -> Result[str, NotScorable]:
    return ok(step.run.output) if step.run.output else err(NotScorable("no output"))


assert_type(draft.preprocess(scorable), Preprocessed[str, str, str, object, NotScorable])

# `map` and `alt` on what a step answers.
assert_type(draft.preprocess(lambda step: plain(step).map(len)), Preprocessed[str, str, int, object, Empty])
assert_type(
    draft.preprocess(lambda step: plain(step).alt(lambda fault: TooLong(len(fault.field)))),
    Preprocessed[str, str, list[str], object, TooLong],
)

# Scores: what becomes a float.
assert_type(draft.generate_score(pure(lambda step: 0.5)), Scored[str, str, None, None, object, Never])
assert_type(draft.generate_score(pure(lambda step: 1)), Scored[str, str, None, None, object, Never])
assert_type(
    draft.generate_score(pure(lambda step: "a" in step.run.output)), Scored[str, str, None, None, object, Never]
)
assert_type(draft.generate_score(pure(lambda step: float(Decimal("0.5")))), Scored[str, str, None, None, object, Never])
assert_type(
    draft.generate_score(pure(lambda step: Calculated(0.5, step.run.output))),
    Scored[str, str, None, None, object, Never],
)


async def halved(step: Step[str, str, int, None]) -> float:
    return step.pre / 2


async def told(step: ScoredStep[str, str, int, None]) -> Result[str, Empty]:
    return ok(f"{step.score}") if step.pre else err(Empty("pre"))


scored = draft.preprocess(pure(length)).generate_score(pure_async(halved))
assert_type(scored, Scored[str, str, int, None, object, Never])
reasoned = scored.generate_reason(told)


# A step for any run, and one that wants only a part of what it is given.
def anything(step: Step[object, object, object, object]) -> Result[str, Never]:
    return ok(repr(step.run.output))


def sized(step: Step[object, str, object, object]) -> Result[int, Never]:
    return ok(len(step.run.output))


assert_type(draft.preprocess(anything), Preprocessed[str, str, str, object, Never])
assert_type(draft.preprocess(plain).analyze(sized), Analyzed[str, str, list[str], int, object, Empty])


# What a step holds.
def inside(
    step: Step[str, int, list[str], Empty, bytes], scored: ScoredStep[str, int, list[str], Empty, bytes]
) -> None:
    assert_type(step.run, Run[str, int, bytes])
    assert_type(step.run.input, str)
    assert_type(step.run.output, int)
    assert_type(step.run.expected, bytes)
    assert_type(step.pre, list[str])
    assert_type(step.ana, Empty)
    assert_type(scored.run.expected, bytes)
    assert_type(scored.pre, list[str])
    assert_type(scored.ana, Empty)
    assert_type(scored.score, float)
