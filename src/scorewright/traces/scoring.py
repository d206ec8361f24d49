"""Scoring traces: one scorer on one span, or many scorers on many traces with an outcome for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Never, TypeAlias, cast, final, overload

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.agents import AgentRun
from scorewright.core import Bench, Evaluation, Judged, Outcome, Scorer, ScoringFailure, interpret
from scorewright.core.ask import Answer
from scorewright.core.bench import answer_here
from scorewright.core.collection import Scorers, SomeScorer
from scorewright.core.interpret import asking_once
from scorewright.core.portal import finished
from scorewright.faults import DefinitionError, RunFault
from scorewright.results import err
from scorewright.traces.expecting import Expect, References, finding
from scorewright.traces.faults import TraceFault
from scorewright.traces.scores import TraceScore, TraceScores
from scorewright.traces.targets import SpanReader, Target, agents_in, found, span_reader

if TYPE_CHECKING:
    from asyncio import Task

E = TypeVar("E")
Ref = TypeVar("Ref")

Trace: TypeAlias = AgentRun | Result[AgentRun, TraceFault]
READING = "trace"  # the step that failed when a span does not hold what the scorer takes


@overload
async def score_trace(
    scorer: Scorer[Never, Never, None, E], trace: AgentRun, span: str | None = None, *, answer: Answer = ...
) -> Result[Evaluation, ScoringFailure[E]]: ...
@overload
async def score_trace(
    scorer: Scorer[Never, Never, Ref, E],
    trace: AgentRun,
    span: str | None = None,
    *,
    expected: Ref,
    answer: Answer = ...,
) -> Result[Evaluation, ScoringFailure[E]]: ...
async def score_trace(
    scorer: Scorer[Never, Never, Never, E],
    trace: AgentRun,
    span: str | None = None,
    *,
    expected: object = None,
    answer: Answer = answer_here,
) -> Result[Evaluation, ScoringFailure[E]]:
    """Score the run of a trace, or the span of this id: an agent that was called in it, or a tool call.

    An agent scorer gets the agent's run, a trajectory scorer its trajectory. Any other scorer gets what the user said
    and the final answer, or what the tool was called with and its result, read as its own types. Where the content was
    not captured the cause is `NotScorable`; a span that is not there, or does not fit, is `InvalidRun`.
    """
    return await interpret(_program(scorer, trace, span, expected), asking_once(answer))


@overload
def score_trace_sync(
    scorer: Scorer[Never, Never, None, E], trace: AgentRun, span: str | None = None, *, answer: Answer = ...
) -> Result[Evaluation, ScoringFailure[E]]: ...
@overload
def score_trace_sync(
    scorer: Scorer[Never, Never, Ref, E],
    trace: AgentRun,
    span: str | None = None,
    *,
    expected: Ref,
    answer: Answer = ...,
) -> Result[Evaluation, ScoringFailure[E]]: ...
def score_trace_sync(
    scorer: Scorer[Never, Never, Never, E],
    trace: AgentRun,
    span: str | None = None,
    *,
    expected: object = None,
    answer: Answer = answer_here,
) -> Result[Evaluation, ScoringFailure[E]]:
    """`score_trace` that waits: without a loop where nothing is asked or awaited."""
    outcome = _program(scorer, trace, span, expected)
    if isinstance(outcome, Result):
        return outcome
    return finished(lambda: interpret(outcome, asking_once(answer)))


async def score_traces(
    scorers: Scorers | Iterable[SomeScorer],
    traces: Iterable[Trace],
    *,
    expected: References | None = None,
    nested: bool = False,
    concurrency: int = 16,
    answer: Answer | None = None,
) -> TraceScores:
    """Score every trace with every scorer; with `nested` also the agents that were called in them.

    The traces may be what `read_runs` yields: one that cannot be read is told in `unread`. `expected` gives the
    reference of a run: by the id of its span, its run or its trace, or as a function of the run. JSON is read as the
    type that a scorer expects, so that `{"steps": [{"name": "track"}]}` is a trajectory. Judges share their
    connections and limits, and up to `concurrency` runs wait for them at once. Nothing that befalls one run stops the
    others. Two scorers of one id, or a concurrency below 1, raise `DefinitionError`.
    """
    told = _Told(_readers(scorers, concurrency), nested, finding(expected))
    return told.whole(await _driven(told.jobs(traces), concurrency, answer))


def score_traces_sync(
    scorers: Scorers | Iterable[SomeScorer],
    traces: Iterable[Trace],
    *,
    expected: References | None = None,
    nested: bool = False,
    concurrency: int = 16,
    answer: Answer | None = None,
) -> TraceScores:
    """`score_traces` that waits: without a loop until a scorer first asks or awaits something."""
    told = _Told(_readers(scorers, concurrency), nested, finding(expected))
    jobs = told.jobs(traces)
    done: list[TraceScore] = []
    for job in jobs:
        begun = job.begun()
        if isinstance(begun, Result):
            done.append(job.told(begun))
        else:
            waiting = attrs.evolve(job, outcome=begun)
            done += finished(partial(_driven, chain((waiting,), jobs), concurrency, answer))
    return told.whole(done)


@final
@attrs.frozen
class _Job:
    reader: SpanReader
    target: Target
    expected: Expect
    outcome: Outcome[Evaluation, ScoringFailure[object]] | None = None  # where it is begun already

    def begun(self) -> Outcome[Evaluation, ScoringFailure[object]]:
        if self.outcome is not None:
            return self.outcome
        expected = self.expected(self.reader, self.target)
        if not is_successful(expected):
            return err(_unbegun(self.target.id, expected.failure()))
        return _begun(self.reader, self.target, expected.unwrap())

    def told(self, result: Result[Evaluation, ScoringFailure[object]]) -> TraceScore:
        run = self.target.run
        return TraceScore(self.reader.scorer.id, result, run.trace_id, self.target.id, self.target.name)


@final
@attrs.frozen
class _Told:
    readers: tuple[SpanReader, ...]
    nested: bool
    expected: Expect
    unread: list[TraceFault] = attrs.field(factory=list[TraceFault])

    def jobs(self, traces: Iterable[Trace]) -> Iterator[_Job]:
        for trace in traces:
            run = self._read(trace)
            if run is not None:
                targets = agents_in(run) if self.nested else (Target(run),)
                yield from (_Job(reader, target, self.expected) for target in targets for reader in self.readers)

    def _read(self, trace: Trace) -> AgentRun | None:
        if isinstance(trace, AgentRun):
            return trace
        if is_successful(trace):
            return trace.unwrap()
        self.unread.append(trace.failure())
        return None

    def whole(self, scores: Iterable[TraceScore]) -> TraceScores:
        return TraceScores(tuple(scores), tuple(self.unread))


def _readers(scorers: Iterable[SomeScorer], concurrency: int) -> tuple[SpanReader, ...]:
    if concurrency < 1:
        raise DefinitionError(f"concurrency= is at least 1, not {concurrency}")
    return tuple(map(span_reader, scorers if isinstance(scorers, Scorers) else Scorers(*scorers)))


async def _driven(jobs: Iterator[_Job], concurrency: int, answer: Answer | None) -> list[TraceScore]:
    """Begin jobs as long as fewer than so many wait; what each came to, in order."""
    import asyncio

    told: list[TraceScore | Task[TraceScore]] = []
    free = asyncio.Semaphore(concurrency)
    async with Bench() as bench, asyncio.TaskGroup() as group:
        ask = answer or bench.answer

        async def finish(job: _Job, begun: Outcome[Evaluation, ScoringFailure[object]]) -> TraceScore:
            try:
                return job.told(await interpret(begun, asking_once(ask)))
            finally:
                free.release()

        for job in jobs:
            begun = job.begun()
            if isinstance(begun, Result):
                told.append(job.told(begun))
                continue
            await free.acquire()
            told.append(group.create_task(finish(job, begun)))
    return [each if isinstance(each, TraceScore) else each.result() for each in told]


def _program(scorer: Scorer[Never, Never, Never, E], trace: AgentRun, span: str | None, expected: object) -> Judged[E]:
    reader = span_reader(scorer)
    target = found(trace, span)
    if not is_successful(target):
        return err(_unbegun(trace.id, target.failure()))
    return cast("Judged[E]", _begun(reader, target.unwrap(), expected))  # the reader forgot what its scorer fails with


def _begun(reader: SpanReader, target: Target, expected: object) -> Judged[object]:
    run = reader.run(target, expected)
    if not is_successful(run):
        return err(_unbegun(target.id, run.failure()))
    scorer = cast("Scorer[object, object, object, object]", reader.scorer)  # the run has the types that it names
    return scorer.program(run.unwrap())


def _unbegun(run_id: str, cause: RunFault) -> ScoringFailure[Never]:
    return ScoringFailure[Never]((), (), run_id, step=READING, cause=cause, score=None)
