"""What moves a judge that should not: the place of an answer, and its length."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal, TypeAlias, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.comparing import mcnemar
from scorewright.statistics.estimate import Interval, Number, Undefined, level_of
from scorewright.statistics.means import wilson
from scorewright.statistics.sample import numbers
from scorewright.statistics.scipy import special

Choice: TypeAlias = Literal["first", "second", "tie"]
_FEWEST = 4
_ROUNDING = 1e-12  # of the greatest score: an error below it is that of the computer


@final
@attrs.frozen
class PositionBias:
    """What swapping two answers changes.

    `consistent`: the share of pairs whose verdict names the same answer, or a tie, in both orders. `first_slot`: of the
    inconsistent pairs, the share in which the judge favoured whatever came first; 0.5 where it has no such taste.
    """

    consistent: Number
    consistent_interval: Interval | Undefined
    first_slot: Number
    p_value: Number
    n: int


def position_bias(verdicts: Sequence[tuple[Choice, Choice]], /, *, level: float = 0.95) -> PositionBias:
    """How much a pairwise judge is moved by order: of each pair, which slot won as given and which when swapped.

    Zheng et al. 2023 (arXiv 2306.05685) and Shi et al. 2024 (arXiv 2406.07791); the p-value is the exact sign test of
    first against second slots.
    """
    level_of(level)
    for pair in verdicts:
        if not {*pair} <= {"first", "second", "tie"}:
            raise DefinitionError(f"a verdict names the slot that won, 'first', 'second' or 'tie', not {pair}")
    same = sum((given, swapped) in _SAME for given, swapped in verdicts)
    lean = [sum(_LEANS[slot] for slot in pair) for pair in verdicts if pair not in _SAME]
    to_first, to_second = sum(each > 0 for each in lean), sum(each < 0 for each in lean)
    n = len(verdicts)
    if not n:
        nothing = Undefined("no pair was judged")
        return PositionBias(nothing, nothing, nothing, nothing, 0)
    leaning = to_first + to_second
    none = Undefined("no pair leans to a slot")
    return PositionBias(
        same / n,
        wilson(same, n, level=level),
        to_first / leaning if leaning else none,
        mcnemar(to_first, to_second) if leaning else none,
        n,
    )


_SAME = {("first", "second"), ("second", "first"), ("tie", "tie")}  # the same answer won in both orders
_LEANS = {"first": 1, "second": -1, "tie": 0}


@final
@attrs.frozen
class LengthBias:
    """How much a score rises when an answer is twice as long, and what is the same otherwise."""

    per_doubling: Number
    interval: Interval | Undefined
    p_value: Number
    n: int


def length_bias(
    scores: Sequence[float], lengths: Sequence[int], quality: Sequence[float] | None = None, /, *, level: float = 0.95
) -> LengthBias:
    """The slope of scores on the binary logarithm of lengths, with people's scores held fixed where they are given.

    Least squares. Without `quality` it cannot tell bias from longer answers being better. After the length-controlled
    win rate of Dubois et al. 2024 (arXiv 2404.04475).
    """
    import numpy as np

    level_of(level)
    n = len(scores)
    if len(lengths) != n or (quality is not None and len(quality) != n):
        raise DefinitionError("length_bias takes one length, and one quality if any, for each score")
    if any(length < 1 for length in lengths):
        raise DefinitionError("lengths are 1 or more: leave empty answers out")
    few = Undefined(f"fewer than {_FEWEST} rows")
    if n < _FEWEST:
        return LengthBias(few, few, few, n)
    columns = [np.log2(numbers(lengths, "length_bias")), np.ones(n)]
    if quality is not None:
        columns.append(numbers(quality, "length_bias"))
    design = np.stack(columns, 1)
    if np.linalg.matrix_rank(design) < len(columns):
        flat = Undefined("lengths do not vary, or only together with the quality")
        return LengthBias(flat, flat, flat, n)
    target = numbers(scores, "length_bias")
    inverse = np.linalg.inv(design.T @ design)
    fitted = inverse @ design.T @ target
    freedom = n - len(columns)
    left = target - design @ fitted
    error = sqrt(max(0.0, float(left @ left)) / freedom * float(inverse[0, 0])) if freedom else float("nan")
    slope = float(fitted[0])
    if not error > _ROUNDING * float(np.abs(target).max()):
        exact = Undefined("the scores lie on a line: there is no error to compare with")
        return LengthBias(slope, exact, exact, n)
    half = float(special().stdtrit(freedom, (1 + level) / 2)) * error
    p_value = 2 * float(special().stdtr(freedom, -abs(slope / error)))
    return LengthBias(slope, Interval(slope - half, slope + half, level, "t, least squares"), p_value, n)
