"""A path: what a run did, step by step, with what each step took; made out of whatever tells of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias, final

import attrs
from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    CallKind,
    CallState,
    ToolInvocation,
    Trajectory,
    TrajectoryStep,
)
from scorewright.core import Scorer, Step, create_scorer
from scorewright.core.stages import Preprocessed
from scorewright.faults import NotScorable
from scorewright.results import err, ok

Ref = TypeVar("Ref")
E = TypeVar("E")

CALLS: Final = frozenset({"tool", "mcp", "server"})
_MILLION: Final = 1_000_000  # nanoseconds of a millisecond
_NOT_THE_AGENT: Final = frozenset({"user", "system", "developer"})


@final
@attrs.frozen
class PathStep:
    """One step: a call of a tool ("tool", "mcp", "server"), of an agent, of a model, or of any other kind.

    `succeeded` is None where the end was not seen. `tokens` and `milliseconds` are the step's own, and None where they
    were not recorded; `details` holds what else is known. The steps of a called agent stand in `steps`.
    """

    name: str
    args: object = attrs.field(factory=dict[str, object])
    result: object = None
    kind: str = "tool"
    succeeded: bool | None = True
    tokens: int | None = None
    milliseconds: float | None = None
    details: Mapping[str, object] = attrs.field(factory=dict[str, object], repr=False)
    steps: tuple[PathStep, ...] = ()

    @property
    def is_call(self) -> bool:
        """Is it the call of a tool, wherever the tool runs?"""
        return self.kind in CALLS


@final
@attrs.frozen
class Path:
    """The steps of a run in order; `tokens` are those that no step accounts for, `milliseconds` the whole run's."""

    steps: tuple[PathStep, ...] = ()
    tokens: int | None = None
    milliseconds: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its steps; those inside a called agent are not among them."""
        return tuple(step.name for step in self.steps)


Told: TypeAlias = Path | Trajectory | AgentOutput | AgentRun
"""What tells of a path. A scorer of it scores any of them, so it is an `AgentScorer` and a `TrajectoryScorer` too."""

TOLD: TypeForm[Told] = Told
PathScorer: TypeAlias = Scorer[AgentInput, Told]


def path(told: Told, /) -> Path:
    """The path of a run, of an agent's output or of a trajectory; a path is its own.

    Calls that are still being written are no steps, nor are calls inside a user's message. Only a whole run knows its
    tokens and times, and the steps of the agents that it called.

    >>> from scorewright.agents import answered, assistant, called
    >>> path(answered(assistant(called("search"), called("open")), "Found it.")).names
    ('search', 'open')
    """
    if isinstance(told, Path):
        return told
    if isinstance(told, Trajectory):
        return Path(tuple(map(_planned, told.steps)))
    if isinstance(told, AgentOutput):
        return Path(tuple(_called(call, None) for call in _calls(told)))
    by_call = {sub.called_by: sub for sub in told.sub_runs if sub.called_by}
    calls = tuple(_called(call, by_call.get(call.id)) for call in _calls(told.output))
    loose = tuple(_agent(sub) for sub in told.sub_runs if not sub.called_by)
    return Path((*calls, *loose), _tokens(told), _passed(told.started_at, told.ended_at))


def for_runs(scorer: Scorer[AgentInput, Told, Ref, E], /) -> Scorer[AgentInput, AgentRun, Ref, E]:
    """The same scorer of whole runs alone, which is how `score_trace` and the command line give them."""
    return scorer.contramap_output(AgentRun, _same)


def walked(path: Path, /) -> Iterator[tuple[str, PathStep]]:
    """Every step at any depth with its place ("2", and inside it "2.1"), a step before those inside it."""
    waiting = [(f"{at}", step) for at, step in enumerate(path.steps, 1)][::-1]
    while waiting:
        place, step = waiting.pop()
        yield place, step
        waiting.extend([(f"{place}.{at}", inner) for at, inner in enumerate(step.steps, 1)][::-1])


def inside(step: PathStep, /) -> Path:
    """The path of a called agent."""
    return Path(step.steps, step.tokens, step.milliseconds)


def read_path(step: Step[AgentInput, Told, None, None, object], /) -> Result[Path, NotScorable]:
    """The path of a run, as a step; not scorable where the record does not hold what was called."""
    told = step.run.output
    if isinstance(told, AgentRun) and told.content in {"not_captured", "redacted"}:
        return err(NotScorable("the record does not hold what was said and called"))
    return ok(path(told))


def path_scorer(
    id: str, description: str = "", /, *, check: Callable[[Told], str] | None = None
) -> Preprocessed[AgentInput, Told, Path, object, NotScorable]:
    """A scorer whose later steps read the path as `step.pre`; `check` says why a run is not scorable, if so."""

    def read(step: Step[AgentInput, Told, None, None, object]) -> Result[Path, NotScorable]:
        why = "" if check is None else check(step.run.output)
        return err(NotScorable(why)) if why else read_path(step)

    return create_scorer(id, input=AgentInput, output=TOLD, description=description).preprocess(read)


def _same(run: AgentRun) -> AgentRun:
    return run


def _calls(output: AgentOutput) -> Iterator[ToolInvocation]:
    for message in output.messages:
        if message.role not in _NOT_THE_AGENT:
            yield from (call for call in message.tool_calls if call.state != "partial_call")


def _called(call: ToolInvocation, agent: AgentRun | None) -> PathStep:
    args = call.args if call.args_raw is None else call.args_raw
    return PathStep(
        call.name,
        args,
        call.result,
        _kind(call.kind) if agent is None else "agent",
        _ended(call.state),
        None if agent is None else _tokens(agent),
        _passed(call.started_at, call.ended_at),
        {"server": call.server} if call.server else {},
        () if agent is None else path(agent).steps,
    )


def _agent(sub: AgentRun) -> PathStep:
    ended = {"ok": True, "error": False}.get(sub.status)
    took = _passed(sub.started_at, sub.ended_at)
    return PathStep(sub.agent_name, {}, sub.final_output, "agent", ended, _tokens(sub), took, steps=path(sub).steps)


def _planned(step: TrajectoryStep) -> PathStep:
    kind = "agent" if step.kind == "agent" else _kind(step.call)
    inner = tuple(map(_planned, step.steps))
    return PathStep(step.name, step.args, step.result, kind, _ended(step.state), steps=inner)


def _kind(call: CallKind) -> str:
    return call if call in {"mcp", "server"} else "tool"


def _ended(state: CallState) -> bool | None:
    return {"result": True, "error": False}.get(state)


def _tokens(run: AgentRun) -> int | None:
    return None if run.usage is None else run.usage.input_tokens + run.usage.output_tokens


def _passed(started: int | None, ended: int | None) -> float | None:
    return None if started is None or ended is None else (ended - started) / _MILLION
