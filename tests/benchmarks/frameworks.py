"""What a shim adds to a run: `python tests/benchmarks/frameworks.py [--json] [--runs N] [FRAMEWORK …]`.

An agent of ten turns, each with a tool call, by the framework's own test model: without a shim, sampled out, sampled
in. The sides take turns in one process, a run each, in an order that is drawn anew; what is shown is the CPU time of
the calling thread, its median, and the median of the ratios to the run without a shim beside it. So what slows the
machine down meets all sides alike. The model costs nothing here, so beside a real one the shim's share is smaller. It
needs `pip install -e '.[frameworks]'`, and takes some ten seconds for each.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import warnings
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time_ns
from typing import TypeAlias

from run import Line, as_json, table

from scorewright import create_scorer, pure
from scorewright.live import Live, Sample, ratio

TURNS = 10
SIDES = ("plain", "out", "in")
SAMPLES = {"out": ratio(1e-12), "in": ratio(1)}
ONE = create_scorer("one", input=str, output=str).generate_score(pure(lambda _: 1.0))

Ask: TypeAlias = Callable[[], Awaitable[object]]
Sides: TypeAlias = Callable[[Callable[[str], tuple[Live, Sample]]], Mapping[str, Ask]]


def pydantic_ai(settings: Callable[[str], tuple[Live, Sample]]) -> Mapping[str, Ask]:
    """An agent for each side."""
    from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    from scorewright.live.frameworks import ScoringCapability

    def answer(messages, _):
        turn = sum(isinstance(each, ModelResponse) for each in messages)
        said = ToolCallPart("track", {"number": turn}) if turn < TURNS else TextPart("done " * 100)
        return ModelResponse([said])

    def asking(side: str) -> Ask:
        shims = []
        if side != "plain":
            live, sample = settings(side)
            shims = [ScoringCapability(ONE, live=live, sample=sample)]
        agent = Agent(FunctionModel(answer), capabilities=shims)

        @agent.tool_plain
        def track(number: int) -> str:
            return "word " * 200

        return lambda: agent.run("Where?")

    return {side: asking(side) for side in SIDES}


def openai_agents(settings: Callable[[str], tuple[Live, Sample]]) -> Mapping[str, Ask]:
    """The processors of traces are the process's, so each side sets its own before it runs."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "live" / "frameworks"))
    from agents import Agent, Runner, function_tool, set_trace_processors
    from scripted import Scripted, call, said

    from scorewright.live.frameworks import ScoringTraceProcessor

    @function_tool
    def track(number: int) -> str:
        return "word " * 200

    def asking(side: str) -> Ask:
        shims = []
        if side != "plain":
            live, sample = settings(side)
            shims = [ScoringTraceProcessor(ONE, live=live, sample=sample)]

        def ask():
            set_trace_processors(shims)
            script = [call("track", f'{{"number": {at}}}', f"c{at}") for at in range(TURNS)]
            agent = Agent(name="clerk", model=Scripted(*script, said("done " * 100)), tools=[track])
            return Runner.run(agent, "Where?", max_turns=2 * TURNS)

        return ask

    return {side: asking(side) for side in SIDES}


def langgraph(settings: Callable[[str], tuple[Live, Sample]]) -> Mapping[str, Ask]:
    """A configuration for each side; the model is used up by a run, so the graph is made anew."""
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    from scorewright.live.frameworks import ScoringCallback

    @tool
    def track(number: int) -> str:
        """Where a parcel is."""
        return "word " * 200

    def graph():
        calls = [{"name": "track", "args": {"number": at}, "id": f"c{at}"} for at in range(TURNS)]
        asks = [AIMessage("", tool_calls=[call]) for call in calls]
        model = GenericFakeChatModel(messages=iter([*asks, AIMessage("done " * 100)]))
        made = StateGraph(MessagesState)
        made.add_node("think", lambda state: {"messages": [model.invoke(state["messages"])]})
        made.add_node("tools", ToolNode([track]))
        made.add_edge(START, "think")
        made.add_conditional_edges("think", lambda state: "tools" if state["messages"][-1].tool_calls else "__end__")
        made.add_edge("tools", "think")
        return made.compile()

    def asking(side: str) -> Ask:
        config = {"recursion_limit": 100}
        if side != "plain":
            live, sample = settings(side)
            config["callbacks"] = [ScoringCallback(ONE, live=live, sample=sample)]
        return lambda: graph().ainvoke({"messages": [HumanMessage("Where?")]}, config)

    return {side: asking(side) for side in SIDES}


FRAMEWORKS: Mapping[str, Sides] = {"pydantic-ai": pydantic_ai, "openai-agents": openai_agents, "langgraph": langgraph}


async def times(sides: Mapping[str, Ask], live: Live, runs: int) -> Mapping[str, list[float]]:
    """Milliseconds of every run of every side, in rounds of one run each."""
    took: dict[str, list[float]] = {side: [] for side in SIDES}
    order, draw = [*SIDES], Random(0)
    for at in range(runs + 2):
        draw.shuffle(order)
        gc.collect()
        for side in order:
            began = thread_time_ns()
            await sides[side]()
            milliseconds = (thread_time_ns() - began) / 1e6
            assert live.flush()  # so that nothing of one side is done in the time of another
            if at > 1:  # the first two warm up
                took[side].append(milliseconds)
    return took


def lines(name: str, runs: int) -> list[Line]:
    """Measure one framework."""
    with Live(metrics=False) as live:
        sides = FRAMEWORKS[name](lambda side: (live, SAMPLES[side]))
        took = asyncio.run(times(sides, live, runs))
    counts = live.counts()
    assert counts.scored == counts.sampled_out == runs + 2
    against = {side: median(map(_ratio, took[side], took["plain"])) for side in SIDES}
    return [
        Line(f"{name}: a run of ten turns", median(took["plain"]), "ms"),
        Line(f"{name}: sampled out, against that", against["out"], "x"),
        Line(f"{name}: sampled in, against that", against["in"], "x"),
    ]


def _ratio(one: float, other: float) -> float:
    return one / other


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--runs", type=int, default=25, help="runs of each side")
    parser.add_argument("frameworks", nargs="*", choices=[*FRAMEWORKS, []], help="all unless given")
    given = parser.parse_args(arguments)
    found = [line for name in given.frameworks or FRAMEWORKS for line in lines(name, given.runs)]
    print((as_json if given.json else table)(found))


if __name__ == "__main__":
    sys.exit(main())
