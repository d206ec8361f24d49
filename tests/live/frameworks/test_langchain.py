"""Graphs of LangGraph and runnables of LangChain, by the fake chat models of langchain-core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langgraph", reason="pip install -e '.[frameworks]'")

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableConfig, RunnableLambda, RunnableParallel
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import MessagesState
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from live.frameworks.seeing import IN_TENTH, OUT_OF_TENTH, Runs, calls
from live.watching import Seen, polite
from pydantic import BaseModel

from scorewright import DefinitionError, create_scorer, pure
from scorewright.live import live_context, ratio, unscored
from scorewright.live.frameworks import ScoringCallback

QUESTION: dict[str, list[BaseMessage]] = {"messages": [HumanMessage("Where are they?")]}


class Place(BaseModel):
    """A value that a chain gives."""

    name: str


@tool
def track(parcel: int) -> str:
    """Where a parcel is."""
    if parcel == 8:
        raise ValueError("no such parcel")
    return "depot"


def model(*answers: str | AIMessage) -> GenericFakeChatModel:
    return GenericFakeChatModel(messages=iter(answers))


def graph(node: Callable[..., object] | None = None, saver: InMemorySaver | None = None) -> Any:
    """A graph of one node; without one, of a model and its tools."""
    made = StateGraph(MessagesState)
    if node is not None:
        made.add_node("node", node)  # type: ignore[call-overload]  # of any kind
        made.add_edge(START, "node")
        return made.compile(checkpointer=saver, name="clerk")
    asks = [{"name": "track", "args": {"parcel": parcel}, "id": f"c{parcel}"} for parcel in (7, 8)]
    asked = model(AIMessage("", tool_calls=asks), AIMessage("At the depot."))

    def think(state: MessagesState) -> dict[str, object]:
        return {"messages": [asked.invoke(state["messages"])]}

    def after(state: MessagesState) -> str:
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else "__end__"

    made.add_node("think", think)
    made.add_node("tools", ToolNode([track], handle_tool_errors=True))
    made.add_edge(START, "think")
    made.add_conditional_edges("think", after)
    made.add_edge("tools", "think")
    return made.compile(checkpointer=saver, name="clerk")


def config(agents: Runs, **settings: object) -> RunnableConfig:
    return {"callbacks": [ScoringCallback(agents.scorer, live=agents.live, **settings)]}  # type: ignore[arg-type]  # whatever the test says


def _invoke(app: Any, with_: RunnableConfig) -> None:
    assert app.invoke(QUESTION, with_)["messages"][-1].content == "At the depot."


def _stream(app: Any, with_: RunnableConfig) -> None:
    assert [*app.stream(QUESTION, with_)][-1]["think"]["messages"][-1].content == "At the depot."


def _ainvoke(app: Any, with_: RunnableConfig) -> None:
    assert asyncio.run(app.ainvoke(QUESTION, with_))["messages"][-1].content == "At the depot."


def _astream(app: Any, with_: RunnableConfig) -> None:
    async def main() -> list[Any]:
        return [part async for part in app.astream(QUESTION, with_)]

    assert asyncio.run(main())[-1]["think"]["messages"][-1].content == "At the depot."


@pytest.mark.parametrize("way", [_invoke, _stream, _ainvoke, _astream])
def test_every_way_to_run_a_graph(agents: Runs, way: Callable[[Any, RunnableConfig], None]) -> None:
    """Each is one run with its tools, one of which failed, and gives what it gives."""
    way(graph(), config(agents))
    assert agents.told == [("Where are they?", "At the depot.", "ok")]
    assert calls(agents.runs[0]) == [
        ("track", {"parcel": 7}, "depot", "result"),
        ("track", {"parcel": 8}, None, "error"),
    ]
    assert agents.runs[0].agent_name == "clerk"


def test_chains(agents: Runs) -> None:
    """A chain's run is what goes in at its beginning and comes out at its end, read at once or part by part."""
    prompt = ChatPromptTemplate.from_messages([("system", "Be brief."), ("user", "{question}")])
    for _ in range(2):
        chain = prompt | model("Hello you") | StrOutputParser()
        parts = [*chain.stream({"question": "Who?"}, config(agents))]
        assert "".join(parts) == "Hello you"
    model("Alone").invoke("Who else?", config(agents))
    assert [*RunnableLambda(str.upper).batch(["a", "b"], config(agents))] == ["A", "B"]
    assert sorted(agents.told) == [
        ("Who else?", "Alone", "ok"),
        ("Who?", "Hello you", "ok"),
        ("Who?", "Hello you", "ok"),
        ("a", "A", "ok"),
        ("b", "B", "ok"),
    ]


