"""What a `Live` was given, as its worker takes it; and the log of both."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, TypeAlias, final

import attrs

from scorewright.core.budget import Budget
from scorewright.live.jobs import LiveScore
from scorewright.live.sinks import HandsOver, Sink

LOG: Final = logging.getLogger("scorewright.live")

Hears: TypeAlias = Callable[[LiveScore], None]


@final
@attrs.frozen
class Settings:
    """What a `Live` was given. `concurrency` is of each scorer, `budget` of all."""

    concurrency: int
    budget: Budget | None
    timeout: float | None
    sinks: tuple[Sink, ...]
    hears: tuple[Hears, ...] = ()

    @property
    def hand_over(self) -> HandsOver | None:
        """The store that keeps what is still to be scored, if one does."""
        return next((sink for sink in self.sinks if isinstance(sink, HandsOver) and sink.hands_over), None)
