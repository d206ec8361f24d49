"""A scorer in a suite: what it is applied to, and what its results are known by."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

import attrs

from scorewright.core.collection import SomeScorer

Level: TypeAlias = Literal["run", "step", "turn"]


@final
@attrs.frozen
class Assigned:
    """A scorer and what it is applied to: a whole run, the output of one step, or every turn of a conversation.

    `id` is what results, thresholds and gates know it by: the scorer's own, after the step's name where it has one.
    """

    scorer: SomeScorer
    level: Level = "run"
    step: str = ""

    @property
    def id(self) -> str:
        """Such as "polite", or "draft/polite" for a step."""
        return f"{self.step}/{self.scorer.id}" if self.step else self.scorer.id
