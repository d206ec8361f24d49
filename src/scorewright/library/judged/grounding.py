"""Does the answer rest on its context? Faithfulness counts what does, hallucination what does not."""

from __future__ import annotations

from typing import Literal

from scorewright.core import Answerer, Scale, Scorer, create_scorer, pure
from scorewright.library.defining import expect_flag, spelled
from scorewright.library.judged.guards import context_of, needing, no_context
from scorewright.library.judged.guards import nothing as nothing_needed
from scorewright.library.judged.options import BATCH, able, count, described, top
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import template
from scorewright.library.judged.verdicts import claims_in, share_of, told, verdicts_on


def faithfulness(
    judge: Answerer, /, *, require_context: bool = True, scale: float = 1.0, batch_size: int = BATCH
) -> Scorer[Asked, str, object, Faults]:
    """The share of the answer's claims that its context supports.

    score = scale · yes / claims, at two decimals. An answer without claims is not scorable, nor is a run without
    context; with `require_context=False` its claims are held against nothing. Two questions, more with more batches.
    """
    return _grounding("faithfulness", judge, require_context, scale, batch_size)


def hallucination(
    judge: Answerer, /, *, require_context: bool = True, scale: float = 1.0, batch_size: int = BATCH
) -> Scorer[Asked, str, object, Faults]:
    """The share of the answer's claims that its context contradicts or does not support: lower is better.

    score = scale · yes / claims, at two decimals, where yes says that a claim is made up. An answer without claims
    makes nothing up: 0. A run without context is as in `faithfulness`; `.invert()` gives the other direction.
    """
    return _grounding("hallucination", judge, require_context, scale, batch_size)


_SAID = {
    "faithfulness": "The share of claims that the context supports.",
    "hallucination": "The share of claims that the context contradicts or does not support.",
}


def _grounding(
    name: Literal["faithfulness", "hallucination"],
    judge: Answerer,
    require_context: bool,
    scale: float,
    batch_size: int,
) -> Scorer[Asked, str, object, Faults]:
    expect_flag(require_context, f"{name}(require_context=…)")
    best, size = top(scale), count("batch_size", batch_size)
    find, judge_each = template("claims"), template(f"{name}-verdicts")
    draft = create_scorer(
        spelled(name, require_context=(require_context, True), scale=(best, 1.0), batch_size=(size, BATCH)),
        input=Asked,
        output=str,
        judge=able(judge),
        scale=Scale(0, best),
        better="higher" if name == "faithfulness" else "lower",
        description=described(_SAID[name], find, judge_each),
    )
    nothing: float | str = "the answer makes no claim" if name == "faithfulness" else 0.0
    lack = no_context if require_context else nothing_needed
    return (
        draft.preprocess(needing(lack, claims_in(find, lambda s: s.run.output)))
        .analyze(verdicts_on(judge_each, lambda s: s.pre, lambda s: context_of(s.run.input), batch_size=size))
        .generate_score(share_of({"yes": 1}, best, find, judge_each, nothing=nothing))
        .generate_reason(pure(told("claims")))
    )
