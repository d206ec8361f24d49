"""What a target gives: an answer, the steps of a workflow by name, the run of an agent; or how it failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful

from scorewright.agents import AgentRun
from scorewright.core.guard import raised
from scorewright.faults import Fault, Raised
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.row import NOTHING, Row
from scorewright.traces.objects import agent_run_of
from scorewright.wording import place_of

Call: TypeAlias = Callable[[Row], Awaitable[object]]

EARLIER = "scorewright.earlier"  # where a turn's row keeps what the target handed back for the turn before


@final
@attrs.frozen
class TargetRaised(Fault):
    """The target raised; `raised` keeps the trace."""

    raised: Raised

    def described(self) -> str:
        """Which exception, where."""
        at, said = place_of(self.raised), self.raised.message
        return f"The target raised {self.raised.kind}{f' at {at}' if at else ''}{f': {said}' if said else ''}."


@final
@attrs.frozen
class TargetTimedOut(Fault):
    """The target did not answer within the suite's timeout, in seconds."""

    seconds: float

    def described(self) -> str:
        """How long it was given."""
        return f"The target did not answer within {self.seconds:g} s."


TargetFault: TypeAlias = TargetRaised | TargetTimedOut


@final
@attrs.frozen
class StepRun:
    """One step of a workflow, where what it was given is told too."""

    input: object
    output: object


@final
@attrs.frozen
class Steps:
    """What a workflow answered, and what its steps gave, by name: each an output or a `StepRun`.

    A step that did not run is left out, and then its scorers have nothing to score.
    """

    output: object
    steps: Mapping[str, object] = attrs.field(factory=dict[str, object])


@final
@attrs.frozen
class Answered:
    """What a target gave: its answer, its steps, and the agent's run where it was one and could be read."""

    output: object
    steps: Mapping[str, object] = NOTHING
    run: AgentRun | None = None
    raw: object = None  # what the target handed back, as the next turn of a conversation needs it
    turns: tuple[object, ...] = ()  # the answers of a conversation, in order


def answered(given: object, /) -> Answered:
    """What a target handed back, as scorers take it: results of agents become runs, with their final output."""
    if isinstance(given, Answered):
        return given
    if isinstance(given, Steps):
        inner = answered(given.output)
        return Answered(inner.output, given.steps, inner.run, given)
    if isinstance(given, AgentRun) or _is_result(given):
        read = agent_run_of(given)
        if is_successful(read):
            run = read.unwrap()
            return Answered(_own_output(given, run), NOTHING, run, given)
        return Answered(_own_output(given, None), NOTHING, None, given)
    return Answered(given, NOTHING, None, given)


def _is_result(given: object) -> bool:
    """Whether it is an agent framework's own result: of pydantic-ai, OpenAI Agents, LangGraph."""
    if any(callable(getattr(given, name, None)) for name in ("all_messages", "to_input_list")):
        return True
    if not is_object(given):
        return False
    messages = given.get("messages")
    return is_list(messages) and bool(messages) and not any(map(is_object, messages))


def _own_output(given: object, run: AgentRun | None) -> object:
    """The typed output that the framework hands over, else the run's."""
    for name in ("output", "final_output"):
        own: object = None if isinstance(given, AgentRun) else getattr(given, name, None)
        if own is not None:
            return own
    return run.final_output if run is not None else given


def failed(exception: BaseException, /) -> TargetRaised:
    """The fault of a target that raised."""
    return TargetRaised(raised(exception))
