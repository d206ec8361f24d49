"""Misuses of agent scorers and of scorers on traces."""

from __future__ import annotations

from scorewright import Run, create_scorer, pure
from scorewright.agents import (
    AgentRun,
    AgentScorer,
    Trajectory,
    answered,
    asked,
    create_agent_scorer,
    create_trajectory_scorer,
    tool_calls,
    trajectory_run,
    user_text,
)
from scorewright.core import Scorers
from scorewright.traces import score_trace_sync, score_traces_sync

steps = create_agent_scorer("steps").generate_score(pure(lambda step: len(tool_calls(step.run.output)) / 10))
equal = create_agent_scorer("equal", expected=str).generate_score(pure(lambda step: len(step.run.expected)))
path = create_trajectory_scorer("path").generate_score(
    pure(lambda step: step.run.output.names == step.run.expected.names)
)
short = create_scorer("short", input=str, output=str).generate_score(pure(lambda step: len(step.run.output)))
half = create_agent_scorer("half")
text_run = Run("Where is my parcel?", "At the depot.")
agent_run = Run(asked("Where is my parcel?"), answered("At the depot."))
told = AgentRun(asked("Where is my parcel?"), answered("At the depot."))
wanted = Trajectory()

steps.run_sync(text_run)  # E: words are not an agent's run
steps.run_sync(told)  # E: told.run is
short.run_sync(agent_run)  # E: an agent's run is not words
equal.run_sync(agent_run)  # E: the reference answer is missing
path.run_sync(agent_run.with_expected(wanted))  # E: a path is wanted, trajectory_run(told) makes one
path.run_sync(trajectory_run(told))  # E: the reference is missing
wrong: AgentScorer = short  # E: it scores words
user_text(told.output)  # E: the user speaks in the input

create_agent_scorer("missing").generate_score(pure(lambda step: len(step.run.output.calls)))  # E: no such field
create_agent_scorer("text").generate_score(pure(lambda step: step.run.output.messages[0].text))  # E: a text is no score

score_trace_sync(equal, told)  # E: the reference answer is missing
score_trace_sync(path, told, expected="6")  # E: the reference is a trajectory
score_trace_sync(half, told)  # E: it has no score yet
score_trace_sync(steps, agent_run)  # E: the trace is an AgentRun
score_trace_sync(steps, told, 7)  # E: spans are known by text
score_traces_sync(steps, [told])  # E: several scorers: [steps]
score_traces_sync([steps], told)  # E: several traces: [told]
Scorers([steps])  # E: Scorers(*listed)
