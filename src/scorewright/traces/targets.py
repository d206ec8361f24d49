"""What a scorer is given of a trace: an agent's run, its trajectory, or what one span took and gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, cast, final, get_args

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm

from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    ToolInvocation,
    Trajectory,
    result_text,
    trajectory,
    user_text,
)
from scorewright.core import Run
from scorewright.core.collection import SomeScorer
from scorewright.faults import InvalidRun, NotScorable
from scorewright.results import err, ok
from scorewright.shapes import Misfit
from scorewright.shapes.converter import structurer

Unfit: TypeAlias = NotScorable | InvalidRun
Side: TypeAlias = "Callable[[Target], Result[object, Unfit]]"


@final
@attrs.frozen
class Target:
    """One span of a trace: an agent's run, or a tool call in it."""

    run: AgentRun
    call: ToolInvocation | None = None

    @property
    def id(self) -> str:
        """The id that `span=` knows it by; empty where the record has none."""
        return (self.run.span_id or self.run.id) if self.call is None else self.call.id

    @property
    def name(self) -> str:
        """The agent's name, or the tool's."""
        return self.run.agent_name if self.call is None else self.call.name


def agents_in(trace: AgentRun, /) -> Iterator[Target]:
    """The run itself and every agent that was called in it, however deep; a caller before those it called."""
    waiting = [trace]
    while waiting:
        run = waiting.pop()
        yield Target(run)
        waiting.extend(reversed(run.sub_runs))


def found(trace: AgentRun, span: str | None, /) -> Result[Target, InvalidRun]:
    """The span of this id, an agent's before a tool call's; without an id the run itself."""
    if span is None:
        return ok(Target(trace))
    agents = list(agents_in(trace))
    for target in agents:
        if span and span in {target.run.span_id, target.run.id}:
            return ok(target)
    for target in agents:
        for message in target.run.output.messages:
            for call in message.tool_calls:
                if span and call.id == span:
                    return ok(Target(target.run, call))
    return err(InvalidRun("$.span", f"the trace has no span {span!r}; its agents are {_known(agents)}"))


def _known(agents: list[Target]) -> str:
    return ", ".join(repr(target.id) for target in agents[:8]) + (", …" if len(agents) > 8 else "")  # noqa: PLR2004 - a few


@final
@attrs.frozen
class SpanReader:
    """A scorer, and what makes runs of its own types out of the spans of traces."""

    scorer: SomeScorer
    input: Side = attrs.field(repr=False)
    output: Side = attrs.field(repr=False)

    def run(self, target: Target, expected: object = None, /) -> Result[Run[object, object, object], Unfit]:
        """The run that the scorer takes; not scorable where the content was not captured."""
        scorable = target.run.scorable()
        if not is_successful(scorable):
            return err(scorable.failure())
        told = scorable.unwrap()
        input, output = self.input(target), self.output(target)
        for read in (input, output):
            if not is_successful(read):
                return err(read.failure())
        run_id = told.run_id if target.call is None else target.call.id
        return ok(
            Run(
                input.unwrap(),
                output.unwrap(),
                expected,
                run_id=run_id,
                request_context=told.request_context,
                metadata=told.metadata,
            )
        )


def span_reader(scorer: SomeScorer, /) -> SpanReader:
    """The reader of a scorer. Types that cannot be read out of JSON raise `DefinitionError`."""
    about = scorer.about
    return SpanReader(scorer, _input_as(about.input), _output_as(about.output))


def _input_as(form: object) -> Side:
    return _of_agents(form) or _read_as("input", form, _taken)


def _output_as(form: object) -> Side:
    return _of_agents(form) or _read_as("output", form, _given)


def _of_agents(form: object) -> Side | None:
    """What gives a type of agents. A scorer that takes any of several gets the one that tells most."""
    taken = {form} if isinstance(form, type) else set(get_args(form))
    return next((side for held, side in _OF_AGENTS.items() if held in taken), None)


def _of_agent(take: Callable[[AgentRun], object]) -> Side:
    def side(target: Target) -> Result[object, Unfit]:
        if target.call is not None:
            return err(NotScorable(f"the span is a call of the tool {target.call.name!r}, not an agent's run"))
        return ok(take(target.run))

    return side


_OF_AGENTS: Mapping[object, Side] = {  # what tells most first
    AgentRun: _of_agent(lambda run: run),
    AgentInput: _of_agent(lambda run: run.input),
    AgentOutput: _of_agent(lambda run: run.output),
    Trajectory: _of_agent(trajectory),
}


def _read_as(name: str, form: object, take: Side) -> Side:
    """One side of a span as a plain scorer takes it; any value as text where the scorer takes text."""
    structured: Callable[[object], Result[object, Misfit]] = structurer(cast("TypeForm[object]", form))

    def side(target: Target) -> Result[object, Unfit]:
        taken = take(target)
        if not is_successful(taken):
            return taken
        value = taken.unwrap()
        read = structured(result_text(value) if form is str else value)
        if is_successful(read):
            return ok(read.unwrap())
        misfit = read.failure()
        return err(InvalidRun(f"$.{name}{misfit.path.removeprefix('$')}", misfit.why))

    return side


def _taken(target: Target) -> Result[object, Unfit]:
    """What the user said to the agent, or what the tool was called with."""
    if target.call is None:
        return ok(user_text(target.run.input))
    return ok(target.call.args if target.call.args_raw is None else target.call.args_raw)


def _given(target: Target) -> Result[object, Unfit]:
    """What the agent answered at last, or what the tool gave back."""
    if target.call is None:
        run = target.run
        return ok(run.final_output) if run.final_kind != "none" else err(NotScorable("the run has no final answer"))
    if target.call.failed:
        return err(NotScorable(f"the call of {target.call.name!r} failed: it has no result"))
    if not target.call.result_present:
        return err(NotScorable(f"no result of the call of {target.call.name!r} was recorded"))
    return ok(target.call.result)
