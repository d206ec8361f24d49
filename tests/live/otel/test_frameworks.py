"""Agents of pydantic-ai, by its own instrumentation and its own test model."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("opentelemetry.sdk")
pytest.importorskip("pydantic_ai")

from live.otel.tracing import Traced
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel
from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.test import TestModel

from scorewright import Scorer, create_scorer, pure
from scorewright.agents import AgentInput, AgentRun
from scorewright.live.otel.pieces import document_of
from scorewright.live.otel.reading import piece_of
from scorewright.traces import read_runs


class Parcel(BaseModel):
    """A structured output."""

    number: int
    place: str


class Seen:
    """A scorer that keeps the runs that it is given."""

    def __init__(self) -> None:
        self.runs: list[AgentRun] = []
        self.scorer: Scorer[AgentInput, AgentRun] = create_scorer(
            "seen", input=AgentInput, output=AgentRun
        ).generate_score(pure(lambda s: bool(self.runs.append(s.run.output))))
        self.traced = Traced(self.scorer)
        self.exporter = InMemorySpanExporter()
        self.traced.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    def capabilities(self, **settings: object) -> list[Instrumentation]:
        made = InstrumentationSettings(tracer_provider=self.traced.provider, **settings)  # type: ignore[arg-type]  # of whatever setting
        return [Instrumentation(made)]

    def scored(self) -> list[AgentRun]:
        """What was scored: the same as is read from the exported spans, all of them at once."""
        assert self.traced.provider.force_flush()
        self.traced.end()
        pieces = [piece_of(span, False) for span in self.exporter.get_finished_spans()]
        exported = [run.unwrap() for run in read_runs(document_of(pieces), "otlp")]
        assert sorted(map(repr, exported)) == sorted(map(repr, self.runs))
        return self.runs


def test_a_run_with_a_tool() -> None:
    """Its question, its call with the result, its answer."""
    seen = Seen()
    agent = Agent(
        TestModel(custom_output_text="In Graz."),
        name="support",
        capabilities=seen.capabilities(),
        instructions="Brief.",
    )

    @agent.tool_plain
    def track(number: int) -> str:
        return f"parcel {number} is in Graz"

    assert asyncio.run(agent.run("Where is it?")).output == "In Graz."
    [run] = seen.scored()
    assert (run.agent_name, run.final_output, run.status, run.content) == ("support", "In Graz.", "ok", "captured")
    [call] = [call for message in run.output.messages for call in message.tool_calls]
    assert (call.name, call.args, call.result, call.state) == (
        "track",
        {"number": 0},
        "parcel 0 is in Graz",
        "result",
    )
    assert run.gaps == ()


def test_an_agent_in_a_tool_is_a_part_of_the_run() -> None:
    """One run, with the other inside."""
    seen = Seen()
    inner = Agent(TestModel(custom_output_text="inner"), name="inner", capabilities=seen.capabilities())
    outer = Agent(TestModel(custom_output_text="outer"), name="outer", capabilities=seen.capabilities())

    @outer.tool_plain
    async def ask(question: str) -> str:
        return (await inner.run(question)).output

    assert asyncio.run(outer.run("Well?")).output == "outer"
    [run] = seen.scored()
    assert (run.agent_name, [each.agent_name for each in run.sub_runs]) == ("outer", ["inner"])


def test_runs_at_once_are_kept_apart() -> None:
    """Each in its own trace."""
    seen = Seen()
    agent = Agent(TestModel(), name="support", capabilities=seen.capabilities())

    async def many() -> None:
        await asyncio.gather(*(agent.run(f"question {at}") for at in range(20)))

    asyncio.run(many())
    runs = seen.scored()
    assert len({run.trace_id for run in runs}) == len(runs) == 20


def test_a_structured_output_and_a_stream() -> None:
    """Both have a final output."""
    seen = Seen()
    typed = Agent(TestModel(), output_type=Parcel, name="typed", capabilities=seen.capabilities())
    asyncio.run(typed.run("Where?"))
    plain = Agent(TestModel(custom_output_text="a b c"), name="plain", capabilities=seen.capabilities())

    async def stream() -> None:
        async with plain.run_stream("Where?") as result:
            async for _ in result.stream_text():
                pass

    asyncio.run(stream())
    runs = {run.agent_name: run for run in seen.scored()}
    assert runs["typed"].final_output == {"number": 0, "place": "a"}
    assert runs["plain"].final_output == "a b c"


def test_a_run_that_fails_is_a_run_with_an_error() -> None:
    """It is handed on like any other."""
    seen = Seen()
    agent = Agent(TestModel(), name="support", capabilities=seen.capabilities())

    @agent.tool_plain
    def broken() -> str:
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        asyncio.run(agent.run("Where?"))
    [run] = seen.scored()
    assert run.status == "error"


def test_without_content_it_is_not_scorable() -> None:
    """`include_content=False`: there is no answer to judge."""
    traced = Traced()
    settings = InstrumentationSettings(tracer_provider=traced.provider, include_content=False)
    agent = Agent(TestModel(), name="support", capabilities=[Instrumentation(settings)])
    asyncio.run(agent.run("Where?"))
    assert traced.values == [None]
    assert traced.seen.counts().not_scorable == 1
    traced.end()
