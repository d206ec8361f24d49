"""The same scorers on running programs: sampled, off the caller's thread, and counted to the unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorewright.live.around import live_context, unscored
from scorewright.live.counting import Counts
from scorewright.live.extracting import Call, argument, joined, returned
from scorewright.live.jobs import LiveScore, Origin
from scorewright.live.live import Live
from scorewright.live.pending import Block
from scorewright.live.sampling import ALWAYS, NEVER, Ended, Sample, is_sampled, position, ratio
from scorewright.live.scored import Decorator, attach, scored
from scorewright.live.scoring import Scoring, scoring, submit
from scorewright.live.sinks import Callback, JsonLines, Sink
from scorewright.live.telemetry import EvaluationEvents

if TYPE_CHECKING:
    from scorewright.live.storing import InStore

__all__ = [
    "ALWAYS",
    "NEVER",
    "Block",
    "Call",
    "Callback",
    "Counts",
    "Decorator",
    "Ended",
    "EvaluationEvents",
    "InStore",
    "JsonLines",
    "Live",
    "LiveScore",
    "Origin",
    "Sample",
    "Scoring",
    "Sink",
    "argument",
    "attach",
    "is_sampled",
    "joined",
    "live_context",
    "position",
    "ratio",
    "returned",
    "scored",
    "scoring",
    "submit",
    "unscored",
]


def __getattr__(name: str) -> object:
    """`InStore` is loaded when it is first used: a store brings a database with it."""
    if name == "InStore":
        from scorewright.live.storing import InStore

        return InStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
