"""Is the answer right, seen from a reference answer?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

import attrs
from returns.result import Result

from scorewright.core import (
    Answerer,
    Calculated,
    Outcome,
    ScoredStep,
    Scorer,
    Step,
    both,
    create_scorer,
    pure,
    then,
)
from scorewright.faults import JudgeFault, NotScorable, StepRaised
from scorewright.library.defining import spelled
from scorewright.library.judged.options import BATCH, able, count, described, number, rounded
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import Template, template
from scorewright.library.judged.verdicts import Told, calculated, claims_in, reason_of, verdicts_on
from scorewright.results import err, ok

First: TypeAlias = Step[Asked, str, None, None, str]


@final
@attrs.frozen
class Sides:
    """The claims of both texts."""

    answer: tuple[str, ...]
    reference: tuple[str, ...]


@final
@attrs.frozen
class Checked:
    """Whether the reference says each claim of the answer, and the answer each claim of the reference."""

    answer: Told
    reference: Told


Claimed: TypeAlias = Step[Asked, str, Sides, None, str]
Found: TypeAlias = Step[Asked, str, Sides, Checked, str]


def correctness(judge: Answerer, /, *, beta: float = 1.0, batch_size: int = BATCH) -> Scorer[Asked, str, str, Faults]:
    """How far answer and reference make the same claims: F-beta of precision and recall.

    precision = claims of the answer that the reference supports / claims of the answer; recall the other way round;
    score = (1 + beta²) · p · r / (beta² · p + r), at two decimals; 0 where either is. `beta` above 1 weighs what is
    left out more than what is added. Four questions, two by two. A reference without claims is not scorable, an answer
    without them scores 0.
    """
    weight, size = number("beta", beta, low=0), count("batch_size", batch_size)
    find, check = template("claims"), template("correctness-verdicts")
    of_answer, of_reference = claims_in(find, _answer), claims_in(find, _reference)

    def sides(step: First) -> Outcome[Sides, JudgeFault | StepRaised]:
        return then(both(lambda: of_answer(step), lambda: of_reference(step)), _sides)

    check_answer = _checking(check, lambda s: s.pre.answer, lambda s: s.run.expected, size)
    check_reference = _checking(check, lambda s: s.pre.reference, lambda s: s.run.output, size)

    def checked(step: Claimed) -> Outcome[Checked, Faults]:
        if not step.pre.reference:
            return err(NotScorable("the reference makes no claim"))
        if not step.pre.answer:
            return ok(Checked((), ()))
        return then(both(lambda: check_answer(step), lambda: check_reference(step)), _checked)

    def score(step: Found) -> Calculated:
        precision, recall = _yes(step.ana.answer), _yes(step.ana.reference)
        below = weight**2 * precision + recall
        found = (1 + weight**2) * precision * recall / below if below else 0.0
        return calculated(rounded(found, 1.0), {"precision": precision, "recall": recall}, find, check)

    return (
        create_scorer(
            spelled("correctness", beta=(weight, 1.0), batch_size=(size, BATCH)),
            input=Asked,
            output=str,
            expected=str,
            judge=able(judge),
            description=described("How far answer and reference make the same claims.", find, check),
        )
        .preprocess(sides)
        .analyze(checked)
        .generate_score(pure(score))
        .generate_reason(pure(_told))
    )


def _answer(step: First) -> str:
    return step.run.output


def _reference(step: First) -> str:
    return step.run.expected


def _sides(found: tuple[tuple[str, ...], tuple[str, ...]]) -> Result[Sides, JudgeFault]:
    return ok(Sides(*found))


def _checked(found: tuple[Told, Told]) -> Result[Checked, Faults]:
    return ok(Checked(*found))


def _checking(
    prompt: Template, claims: Callable[[Claimed], Sequence[str]], text: Callable[[Claimed], str], size: int
) -> Callable[[Claimed], Outcome[Told, JudgeFault | StepRaised]]:
    def fields(step: Claimed) -> Mapping[str, str | int]:
        return {"question": step.run.input.question, "text": text(step)}

    return verdicts_on(prompt, claims, fields, batch_size=size)


def _yes(said: Told) -> float:
    return sum(each.verdict == "yes" for each in said) / len(said) if said else 0.0


def _told(step: ScoredStep[Asked, str, Sides, Checked, str]) -> str:
    return "\n".join(
        (
            reason_of("claims of the answer, held against the reference", step.pre.answer, step.ana.answer),
            reason_of("claims of the reference, looked for in the answer", step.pre.reference, step.ana.reference),
        )
    )