def test_values_that_are_no_text(seen: Seen) -> None:
    """Reach scorers of their type."""
    depot = create_scorer("depot", input=str, output=Place).generate_score(pure(lambda s: s.run.output.name == "depot"))
    chain = model("depot") | StrOutputParser() | RunnableLambda(lambda text: Place(name=text))
    assert chain.invoke("Where?", {"callbacks": [ScoringCallback(depot, live=seen.live)]}) == Place(name="depot")
    assert seen.values == [1.0]


def test_parallel_branches_are_one_run(agents: Runs) -> None:
    """With all that is in them; many at once are kept apart."""
    both = RunnableParallel(
        a=RunnableLambda(str.upper) | StrOutputParser(), b=RunnableLambda(str.lower) | StrOutputParser()
    )
    with_ = config(agents)

    async def many() -> list[dict[str, str]]:
        return await asyncio.gather(*(both.ainvoke(f"Who {at}", with_) for at in range(10)))

    assert asyncio.run(many())[3] == {"a": "WHO 3", "b": "who 3"}
    assert both.invoke("Who x", with_) == {"a": "WHO X", "b": "who x"}
    answers = {question: answer for question, answer, _ in agents.told}
    assert len(agents.runs) == len(answers) == 11
    assert answers["Who 3"] == {"a": "WHO 3", "b": "who 3"}


def test_errors_are_the_graphs_own(agents: Runs) -> None:
    """And make a run with an error, with the question that was asked."""

    def fail(state: MessagesState) -> dict[str, object]:
        model("thinking").invoke(state["messages"])
        raise RuntimeError("out of order")

    for app in (graph(fail), RunnableLambda(lambda _: 1 / 0)):
        with pytest.raises((RuntimeError, ZeroDivisionError)):
            app.invoke(QUESTION, config(agents))
    assert agents.told == [("Where are they?", None, "error")] * 2
    assert [run.error and run.error.type for run in agents.runs] == ["RuntimeError", "ZeroDivisionError"]


def test_a_graph_that_waits_for_somebody(agents: Runs) -> None:
    """It is suspended, and what goes on is another run."""

    def ask(state: MessagesState) -> dict[str, object]:
        return {"messages": [AIMessage(interrupt("sure?"))]}

    app = graph(ask, InMemorySaver())
    with_: RunnableConfig = {**config(agents), "configurable": {"thread_id": "1"}}
    app.invoke(QUESTION, with_)
    app.invoke(Command(resume="yes"), with_)
    assert agents.told == [("Where are they?", None, "suspended"), ("Where are they?", "yes", "ok")]


def test_what_is_left_or_cancelled_is_not_scored(agents: Runs) -> None:
    """It has no end to score, and is counted."""

    async def wait(state: MessagesState) -> dict[str, object]:
        begun.set()
        await asyncio.Event().wait()
        return {}

    async def cancelled() -> None:
        task = asyncio.create_task(graph(wait).ainvoke(QUESTION, config(agents)))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    begun = asyncio.Event()
    asyncio.run(cancelled())
    parts = graph().stream(QUESTION, config(agents))
    next(parts)
    parts.close()
    assert agents.reasons == {
        "filtered: the call was cancelled": 1,
        "filtered: the call was closed before its end": 1,
    }


def test_the_sample_is_by_the_trace_else_by_the_run(agents: Runs) -> None:
    """As everywhere; of what no scorer will see nothing is kept."""
    with_ = config(agents, sample=ratio(0.1))
    for trace in (IN_TENTH, OUT_OF_TENTH):
        with live_context(trace_id=trace):
            graph().invoke(QUESTION, with_)
    assert [run.trace_id for run in agents.runs] == [IN_TENTH]
    with unscored("a rehearsal"):
        graph().invoke(QUESTION, with_)
    counts = agents.counts()
    assert (counts.triggered, counts.sampled_out, dict(counts.reasons)) == (3, 1, {"filtered: a rehearsal": 1})


def test_what_is_held_is_bounded(agents: Runs) -> None:
    """Runs that do not end, and runs of too many steps, are dropped and counted."""
    graph().invoke(QUESTION, config(agents, steps=3))
    with_ = config(agents, runs=1)
    left = [graph().stream(QUESTION, with_) for _ in range(2)]
    for parts in left:
        next(parts)
    for parts in left:
        parts.close()
    assert agents.reasons == {
        "dropped: it had more than 3 steps": 1,
        "dropped: too many runs had not ended": 1,
        "filtered: the call was closed before its end": 1,
    }


def test_a_value_that_cannot_be_written_is_counted(agents: Runs) -> None:
    """The graph goes on as it would."""

    class Treacherous:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    made = Treacherous()
    assert RunnableLambda(lambda _: made).invoke("Who?", config(agents)) is made
    assert [*agents.reasons] == ["dropped: reading the run raised RuntimeError"]


def test_mistakes_are_told(seen: Seen) -> None:
    """Where they are made."""
    with pytest.raises(DefinitionError, match="steps"):
        ScoringCallback(polite, live=seen.live, steps=0)
