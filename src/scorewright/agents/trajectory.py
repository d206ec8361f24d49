"""The path of a run: which tools and agents were called, in which order, and how each ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, final

import attrs

from scorewright.agents.run import AgentInput, AgentOutput, AgentRun
from scorewright.agents.shown import brief
from scorewright.agents.tools import CallKind, CallState, ToolInvocation
from scorewright.core import Run

StepKind: TypeAlias = Literal["tool", "agent"]


@final
@attrs.frozen
class TrajectoryStep:
    """One call: of a tool, or of an agent whose own steps stand in `steps`."""

    name: str
    args: object = attrs.field(factory=dict[str, object])
    result: object = None
    state: CallState = "result"
    kind: StepKind = "tool"
    call: CallKind = "function"
    steps: tuple[TrajectoryStep, ...] = ()

    __repr__ = brief


@final
@attrs.frozen
class Trajectory:
    """The steps of a run, in order."""

    steps: tuple[TrajectoryStep, ...] = ()

    __repr__ = brief

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its steps; those inside a called agent are not among them."""
        return tuple(step.name for step in self.steps)


def trajectory(told: AgentOutput | AgentRun, /) -> Trajectory:
    """The tool calls in order; of a whole run, with the steps of the agents that it called inside their calls.

    A call counts once it was made: not while it is still being written, nor in what a user or the system said.
    Arguments that are not JSON stand as the text that they are.

    >>> from scorewright.agents import answered, assistant, called
    >>> trajectory(answered(assistant(called("search"), called("open")), "Found it.")).names
    ('search', 'open')
    """
    if isinstance(told, AgentOutput):
        return Trajectory(tuple(_step(call) for call in _made(told)))
    by_call = {sub.called_by: sub for sub in told.sub_runs if sub.called_by}
    steps = tuple(_step(call, by_call.get(call.id)) for call in _made(told.output))
    loose = tuple(
        TrajectoryStep(sub.agent_name, result=sub.final_output, kind="agent", steps=trajectory(sub).steps)
        for sub in told.sub_runs
        if not sub.called_by
    )
    return Trajectory((*steps, *loose))


def trajectory_run(told: AgentRun, /) -> Run[AgentInput, Trajectory, None]:
    """The run as trajectory scorers take it; `with_expected` adds the path that was wanted."""
    return told.run.with_output(trajectory(told))


def _made(output: AgentOutput) -> Iterator[ToolInvocation]:
    for message in output.messages:
        if message.role not in _NOT_THE_AGENT:
            yield from (call for call in message.tool_calls if call.state != "partial_call")


_NOT_THE_AGENT = frozenset({"user", "system", "developer"})


def _step(call: ToolInvocation, agent: AgentRun | None = None) -> TrajectoryStep:
    inner = () if agent is None else trajectory(agent).steps
    kind: StepKind = "tool" if agent is None else "agent"
    args = call.args if call.args_raw is None else call.args_raw
    return TrajectoryStep(call.name, args, call.result, call.state, kind, call.kind, inner)
