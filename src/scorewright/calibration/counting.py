"""Passes and failures, as people and as a threshold see them: four counts and what is made of them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import attrs

from scorewright.faults import DefinitionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorewright.statistics.sample import Floats

    Bools: TypeAlias = NDArray[np.bool_]

Criterion: TypeAlias = Literal["balanced_accuracy", "f1", "youden", "cost"]
Costs: TypeAlias = tuple[float, float]


@final
@attrs.frozen
class Wanted:
    """What a threshold is to be good at. `costs` are those of a false pass and of a false miss."""

    criterion: Criterion = "balanced_accuracy"
    costs: Costs = (1.0, 1.0)

    def __attrs_post_init__(self) -> None:
        if self.criterion not in ("balanced_accuracy", "f1", "youden", "cost"):
            raise DefinitionError(
                f"criterion= is 'balanced_accuracy', 'f1', 'youden' or 'cost', not {self.criterion!r}"
            )
        if not all(isfinite(each) and each >= 0 for each in self.costs) or not sum(self.costs):
            raise DefinitionError(
                f"costs= are those of a false pass and of a false miss, numbers of 0 or more, not {self.costs}"
            )


@final
@attrs.frozen
class Confusion:
    """How many rows both pass, only the scorer passes, only people pass, and neither passes."""

    true_passes: int
    false_passes: int
    false_misses: int
    true_misses: int

    @property
    def n(self) -> int:
        """All rows."""
        return self.true_passes + self.false_passes + self.false_misses + self.true_misses


def confusion(said: Bools, truth: Bools, /) -> Confusion:
    """The counts of rows."""
    both, one = int((said & truth).sum()), int((said & ~truth).sum())
    return Confusion(both, one, int(truth.sum()) - both, int((~truth).sum()) - one)


def merit(true: Floats, false: Floats, passes: float, misses: float, wanted: Wanted, /) -> Floats:
    """How good thresholds are: of each how many rows it passes rightly and wrongly; higher is better, NaN is none.

    `passes` and `misses` are how many rows people passed and failed. Youden 1950: sensitivity + specificity - 1.
    """
    import numpy as np

    if wanted.criterion == "cost":
        return -(wanted.costs[0] * false + wanted.costs[1] * (passes - true))
    if wanted.criterion == "f1":
        return 2 * true / np.maximum(true + false + passes, 1e-300)
    if not (passes and misses):
        return np.full(len(true), np.nan)
    balanced = (true / passes + 1 - false / misses) / 2
    return balanced if wanted.criterion == "balanced_accuracy" else 2 * balanced - 1


def needless(criterion: Criterion, /) -> str:
    """Why there is no best threshold."""
    if criterion == "cost":
        return "no threshold costs less than failing every row"
    return "no threshold does better than chance: the scores do not tell passes from failures"
