"""Does the answer keep to the question?"""

from __future__ import annotations

from scorewright.core import Answerer, Scale, Scorer, create_scorer, pure
from scorewright.library.defining import spelled
from scorewright.library.judged.guards import needing, no_question
from scorewright.library.judged.options import BATCH, able, count, described, share, top
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import template
from scorewright.library.judged.verdicts import claims_in, share_of, told, verdicts_on


def answer_relevancy(
    judge: Answerer, /, *, uncertainty_weight: float = 0.3, scale: float = 1.0, batch_size: int = BATCH
) -> Scorer[Asked, str, object, Faults]:
    """The share of the answer's statements that bear on the question; one that may bear on it counts in part.

    score = scale · (yes + uncertainty_weight · unsure) / statements, at two decimals. An answer without statements
    scores 0, and a blank one is not asked about; a run without a question is not scorable. Two questions, or more
    batches.
    """
    weight, best, size = share("uncertainty_weight", uncertainty_weight), top(scale), count("batch_size", batch_size)
    find, judge_each = template("answer_relevancy-statements"), template("answer_relevancy-verdicts")
    return (
        create_scorer(
            spelled("answer_relevancy", uncertainty_weight=(weight, 0.3), scale=(best, 1.0), batch_size=(size, BATCH)),
            input=Asked,
            output=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("The share of statements that bear on the question.", find, judge_each),
        )
        .preprocess(needing(no_question, claims_in(find, lambda s: s.run.output)))
        .analyze(
            verdicts_on(judge_each, lambda s: s.pre, lambda s: {"question": s.run.input.question}, batch_size=size)
        )
        .generate_score(share_of({"yes": 1, "unsure": weight}, best, find, judge_each, nothing=0.0))
        .generate_reason(pure(told("statements")))
    )
