"""What a target is: where scores are exported to, and how a batch of them goes there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Self, TypeAlias

from typing_extensions import override

from scorewright.live.exporting.line import Line, Patience
from scorewright.live.exporting.scores import Score

Refused: TypeAlias = Mapping[str, str]  # the ids of scores that did not go, and why


class Delivery(AbstractAsyncContextManager["Delivery", None]):
    """An open way to a target; several batches may go at the same time."""

    @abstractmethod
    async def send(self, batch: Sequence[Score], /) -> Refused:
        """Send a batch; those that did not go, and why. It raises nothing for what a server does."""


class OverLine(Delivery):
    """A way that is a line to a server, open as long as the line is."""

    def __init__(self, line: Line) -> None:
        self._line = line

    @override
    async def __aenter__(self) -> Self:
        await self._line.__aenter__()
        return self

    @override
    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._line.__aexit__(kind, raised, trace)


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
