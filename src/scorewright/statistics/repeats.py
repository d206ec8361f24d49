"""One row, scored several times by one judge: the verdict by a declared rule, and the spread beside it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core.averaging import mean_of
from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Number, Undefined

Rule: TypeAlias = Literal["all", "majority", "mean"]


@final
@attrs.frozen
class Repeats:
    """What came of one row: `passes` by the rule, or undefined where a sample that failed could change it.

    `spread` is the standard deviation of the samples, `pass_rate` the share of them that reach the threshold.
    """

    rule: Rule
    threshold: float
    passes: bool | Undefined
    mean: Number
    spread: Number
    pass_rate: Number
    n_scored: int
    n_failed: int


def repeats(
    scores: Sequence[float | None], /, *, threshold: float, rule: Rule, better: Literal["higher", "lower"] = "higher"
) -> Repeats:
    """The verdict of samples of one row, None where one failed. The rule is always said: there is no first or last one.

    `"all"`: every sample reaches the threshold; `"majority"`: more than half of them do; `"mean"`: their mean does.
    """
    if rule not in ("all", "majority", "mean"):
        raise DefinitionError(f"rule= is 'all', 'majority' or 'mean', not {rule!r}")
    held = [score for score in scores if score is not None]
    n, failed = len(held), len(scores) - len(held)
    sign = 1 if better == "higher" else -1
    passed = sum(sign * score >= sign * threshold for score in held)
    nothing = Undefined("no sample has a score")
    middle: Number = mean_of(held) if held else nothing
    spread: Number = Undefined("fewer than two samples have no spread")
    if n > 1 and not isinstance(middle, Undefined):
        spread = sqrt(sum((score - middle) ** 2 for score in held) / (n - 1))
    unsure = Undefined(f"{failed} of {n + failed} samples failed, and could change it")
    passes: bool | Undefined
    if isinstance(middle, Undefined):
        passes = nothing
    elif rule == "mean":
        passes = unsure if failed else sign * middle >= sign * threshold
    else:
        passes = _counted(passed, n, failed, n + failed if rule == "all" else (n + failed) // 2 + 1, unsure)
    return Repeats(rule, threshold, passes, middle, spread, passed / n if n else nothing, n, failed)


def _counted(passed: int, n: int, failed: int, needed: int, unsure: Undefined) -> bool | Undefined:
    """Whether so many pass, whatever the failed ones would have been."""
    if passed >= needed:
        return True
    return unsure if passed + failed >= needed and n + failed else False
