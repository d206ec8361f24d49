"""Steps that are written wrongly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial

import attrs
from returns.result import Result, safe
from scorewright import Calculated, Run, ScoredStep, Step, attempt, create_scorer, err, ok, pure, pure_async


@attrs.frozen
class Empty:
    field: str


Text = Step[str, str, None, None]
draft = create_scorer("steps", input=str, output=str)


def words(step: Text) -> list[str]:
    return step.run.output.split()


async def size_later(step: Text) -> int:
    return len(step.run.output)


async def name_later(step: Text) -> str:
    return step.run.output


def at_least(least: int, step: Text) -> Result[int, Empty]:
    return ok(least)


def yielding(step: Text) -> Iterator[Result[int, Empty]]:
    yield ok(1)


async def yielding_later(step: Text) -> AsyncIterator[Result[int, Empty]]:
    yield ok(1)


@attrs.frozen
class AtMost:
    most: int

    def counted(self, step: Text) -> Result[int, Empty]:
        return ok(self.most)


@safe
def risky(step: Step[str, str, int, None]) -> float:
    return 1 / step.pre


# Functions that are not lifted, or lifted wrongly.
draft.preprocess(words)  # E: not lifted
draft.preprocess(size_later)  # E: not lifted
draft.preprocess(pure(len))  # E: a step has no length
draft.preprocess(pure_async(words))  # E: not async
draft.preprocess(pure_async(lambda step: len(step.run.output)))  # E: not async
draft.generate_score(pure(size_later))  # E: async: the score would be a coroutine
draft.generate_score(pure_async(name_later))  # E: str as score, later
draft.preprocess(pure(5))  # E: lifts a function
draft.preprocess(pure_async(5))  # E: lifts a function
draft.preprocess(pure())  # E: lifts a function
draft.preprocess(yielding)  # E: a generator is no result
draft.preprocess(yielding_later)  # E: an async generator is no result

# Partials, values and methods.
draft.preprocess(at_least)  # E: one argument too many
draft.preprocess(partial(at_least, 1, 2))  # E: nothing is left to take
draft.preprocess(AtMost(3))  # E: not callable
draft.preprocess(AtMost.counted)  # E: not bound
draft.preprocess(AtMost(3).counted(1))  # E: called too early
draft.generate_score(risky)  # E: wrong Pre

# Lambdas whose bodies are wrong.
draft.preprocess(pure(lambda step: step.run.output.splits()))  # E: no such method
draft.preprocess(pure(lambda step: step.run.output + 1))  # E: text and a number
draft.preprocess(lambda step: ok(step.run.input.nothing))  # E: no such attribute
draft.preprocess(pure(words)).analyze(pure(lambda step: step.pre + 1))  # E: words and a number
draft.preprocess(lambda step: at_least("3", step))  # E: least is a number
draft.preprocess(lambda step: attempt(ValueError)(int)(step.run))  # E: a run is no number
draft.preprocess(lambda step: attempt(5)(int)(step.run.output))  # E: not an exception type


# A field is never rebound.
def rebinding(step: Text, scored: ScoredStep[str, str, int, None], run: Run[str, str, None]) -> None:
    step.pre = None  # E: rebinding
    step.ana = None  # E: rebinding
    step.run = run  # E: rebinding
    scored.score = 1.0  # E: rebinding
    scored.pre = 2  # E: rebinding
    step.run.output = ""  # E: rebinding


def inside(step: Text, scored: ScoredStep[str, str, int, None]) -> None:
    step.score  # E: no score yet
    step.reason  # E: no such field
    scored.reason  # E: no reason yet
    wrong: int = step.run.output  # E: wrong type
    nothing: int = step.pre  # E: nothing was preprocessed


def failing(step: Text) -> Result[int, Empty]:
    return err("empty")  # E: another error type


def succeeding(step: Text) -> Result[int, Empty]:
    return ok("1")  # E: another value type


def bare(step: Text) -> Result[int, Empty]:
    return 1  # E: not a result


def calculated() -> None:
    Calculated("1", None)  # E: str as score
    Calculated(1)  # E: without an answer
