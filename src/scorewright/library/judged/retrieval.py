"""Was the right context found, and in the right order?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, final

import attrs
from returns.result import Result

from scorewright.core import Answerer, Calculated, Outcome, Scale, ScoredStep, Scorer, Step, create_scorer, pure, then
from scorewright.faults import JudgeFault
from scorewright.library.defining import spelled
from scorewright.library.judged.batches import Batch, batches, misnumbered, side_by_side
from scorewright.library.judged.guards import First, context_of, lacking, needing, no_context, no_question, pieces
from scorewright.library.judged.options import BATCH, able, count, described, rounded, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import Told, Word, calculated, claims_in, reason_of, share_of, verdicts_on
from scorewright.results import ok


@final
@attrs.frozen
class PieceVerdict:
    """What the judge says of one piece of context; `context_index` is its place, from 0."""

    reason: str
    verdict: Word
    context_index: int = attrs.field(validator=attrs.validators.ge(0))


@final
@attrs.frozen
class PieceVerdicts:
    """What the judge says of all of them; an empty list says that none is of use."""

    verdicts: tuple[PieceVerdict, ...]


def context_precision(
    judge: Answerer, /, *, scale: float = 1.0, batch_size: int = BATCH
) -> Scorer[Asked, str, object, Faults]:
    """Whether the useful pieces of context stand before the useless ones: average precision (Manning et al., 2008).

    score = scale · mean over the useful pieces of (useful ones up to it / its place), at two decimals; 0 where none is.
    One question for each batch of pieces. A run without question or context is not scorable.
    """
    best, size = top(scale), count("batch_size", batch_size)
    judge_each = template("context_precision-verdicts")
    ask = asking(judge_each, PieceVerdicts, _shown, objection=_objection)

    def one(batch: Batch[First]) -> Outcome[tuple[PieceVerdict, ...], JudgeFault]:
        def filled(said: PieceVerdicts) -> Result[tuple[PieceVerdict, ...], JudgeFault]:
            none = tuple(PieceVerdict("not among the useful ones", "no", at) for at in batch.numbers)
            return ok(tuple(sorted(said.verdicts, key=lambda each: each.context_index)) or none)

        return then(ask(batch), filled)

    def verdicts(step: First) -> Outcome[tuple[PieceVerdict, ...], Faults]:
        return side_by_side(one, batches(step, pieces(step.run.input), size, first=0))

    def score(step: Step[Asked, str, None, tuple[PieceVerdict, ...], object]) -> Calculated:
        useful = [each.verdict == "yes" for each in step.ana]
        counts = {"useful": sum(useful), "pieces": len(useful)}
        return calculated(rounded(best * average_precision(useful), best), counts, judge_each)

    return (
        create_scorer(
            spelled("context_precision", scale=(best, 1.0), batch_size=(size, BATCH)),
            input=Asked,
            output=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("Whether useful context stands first.", judge_each),
        )
        .analyze(needing(lacking(no_question, no_context), verdicts))
        .generate_score(pure(score))
        .generate_reason(pure(_pieces))
    )


def average_precision(useful: Sequence[bool], /) -> float:
    """The mean, over the useful items, of the share of useful ones up to and including it; 0 where none is.

    >>> average_precision([True, False, True])
    0.8333333333333333
    """
    shares = [sum(useful[:at]) / at for at, yes in enumerate(useful, 1) if yes]
    return sum(shares) / len(shares) if shares else 0.0


def _shown(batch: Batch[First]) -> Mapping[str, str | int]:
    run = batch.step.run
    return {"question": run.input.question, "answer": run.output, "context": numbered(batch.items, batch.first)}


def _objection(batch: Batch[First], said: PieceVerdicts) -> str:
    return misnumbered([each.context_index for each in said.verdicts], batch.numbers) if said.verdicts else ""


def _pieces(step: ScoredStep[Asked, str, None, tuple[PieceVerdict, ...], object]) -> str:
    return "\n".join(f"- piece {each.context_index} {each.verdict}: {each.reason}" for each in step.ana)


def context_recall(
    judge: Answerer, /, *, scale: float = 1.0, batch_size: int = BATCH
) -> Scorer[Asked, str, str, Faults]:
    """The share of the reference answer's claims that the context supports: whether all that is needed was found.

    score = scale · yes / claims, at two decimals. Where nothing was retrieved, nothing was found: 0, unasked; so it is
    where the reference makes no claim. A run without a reference is not scorable. Two questions, or more batches.
    """
    best, size = top(scale), count("batch_size", batch_size)
    find, judge_each = template("claims"), template("faithfulness-verdicts")
    ask = claims_in(find, _reference)

    def wanted(step: Referred) -> Outcome[tuple[str, ...], JudgeFault]:
        return ask(step) if pieces(step.run.input) else ok(())

    return (
        create_scorer(
            spelled("context_recall", scale=(best, 1.0), batch_size=(size, BATCH)),
            input=Asked,
            output=str,
            expected=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("The share of the reference's claims that the context supports.", find, judge_each),
        )
        .preprocess(needing(_no_reference, wanted))
        .analyze(
            verdicts_on(judge_each, lambda s: s.pre, lambda s: context_of(s.run.input), batch_size=size, surplus=True)
        )
        .generate_score(share_of({"yes": 1}, best, find, judge_each, nothing=0.0))
        .generate_reason(pure(_recalled))
    )


Referred: TypeAlias = Step[Asked, str, None, None, str]


def _reference(step: Referred) -> str:
    return step.run.expected


def _no_reference(step: Referred) -> str:
    return "" if step.run.expected.strip() else "the reference answer is blank"


def _recalled(step: ScoredStep[Asked, str, tuple[str, ...], Told, str]) -> str:
    found = pieces(step.run.input)
    return reason_of("claims of the reference", step.pre, step.ana) if found else "Nothing was retrieved."
