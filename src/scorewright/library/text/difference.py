"""Textual difference: the longest common subsequence of two texts."""

from __future__ import annotations

from collections import Counter
from typing import Never

import attrs
from returns.result import Result

from scorewright.core import ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.library.defining import needs, spelled
from scorewright.library.text.limits import CELLS, TooLong, expect_cells, within
from scorewright.results import ok


@attrs.frozen
class Difference:
    """How two texts differ.

    `ratio` is what they have in common, from 0 to 1; `length_difference` how far their lengths are apart, as a share
    of the longer; `changes` how many words of the longer one the other lacks,
    in whatever order; 1 where blanks alone differ.
    """

    ratio: float
    length_difference: float
    changes: int


def textual_difference(*, most_cells: int = CELLS) -> Scorer[str, str, object, TooLong]:
    """How much of the input stands in the output in the same order: 1 is identical, 0 has nothing in common.

    2·LCS / (n + m), with the longest common subsequence of code points (rapidfuzz, bit-parallel: no table of n·m). Case
    and blanks count. `most_cells` limits n·m; longer texts that are not equal are the fault `TooLong`.
    """
    needs("rapidfuzz", "library", "textual_difference(…)")
    expect_cells(most_cells, "textual_difference")

    def compared(step: Step[str, str, None, None]) -> Result[Difference, TooLong]:
        return difference(step.run.input, step.run.output, most_cells)

    def reason(step: ScoredStep[str, str, Difference, None]) -> Result[str, Never]:
        found = step.pre
        words = "no word" if not found.changes else "1 word" if found.changes == 1 else f"{found.changes} words"
        return ok(f"{found.ratio:.1%} in common; {words} changed, lengths {found.length_difference:.0%} apart")

    return (
        create_scorer(
            spelled("textual_difference", most_cells=(most_cells, CELLS)),
            input=str,
            output=str,
            description="how much of the input stands in the output in the same order",
        )
        .preprocess(compared)
        .generate_score(pure(lambda step: step.pre.ratio))
        .generate_reason(reason)
    )


def difference(one: str, other: str, most_cells: int, /) -> Result[Difference, TooLong]:
    """How two texts differ, unless they are too long to tell."""
    if one == other:
        return ok(Difference(1.0, 0.0, 0))
    return within(len(one), len(other), most_cells).map(lambda _: _differing(one, other))


def _differing(one: str, other: str) -> Difference:
    from rapidfuzz.distance import LCSseq

    longer = max(len(one), len(other))
    ratio = 2 * LCSseq.similarity(one, other) / (len(one) + len(other))
    first, second = one.split(), other.split()
    changes = max(len(first), len(second)) - (Counter(first) & Counter(second)).total()
    return Difference(ratio, abs(len(one) - len(other)) / longer, 1 if first == second else changes)
