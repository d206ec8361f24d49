"""What a target is: where scores are exported to, and how a batch of them goes there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from scorewright.live.exporting.line import Patience
from scorewright.live.exporting.scores import Score

Refused: TypeAlias = Mapping[str, str]  # the ids of scores that did not go, and why


class Delivery(AbstractAsyncContextManager["Delivery", None]):
    """An open way to a target; several batches may go at the same time."""

    @abstractmethod
    async def send(self, batch: Sequence[Score], /) -> Refused:
        """Send a batch; those that did not go, and why. It raises nothing for what a server does."""


def is_target(given: object, /) -> bool:
    """Whether it is one."""
    return isinstance(given, Target)


class Target(ABC):
    """Where scores go. Keys are in none of its texts."""

    at_once: int = 200  # scores of a batch, at most
    side_by_side: int = 4  # batches at the same time, at most

    @property
    @abstractmethod
    def name(self) -> str:
        """The target and its address; the same for the same place, also in another process."""

    @abstractmethod
    def lacks(self, score: Score, /) -> str:
        """Why the target has no place for a score; nothing where it has one."""

    @abstractmethod
    def open(self, patience: Patience, /) -> Delivery:
        """A way to the target, for the time of an `async with` block."""
