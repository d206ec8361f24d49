"""Runs of agents that a framework, or a file, hands over: the same scorers, samples and counts."""

from __future__ import annotations

import attrs
import pytest
from live.watching import Seen, polite, tone

from scorewright import DefinitionError, create_scorer, pure
from scorewright.agents import AgentInput, AgentOutput, AgentRun, Trajectory, answered, asked
from scorewright.agents.tools import AgentError
from scorewright.live import NEVER, agent_watch, ratio, submit_agent
from scorewright.live.agent_runs import AgentFailed

RUN = AgentRun(asked("when?"), answered("please wait"), "please wait", "text", id="s1", trace_id="t1", span_id="s1")

long = create_scorer("long", input=AgentInput, output=AgentOutput).generate_score(
    pure(lambda s: len(s.run.output.messages) > 1)
)
steps = create_scorer("steps", input=AgentInput, output=Trajectory).generate_score(
    pure(lambda s: not s.run.output.steps)
)


def test_every_kind_of_scorer_gets_what_it_takes(seen: Seen) -> None:
    """Texts, the agent's output, its trajectory."""
    submit_agent(RUN, polite, long, steps, live=seen.live)
    seen.counts()
    assert {score.scorer: score.score for score in seen.scores} == {"polite": 1.0, "long": 0.0, "steps": 1.0}
    assert {score.origin.trace_id for score in seen.scores} == {"t1"}


def test_one_that_is_handed_in_twice_is_scored_once(seen: Seen) -> None:
    """By trace and span; the same span id in another trace is another run."""
    watch = agent_watch(polite, live=seen.live)
    for run in (RUN, RUN, attrs.evolve(RUN, trace_id="t2")):
        watch.take(run)
    assert (seen.counts().scored, seen.counts().filtered) == (2, 1)


def test_runs_without_ids_are_all_scored(seen: Seen) -> None:
    """Nothing tells that they are the same."""
    for _ in range(2):
        submit_agent(attrs.evolve(RUN, id="", trace_id="", span_id=""), polite, live=seen.live)
    assert seen.counts().scored == 2


def test_samples_filters_and_errors(seen: Seen) -> None:
    """As of functions."""
    errors: list[Exception | None] = []
    always = ratio(0).always_when(lambda ended: bool(errors.append(ended.error)) or ended.error is not None)
    failed = attrs.evolve(RUN, id="s2", error=AgentError("out of order", "RuntimeError"))
    submit_agent(RUN, tone, live=seen.live, sample=NEVER)
    for run in (RUN, failed):
        submit_agent(run, polite, live=seen.live, sample=always)
    submit_agent(RUN, long, live=seen.live, where=lambda run: run.agent_name == "other")
    counts = seen.counts()
    assert (counts.sampled_out, counts.filtered, counts.scored) == (2, 1, 1)
    assert errors[0] is None
    assert isinstance(errors[1], AgentFailed)
    assert str(errors[1]) == "out of order"


def test_a_predicate_that_raises_gives_no_run(seen: Seen) -> None:
    """It is sampled out, and noted."""
    submit_agent(RUN, polite, live=seen.live, sample=ratio(0).always_when(lambda _: bool(1 / 0)))
    assert dict(seen.counts().reasons) == {"always_when raised ZeroDivisionError": 1}


@pytest.mark.parametrize("content", ["not_captured", "redacted"])
def test_without_content_it_is_not_scorable(seen: Seen, content: str) -> None:
    """And a sink hears why."""
    submit_agent(attrs.evolve(RUN, content=content), polite, live=seen.live)
    assert seen.counts().not_scorable == 1
    assert "content of the messages" in (seen.scores[0].reason or "")


def test_what_does_not_fit_fails(seen: Seen) -> None:
    """A scorer of numbers, and an answer that is none."""
    number = create_scorer("number", input=str, output=int).generate_score(pure(lambda _: 1.0))
    submit_agent(RUN, number, live=seen.live)
    assert dict(seen.counts().reasons) == {"failed: InvalidRun": 1}


def test_mistakes_are_told(seen: Seen) -> None:
    """Where they are made."""
    with pytest.raises(DefinitionError, match="takes an AgentRun"):
        submit_agent("run", polite, live=seen.live)  # type: ignore[arg-type]  # it is refused
    with pytest.raises(DefinitionError, match="where="):
        agent_watch(polite, live=seen.live, where="main")  # type: ignore[arg-type]  # it is refused
    with pytest.raises(DefinitionError, match="nested="):
        agent_watch(polite, live=seen.live, nested=1)  # type: ignore[arg-type]  # it is refused
