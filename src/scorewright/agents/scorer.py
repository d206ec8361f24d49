"""Scorers of agent runs, and of their trajectories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, cast, overload

from typing_extensions import TypeForm, TypeVar

from scorewright.agents.captured import CapturedDraft
from scorewright.agents.run import AgentInput, AgentOutput
from scorewright.agents.trajectory import Trajectory
from scorewright.core import UNIT, Answerer, Draft, Prepare, Scale, Scorer, create_scorer

Ref = TypeVar("Ref")

AgentScorer: TypeAlias = Scorer[AgentInput, AgentOutput]
TrajectoryScorer: TypeAlias = Scorer[AgentInput, Trajectory, Trajectory]


@overload
def create_agent_scorer(
    id: str,
    *,
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[AgentInput, AgentOutput, object] | None = None,
) -> Draft[AgentInput, AgentOutput, object]: ...
@overload
def create_agent_scorer(
    id: str,
    *,
    expected: TypeForm[Ref],
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[AgentInput, AgentOutput, Ref] | None = None,
) -> Draft[AgentInput, AgentOutput, Ref]: ...
def create_agent_scorer(
    id: str,
    *,
    expected: object = object,
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[AgentInput, AgentOutput, Ref] | None = None,
) -> Draft[AgentInput, AgentOutput, Ref]:
    """`create_scorer` for agent runs: the same steps, which see an `AgentInput` and an `AgentOutput`.

    A run whose content was not captured, or was redacted, is `NotScorable` before any step.

    >>> from scorewright import Run, pure
    >>> from scorewright.agents import answered, asked, tool_calls
    >>> frugal = create_agent_scorer("frugal").generate_score(pure(lambda s: len(tool_calls(s.run.output)) <= 3))
    >>> frugal.run_sync(Run(asked("Where is my parcel?"), answered("On its way."))).unwrap().score
    1.0
    """
    create = cast("Callable[..., Draft[AgentInput, AgentOutput, Ref]]", create_scorer)  # the overloads say the rest
    draft = create(
        id,
        input=AgentInput,
        output=AgentOutput,
        expected=expected,
        name=name,
        description=description,
        judge=judge,
        scale=scale,
        better=better,
        prepare_run=prepare_run,
    )
    return CapturedDraft(draft.about, draft.prepare_run, draft.pre, draft.ana)


def create_trajectory_scorer(
    id: str,
    *,
    name: str = "",
    description: str = "",
    judge: Answerer | None = None,
    scale: Scale = UNIT,
    better: Literal["higher", "lower"] = "higher",
    prepare_run: Prepare[AgentInput, Trajectory, Trajectory] | None = None,
) -> Draft[AgentInput, Trajectory, Trajectory]:
    """`create_scorer` for the path of a run: the output is its trajectory, the reference the one that was wanted."""
    draft = create_scorer(
        id,
        input=AgentInput,
        output=Trajectory,
        expected=Trajectory,
        name=name,
        description=description,
        judge=judge,
        scale=scale,
        better=better,
        prepare_run=prepare_run,
    )
    return CapturedDraft(draft.about, draft.prepare_run, draft.pre, draft.ana)
