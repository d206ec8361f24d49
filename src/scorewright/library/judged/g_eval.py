"""A criterion in words, made into steps, and graded several times (after G-Eval, Liu et al., 2023)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias, final

import attrs

from scorewright.algebra import PartsFailed, Tied, repeat
from scorewright.core import (
    Answerer,
    Evaluation,
    Outcome,
    Run,
    ScoredStep,
    Scorer,
    ScoringFailure,
    Step,
    create_scorer,
    pure,
    settle,
    then,
)
from scorewright.faults import JudgeFault, RunFault
from scorewright.library.defining import expect_texts, spelled
from scorewright.library.judged.guards import First, context_of, needing, no_answer
from scorewright.library.judged.options import able, count, described, text
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import calculated
from scorewright.results import err, ok

Ungraded: TypeAlias = PartsFailed[Faults] | Tied | RunFault


@final
@attrs.frozen
class Steps:
    """How to judge by a criterion, step by step."""

    steps: tuple[str, ...] = attrs.field(validator=attrs.validators.min_len(1))


@final
@attrs.frozen
class Grade:
    """One grade, a whole number, with its reason."""

    reason: str
    grade: Literal[1, 2, 3, 4, 5]


@final
@attrs.frozen
class Graded:
    """What is graded: the question, and the steps to grade by."""

    asked: Asked
    steps: tuple[str, ...]


def g_eval(
    judge: Answerer, name: str, criterion: str, /, *, steps: Sequence[str] = (), samples: int = 5
) -> Scorer[Asked, str, object, Faults | Ungraded]:
    """How well the answer meets a criterion in words, as the mean of several grades from 1 to 5, set onto 0..1.

    Without `steps` the judge first writes them from the criterion; what it is asked is the same for every run, so a
    cache asks it once. Each grade is a question of its own, all side by side: their mean is the score weighted by how
    probable each grade is, estimated from samples, since judges do not tell the probabilities of their words. It takes
    a judge with a temperature above 0; one that always says the same has the same score with `samples=1`.
    """
    expect_texts(list(steps), "g_eval(steps=…)")
    wanted, given, size = text("criterion", criterion), tuple(steps), count("samples", samples)
    plan, grade = template("g_eval-steps"), template("g_eval-grade")

    def planned(step: First) -> Mapping[str, str | int]:
        del step
        return {"criterion": wanted}

    ask = asking(plan, Steps, planned)

    def to_follow(step: First) -> Outcome[tuple[str, ...], JudgeFault]:
        return ok(given) if given else then(ask(step), lambda said: ok(said.steps))

    def shown(step: Step[Graded, str, None, None, object]) -> Mapping[str, str | int]:
        asked, followed = step.run.input.asked, numbered(step.run.input.steps)
        return {
            **context_of(asked),
            "criterion": wanted,
            "steps": followed,
            "question": asked.question,
            "answer": step.run.output,
        }

    once = (
        create_scorer(f"{name} once", input=Graded, output=str, judge=able(judge))
        .analyze(asking(grade, Grade, shown))
        .generate_score(pure(lambda s: (s.ana.grade - 1) / 4))
        .generate_reason(pure(lambda s: s.ana.reason))
    )
    graded = _by(repeat(once, size, reduce="mean"))
    return (
        create_scorer(
            spelled(text("name", name), wanted, steps=(given, ()), samples=(size, 5)),
            input=Asked,
            output=str,
            name=text("name", name),
            judge=able(judge),
            description=described(f"How well the answer meets a criterion, {size} times graded.", plan, grade),
        )
        .preprocess(needing(no_answer, to_follow))
        .analyze(graded)
        .generate_score(pure(lambda s: calculated(s.ana.score, {"samples": size}, plan, grade)))
        .generate_reason(_told)
    )


Planned: TypeAlias = Step[Asked, str, tuple[str, ...], None, object]
Repeated: TypeAlias = Scorer[Graded, str, object, PartsFailed[Faults] | Tied]


def _by(scorer: Repeated) -> Callable[[Planned], Outcome[Evaluation, Ungraded]]:
    """A step that runs a scorer of grades and gives its evaluation."""

    def lost(failure: ScoringFailure[PartsFailed[Faults] | Tied]) -> Outcome[Evaluation, Ungraded]:
        return err(failure.cause)

    def graded(step: Planned) -> Outcome[Evaluation, Ungraded]:
        run = step.run
        inner = Run(Graded(run.input, step.pre), run.output, run_id=run.run_id, request_context=run.request_context)
        return settle(scorer.program(inner), ok, lost)

    return graded


def _told(step: ScoredStep[Asked, str, tuple[str, ...], Evaluation, object]) -> Outcome[str, JudgeFault]:
    first = step.ana.reason
    return ok(first if first is not None else f"The mean of several grades, {step.score:g}.")
