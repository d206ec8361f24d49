"""Agents of pydantic-ai, by its own test models."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

pytest.importorskip("pydantic_ai")

from live.frameworks.seeing import IN_TENTH, OUT_OF_TENTH, Runs, calls
from live.watching import Seen, polite, tone
from opentelemetry.sdk.trace import TracerProvider
from pydantic import BaseModel
from pydantic_ai import Agent, InstrumentationSettings, ModelMessage, ModelResponse, RunContext
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from returns.result import Result

from scorewright import create_scorer, ok, pure
from scorewright.core import Step
from scorewright.live import NEVER, live_context, ratio, scored, unscored
from scorewright.live.frameworks import ScoringCapability

pytestmark = pytest.mark.usefixtures("no_loop_is_left")


class Parcel(BaseModel):
    """A structured output."""

    number: int


@dataclass
class Depot:
    """What an agent depends on."""

    place: str


def clerk(agents: Runs, answer: str = "In Graz.", **settings: object) -> Agent[object, str]:
    capability = ScoringCapability(agents.scorer, live=agents.live, **settings)  # type: ignore[arg-type]  # whatever the test says
    return Agent(TestModel(custom_output_text=answer), name="clerk", capabilities=[capability])


async def _run(agent: Agent[object, str]) -> str:
    return (await agent.run("Where?")).output


async def _stream(agent: Agent[object, str]) -> str:
    async with agent.run_stream("Where?") as result:
        return "".join([part async for part in result.stream_text(delta=True)])


async def _iter(agent: Agent[object, str]) -> str:
    async with agent.iter("Where?") as going:
        async for _ in going:
            pass
    assert going.result is not None
    return going.result.output


async def _events(agent: Agent[object, str]) -> str:
    async with agent.run_stream_events("Where?") as events:
        last = [event async for event in events][-1]
    return str(getattr(last, "result").output)  # noqa: B009 - the last event is the result's


@pytest.mark.parametrize("way", [_run, _stream, _iter, _events])
def test_every_way_to_run_one(agents: Runs, way: Callable[[Agent[object, str]], Awaitable[str]]) -> None:
    """Each is one run, scored once, and gives what it gives."""

    async def main() -> str:
        return await way(clerk(agents))

    assert asyncio.run(main()) == "In Graz."
    assert agents.told == [("Where?", "In Graz.", "ok")]
    assert [score.origin.trace_id for score in agents.scores] == [run.id for run in agents.runs]
    assert agents.runs[0].agent_name == "clerk"


def test_without_a_loop(agents: Runs) -> None:
    """`run_sync`, twice: two runs."""
    agent = clerk(agents)
    first = agent.run_sync("Where?")
    second = agent.run_sync("And now?", message_history=first.all_messages())
    assert second.output == "In Graz."
    assert agents.told == [("Where?", "In Graz.", "ok"), ("And now?", "In Graz.", "ok")]
    assert [len(run.input.remembered_messages) for run in agents.runs] == [0, 2]


def test_tools_and_dependencies(agents: Runs) -> None:
    """Calls are in the run; the dependencies are those that were given, and are not."""
    agent = Agent(
        TestModel(custom_output_text="Done."),
        deps_type=Depot,
        capabilities=[ScoringCapability(agents.scorer, live=agents.live)],
    )
    seen: list[Depot] = []

    @agent.tool
    def track(context: RunContext[Depot], number: int) -> str:
        seen.append(context.deps)
        return f"parcel {number} is tracked"

    depot = Depot("secret street")
    assert agent.run_sync("Where?", deps=depot).output == "Done."
    assert seen[0] is depot
    assert calls(agents.runs[0]) == [("track", {"number": 0}, "parcel 0 is tracked", "result")]
    assert "secret street" not in repr(agents.scores)


def test_a_structured_output_reaches_a_scorer_of_its_type(seen: Seen) -> None:
    """As it is."""
    zero = create_scorer("zero", input=str, output=Parcel).generate_score(pure(lambda s: s.run.output.number == 0))
    agent = Agent(TestModel(), output_type=Parcel, capabilities=[ScoringCapability(zero, live=seen.live)])
    assert agent.run_sync("Which?").output == Parcel(number=0)
    assert seen.values == [1.0]


def test_errors_are_the_agents_own_and_make_runs_with_an_error(agents: Runs) -> None:
    """Of a tool and of a model; what was said until then is in the run."""
    agent = clerk(agents)

    @agent.tool_plain
    def broken() -> str:
        raise RuntimeError("out of order")

    def down(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise OSError("the model is down")

    with pytest.raises(RuntimeError, match="out of order") as caught:
        agent.run_sync("Where?")
    assert caught.value.args == ("out of order",)
    silent = Agent(FunctionModel(down), capabilities=[ScoringCapability(agents.scorer, live=agents.live)])
    with pytest.raises(OSError, match="the model is down"):
        silent.run_sync("Anybody?")
    assert agents.told == [("Where?", None, "error"), ("Anybody?", None, "error")]
    assert [run.error and run.error.message for run in agents.runs] == ["out of order", "the model is down"]
    assert calls(agents.runs[0])[0][0] == "broken"


def test_what_is_left_or_cancelled_is_not_scored(agents: Runs) -> None:
    """It has no end to score, and is counted."""
    agent = clerk(agents, "a b c")
    begun = asyncio.Event()

    @agent.tool_plain
    async def wait() -> str:
        begun.set()
        await asyncio.Event().wait()
        return ""

    async def cancelled() -> None:
        task = asyncio.create_task(agent.run("Where?"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def left() -> None:
        async with clerk(agents).iter("Where?") as going:
            async for _ in going:
                break

    asyncio.run(cancelled())
    asyncio.run(left())
    assert agents.reasons == {"filtered: the call was cancelled": 2}


@pytest.mark.parametrize("nested", [False, True])
def test_an_agent_in_a_tool(agents: Runs, nested: bool) -> None:
    """It is a part of the run around it; with `nested` it is scored by itself too."""
    inner, outer = clerk(agents, "inner", nested=nested), clerk(agents, "outer", nested=nested)

    @outer.tool_plain
    async def ask(question: str) -> str:
        return (await inner.run(question)).output

    assert outer.run_sync("Well?").output == "outer"
    answers = [answer for _, answer, _ in agents.told]
    assert answers == (["inner", "outer"] if nested else ["outer"])
    assert agents.reasons == ({} if nested else {"filtered: inside a call that is scored": 1})


def test_in_a_function_that_is_scored(seen: Seen) -> None:
    """The same scorer sees the function, another one the agent."""
    capability = ScoringCapability(polite, tone, live=seen.live)
    agent = Agent(TestModel(custom_output_text="please"), capabilities=[capability])

    @scored(polite, live=seen.live)
    def answer(question: str) -> str:
        return agent.run_sync(question).output

    assert answer("Where?") == "please"
    counts = seen.counts()
    assert sorted(score.scorer for score in seen.scores) == ["polite", "tone"]
    assert (counts.triggered, counts.filtered) == (3, 1)


def test_the_sample_is_by_the_trace_else_by_the_run(agents: Runs) -> None:
    """As everywhere."""
    agent = clerk(agents, sample=ratio(0.1))
    for trace in (IN_TENTH, OUT_OF_TENTH):
        with live_context(trace_id=trace):
            agent.run_sync("Where?")
    assert [run.trace_id for run in agents.runs] == [IN_TENTH]
    assert agents.counts().sampled_out == 1
    assert clerk(agents, sample=NEVER).run_sync("Where?").output == "In Graz."
    assert agents.counts().sampled_out == 2


def test_beside_instrumentation_the_span_is_the_agents(agents: Runs) -> None:
    """In whatever order the two are given."""
    provider = TracerProvider(shutdown_on_exit=False)
    traced = Instrumentation(InstrumentationSettings(tracer_provider=provider))
    scoring = ScoringCapability(agents.scorer, live=agents.live)
    for capabilities in ([traced, scoring], [scoring, traced]):
        agent = Agent(TestModel(), name="clerk", capabilities=capabilities)
        with provider.get_tracer("app").start_as_current_span("POST /ask") as span:
            agent.run_sync("Where?")
            about = span.get_span_context()
        origin = agents.runs[-1]
        assert origin.trace_id == f"{about.trace_id:032x}"
        assert origin.span_id not in {"", f"{about.span_id:016x}"}


def test_many_at_once(agents: Runs) -> None:
    """Each with its own question."""
    agent = clerk(agents)

    async def many() -> None:
        await asyncio.gather(*(agent.run(f"question {at}") for at in range(20)))

    asyncio.run(many())
    assert sorted(question for question, *_ in agents.told) == sorted(f"question {at}" for at in range(20))


def test_switched_off_and_filtered(agents: Runs) -> None:
    """Both are counted; a predicate that raises keeps the run out, and the agent does not hear of it."""
    with unscored("a rehearsal"):
        clerk(agents).run_sync("Where?")
    for where in (lambda run: run.agent_name == "other", lambda _: bool(1 / 0)):
        assert clerk(agents, where=where).run_sync("Where?").output == "In Graz."
    assert agents.reasons == {
        "filtered: a rehearsal": 1,
        "filtered: where= said no": 1,
        "filtered: where= raised ZeroDivisionError": 1,
    }


def test_an_agent_that_judges_is_not_scored(seen: Seen) -> None:
    """What a scorer runs is its own."""
    capability: list[ScoringCapability] = []

    async def judge(step: Step[str, str, None, None]) -> Result[float, object]:
        answer = await Agent(TestModel(custom_output_text="yes"), capabilities=capability).run(step.run.output)
        return ok(float(answer.output == "yes"))

    judged = create_scorer("judged", input=str, output=str).generate_score(judge)
    capability.append(ScoringCapability(judged, live=seen.live))
    Agent(TestModel(), capabilities=capability).run_sync("Where?")
    counts = seen.counts()
    assert (counts.scored, dict(counts.reasons)) == (1, {"filtered: inside a scorer": 1})
