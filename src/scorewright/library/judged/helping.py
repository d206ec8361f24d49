"""Is the answer of help, and does it follow its instructions?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core import Answerer, Calculated, Scorer, Step, create_scorer, pure
from scorewright.library.defining import spelled
from scorewright.library.judged.guards import First, lacking, needing, no_answer, no_question, requiring
from scorewright.library.judged.options import BATCH, able, count, described, share
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import template
from scorewright.library.judged.verdicts import calculated, claims_in, share_of, told, verdicts_on

Level: TypeAlias = Literal["not at all", "a little", "partly", "mostly", "fully"]

WORTH: Mapping[Level, float] = {"not at all": 0.0, "a little": 0.25, "partly": 0.5, "mostly": 0.75, "fully": 1.0}


@final
@attrs.frozen
class Helped:
    """How far the answer helps."""

    reason: str
    level: Level


def helpfulness(judge: Answerer, /) -> Scorer[Asked, str, object, Faults]:
    """How far the answer helps whoever asked: not at all 0, a little .25, partly .5, mostly .75, fully 1.

    One question; a run without question or answer is not scorable.
    """
    rate = template("helpfulness-level")

    def score(step: Step[Asked, str, None, Helped, object]) -> Calculated:
        return calculated(WORTH[step.ana.level], {step.ana.level: 1}, rate)

    return (
        create_scorer(
            "helpfulness",
            input=Asked,
            output=str,
            judge=able(judge),
            description=described("How far the answer helps whoever asked.", rate),
        )
        .preprocess(requiring(lacking(no_question, no_answer)))
        .analyze(asking(rate, Helped, _exchange))
        .generate_score(pure(score))
        .generate_reason(pure(lambda s: f"{s.ana.level}: {s.ana.reason}"))
    )


def instruction_following(
    judge: Answerer, /, *, uncertainty_weight: float = 0.5, batch_size: int = BATCH
) -> Scorer[Asked, str, object, Faults]:
    """The share of the instructions, of the operator and of the user, that the answer follows.

    score = (yes + uncertainty_weight · unsure) / instructions, at two decimals. An empty answer is not scorable, nor
    is a request without instructions. Two questions, more with more batches.
    """
    weight, size = share("uncertainty_weight", uncertainty_weight), count("batch_size", batch_size)
    find, judge_each = template("instruction_following-instructions"), template("instruction_following-verdicts")
    return (
        create_scorer(
            spelled("instruction_following", uncertainty_weight=(weight, 0.5), batch_size=(size, BATCH)),
            input=Asked,
            output=str,
            judge=able(judge),
            description=described("The share of instructions that the answer follows.", find, judge_each),
        )
        .preprocess(needing(no_answer, claims_in(find, lambda s: request(s.run.input), "request")))
        .analyze(
            verdicts_on(
                judge_each,
                lambda s: s.pre,
                lambda s: {"question": s.run.input.question, "answer": s.run.output},
                batch_size=size,
            )
        )
        .generate_score(
            share_of({"yes": 1, "unsure": weight}, 1.0, find, judge_each, nothing="there is no instruction")
        )
        .generate_reason(pure(told("instructions")))
    )


def request(given: Asked, /) -> str:
    """What the operator and the user said, one after the other."""
    return "\n\n".join(text for text in (given.system, given.question) if text.strip())


def _exchange(step: First) -> Mapping[str, str | int]:
    return {"question": step.run.input.question, "answer": step.run.output}
