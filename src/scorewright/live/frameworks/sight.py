"""A run of an agent as it begins: which scorers may see it, and how it reaches them when it is over."""

from __future__ import annotations

from collections.abc import Callable
from time import time_ns
from typing import TypeAlias, cast, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents import AgentRun
from scorewright.agents.tools import AgentError
from scorewright.live.agent_runs import AgentWatch
from scorewright.live.around import AROUND, Around, traced
from scorewright.live.settings import LOG
from scorewright.live.watching import why_none
from scorewright.traces.faults import TraceFault

Reads: TypeAlias = Callable[[], Result[AgentRun, TraceFault]]

_NESTED = "inside a call that is scored"
_LEFT_OUT = "inside a call that its sample left out"


@final
@attrs.frozen(eq=False)
class Sight:
    """What was decided when a run began: `watch` has the scorers that may see it, `barred` those that may not.

    `kept` says whether the trace is in the share of any: of a run that is not, nothing need be kept. `inside` is what
    is around the run while it goes on, so that what runs in it is not scored by the same scorers again.
    """

    watch: AgentWatch
    barred: AgentWatch
    why: str
    kept: bool
    trace_id: str
    span_id: str
    inside: Around
    began: int = attrs.field(factory=time_ns)

    def pass_by(self) -> None:
        """Count a run for the scorers that will not see it."""
        self.barred.filtered(self.why)
        if not self.kept:
            self.watch.sampled_out()

    def take(self, run: AgentRun) -> None:
        """Have it scored, as a run of this trace."""
        ended = run.ended_at or time_ns()
        known = attrs.evolve(
            run,
            trace_id=self.trace_id,
            span_id=self.span_id or run.span_id,
            started_at=run.started_at or min(self.began, ended),
            ended_at=ended,
        )
        try:
            self.watch.take(known)
        except Exception as failed:  # noqa: BLE001 - the agent must not hear of it
            LOG.warning("live scoring could not take an agent's run: %s: %s", type(failed).__name__, failed)

    def read(self, reads: Reads) -> AgentRun | None:
        """The run out of what a framework holds; what cannot be read is counted as dropped."""
        try:
            read = reads()
        except Exception as failed:  # noqa: BLE001 - reading a framework's objects runs its code
            self.lost(f"reading the run raised {type(failed).__name__}")
            return None
        if is_successful(read):
            return read.unwrap()
        self.lost(f"the run could not be read: {type(read.failure()).__name__}")
        return None

    def lost(self, reason: str) -> None:
        """Count a run that the scorers would have seen."""
        self.watch.lost(self.trace_id, reason)


def sighted(watch: AgentWatch, own_id: str) -> Sight:
    """Decide about a run that begins here; its trace is the one around it, else it is known by an id of its own."""
    around = AROUND.get()
    keys = [(id(watch.live), attached.id) for attached, _ in watch.readers]
    barred, why = frozenset(keys) if around.off else frozenset[tuple[int, str]](), around.off
    if not around.off and not watch.nested:
        watched, left_out = around.watched & frozenset(keys), around.left_out & frozenset(keys)
        barred, why = watched | left_out, _NESTED if watched else _LEFT_OUT
    seen = tuple(each for key, each in zip(keys, watch.readers, strict=True) if key not in barred)
    unseen = tuple(each for key, each in zip(keys, watch.readers, strict=True) if key in barred)
    trace_id, span_id = traced(around)
    inside = around if watch.nested else attrs.evolve(around, watched=around.watched | frozenset(keys))
    may = attrs.evolve(watch, readers=seen)
    kept = bool(seen) and may.keeps(trace_id or own_id)
    return Sight(may, attrs.evolve(watch, readers=unseen), why, kept, trace_id or own_id, span_id, inside)


def failed(run: AgentRun, error: BaseException) -> AgentRun:
    """The run as one that ended with this error, and without an answer."""
    said = AgentError(str(error), type(error).__name__)
    return attrs.evolve(run, status="error", error=said, final_output=None, final_kind="none")


def interrupted(error: BaseException) -> str:
    """Why there is no run to score where it did not come to an end; empty for an error of the run's own."""
    return "" if isinstance(error, Exception) else why_none(error)


def plain(value: object) -> object:
    """What a framework holds as JSON, in the spelling of its own library; what has none is its `repr`."""
    from pydantic_core import to_jsonable_python

    return cast("object", to_jsonable_python(value, by_alias=True, bytes_mode="base64", fallback=repr))
