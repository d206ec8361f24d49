"""Content similarity: how many letter pairs two texts share."""

from __future__ import annotations

from collections import Counter
from operator import add
from typing import Never

import attrs
from returns.result import Result

from scorewright.core import ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.library.defining import expect_flag, spelled
from scorewright.results import ok


@attrs.frozen
class Compared:
    """Two texts as they are compared."""

    input: str
    output: str


def content_similarity(*, ignore_case: bool = True) -> Scorer[str, str, object, Never]:
    """How like the input the output is: the Dice coefficient of their letter pairs, blanks left out.

    2·|A ∩ B| / (|A| + |B|) over the multisets of neighbouring code points (Dice 1945). Two equal texts have 1, the
    empty ones too; a single letter has no pair. Linear in the lengths.

    >>> from scorewright import Run
    >>> content_similarity().run_sync(Run("night", "nacht")).unwrap().score
    0.25
    """
    expect_flag(ignore_case, "content_similarity(ignore_case=…)")

    def compared(step: Step[str, str, None, None]) -> Compared:
        given, output = step.run.input, step.run.output
        return Compared(given.lower(), output.lower()) if ignore_case else Compared(given, output)

    def score(step: Step[str, str, Compared, None]) -> float:
        return dice(step.pre.input, step.pre.output)

    def reason(step: ScoredStep[str, str, Compared, None]) -> Result[str, Never]:
        return ok(f"{step.score:.1%} of the letter pairs are shared")

    return (
        create_scorer(
            spelled("content_similarity", ignore_case=(ignore_case, True)),
            input=str,
            output=str,
            description="how many letter pairs input and output share",
        )
        .preprocess(pure(compared))
        .generate_score(pure(score))
        .generate_reason(reason)
    )


def dice(one: str, other: str, /) -> float:
    """The Dice coefficient of the letter pairs of two texts, blanks left out."""
    first, second = "".join(one.split()), "".join(other.split())
    if first == second:
        return 1.0
    if len(first) < 2 or len(second) < 2:  # noqa: PLR2004 - a pair has two
        return 0.0
    shared = (Counter(map(add, first, first[1:])) & Counter(map(add, second, second[1:]))).total()
    return 2 * shared / (len(first) + len(second) - 2)
