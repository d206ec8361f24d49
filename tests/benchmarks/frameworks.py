"""What a shim adds to a run: `python tests/benchmarks/frameworks.py [--json] [--rounds N] [--scale F]`.

An agent of ten turns, each with a tool call, by the framework's own test model: without a shim, sampled out, sampled
in. Each side is a fresh process. What is shown is the CPU time of the calling thread: the fastest of many runs, the
median of the rounds in which the sides take turns, as ratios to the side without a shim. The model costs nothing here,
so beside a real one the shim's share is smaller. It needs `pip install -e '.[frameworks]'`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from run import HERE, Command, Line, as_json, rounds, table

SIDES = ("plain", "out", "in")
COMMON = """
import asyncio, sys, warnings
from time import thread_time_ns
warnings.simplefilter("ignore")
from scorewright import create_scorer, pure
from scorewright.live import Live, ratio

side, times, TURNS = sys.argv[1], int(sys.argv[2]), 10
one = create_scorer("one", input=str, output=str).generate_score(pure(lambda _: 1.0))
live = Live(metrics=False)
settings = {"live": live, "sample": ratio(1e-12 if side == "out" else 1)}

def measure(run):
    async def main():
        took = []
        for _ in range(times):
            began = thread_time_ns()
            await run()
            took.append(thread_time_ns() - began)
            assert live.flush()
        return took
    took = asyncio.run(main())
    counts = live.counts()
    assert counts.triggered == (0 if side == "plain" else times) and counts.scored == (times if side == "in" else 0)
    live.shutdown()
    print(min(took[1:]) / 1000)
"""
PYDANTIC_AI = """
from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from scorewright.live.frameworks import ScoringCapability

def answer(messages, info):
    turn = sum(isinstance(each, ModelResponse) for each in messages)
    return ModelResponse([ToolCallPart("track", {"number": turn}) if turn < TURNS else TextPart("done " * 100)])

agent = Agent(FunctionModel(answer), capabilities=[] if side == "plain" else [ScoringCapability(one, **settings)])

@agent.tool_plain
def track(number: int) -> str:
    return "word " * 200

measure(lambda: agent.run("Where?"))
"""
OPENAI_AGENTS = """
sys.path.insert(0, sys.argv[3])
from agents import Agent, Runner, function_tool, set_trace_processors
from scripted import Scripted, call, said
from scorewright.live.frameworks import ScoringTraceProcessor

set_trace_processors([] if side == "plain" else [ScoringTraceProcessor(one, **settings)])

@function_tool
def track(number: int) -> str:
    return "word " * 200

def run():
    script = [call("track", f'{{"number": {at}}}', f"c{at}") for at in range(TURNS)]
    agent = Agent(name="clerk", model=Scripted(*script, said("done " * 100)), tools=[track])
    return Runner.run(agent, "Where?", max_turns=2 * TURNS)

measure(run)
"""
LANGGRAPH = """
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from scorewright.live.frameworks import ScoringCallback

config = {"recursion_limit": 100}
if side != "plain":
    config["callbacks"] = [ScoringCallback(one, **settings)]

@tool
def track(number: int) -> str:
    \"\"\"Where a parcel is.\"\"\"
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

measure(lambda: graph().ainvoke({"messages": [HumanMessage("Where?")]}, config))
"""
CODE = {"pydantic-ai": PYDANTIC_AI, "openai-agents": OPENAI_AGENTS, "langgraph": LANGGRAPH}


def lines(times: int, scale: float) -> list[Line]:
    """Measure everything."""
    runs, tests = max(3, round(30 * scale)), str(HERE.parent / "live" / "frameworks")
    sides: dict[str, Command] = {
        f"{name} {side}": ("-c", COMMON + code, side, str(runs), tests) for name, code in CODE.items() for side in SIDES
    }
    m = rounds(sides, times)
    found: list[Line] = []
    for name in CODE:
        plain = m[f"{name} plain"]
        found += [
            Line(f"{name}: a run of ten turns", plain / 1000, "ms"),
            Line(f"{name}: sampled out, against that", m[f"{name} out"] / plain, "x"),
            Line(f"{name}: sampled in, against that", m[f"{name} in"] / plain, "x"),
        ]
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=3, help="how often the sides take turns")
    parser.add_argument("--scale", type=float, default=1.0, help="a fraction of the usual runs, for a quick look")
    given = parser.parse_args(arguments)
    print((as_json if given.json else table)(lines(given.rounds, given.scale)))


if __name__ == "__main__":
    sys.exit(main())
