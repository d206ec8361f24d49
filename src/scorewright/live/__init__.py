"""The same scorers on running programs: sampled, off the caller's thread, and counted to the unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorewright.live.around import live_context, unscored
from scorewright.live.counting import Counts
from scorewright.live.extracting import Call, argument, joined, returned
from scorewright.live.jobs import LiveScore, Origin
from scorewright.live.later import loading as _loading
from scorewright.live.live import Live
from scorewright.live.pending import Block
from scorewright.live.sampling import ALWAYS, NEVER, Ended, Sample, is_sampled, position, ratio
from scorewright.live.scored import Decorator, attach, scored
from scorewright.live.scoring import Scoring, scoring, submit
from scorewright.live.sinks import Callback, JsonLines, Sink
from scorewright.live.telemetry import EvaluationEvents

if TYPE_CHECKING:
    from scorewright.live.agent_runs import AgentWatch, agent_watch, submit_agent
    from scorewright.live.storing import InStore

__all__ = [
    "ALWAYS",
    "NEVER",
    "AgentWatch",
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
    "agent_watch",
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
    "submit_agent",
    "unscored",
]

# What brings much with it is loaded when it is first used: a store a database, agents the readers of traces.
__getattr__: Callable[[str], object] = _loading(
    __name__,
    {
        "AgentWatch": "agent_runs",
        "InStore": "storing",
        "agent_watch": "agent_runs",
        "submit_agent": "agent_runs",
    },
)
