"""What is evaluated: a function, an agent of a framework, or a workflow whose steps are scored by name."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, cast, final

import attrs
from returns.pipeline import is_successful
from typing_extensions import TypeIs

from scorewright.agents import AgentRun
from scorewright.core.guard import raised
from scorewright.faults import DefinitionError, Fault, Raised
from scorewright.suites.rows.row import NOTHING, Row
from scorewright.suites.threads import Threads
from scorewright.traces.objects import agent_run_of
from scorewright.wording import place_of

Target: TypeAlias = Callable[[object], object]
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
    if not _is_mapping(given):
        return False
    messages = given.get("messages")
    return _is_list(messages) and bool(messages) and not any(map(_is_mapping, messages))


def _own_output(given: object, run: AgentRun | None) -> object:
    """The typed output that the framework hands over, else the run's."""
    for name in ("output", "final_output"):
        own: object = None if isinstance(given, AgentRun) else getattr(given, name, None)
        if own is not None:
            return own
    return run.final_output if run is not None else given


def call_of(target: object, /) -> Call:
    """An async function of rows that calls the target: plain functions in threads, one for each call under way.

    What a target changes in its input is its own: the row, by which it is known again, stays as it was.
    """
    from scorewright.suites.frameworks import agent_call

    call = agent_call(target) or _function_call(target)

    async def apart(row: Row, /) -> object:
        return await call(_apart(row))

    return apart


def _function_call(target: object) -> Call:
    if not callable(target):
        raise DefinitionError(
            f"target= is a function from a row's input to an output, or an agent, not {type(target).__name__}"
        )
    call = cast("Target", target)  # whatever it is, its argument is what a row holds
    takes_row = _takes_row(call)

    def given(row: Row) -> object:
        return row if takes_row else row.input

    if _is_async(call):

        async def awaited(row: Row, /) -> object:
            return await cast("Awaitable[object]", call(given(row)))

        return awaited

    threads = Threads()

    async def threaded(row: Row, /) -> object:
        done = await threads.call(call, given(row))
        return await done if inspect.isawaitable(done) else done

    return threaded


def _apart(row: Row) -> Row:
    """The row with objects and lists of its own."""
    try:
        return attrs.evolve(
            row,
            input=_own(row.input),
            expected=_own(row.expected),
            context=_own(row.context),
            request_context={**row.request_context},
            metadata={key: _own(value) for key, value in row.metadata.items()},
        )
    except RecursionError:  # a cycle, which no file holds
        return row


def _own(value: object) -> object:
    if _is_mapping(value):
        return {key: _own(each) for key, each in value.items()}
    return [_own(each) for each in value] if _is_list(value) else value


def _is_async(call: object) -> bool:
    return inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(getattr(call, "__call__", None))  # noqa: B004 - its own method is asked


def _takes_row(call: Target) -> bool:
    """Whether its first parameter is annotated as a row; then it is given the whole row."""
    try:
        parameters = [*inspect.signature(call).parameters.values()]
    except (TypeError, ValueError):  # a builtin
        return False
    annotation: object = parameters[0].annotation if parameters else None
    return annotation is Row or annotation in {"Row", "suites.Row", "scorewright.suites.Row"}


def failed(exception: BaseException, /) -> TargetRaised:
    """The fault of a target that raised."""
    return TargetRaised(raised(exception))


def _is_mapping(given: object) -> TypeIs[dict[str, object]]:
    return isinstance(given, dict)


def _is_list(given: object) -> TypeIs[list[object]]:
    return isinstance(given, list)
