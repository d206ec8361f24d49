"""A criterion in words, made into steps, and a grade weighted by how probable it was.

After G-Eval (Liu et al., 2023, arXiv 2303.16634): the score is the sum of p(g) * g over the grades g, here set onto
0..1. The probabilities are those of the tokens where the judge tells them; else they are estimated from several grades.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast, final

import attrs

from scorewright.core import Answerer, Calculated, Outcome, ScoredStep, Scorer, Step, create_scorer, pure, then
from scorewright.core.definition import shown
from scorewright.faults import DefinitionError, JudgeFault
from scorewright.library.defining import expect_flag, expect_texts, spelled
from scorewright.library.judged.grading import Graded, Planned, graded_by, grading
from scorewright.library.judged.guards import First, context_of, needing, no_answer
from scorewright.library.judged.options import able, count, described, text
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import calculated
from scorewright.results import ok

HIGHEST = 100  # grade
SEEN = 0.005  # what shows at two decimals


@final
@attrs.frozen
class Steps:
    """How to judge by a criterion, step by step."""

    steps: tuple[str, ...] = attrs.field(validator=attrs.validators.min_len(1))


def g_eval(
    judge: Answerer,
    name: str,
    criterion: str,
    /,
    *,
    steps: Sequence[str] = (),
    samples: int = 5,
    grades: tuple[int, int] = (1, 5),
    weighted: bool = True,
) -> Scorer[Asked, str, object, Faults]:
    """How well the answer meets a criterion in words: the grade to be expected of the judge, set onto 0..1.

    Without `steps` the judge first writes them from the criterion; what it is asked is the same for every run, so a
    cache asks it once. The judge then gives a whole grade, from the lowest to the highest of `grades`. With g for a
    grade and p(g) for its probability the score is (sum of p(g) * g - lowest) / (highest - lowest); the sum is the
    score of G-Eval (Liu et al., 2023, arXiv 2303.16634).

    p(g) is read from the log-probabilities of the judge's tokens, of one question. What lies on no grade is reported,
    and the rest set to 1; where it is more than half, the fault is `SchemaMismatch`. Where the judge tells none, or
    they do not tell the grades apart, p(g) is how often g comes among `samples` grades: this first one and as many more
    as are lacking, side by side. That takes a judge with a temperature above 0. The record "analyze" says by which
    `way` it came, and so does the reason. With `weighted=False` log-probabilities are never asked for.
    """
    expect_texts(steps, "g_eval(steps=…)")
    expect_flag(weighted, "g_eval(weighted=…)")
    wanted, given, size = text("criterion", criterion), tuple(steps), count("samples", samples)
    allowed = _range(grades)
    plan, grade = template("g_eval-steps"), template("g_eval-grade")
    way = f"log-probabilities, else {size} samples" if weighted else f"{size} samples"

    def planned(step: First) -> Mapping[str, str | int]:
        del step
        return {"criterion": wanted}

    ask = asking(plan, Steps, planned)

    def to_follow(step: First) -> Outcome[tuple[str, ...], JudgeFault]:
        return ok(given) if given else then(ask(step), lambda said: ok(said.steps))

    def told(step: Planned) -> Mapping[str, str | int]:
        return {
            **context_of(step.run.input),
            "criterion": wanted,
            "steps": numbered(step.pre),
            "question": step.run.input.question,
            "answer": step.run.output,
            "lowest": allowed[0],
            "highest": allowed[-1],
        }

    def scored(step: Step[Asked, str, tuple[str, ...], Graded, object]) -> Calculated:
        graded = step.ana
        score = (graded.mean - allowed[0]) / (allowed[-1] - allowed[0])
        counts = {graded.way: len(graded.grades), **{f"grade {each}": weight for each, weight in graded.weights}}
        return calculated(min(1.0, max(0.0, score)), {**counts, "no grade": graded.off}, plan, grade)

    return (
        create_scorer(
            spelled(
                text("name", name),
                wanted,
                steps=(given, ()),
                samples=(size, 5),
                grades=((allowed[0], allowed[-1]), (1, 5)),
                weighted=(weighted, True),
            ),
            input=Asked,
            output=str,
            name=text("name", name),
            judge=able(judge),
            description=described(f"How well the answer meets a criterion: the expected grade, by {way}.", plan, grade),
        )
        .preprocess(needing(no_answer, to_follow))
        .analyze(graded_by(grading(grade, told, allowed), size, allowed, weighted=weighted))
        .generate_score(pure(scored))
        .generate_reason(pure(_reason))
    )


def _range(given: tuple[int, int]) -> range:
    """All grades, from the lowest to the highest."""
    if _is_pair(given) and 0 <= given[0] < given[1] <= HIGHEST:
        return range(given[0], given[1] + 1)
    say = f"the lowest and the highest grade, whole numbers from 0 to {HIGHEST}"
    raise DefinitionError(f"grades= takes {say}, as (1, 5), not {shown(given)}")


def _is_pair(given: object) -> bool:
    return isinstance(given, (tuple, list)) and [type(end) for end in cast("Sequence[object]", given)] == [int, int]


def _reason(step: ScoredStep[Asked, str, tuple[str, ...], Graded, object]) -> str:
    """The judge's reason for the grade that is nearest to the mean, and how the mean came about."""
    graded = step.ana
    nearest = min(graded.grades, key=lambda each: abs(each.grade - graded.mean))
    weights = ", ".join(f"{grade}: {weight:.2f}" for grade, weight in graded.weights)
    if graded.way == "log-probabilities":
        off = f"; {graded.off:.2f} on no grade" if graded.off >= SEEN else ""
        return f"{nearest.reason}\nGrade {graded.mean:.2f}, by log-probabilities ({weights}{off})."
    since = f", since {graded.why}" if graded.why else ""
    times = f"{len(graded.grades)} sample{'s' if len(graded.grades) > 1 else ''}"
    return f"{nearest.reason}\nGrade {graded.mean:.2f}, by {times} ({weights}){since}."
