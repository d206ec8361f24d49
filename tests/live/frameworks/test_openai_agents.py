"""Agents of OpenAI Agents, by its own tracing and a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import cast

import pytest

pytest.importorskip("agents.run", reason="pip install -e '.[frameworks]'")  # `agents` alone may be a folder of tests

from agents import Agent, RunConfig, Runner, custom_span, function_tool, set_trace_processors, trace
from live.frameworks.scripted import Scripted, call, said
from live.frameworks.seeing import IN_TENTH, OUT_OF_TENTH, Runs, calls
from live.watching import Seen, polite

from scorewright import DefinitionError
from scorewright.live import live_context, ratio, unscored
from scorewright.live.frameworks import ScoringTraceProcessor

Makes = Callable[..., ScoringTraceProcessor]


@function_tool
def track(number: int) -> str:
    """Where a parcel is."""
    if number == 8:
        raise ValueError("no such parcel")
    return "depot"


@pytest.fixture
def watched(agents: Runs) -> Iterator[Makes]:
    """Has the agents of a test seen by one processor, and by nothing that would send what it saw."""

    def make(*scorers: object, **settings: object) -> ScoringTraceProcessor:
        processor = cast("Makes", ScoringTraceProcessor)(
            *(scorers or [agents.scorer]), **{"live": agents.live, **settings}
        )
        set_trace_processors([processor])
        return processor

    yield make
    set_trace_processors([])


def run(agent: Agent[None], question: str = "Where?", **settings: object) -> object:
    config = RunConfig(**settings)  # type: ignore[arg-type]  # whatever the test says
    return asyncio.run(Runner.run(agent, question, run_config=config)).final_output


def clerk(*script: object, **settings: object) -> Agent[None]:
    make: Callable[..., Agent[None]] = Agent
    return make(name="clerk", instructions="Be brief.", model=Scripted(*script), **settings)  # type: ignore[arg-type]  # items, or errors


def test_a_run_with_a_tool(agents: Runs, watched: Makes) -> None:
    """The question, the call with its result, the answer."""
    watched()
    assert run(clerk(call("track", '{"number": 7}'), said("At the depot."), tools=[track])) == "At the depot."
    assert agents.told == [("Where?", "At the depot.", "ok")]
    assert calls(agents.runs[0]) == [("track", {"number": 7}, "depot", "result")]
    assert (agents.runs[0].agent_name, agents.runs[0].trace_id[:6]) == ("clerk", "trace_")


def test_texts_for_scorers_of_texts(agents: Runs, watched: Makes) -> None:
    """What the user said and the final answer."""
    watched(polite)
    run(clerk(said("Wait, please.")))
    assert agents.values == [1.0]


def test_a_tool_that_fails(agents: Runs, watched: Makes) -> None:
    """Is in the run; the agent goes on as it would."""
    watched()
    assert run(clerk(call("track", '{"number": 8}'), said("Gone."), tools=[track])) == "Gone."
    assert [state for *_, state in calls(agents.runs[0])] == ["error"]


def test_a_model_that_fails(agents: Runs, watched: Makes) -> None:
    """What it raises is its own, and its run is counted."""
    watched()
    with pytest.raises(OSError, match="the model is down"):
        run(clerk(OSError("the model is down")))
    counts = agents.counts()
    assert (counts.triggered, counts.scored + counts.not_scorable) == (1, 1)


def test_a_handoff_is_two_runs(agents: Runs, watched: Makes) -> None:
    """Of who handed on, and of who answered."""
    watched()
    support = clerk(said("I help."), handoff_description="helps").clone(name="support")
    assert run(clerk(call("transfer_to_support"), handoffs=[support]), "Help!") == "I help."
    assert [(each.agent_name, each.final_output) for each in agents.runs] == [("clerk", None), ("support", "I help.")]


@pytest.mark.parametrize("nested", [False, True])
def test_an_agent_as_a_tool(agents: Runs, watched: Makes, nested: bool) -> None:
    """It is a part of the run; with `nested` one of its own too."""
    watched(nested=nested)
    inner = clerk(said("inner")).clone(name="inner")
    outer = clerk(call("ask", '{"input": "x"}'), said("outer"), tools=[inner.as_tool("ask", "asks")])
    assert run(outer) == "outer"
    assert sorted(each.agent_name for each in agents.runs) == (["clerk", "inner"] if nested else ["clerk"])
    whole = next(each for each in agents.runs if each.agent_name == "clerk")
    assert [each.agent_name for each in whole.sub_runs] == ["inner"]


def test_a_stream(agents: Runs, watched: Makes) -> None:
    """It is scored when it has been read; the events are the same."""
    processor = watched()

    async def main() -> int:
        result = Runner.run_streamed(clerk(said("streamed")), "Where?")
        number = 0
        async for _ in result.stream_events():
            number += 1
        return number

    assert asyncio.run(main()) > 1
    processor.force_flush()
    assert agents.told == [("Where?", "streamed", "ok")]


def test_two_runs_of_one_trace(agents: Runs, watched: Makes) -> None:
    """Both are scored when the trace ends; a trace without an agent is nothing to count."""
    watched()
    with trace("two"):
        for answer in ("one", "two"):
            run(clerk(said(answer)))
        assert agents.live.counts().triggered == 0
    with trace("none"), custom_span("by itself"):
        pass
    assert [answer for _, answer, _ in agents.told] == ["one", "two"]
    assert agents.counts().triggered == 2


def test_the_sample_is_by_the_trace(agents: Runs, watched: Makes) -> None:
    """The one around, else its own; what is not in it is counted run by run, and so is what is switched off."""
    watched(sample=ratio(0.1))
    for id in (IN_TENTH, OUT_OF_TENTH):
        with live_context(trace_id=id), trace("two"):
            for answer in ("one", "two"):
                run(clerk(said(answer)))
    assert {each.trace_id for each in agents.runs} == {IN_TENTH}
    with unscored("a rehearsal"):
        run(clerk(said("three")))
    counts = agents.counts()
    assert (counts.triggered, counts.scored, counts.sampled_out, counts.filtered) == (5, 2, 2, 1)


def test_without_tracing_there_is_nothing_to_see(agents: Runs, watched: Makes) -> None:
    """Nothing is counted either."""
    watched()
    assert run(clerk(said("unseen")), tracing_disabled=True) == "unseen"
    assert agents.counts().triggered == 0


def test_what_is_held_is_bounded(agents: Runs, watched: Makes) -> None:
    """Traces that do not end, and traces without an end of spans, are dropped and counted."""
    processor = watched(traces=1, trace_spans=3)
    first = trace("first")
    first.start()
    with trace("second"):
        for _ in range(4):
            with custom_span("step"):
                pass
    third = trace("third")
    third.start()
    processor.shutdown()
    third.finish()
    assert agents.reasons == {
        "dropped: too many traces had not ended": 1,
        "dropped: its trace had more than 3 spans": 1,
        "dropped: shut down before it ended": 1,
    }


def test_mistakes_are_told(seen: Seen) -> None:
    """Where they are made."""
    with pytest.raises(DefinitionError, match="trace_spans"):
        ScoringTraceProcessor(polite, live=seen.live, trace_spans=0)
    with pytest.raises(DefinitionError, match="at least one scorer"):
        ScoringTraceProcessor(live=seen.live)
