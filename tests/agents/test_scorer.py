"""Scorers of agent runs and of trajectories."""

from __future__ import annotations

import pytest
from returns.result import Result

from scorewright import DefinitionError, NotScorable, Run, err, ok, pure
from scorewright.agents import (
    AgentRun,
    AgentScorer,
    Trajectory,
    TrajectoryScorer,
    TrajectoryStep,
    answered,
    asked,
    assistant,
    called,
    create_agent_scorer,
    create_trajectory_scorer,
    failed_calls,
    final_answer,
    trajectory,
    trajectory_run,
    user_text,
)

RUN = Run(asked("Where is my parcel?"), answered(assistant(called("track", result="depot")), "At the depot."))


def test_an_agent_scorer_is_a_scorer() -> None:
    """All the steps of the builder, with agent types."""
    scorer: AgentScorer = (
        create_agent_scorer("polite")
        .preprocess(pure(lambda step: user_text(step.run.input)))
        .analyze(pure(lambda step: (step.pre, final_answer(step.run.output))))
        .generate_score(pure(lambda step: 1 if step.ana[1] else 0))
        .generate_reason(lambda step: ok(f"{step.ana}"))
    )
    told = scorer.run_sync(RUN).unwrap()
    assert (told.score, told.reason) == (1, "('Where is my parcel?', 'At the depot.')")


def test_a_reference_is_typed() -> None:
    """`expected=` says what the reference answer is, and the steps see it."""
    scorer = create_agent_scorer("equal", expected=str).generate_score(
        pure(lambda step: float(final_answer(step.run.output) == step.run.expected))
    )
    assert scorer.run_sync(RUN.with_expected("At the depot.")).unwrap().score == 1


def test_a_wrong_definition_raises() -> None:
    """As `create_scorer` does."""
    with pytest.raises(DefinitionError):
        create_agent_scorer(" ")
    with pytest.raises(DefinitionError):
        create_trajectory_scorer("")


def test_a_step_may_find_nothing_to_score() -> None:
    """A run without calls is not scorable by a scorer of calls."""

    def no_errors(step: object) -> Result[float, NotScorable]:
        calls = failed_calls(RUN.output)
        return ok(float(not calls)) if calls else err(NotScorable("no calls failed"))

    failure = create_agent_scorer("errors").generate_score(no_errors).run_sync(RUN).failure()
    assert failure.cause == NotScorable("no calls failed")


def test_a_trajectory_scorer_compares_paths() -> None:
    """The output is the path that was taken, the reference the one that was wanted."""
    scorer: TrajectoryScorer = create_trajectory_scorer("path").generate_score(
        pure(lambda step: step.run.output.names == step.run.expected.names)
    )
    run = AgentRun(RUN.input, RUN.output)
    wanted = Trajectory((TrajectoryStep("track"),))
    assert scorer.run_sync(trajectory_run(run).with_expected(wanted)).unwrap().score == 1


def test_called_agents_stand_inside_their_call() -> None:
    """The steps of a delegate are under the call that started it, and not among the agent's own."""
    sub = AgentRun(output=answered(assistant(called("multiply", result=6))), agent_name="maths", called_by="c1")
    loose = AgentRun(output=answered("aside"), agent_name="critic")
    whole = AgentRun(output=answered(assistant(called("ask_maths", id="c1", result="6"))), sub_runs=(sub, loose))
    steps = trajectory(whole).steps
    assert [(step.name, step.kind) for step in steps] == [("ask_maths", "agent"), ("critic", "agent")]
    assert [step.name for step in steps[0].steps] == ["multiply"]
