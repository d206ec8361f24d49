"""Where a score's spread comes from: from the rows, or from a judge that answers differently each time."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Number, Undefined
from scorewright.statistics.sample import numbers


@final
@attrs.frozen
class Noise:
    """The variance of scores, split by a one-way analysis of variance.

    `between` is the variance of the rows' true scores, `within` that of one judge's repeated answers to one row;
    `icc` is the share of the first, from 0 to 1: how much one answer tells of its row.
    """

    between: Number
    within: Number
    icc: Number
    rows: int
    samples: int

    def standard_error(self, rows: int, samples: int = 1, /) -> Number:
        """That of a mean over so many rows with so many samples each."""
        if isinstance(self.between, Undefined):
            return self.between
        assert not isinstance(self.within, Undefined)  # noqa: S101 - both or none
        return sqrt((self.between + self.within / samples) / rows)


def noise(scores: Sequence[Sequence[float]], /) -> Noise:
    """Split the variance of scores: one row an item, its repeated samples in it; every row has at least one.

    The estimators of moments for rows of unequal length (Searle, Casella and McCulloch 1992, chapter 3); a negative
    estimate of `between` is 0. See Wang, "Measuring all the noises of LLM evals", arXiv 2512.21326.
    """
    import numpy as np

    if not all(scores):
        raise DefinitionError("noise takes at least one score a row")
    least = min((float(numbers(row, "noise").min()) for row in scores), default=0.0)
    scores = [[value - least for value in row] for row in scores]  # so that equal ones are equal after adding up, too
    counts = np.array([len(row) for row in scores], dtype=np.float64)
    rows, samples = len(scores), int(counts.sum())
    if rows < 2 or samples <= rows:  # noqa: PLR2004 - a spread needs two
        why = "fewer than two rows" if rows < 2 else "no row has two samples"  # noqa: PLR2004 - as above
        return Noise(Undefined(why), Undefined(why), Undefined(why), rows, samples)
    means = np.array([sum(row) / len(row) for row in scores])
    grand = float((means * counts).sum() / samples)
    inside = sum(sum((value - mean) ** 2 for value in row) for row, mean in zip(scores, means, strict=True))
    within = float(inside) / (samples - rows)
    size = (samples - float((counts**2).sum()) / samples) / (rows - 1)
    across = float((counts * (means - grand) ** 2).sum()) / (rows - 1)
    between = max(0.0, (across - within) / size)
    whole = between + within
    icc: Number = between / whole if whole else Undefined("all scores are the same")
    return Noise(between, within, icc, rows, samples)
