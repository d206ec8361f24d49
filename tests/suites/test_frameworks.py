"""Agents and graphs of the frameworks as targets, with the frameworks' own test models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict

import pytest
from suites.test_targets import TURNS, evaluated, length, messages, steps_taken

from scorewright import create_scorer, pure
from scorewright.agents import AgentOutput, AgentRun, tool_calls
from scorewright.suites import Suite

INSTALL = "pip install -e '.[frameworks]'"

called = create_scorer("called", input=object, output=AgentOutput).generate_score(
    pure(lambda s: [call.name for call in tool_calls(s.run.output)] == ["locate"])
)
final = create_scorer("final", input=object, output=str).generate_score(pure(lambda s: s.run.output == "At the depot."))
QUESTION: list[dict[str, object]] = [{"id": "a", "input": "Where is my parcel?"}]


class State(TypedDict, total=False):
    """What a workflow fills in, step by step."""

    topic: str
    draft: str
    answer: str


def test_pydantic_ai_with_its_test_model() -> None:
    """Tools are called; a typed output reaches scorers of that type as it is."""
    pytest.importorskip("pydantic_ai", reason=INSTALL)
    from pydantic import BaseModel
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    agent = Agent(TestModel(custom_output_text="At the depot."))

    @agent.tool_plain
    def locate(parcel: str) -> str:
        return "depot"

    (item,), summary = evaluated(Suite(called, final, messages, steps_taken), QUESTION, agent)
    assert (item.failures, item.not_scorable) == ({}, {})
    assert (summary["called"].mean.value, summary["final"].mean.value) == (1, 1)

    class Place(BaseModel):
        name: str

    placed = create_scorer("placed", input=str, output=Place).generate_score(pure(lambda s: s.run.output.name == "a"))
    (item,), _ = evaluated(Suite(placed), QUESTION, Agent(TestModel(), output_type=Place))
    assert item.evaluations["placed"].score == 1


@pytest.fixture
def untraced() -> Iterator[None]:
    """Without the SDK's own tracing, which would send what it saw."""
    pytest.importorskip("agents.run", reason=INSTALL)  # `agents` alone may be a folder of tests
    from agents import set_tracing_disabled

    set_tracing_disabled(True)
    yield
    set_tracing_disabled(False)


@pytest.mark.usefixtures("untraced")
def test_openai_agents_with_a_model_of_our_own() -> None:
    """Tool calls and words are scored; the second turn of a conversation goes on with the agent's own record."""
    from agents import Agent, Model, ModelResponse, Usage, function_tool
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    heard: list[list[object]] = []

    def said(text: str) -> ResponseOutputMessage:
        part = ResponseOutputText(annotations=[], text=text, type="output_text")
        return ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")

    class Scripted(Model):
        async def get_response(
            self, system_instructions: object, input: object, *_: object, **__: object
        ) -> ModelResponse:
            assert system_instructions == "Be brief."
            items = [*input] if isinstance(input, list) else [input]
            heard.append(items)
            answered = any(isinstance(each, dict) and each.get("type") == "function_call_output" for each in items)
            call = ResponseFunctionToolCall(arguments='{"n": 7}', call_id="c1", name="locate", type="function_call")
            return ModelResponse([said("At the depot.") if answered else call], Usage(), None)

        def stream_response(self, *_: object, **__: object) -> object:
            raise NotImplementedError

    @function_tool
    def locate(n: int) -> str:
        """Where a parcel is."""
        return "depot"

    agent = Agent(name="support", instructions="Be brief.", model=Scripted(), tools=[locate])
    (item,), summary = evaluated(Suite(called, final, messages), QUESTION, agent)
    assert (item.failures, item.not_scorable) == ({}, {})
    assert (summary["called"].mean.value, summary["final"].mean.value) == (1, 1)
    heard.clear()
    (item,), _ = evaluated(Suite(messages, turns=[length]), TURNS, agent)
    assert item.failures == {}
    kinds = [each.get("type", each.get("role")) for each in heard[-1] if isinstance(each, dict)]
    assert kinds == ["user", "function_call", "function_call_output", "message", "user"]


def test_a_graph_with_a_fake_chat_model() -> None:
    """Its messages, its tool call and its last words are scored, also where a checkpointer remembers threads."""
    pytest.importorskip("langgraph", reason=INSTALL)
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph
    from langgraph.graph.message import MessagesState
    from langgraph.prebuilt import ToolNode

    @tool
    def locate(parcel: int) -> str:
        """Where a parcel is."""
        return "depot"

    heard: list[int] = []

    def think(state: dict[str, list[Any]]) -> dict[str, object]:
        heard.append(len(state["messages"]))
        asks = AIMessage("", tool_calls=[{"name": "locate", "args": {"parcel": 7}, "id": f"c{len(heard)}"}])
        answered = state["messages"][-1].type == "tool"
        model = GenericFakeChatModel(messages=iter([AIMessage("At the depot.") if answered else asks]))
        return {"messages": [model.invoke(state["messages"])]}

    def after(state: dict[str, list[Any]]) -> str:
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else "__end__"

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", ToolNode([locate]))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", after)
    graph.add_edge("tools", "think")
    for app in (graph.compile(), graph.compile(checkpointer=InMemorySaver())):
        heard.clear()
        two = [*QUESTION, {"id": "b", "input": "Where is my parcel?"}]
        items, summary = evaluated(Suite(called, final, messages, steps_taken), two, app)
        assert [(item.failures, item.not_scorable) for item in items] == [({}, {})] * 2
        assert (summary["called"].mean.value, summary["final"].mean.value) == (1, 1)
        assert sorted(heard) == [1, 1, 3, 3]
        heard.clear()
        (item,), _ = evaluated(Suite(messages, turns=[length]), TURNS, app)
        assert item.failures == {}
        assert heard == [1, 3, 5, 7]  # the second turn begins with the four messages of the first
        assert item.answered is not None
        assert isinstance(item.answered.run, AgentRun)


def test_the_nodes_of_a_graph_are_its_steps() -> None:
    """They are scored by name; one that did not run is not scorable."""
    pytest.importorskip("langgraph", reason=INSTALL)
    from langgraph.graph import END, START, StateGraph

    def draft(state: State) -> State:
        return {"draft": f"one two three about {state['topic']}"}

    def review(state: State) -> State:
        return {"answer": state["draft"].upper()}

    def enough(state: State) -> str:
        return END if state["topic"] == "nothing" else "review"

    graph = StateGraph(State)
    graph.add_node("draft", draft)
    graph.add_node("review", review)
    graph.add_edge(START, "draft")
    graph.add_conditional_edges("draft", enough)
    graph.add_edge("review", END)
    said = create_scorer("said", input=State, output=State).generate_score(pure(lambda s: "answer" in s.run.output))
    loud = create_scorer("loud", input=object, output=str).generate_score(pure(lambda s: s.run.output.isupper()))
    suite = Suite(said, steps={"draft": [loud], "review": [loud]})
    rows: list[dict[str, object]] = [{"id": each, "input": {"topic": each}} for each in ("parcels", "nothing")]
    (whole, short), _ = evaluated(suite, rows, graph.compile())
    assert {key: each.score for key, each in whole.evaluations.items()} == {
        "said": 1,
        "draft/loud": 0,
        "review/loud": 1,
    }
    assert short.not_scorable == {"review/loud": "the step 'review' did not run; those that did: draft"}
    assert short.evaluations["said"].score == 0
