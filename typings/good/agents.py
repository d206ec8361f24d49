"""Agent scorers, trajectory scorers, and scorers on traces."""

from __future__ import annotations

from typing import Never

from returns.result import Result
from typing_extensions import assert_type

from scorewright import Evaluation, NotScorable, Run, Scorer, ScoringFailure, Step, create_scorer, err, ok, pure
from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    AgentScorer,
    Message,
    ToolInvocation,
    Trajectory,
    TrajectoryScorer,
    create_agent_scorer,
    create_trajectory_scorer,
    failed_calls,
    filter_run,
    final_answer,
    tool_calls,
    trajectory_run,
    user_text,
)
from scorewright.core import Scorers
from scorewright.traces import (
    TraceFault,
    TraceScores,
    agent_run_of,
    read_runs,
    score_trace,
    score_trace_sync,
    score_traces,
    score_traces_sync,
)

# Scorers of runs

steps = (
    create_agent_scorer("steps")
    .preprocess(pure(lambda step: tool_calls(step.run.output)))
    .analyze(pure(lambda step: [call.name for call in step.pre]))
    .generate_score(pure(lambda step: len(step.ana) / 10))
)
as_agent_scorer: AgentScorer = steps
as_scorer: Scorer[AgentInput, AgentOutput] = as_agent_scorer


def no_error(step: Step[AgentInput, AgentOutput, None, None]) -> Result[float, NotScorable]:
    assert_type(step.run.input, AgentInput)
    assert_type(step.run.output, AgentOutput)
    return (
        ok(0.0 if failed_calls(step.run.output) else 1.0) if tool_calls(step.run.output) else err(NotScorable("none"))
    )


errors = create_agent_scorer("errors", prepare_run=filter_run(tool_names=["pay"])).generate_score(no_error)
equal = create_agent_scorer("equal", expected=str).generate_score(
    pure(lambda step: final_answer(step.run.output) == step.run.expected)
)


def run_scorers(told: AgentRun) -> None:
    assert_type(told.run, Run[AgentInput, AgentOutput, None])
    assert_type(told.scorable(), Result[Run[AgentInput, AgentOutput, None], NotScorable])
    assert_type(steps.run_sync(told.run), Result[Evaluation, ScoringFailure[Never]])
    assert_type(errors.run_sync(told.run), Result[Evaluation, ScoringFailure[NotScorable]])
    assert_type(equal.run_sync(told.run.with_expected("6")), Result[Evaluation, ScoringFailure[Never]])
    assert_type(user_text(told.input), str)
    assert_type(final_answer(told.output), str | None)
    assert_type(tool_calls(told.output), tuple[ToolInvocation, ...])
    assert_type(told.transcript, tuple[Message, ...])


# Trajectories: the reference is one that was wanted

path = create_trajectory_scorer("path").generate_score(
    pure(lambda step: step.run.output.names == step.run.expected.names)
)
as_trajectory_scorer: TrajectoryScorer = path


def run_trajectories(told: AgentRun, wanted: Trajectory) -> None:
    assert_type(path.run_sync(trajectory_run(told).with_expected(wanted)), Result[Evaluation, ScoringFailure[Never]])


# Traces

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda step: len(step.run.output) < 80))


async def score_all(told: AgentRun, wanted: Trajectory) -> None:
    assert_type(score_trace_sync(errors, told), Result[Evaluation, ScoringFailure[NotScorable]])
    assert_type(score_trace_sync(short, told, "span"), Result[Evaluation, ScoringFailure[Never]])
    assert_type(score_trace_sync(path, told, expected=wanted), Result[Evaluation, ScoringFailure[Never]])
    assert_type(await score_trace(equal, told, expected="6"), Result[Evaluation, ScoringFailure[Never]])
    assert_type(score_traces_sync([steps, short], [told]), TraceScores)
    both = Scorers(steps, path, short) | Scorers(errors)
    assert_type(await score_traces(both, read_runs("trace.json"), nested=True), TraceScores)
    assert_type(agent_run_of(told), Result[AgentRun, TraceFault])
