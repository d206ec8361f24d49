"""Is a summary true to its source, and does it hold what matters?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, final

import attrs

from scorewright.core import Answerer, Calculated, Outcome, Scale, ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.faults import JudgeFault
from scorewright.library.defining import spelled
from scorewright.library.judged.batches import misnumbered
from scorewright.library.judged.guards import First, lacking, needing, no_answer, pieces
from scorewright.library.judged.options import able, count, described, rounded, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import calculated
from scorewright.results import ok

QUESTIONS = 10


@final
@attrs.frozen
class Supported:
    """Whether the source says what the summary claims."""

    claim: str
    reason: str
    supported: bool


@final
@attrs.frozen
class Against:
    """What the judge says of the summary's claims, and the questions that the source answers."""

    alignment: tuple[Supported, ...]
    questions: tuple[str, ...]


@final
@attrs.frozen
class Covered:
    """Whether the summary answers a question; `index` is its number, from 1."""

    reason: str
    answered: bool
    index: int | None = attrs.field(default=None, validator=attrs.validators.optional(attrs.validators.ge(1)))


@final
@attrs.frozen
class Coverage:
    """What the judge says of all questions."""

    coverage: tuple[Covered, ...]


Held: TypeAlias = Step[Asked, str, Against, Coverage, object]


def summarization(
    judge: Answerer, /, *, most_questions: int = QUESTIONS, scale: float = 1.0
) -> Scorer[Asked, str, object, Faults]:
    """Whether a summary, the output, is true to its source and holds what matters in it.

    score = scale · min(supported / claims, answered / questions), at two decimals; 0 without claims or questions. The
    source is the context of the run, or where there is none, its question. Of the questions at most `most_questions`
    count; one that is left without a verdict is not answered. Two questions to the judge, the second without source.
    """
    best, most = top(scale), count("most_questions", most_questions)
    against, cover = template("summarization-alignment"), template("summarization-coverage")

    def shown(step: First) -> Mapping[str, str | int]:
        return {"source": source(step.run.input), "summary": step.run.output, "most": most}

    def due(step: Step[Asked, str, Against, None, object]) -> tuple[str, ...]:
        return tuple(each for each in step.pre.questions if each.strip())[:most]

    def asked(step: Step[Asked, str, Against, None, object]) -> Mapping[str, str | int]:
        return {"summary": step.run.output, "questions": numbered(due(step))}

    def objection(step: Step[Asked, str, Against, None, object], said: Coverage) -> str:
        numbers = [each.index for each in said.coverage]
        return misnumbered(numbers, range(1, len(due(step)) + 1)) if any(each is not None for each in numbers) else ""

    ask = asking(cover, Coverage, asked, objection=objection, due=lambda step: len(due(step)))

    def covered(step: Step[Asked, str, Against, None, object]) -> Outcome[Coverage, JudgeFault]:
        return ask(step) if due(step) and step.pre.alignment else ok(Coverage(()))

    def score(step: Held) -> Calculated:
        claims, questions = step.pre.alignment, due(Step(step.run, step.pre, None))
        supported = sum(each.supported for each in claims)
        answered = sum(each.answered for each in step.ana.coverage[: len(questions)])
        share = min(supported / len(claims), answered / len(questions)) if claims and questions else 0.0
        counts = {"supported": supported, "claims": len(claims), "answered": answered, "questions": len(questions)}
        return calculated(rounded(best * share, best), counts, against, cover)

    def told(step: ScoredStep[Asked, str, Against, Coverage, object]) -> str:
        questions = due(Step(step.run, step.pre, None))
        lines = [
            f"- {'supported' if each.supported else 'not supported'}: {each.claim} ({each.reason})"
            for each in step.pre.alignment
        ]
        lines += [
            f"- {'answered' if each.answered else 'not answered'}: {question} ({each.reason})"
            for question, each in zip(questions, _in_turn(step.ana.coverage), strict=False)
        ]
        return "\n".join(lines or ["The summary makes no claim."])

    return (
        create_scorer(
            spelled("summarization", most_questions=(most, QUESTIONS), scale=(best, 1.0)),
            input=Asked,
            output=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("Whether a summary is true to its source and holds what matters.", against, cover),
        )
        .preprocess(needing(lacking(no_answer, _no_source), asking(against, Against, shown)))
        .analyze(covered)
        .generate_score(pure(score))
        .generate_reason(pure(told))
    )


def _in_turn(said: tuple[Covered, ...]) -> tuple[Covered, ...]:
    """The verdicts in the order of the questions."""
    return tuple(sorted(said, key=lambda each: each.index or 0))


def source(given: Asked, /) -> str:
    """What is summarised: the context, or where there is none, the question."""
    return "\n\n".join(pieces(given)) or given.question


def _no_source(step: First) -> str:
    return "" if source(step.run.input).strip() else "there is no source: neither context nor question"
