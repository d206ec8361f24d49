"""How near output and reference are in meaning, by the angle between their embeddings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, isfinite, sqrt
from typing import TypeAlias

import attrs
from returns.result import Result

from scorewright.core import Step, Verdict, create_scorer
from scorewright.core.definition import expect_function
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.defining import expect_text, spelled, told
from scorewright.library.text.ngrams import several
from scorewright.library.text.references import References, ReferenceScorer
from scorewright.results import err, ok

Embed: TypeAlias = Callable[[list[str]], Sequence[Sequence[float]]]


@attrs.frozen
class Cosine:
    """The nearest reference, and the cosine of the angle to it, from -1 to 1."""

    reference: str
    cosine: float


def embedding_similarity(embed: Embed | None = None, /, *, model: str = "") -> ReferenceScorer:
    """How near output and nearest reference are in meaning: the cosine of their embeddings, negative ones counted as 0.

    `embed` turns texts into vectors, all at once; `model` names it, as part of the scorer's id. Without it, the model
    all-MiniLM-L6-v2 runs on this machine (extra `embedding`): English, the first 256 tokens of a text. A vector of
    zeros, or one with a number that is not finite, has no direction and cannot be scored.
    """
    if embed is None:
        if model:
            raise DefinitionError("embedding_similarity(model=…) names the function that is given with it")
        from scorewright.library.text.minilm import embeddings, expect_model

        expect_model()
        embed, name = embeddings, "all-MiniLM-L6-v2"
    else:
        expect_function(embed, "embedding_similarity(…)", "lambda texts: client.embed(texts)")
        expect_text(model, "embedding_similarity(embed, model=…) needs the name of the model and", blank=False)
        name = model

    def compared(step: Step[object, str, None, None, References]) -> Result[Cosine, NotScorable]:
        references = several(step.run.expected)
        if not references:
            return err(NotScorable("the run has no reference answer"))
        first, *others = embed([step.run.output, *references])
        found = [cosine(first, other) for other in others]
        near = [Cosine(text, value) for text, value in zip(references, found, strict=True) if value is not None]
        if not near:
            return err(NotScorable("an embedding is zero or not finite, and so has no direction"))
        return ok(max(near, key=lambda each: each.cosine))

    def judged(step: Step[object, str, Cosine, None, References]) -> Result[Verdict, NotScorable]:
        return ok(Verdict(max(0.0, step.pre.cosine), f"cosine {step.pre.cosine:.3f} to {told(step.pre.reference)}"))

    return (
        create_scorer(
            spelled("embedding_similarity", name),
            input=object,
            output=str,
            expected=References,
            description="how near output and reference are in meaning",
        )
        .preprocess(compared)
        .generate_verdict(judged)
    )


def cosine(one: Sequence[float], other: Sequence[float], /) -> float | None:
    """The cosine of the angle between two vectors; None where one has no direction."""
    first, second = _unit(one), _unit(other)
    if first is None or second is None:
        return None
    if first == second:
        return 1.0
    return max(-1.0, min(1.0, fsum(a * b for a, b in zip(first, second, strict=True))))


def _unit(vector: Sequence[float]) -> list[float] | None:
    """The vector with length 1; scaled first, so that no square overflows."""
    numbers = [float(each) for each in vector]
    largest = max(map(abs, numbers), default=0.0)
    if not largest or not isfinite(fsum(numbers) if largest < 1e300 else largest):  # noqa: PLR2004 - sums stay finite
        return None
    scaled = [each / largest for each in numbers]
    length = sqrt(fsum(each * each for each in scaled))
    return [each / length for each in scaled]
