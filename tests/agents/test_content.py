"""What was not captured has no score, whichever way a run comes to a scorer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import attrs
import pytest

from scorewright import NotScorable, Scorer, Step, create_scorer, ok, pure
from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    AgentScorer,
    answered,
    asked,
    assistant,
    called,
    create_agent_scorer,
    create_trajectory_scorer,
    filter_run,
    trajectory_run,
)
from scorewright.agents.run import Content
from scorewright.algebra import mean
from scorewright.core import Verdict
from scorewright.traces import read_runs, score_trace_sync, score_traces_sync

RUN = AgentRun(asked("Where?"), answered(assistant(called("track", result="depot")), "There."))
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.response.model": "m"}


def scorers() -> list[AgentScorer]:
    """One for each way through the builder."""
    draft = create_agent_scorer("a")

    def one(step: object) -> float:
        del step
        return 1

    return [
        draft.generate_score(pure(one)),
        draft.generate_score(pure(one)).generate_reason(lambda _: ok("why")),
        draft.generate_verdict(pure(lambda _: Verdict(1, "why"))),
        draft.analyze(pure(one)).generate_score(pure(one)),
        draft.preprocess(pure(one)).generate_score(pure(one)),
        draft.preprocess(pure(one)).analyze(pure(one)).generate_score(pure(one)).generate_reason(lambda _: ok("why")),
        draft.generate_score(pure(one)).named("b"),
        mean(draft.generate_score(pure(one)), draft.generate_score(pure(one)).named("b")),
    ]


@pytest.mark.parametrize("at", range(8))
@pytest.mark.parametrize("content", ["not_captured", "redacted"])
def test_no_agent_scorer_scores_what_was_not_captured(at: int, content: Content) -> None:
    """Run by hand, from its own runs or from a filtered one, alone or inside another scorer, the cause is told."""
    scorer = scorers()[at]
    run = attrs.evolve(RUN, content=content).run
    for given in (run, filter_run(max_remembered_messages=0)(run)):
        failure = scorer.run_sync(given).failure()
        assert isinstance(failure.cause, NotScorable)
        assert content.replace("_", " ") in failure.cause.reason
        assert failure.score is None
    assert scorer.run_sync(attrs.evolve(RUN, content="partial").run).unwrap().score == 1


def test_an_awaited_scorer_does_not_score_it_either() -> None:
    """`run` is as `run_sync`."""
    failure = asyncio.run(scorers()[0].run(attrs.evolve(RUN, content="not_captured").run)).failure()
    assert isinstance(failure.cause, NotScorable)


def test_a_trajectory_of_what_was_not_captured_has_no_score() -> None:
    """The run's input says so."""
    scorer = create_trajectory_scorer("t").generate_score(pure(lambda s: float(len(s.run.output.steps))))
    run = trajectory_run(attrs.evolve(RUN, content="not_captured")).with_expected(trajectory_run(RUN).output)
    assert isinstance(scorer.run_sync(run).failure().cause, NotScorable)


def test_a_trace_without_content_is_not_scorable_in_any_way() -> None:
    """Read from spans, by hand and in batch."""
    [run] = [read.unwrap() for read in read_runs([{"span_id": "m", "attributes": CHAT}])]
    assert run.content == "not_captured"
    assert run.input.content == "not_captured"
    scorer = scorers()[0]
    ways: list[Callable[[], object]] = [
        lambda: scorer.run_sync(run.run).failure().cause,
        lambda: score_trace_sync(scorer, run).failure().cause,
        lambda: score_traces_sync([scorer], [run]).scores[0].result.failure().cause,
    ]
    for way in ways:
        assert isinstance(way(), NotScorable)


def test_what_is_no_run_is_still_a_mistake() -> None:
    """The guard leaves it to the scorer to say so."""
    with pytest.raises(TypeError):
        scorers()[0].run_sync("no run")  # type: ignore[arg-type]  # the mistake


def test_the_guard_is_no_step() -> None:
    """The steps of an agent scorer are those that were given."""

    def words(step: Step[AgentInput, AgentOutput, None, None]) -> float:
        return float(bool(step.run.output.messages))

    plain: Scorer[AgentInput, AgentOutput] = create_scorer("a", input=AgentInput, output=AgentOutput).generate_score(
        pure(words)
    )
    assert scorers()[0].run_sync(RUN.run).unwrap().names == plain.run_sync(RUN.run).unwrap().names
