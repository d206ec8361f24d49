"""Ways from one scale to another, as functions that are values."""

from __future__ import annotations

from math import isfinite
from typing import Literal, final

import attrs

from scorewright.core.definition import is_number, shown
from scorewright.core.scale import Scale
from scorewright.faults import DefinitionError


@final
@attrs.frozen
class Linear:
    """The straight way from one bounded scale onto another; ends go to ends, and rounding never leaves the scale."""

    source: Scale
    target: Scale

    def __attrs_post_init__(self) -> None:
        for scale in (self.source, self.target):
            if not isfinite(scale.high - scale.low):
                raise DefinitionError(
                    f"rescale(…) needs two scales with ends, and {scale.low:g}..{scale.high:g} is not one: "
                    "write the way with map_score(f, scale)"
                )

    def __str__(self) -> str:
        return f"from {self.source.low:g}..{self.source.high:g}"

    def __call__(self, score: float, /) -> float:
        """The score on the other scale."""
        low, high = self.target.low, self.target.high
        share = (score - self.source.low) / (self.source.high - self.source.low)
        return min(high, max(low, low * (1 - share) + high * share))


@final
@attrs.frozen
class Mirrored:
    """The scale the other way round: in itself where it has two ends, else through zero."""

    scale: Scale

    @property
    def target(self) -> Scale:
        """The scale of what comes out."""
        return self.scale if self._is_bounded else Scale(0 - self.scale.high, 0 - self.scale.low)  # never -0.0

    @property
    def _is_bounded(self) -> bool:
        return isfinite(self.scale.low) and isfinite(self.scale.high)

    def __call__(self, score: float, /) -> float:
        """The score seen from the other end."""
        low, high = self.scale.low, self.scale.high
        return min(high, max(low, low + (high - score))) if self._is_bounded else 0 - score


@final
@attrs.frozen
class AtLeast:
    """1 for a score that is as good as the threshold or better, else 0."""

    threshold: float
    scale: Scale
    better: Literal["higher", "lower"]

    def __attrs_post_init__(self) -> None:
        if not is_number(self.threshold):
            raise DefinitionError(f"passing(…) takes a number of the scale, such as 0.5, not {shown(self.threshold)}")
        if not (isfinite(self.threshold) and self.scale.low <= self.threshold <= self.scale.high):
            raise DefinitionError(
                f"passing({self.threshold!r}): the threshold lies on the scale, {self.scale.low:g}..{self.scale.high:g}"
            )

    def __str__(self) -> str:
        return f"at {'least' if self.better == 'higher' else 'most'} {self.threshold:g}"

    def __call__(self, score: float, /) -> float:
        """1 or 0."""
        return float(score >= self.threshold if self.better == "higher" else score <= self.threshold)
