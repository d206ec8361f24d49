"""Claims, a verdict on each, and the share of those that hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias, final

import attrs
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core import Calculated, Outcome, ScoredStep, Step, then
from scorewright.faults import JudgeFault, NotScorable, StepRaised
from scorewright.library.judged.batches import Batch, batches, misnumbered, side_by_side
from scorewright.library.judged.options import rounded
from scorewright.library.judged.reading import asking
from scorewright.library.judged.template import Template, numbered
from scorewright.results import err, ok

S = TypeVar("S")

Word: TypeAlias = Literal["yes", "no", "unsure", "other"]  # "other": a word that was not offered, which earns nothing


@final
@attrs.frozen
class Claims:
    """The claims of a text, each of which can be judged by itself."""

    claims: tuple[str, ...]


@final
@attrs.frozen
class ClaimVerdict:
    """What the judge says of one claim; `index` is the number of the claim, from 1."""

    reason: str
    verdict: Word
    index: int | None = attrs.field(default=None, validator=attrs.validators.optional(attrs.validators.ge(1)))


@final
@attrs.frozen
class Verdicts:
    """What the judge says of all of them."""

    verdicts: tuple[ClaimVerdict, ...]


@final
@attrs.frozen
class Basis:
    """What a score rests on, kept beside it: what was counted, and the prompts that were asked."""

    counts: tuple[tuple[str, float], ...]
    prompts: tuple[str, ...]


Told: TypeAlias = tuple[ClaimVerdict, ...]
Judged: TypeAlias = Step[object, object, tuple[str, ...], Told, object]
Scored: TypeAlias = ScoredStep[object, object, tuple[str, ...], Told, object]


def calculated(score: float, counts: Mapping[str, float], /, *prompts: Template) -> Calculated:
    """A score with its basis."""
    return Calculated(score, Basis(tuple(counts.items()), tuple(prompt.mark for prompt in prompts)))


def claims_in(
    prompt: Template, text: Callable[[S], str], place: str = "answer", /
) -> Callable[[S], Outcome[tuple[str, ...], JudgeFault]]:
    """A step that asks for the claims of a text, which fills the one `place` of the prompt; a blank text has none."""

    def fields(step: S) -> Mapping[str, str | int]:
        return {place: text(step)}

    ask = asking(prompt, Claims, fields)

    def said(found: Claims) -> Result[tuple[str, ...], JudgeFault]:
        return ok(tuple(claim for claim in found.claims if claim.strip()))

    def step(given: S) -> Outcome[tuple[str, ...], JudgeFault]:
        return then(ask(given), said) if text(given).strip() else ok(())

    return step


def verdicts_on(
    prompt: Template,
    claims: Callable[[S], Sequence[str]],
    fields: Callable[[S], Mapping[str, str | int]],
    /,
    *,
    batch_size: int,
    surplus: bool = False,
) -> Callable[[S], Outcome[Told, JudgeFault | StepRaised]]:
    """A step that asks for a verdict on each claim, at most `batch_size` of them in one question, all side by side.

    Each claim gets one verdict, no more and no less, or the answer is a fault; with `surplus`, verdicts without a
    number that come after the last claim are left out. Without claims nothing is asked.
    """

    def filled(batch: Batch[S]) -> Mapping[str, str | int]:
        return {**fields(batch.step), "claims": numbered(batch.items, batch.first)}

    def kept(batch: Batch[S], said: Verdicts) -> Told:
        bare = surplus and all(each.index is None for each in said.verdicts)
        return said.verdicts[: len(batch.items)] if bare else said.verdicts

    def objection(batch: Batch[S], said: Verdicts) -> str:
        return misnumbered([each.index for each in kept(batch, said)], batch.numbers)

    ask = asking(prompt, Verdicts, filled, objection=objection, due=lambda batch: len(batch.items))

    def one(batch: Batch[S]) -> Outcome[Told, JudgeFault]:
        def given(said: Verdicts) -> Result[Told, JudgeFault]:
            return ok(in_order(kept(batch, said), batch.numbers))

        return then(ask(batch), given)

    return lambda step: side_by_side(one, batches(step, claims(step), batch_size))


def in_order(said: Told, numbers: range, /) -> Told:
    """The verdicts in the order of the claims, each with its number."""
    if all(each.index is None for each in said):
        return tuple(attrs.evolve(each, index=number) for each, number in zip(said, numbers, strict=True))
    return tuple(sorted(said, key=lambda each: each.index or 0))


def share_of(
    worth: Mapping[Word, float], scale: float, /, *prompts: Template, nothing: float | str
) -> Callable[[Judged], Result[Calculated, NotScorable]]:
    """A score step: what the verdicts are worth, by the number of claims. `nothing` is the score of a text without
    claims, or says why it has none.
    """

    def score(step: Judged) -> Result[Calculated, NotScorable]:
        if not step.ana:
            return err(NotScorable(nothing)) if isinstance(nothing, str) else ok(calculated(nothing, {}, *prompts))
        earned = sum(worth.get(each.verdict, 0.0) for each in step.ana)
        counts = Counter[str](each.verdict for each in step.ana)
        return ok(calculated(rounded(scale * earned / len(step.ana), scale), counts, *prompts))

    return score


def told(kind: str, /) -> Callable[[Scored], str]:
    """The reason of a score: how the verdicts fell, then a line for each claim."""

    def reason(step: Scored) -> str:
        return reason_of(kind, step.pre, step.ana)

    return reason


def reason_of(kind: str, claims: Sequence[str], said: Told, /) -> str:
    """How the verdicts fell, then a line for each claim."""
    if not said:
        return f"No {kind}."
    counts = Counter(each.verdict for each in said)
    head = f"{len(said)} {kind}: {', '.join(f'{times} {word}' for word, times in counts.items())}."
    lines = (f"- {each.verdict}: {claim} ({each.reason})" for claim, each in zip(claims, said, strict=True))
    return "\n".join((head, *lines))
