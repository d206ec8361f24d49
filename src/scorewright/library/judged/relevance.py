"""How relevant is the context that was found, was it used, and what is missing?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core import Answerer, Calculated, Scale, ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.library.defining import spelled
from scorewright.library.judged.batches import misnumbered
from scorewright.library.judged.guards import First, lacking, needing, no_context, no_question, pieces
from scorewright.library.judged.options import able, described, penalty, rounded, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import calculated

Level: TypeAlias = Literal["high", "medium", "low", "none"]

WORTH: Mapping[Level, float] = {"high": 1.0, "medium": 0.7, "low": 0.3, "none": 0.0}


@final
@attrs.frozen
class PieceRelevance:
    """How relevant one piece is, and whether the answer made use of it; `context_index` is its place, from 0."""

    reason: str
    relevance_level: Level
    was_used: bool
    context_index: int = attrs.field(validator=attrs.validators.ge(0))


@final
@attrs.frozen
class Relevance:
    """What the judge says of the pieces, and what it finds missing."""

    evaluations: tuple[PieceRelevance, ...]
    missing_context: tuple[str, ...] = ()
    overall_assessment: str = ""


Rated: TypeAlias = Step[Asked, str, None, Relevance, object]


def context_relevance(
    judge: Answerer,
    /,
    *,
    unused_penalty: float = 0.1,
    missing_penalty: float = 0.15,
    most_missing: float = 0.5,
    scale: float = 1.0,
) -> Scorer[Asked, str, object, Faults]:
    """How relevant the context is on average, less what is taken off for context that was not used or is missing.

    score = scale · max(0, mean worth - unused_penalty · (high and unused) - min(missing_penalty · missing,
    most_missing)), at two decimals; high is worth 1, medium 0.7, low 0.3. All pieces are in one question, since what
    is missing shows only then. A run without question or context is not
    scorable.
    """
    best = top(scale)
    unused, missing = penalty("unused_penalty", unused_penalty), penalty("missing_penalty", missing_penalty)
    most, rate = penalty("most_missing", most_missing), template("context_relevance-evaluations")

    def score(step: Rated) -> Calculated:
        said = step.ana
        mean = sum(WORTH[each.relevance_level] for each in said.evaluations) / len(said.evaluations)
        idle = sum(each.relevance_level == "high" and not each.was_used for each in said.evaluations)
        left = mean - unused * idle - min(missing * len(said.missing_context), most)
        counts = {"mean": mean, "high and unused": idle, "missing": len(said.missing_context)}
        return calculated(rounded(best * min(1.0, max(0.0, left)), best), counts, rate)

    return (
        create_scorer(
            spelled(
                "context_relevance",
                unused_penalty=(unused, 0.1),
                missing_penalty=(missing, 0.15),
                most_missing=(most, 0.5),
                scale=(best, 1.0),
            ),
            input=Asked,
            output=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("How relevant the context is, was it used, what is missing.", rate),
        )
        .analyze(
            needing(lacking(no_question, no_context), asking(rate, Relevance, _shown, objection=_objection, due=_due))
        )
        .generate_score(pure(score))
        .generate_reason(pure(_told))
    )


def _shown(step: First) -> Mapping[str, str | int]:
    asked = step.run.input
    return {"question": asked.question, "answer": step.run.output, "context": numbered(pieces(asked), 0)}


def _due(step: First) -> int:
    return len(pieces(step.run.input))


def _objection(step: First, said: Relevance) -> str:
    return misnumbered([each.context_index for each in said.evaluations], range(_due(step)))


def _told(step: ScoredStep[Asked, str, None, Relevance, object]) -> str:
    said = step.ana
    ordered = sorted(said.evaluations, key=lambda each: each.context_index)
    lines = [
        f"- piece {each.context_index} {each.relevance_level}, {'used' if each.was_used else 'not used'}: {each.reason}"
        for each in ordered
    ]
    lines += [f"- missing: {each}" for each in said.missing_context]
    return "\n".join([*lines, said.overall_assessment] if said.overall_assessment else lines)
