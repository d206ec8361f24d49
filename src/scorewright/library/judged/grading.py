"""Asking for a grade, once where the judge tells how probable it was, and else several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Ask, Outcome, PromptStep, Step, gather, then
from scorewright.core.ask import Token
from scorewright.faults import JudgeFault, Misfit, SchemaMismatch, StepRaised
from scorewright.library.judged.reading import written
from scorewright.library.judged.runs import Asked
from scorewright.library.judged.template import Template
from scorewright.library.judged.tidying import decoder
from scorewright.library.judged.weights import LEAST, Weights, sampled, weights_of
from scorewright.results import err, ok
from scorewright.shapes import shape_of

TOP = 20  # alternatives of a token: the most that providers tell

Planned: TypeAlias = Step[Asked, str, tuple[str, ...], None, object]  # a run, and the steps to grade it by
Way: TypeAlias = Literal["log-probabilities", "samples"]


@final
@attrs.frozen
class Grade:
    """One grade, a whole number, with its reason. The grade comes first: after a reason it would be settled already."""

    grade: int
    reason: str


@final
@attrs.frozen
class Graded:
    """What was graded, how probable each grade was, and the way by which that is known.

    `off` is the probability that lay on no grade, before the weights were made to sum to 1. `why` says why it is not
    by log-probabilities, where they were asked for.
    """

    way: Way
    weights: tuple[tuple[int, float], ...]
    grades: tuple[Grade, ...]
    off: float = 0.0
    why: str = ""

    @property
    def mean(self) -> float:
        """The grade that is to be expected: the sum of weight and grade."""
        return Weights(self.weights, 1.0).mean


def grading(
    prompt: Template, fields: Callable[[Planned], Mapping[str, str | int]], allowed: range
) -> PromptStep[Planned, Grade]:
    """A step that asks for one grade."""
    shape = shape_of(Grade)
    decode = decoder(shape)
    schema = {**shape.schema, "properties": {"grade": _kind(allowed), "reason": {"type": "string"}}}

    def finish(_: Planned, said: str) -> Result[Grade, JudgeFault]:
        decoded = decode(said)
        if not is_successful(decoded) or decoded.unwrap().grade in allowed:
            return decoded
        expected = f"expected a whole number from {allowed[0]} to {allowed[-1]}"
        misfit = Misfit("$.grade", expected, str(decoded.unwrap().grade))
        return err(SchemaMismatch.of(said, misfit))

    return PromptStep(
        lambda step: prompt.filled(**fields(step)), finish, written(schema), shape.name, prompt.mark, None
    )


def _kind(allowed: range) -> Mapping[str, object]:
    return {"type": "integer", "enum": list(allowed)}


@final
@attrs.frozen
class _Told:
    """A grade, the reply that gave it, and its tokens."""

    grade: Grade
    text: str = ""
    tokens: tuple[Token, ...] = ()


def _once(asked: Outcome[Grade, JudgeFault], top: int, sample: int) -> Outcome[_Told, JudgeFault]:
    """The grade with its tokens; a second question after a wrong answer asks for them too."""

    def noted(
        outcome: Outcome[Grade, JudgeFault], text: str = "", tokens: tuple[Token, ...] = ()
    ) -> Outcome[_Told, JudgeFault]:
        if not isinstance(outcome, Ask):
            return then(outcome, lambda grade: ok(_Told(grade, text, tokens)))
        ask = outcome
        request = attrs.evolve(ask.request, top_logprobs=top, sample=sample)
        return Ask(request, lambda reply: noted(ask.resume(reply), reply.answer.value_or(""), reply.tokens))

    return noted(asked)


def graded_by(
    grading: PromptStep[Planned, Grade], size: int, allowed: range, *, weighted: bool
) -> Callable[[Planned], Outcome[Graded, JudgeFault | StepRaised]]:
    """A step that grades once, and more often where the first grade does not tell its probability."""

    def draw(step: Planned, sample: int) -> Outcome[_Told, JudgeFault]:
        return _once(grading(step), 0, sample)

    def drawn(step: Planned, first: tuple[Grade, ...], why: str) -> Outcome[Graded, JudgeFault | StepRaised]:
        def together(
            results: tuple[Result[_Told, JudgeFault | StepRaised], ...],
        ) -> Result[Graded, JudgeFault | StepRaised]:
            lost = next((result.failure() for result in results if not is_successful(result)), None)
            if lost is not None:
                return err(lost)
            grades = (*first, *(result.unwrap().grade for result in results))
            return ok(Graded("samples", sampled([each.grade for each in grades]).grades, grades, why=why))

        left = range(len(first), size)
        return then(gather(*(partial(draw, step, sample) for sample in left)), together) if left else together(())

    def weigh(step: Planned, told: _Told) -> Outcome[Graded, JudgeFault | StepRaised]:
        found = weights_of(told.tokens, told.grade.grade, allowed)
        if isinstance(found, str):
            return drawn(step, (told.grade,), found)
        if found.on_grades < LEAST:
            why = f"{found.on_grades:.2f} of the probability lies on grades from {allowed[0]} to {allowed[-1]}"
            return err(SchemaMismatch(told.text, "$.grade", f"{why}, and {LEAST:g} is needed"))
        return ok(Graded("log-probabilities", found.grades, (told.grade,), 1.0 - found.on_grades))

    def graded(step: Planned) -> Outcome[Graded, JudgeFault | StepRaised]:
        if not weighted:
            return drawn(step, (), "")
        return then(_once(grading(step), TOP, 0), partial(weigh, step))

    return graded
