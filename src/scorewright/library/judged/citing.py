"""Does each claim rest on the context, and on which piece of it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias, final

import attrs
from returns.result import Result

from scorewright.core import Answerer, Calculated, Outcome, ScoredStep, Scorer, Step, create_scorer, pure, then
from scorewright.faults import JudgeFault, NotScorable, StepRaised
from scorewright.library.defining import spelled
from scorewright.library.judged.batches import Batch, batches, misnumbered, side_by_side
from scorewright.library.judged.guards import needing, no_context, pieces
from scorewright.library.judged.options import BATCH, able, count, described, rounded, share
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import calculated, claims_in
from scorewright.results import err, ok


@final
@attrs.frozen
class Grounding:
    """How far the context supports one claim, with the pieces that do, from 1; `index` is the claim's number."""

    reason: str
    support: Literal["full", "partial", "none"]
    citations: tuple[int, ...]
    index: int | None = attrs.field(default=None, validator=attrs.validators.optional(attrs.validators.ge(1)))


@final
@attrs.frozen
class Groundings:
    """What the judge says of all of them."""

    verdicts: tuple[Grounding, ...]


Claimed: TypeAlias = Step[Asked, str, tuple[str, ...], None, object]
Cited: TypeAlias = Step[Asked, str, tuple[str, ...], tuple[Grounding, ...], object]


def groundedness(
    judge: Answerer, /, *, partial_weight: float = 0.5, batch_size: int = BATCH
) -> Scorer[Asked, str, object, Faults]:
    """The share of the answer's claims that rest on the context, each with the pieces that it rests on.

    score = (full + partial_weight · partial) / claims, at two decimals. The step "analyze" holds the citations: a
    support without one, or of a piece that is not there, is a fault. An answer without claims is not scorable, nor is
    a run without context. Two questions, more with more batches.
    """
    weight, size = share("partial_weight", partial_weight), count("batch_size", batch_size)
    find, cite = template("claims"), template("groundedness-citations")
    ask = asking(cite, Groundings, _shown, objection=_objection, due=lambda batch: len(batch.items))

    def one(batch: Batch[Claimed]) -> Outcome[tuple[Grounding, ...], JudgeFault]:
        def placed(said: Groundings) -> Result[tuple[Grounding, ...], JudgeFault]:
            due = zip(said.verdicts, batch.numbers, strict=True)
            each_numbered = [each if each.index else attrs.evolve(each, index=at) for each, at in due]
            return ok(tuple(sorted(each_numbered, key=lambda each: each.index or 0)))

        return then(ask(batch), placed)

    def cited(step: Claimed) -> Outcome[tuple[Grounding, ...], JudgeFault | StepRaised]:
        return side_by_side(one, batches(step, step.pre, size))

    def score(step: Cited) -> Result[Calculated, NotScorable]:
        if not step.ana:
            return err(NotScorable("the answer makes no claim"))
        counts = Counter[str](each.support for each in step.ana)
        earned = (counts["full"] + weight * counts["partial"]) / len(step.ana)
        return ok(calculated(rounded(earned, 1.0), counts, find, cite))

    return (
        create_scorer(
            spelled("groundedness", partial_weight=(weight, 0.5), batch_size=(size, BATCH)),
            input=Asked,
            output=str,
            judge=able(judge),
            description=described("The share of claims that rest on the context, with citations.", find, cite),
        )
        .preprocess(needing(no_context, claims_in(find, lambda s: s.run.output)))
        .analyze(cited)
        .generate_score(score)
        .generate_reason(pure(_told))
    )


def _shown(batch: Batch[Claimed]) -> Mapping[str, str | int]:
    context = numbered(pieces(batch.step.run.input))
    return {"context": context, "claims": numbered(batch.items, batch.first)}


def _objection(batch: Batch[Claimed], said: Groundings) -> str:
    there = range(1, len(pieces(batch.step.run.input)) + 1)
    cited = {at for each in said.verdicts for at in each.citations}
    if wrong := misnumbered([each.index for each in said.verdicts], batch.numbers):
        return wrong
    if beyond := sorted(cited.difference(there)):
        return f"no such piece of context: {', '.join(map(str, beyond))}"
    bare = any(each.support != "none" and not each.citations for each in said.verdicts)
    return "a claim that is supported names the pieces that support it" if bare else ""


def _told(step: ScoredStep[Asked, str, tuple[str, ...], tuple[Grounding, ...], object]) -> str:
    return "\n".join(
        f"- {each.support}{_pieces(each)}: {claim} ({each.reason})"
        for claim, each in zip(step.pre, step.ana, strict=True)
    )


def _pieces(said: Grounding) -> str:
    return f", piece {', '.join(map(str, said.citations))}" if said.citations else ""
