"""Runs of agents that were observed elsewhere, for the scorers of a `Live`: out of spans, or out of a framework."""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents import AgentRun
from scorewright.core import Run, Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_flag, expect_function, shown
from scorewright.faults import DefinitionError, InvalidRun, NotScorable
from scorewright.live.jobs import Attached, Job, LiveRun, Origin, Unreadable
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS, SPACE, Ended, position
from scorewright.live.scored import Samples, attached_of
from scorewright.live.settings import LOG
from scorewright.traces.targets import SpanReader, Target, agents_in, span_reader

WhichRuns: TypeAlias = Callable[[AgentRun], bool]
_Read: TypeAlias = Result[Run[object, object, object], NotScorable | InvalidRun]


class AgentFailed(Exception):
    """What `always_when` sees as the error of an agent's run that ended with one."""


@final
@attrs.frozen(eq=False)
class AgentWatch:
    """Scorers that see runs of agents. Every run that is handed in has one fate for each of them, and is counted.

    `where` admits runs; one that raises, or gives anything but True, keeps the run out. With `nested` the agents that
    were called in a run are scored too, each as a run of its own.
    """

    live: Live
    readers: tuple[tuple[Attached, SpanReader], ...]
    where: WhichRuns | None = None
    nested: bool = False

    def keeps(self, trace_id: str, /) -> bool:
        """Whether any scorer may see the runs of a trace: what no one will see need not be gathered."""
        at = position(trace_id)
        return any(at < each.sample.rate * SPACE or each.sample.always for each, _ in self.readers)

    def sampled_out(self) -> None:
        """Count a run of a trace that is in no scorer's share."""
        for each, _ in self.readers:
            self.live.pending.count(each.id, "sampled_out")

    def lost(self, trace_id: str, reason: str, /) -> None:
        """Count a run that cannot be scored any more: dropped for the scorers that would have seen it."""
        at = position(trace_id)
        for each, _ in self.readers:
            if at < each.sample.rate * SPACE or each.sample.always:
                self.live.pending.count(each.id, "dropped", reason)
            else:
                self.live.pending.count(each.id, "sampled_out")

    def filtered(self, reason: str, /) -> None:
        """Count what turned out to be no run."""
        for each, _ in self.readers:
            self.live.pending.count(each.id, "filtered", reason)

    def take(self, run: AgentRun, /) -> None:
        """Have a run scored soon. It is sampled by its trace id, else by its own."""
        refused = self._refused(run)
        at = position(run.trace_id or run.id)
        jobs: list[Job] = []
        for target in agents_in(run) if self.nested else (Target(run),):
            for attached, reader in self.readers:
                inside = at < attached.sample.rate * SPACE
                if refused:
                    self.live.pending.count(attached.id, "filtered", refused)
                elif not inside and not attached.sample.always:
                    self.live.pending.count(attached.id, "sampled_out")
                else:
                    job = _job(target, attached, reader)
                    if inside or self._always(job, target.run):
                        jobs.append(job)
        self.live.take(jobs)

    def _refused(self, run: AgentRun) -> str:
        if self.where is None:
            return ""
        try:
            return "" if self.where(run) is True else "where= said no"
        except Exception as failed:  # noqa: BLE001 - a user's predicate, which fails closed
            return f"where= raised {type(failed).__name__}"

    def _always(self, job: Job, run: AgentRun) -> bool:
        error = None if run.error is None else AgentFailed(run.error.message)
        took = 0.0 if run.started_at is None or run.ended_at is None else (run.ended_at - run.started_at) / 1e9
        ended = Ended(job.run, error, max(0.0, took))  # the two are of a clock that may be set
        for predicate in job.attached.sample.always:
            try:
                if predicate(ended) is True:
                    return True
            except Exception as failed:  # noqa: BLE001 - a user's predicate
                self.live.pending.note(job.attached.id, f"always_when raised {type(failed).__name__}")
                LOG.warning("a predicate of always_when raised %s: %s", type(failed).__name__, failed)
        self.live.pending.count(job.attached.id, "sampled_out")
        return False


def agent_watch(
    *scorers: SomeScorer | str,
    live: Live,
    among: Scorers | None = None,
    sample: Samples = ALWAYS,
    where: WhichRuns | None = None,
    nested: bool = False,
) -> AgentWatch:
    """Attach scorers, or ids of scorers `among` others, to runs of agents.

    Any scorer will do: an agent scorer gets the agent's run, a trajectory scorer its trajectory, any other what the
    user said and the final answer, read as its own types. Mistakes raise `DefinitionError`.
    """
    expect_flag(nested, "nested=")
    if where is not None:
        expect_function(where, "where=", 'lambda run: run.agent_name == "support"')
    attached = attached_of(scorers, among, live, sample)
    return AgentWatch(live, tuple((each, span_reader(each.scorer)) for each in attached), where, nested)


def submit_agent(
    run: AgentRun,
    /,
    *scorers: SomeScorer,
    live: Live,
    sample: Samples = ALWAYS,
    where: WhichRuns | None = None,
    nested: bool = False,
) -> None:
    """Have an agent's run scored that was observed elsewhere, such as one that `read_runs` gave.

    What hands in many runs makes one `agent_watch` and calls its `take`.
    """
    if not _is_agent_run(run):
        raise DefinitionError(f"submit_agent(…) takes an AgentRun, not {shown(run)}")
    agent_watch(*scorers, live=live, sample=sample, where=where, nested=nested).take(run)


def _job(target: Target, attached: Attached, reader: SpanReader) -> Job:
    about = target.run
    # ids of spans need not differ between traces
    run_id = f"{about.trace_id}-{about.id}" if about.trace_id and about.id else about.id
    run, spoiled = _live_run(target, reader.run(target), run_id)
    ended = time() if about.ended_at is None else about.ended_at / 1e9
    return Job(attached, run, Origin(about.trace_id, about.span_id, "", ended), spoiled, named=bool(about.id))


def _live_run(target: Target, read: _Read, run_id: str) -> tuple[LiveRun, Exception | None]:
    """The scorer's run; where the record does not hold it, an empty one, with what is wrong with it."""
    if is_successful(read):
        run = read.unwrap()
        said, context = run.metadata, run.request_context
        return Run(run.input, run.output, run_id=run_id, request_context=context, metadata=said), None
    return Run(None, None, run_id=run_id, metadata=target.run.run.metadata), Unreadable(read.failure())


def _is_agent_run(given: object) -> bool:
    return isinstance(given, AgentRun)
