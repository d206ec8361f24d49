"""What frameworks hand back, made with their own test models: `pip install -e '.[frameworks]'`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import attrs
import pytest

from scorewright.agents import AgentRun, answered, asked, assistant, called, final_answer, tool_calls, user_text
from scorewright.traces import UnknownDialect, Unreadable, agent_run_of

pytestmark = pytest.mark.usefixtures("no_loop_is_left")

INSTALL = "pip install -e '.[frameworks]'"


def told(result: object) -> AgentRun:
    return agent_run_of(result).unwrap()


def calls(run: AgentRun) -> list[tuple[str, object, object, str]]:
    return [(call.name, call.args, call.result, call.state) for call in tool_calls(run.output)]


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """A loop that is closed: the frameworks' own `run_sync` leave theirs open, and a later test would be blamed."""
    own = asyncio.new_event_loop()
    asyncio.set_event_loop(own)
    yield
    asyncio.set_event_loop(None)
    own.close()


def test_pydantic_ai() -> None:
    """A result, its messages, a second turn, a structured output, a tool that asks for a retry."""
    pytest.importorskip("pydantic_ai", reason=INSTALL)
    from pydantic import BaseModel
    from pydantic_ai import Agent, ModelMessage, ModelResponse, ModelRetry, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from pydantic_ai.models.test import TestModel

    agent = Agent(TestModel(custom_output_text="Sunny."), instructions="Be brief.")

    @agent.tool_plain
    def weather(city: str) -> str:
        return f"sun over {city}"

    first = agent.run_sync("How is Graz?")
    run = told(first)
    assert (user_text(run.input), run.final_output, run.gaps) == ("How is Graz?", "Sunny.", ())
    assert calls(run) == [("weather", {"city": "a"}, "sun over a", "result")]
    assert run.input.system_messages[0].text == "Be brief."
    assert told(first.all_messages()) == run
    second = told(agent.run_sync("And Linz?", message_history=first.all_messages()))
    assert (user_text(second.input), len(second.input.remembered_messages)) == ("And Linz?", 3)

    class City(BaseModel):
        name: str

    structured = told(Agent(TestModel(), output_type=City).run_sync("Which?"))
    assert (structured.final_kind, structured.final_output) == ("structured", {"name": "a"})

    def twice(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse([TextPart("I give up.") if len(messages) > 2 else ToolCallPart("pay", {"price": 1})])

    payer = Agent(FunctionModel(twice))

    @payer.tool_plain(retries=2)
    def pay(price: int) -> str:
        raise ModelRetry("no money")

    failed = told(payer.run_sync("Pay!"))
    assert [state for *_, state in calls(failed)] == ["error"]
    assert failed.final_output == "I give up."


def test_openai_agents() -> None:
    """A `RunResult`: the agent's instructions, its calls with what they gave, its last words."""
    pytest.importorskip("agents.run", reason=INSTALL)  # `agents` alone may be a folder of tests
    from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    call = ResponseFunctionToolCall(arguments='{"parcel": 7}', call_id="c1", name="track", type="function_call")
    words = ResponseOutputText(annotations=[], text="At the depot.", type="output_text")
    message = ResponseOutputMessage(id="m", content=[words], role="assistant", status="completed", type="message")

    class Scripted(Model):
        def __init__(self) -> None:
            self.script = [[call], [message]]

        async def get_response(self, *_: object, **__: object) -> ModelResponse:
            return ModelResponse(output=self.script.pop(0), usage=Usage(), response_id=None)

        def stream_response(self, *_: object, **__: object) -> object:
            raise NotImplementedError

    @function_tool
    def track(parcel: int) -> str:
        """Where a parcel is."""
        return f"parcel {parcel}: depot"

    agent = Agent(name="support", instructions="Be brief.", model=Scripted(), tools=[track])
    run = told(asyncio.run(Runner.run(agent, "Where is my parcel?", run_config=RunConfig(tracing_disabled=True))))
    assert (run.agent_name, run.input.system_messages[0].text) == ("support", "Be brief.")
    assert (user_text(run.input), run.final_output) == ("Where is my parcel?", "At the depot.")
    assert calls(run) == [("track", {"parcel": 7}, "parcel 7: depot", "result")]


def test_openai_agents_that_wait_for_approval() -> None:
    """A `RunState`, and the result it is of: the call that waits is told once, and the run is suspended."""
    pytest.importorskip("agents.run", reason=INSTALL)
    from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
    from openai.types.responses import ResponseFunctionToolCall

    call = ResponseFunctionToolCall(arguments='{"order": 7}', call_id="c1", name="refund", type="function_call")

    class Asks(Model):
        async def get_response(self, *_: object, **__: object) -> ModelResponse:
            return ModelResponse(output=[call], usage=Usage(), response_id=None)

        def stream_response(self, *_: object, **__: object) -> object:
            raise NotImplementedError

    @function_tool(needs_approval=True)
    def refund(order: int) -> str:
        """Pay an order back."""
        return f"{order} is paid back"

    agent = Agent(name="support", instructions="Be brief.", model=Asks(), tools=[refund])
    result = asyncio.run(Runner.run(agent, "Refund order 7!", run_config=RunConfig(tracing_disabled=True)))
    for given in (result, result.to_state()):
        run = told(given)
        assert (run.input.system_messages[0].text, user_text(run.input)) == ("Be brief.", "Refund order 7!")
        assert calls(run) == [("refund", {"order": 7}, None, "approval_requested")]
        assert (run.status, run.final_output) == ("suspended", None)


def test_langchain_messages() -> None:
    """A list of messages, as chat models take and give them."""
    pytest.importorskip("langchain_core", reason=INSTALL)
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.messages import HumanMessage, SystemMessage

    messages = [SystemMessage("Be brief."), HumanMessage("Hi")]
    run = told([*messages, FakeListChatModel(responses=["Hello!"]).invoke(messages)])
    assert (user_text(run.input), run.final_output, run.input.system_messages[0].text) == ("Hi", "Hello!", "Be brief.")


def test_langgraph_states() -> None:
    """A final state, a snapshot of it, a structured response; a tool that failed stays failed."""
    pytest.importorskip("langgraph", reason=INSTALL)
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph
    from langgraph.graph.message import MessagesState
    from langgraph.prebuilt import ToolNode

    @tool
    def track(parcel: int) -> str:
        """Where a parcel is."""
        if parcel == 8:
            raise ValueError("no such parcel")
        return "depot"

    asks = [{"name": "track", "args": {"parcel": parcel}, "id": f"c{parcel}"} for parcel in (7, 8)]
    model = GenericFakeChatModel(messages=iter([AIMessage("", tool_calls=asks), AIMessage("At the depot.")]))

    def think(state: dict[str, list[object]]) -> dict[str, object]:
        return {"messages": [model.invoke(state["messages"])]}

    def after(state: dict[str, list[object]]) -> str:
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else "__end__"

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", ToolNode([track], handle_tool_errors=True))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", after)
    graph.add_edge("tools", "think")
    app = graph.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    state = app.invoke({"messages": [HumanMessage("Where are they?")]}, thread)
    run = told(state)
    assert [(name, args, end) for name, args, _, end in calls(run)] == [
        ("track", {"parcel": 7}, "result"),
        ("track", {"parcel": 8}, "error"),
    ]
    assert final_answer(run.output) == run.final_output == "At the depot."
    assert told(app.get_state(thread)).output == run.output
    structured = told({**state, "structured_response": {"place": "depot"}})
    assert (structured.final_kind, structured.final_output) == ("structured", {"place": "depot"})


def test_what_is_no_framework_of_these() -> None:
    """A run is itself; anything else is read as `read_runs` reads it, or told."""
    run = AgentRun(asked("Hi"), answered(assistant(called("greet", result="done")), "Hello!"))
    assert told(run) is run
    assert told([{"role": "user", "content": "Hi"}]).input == asked(run.input.input_messages[0].text)
    assert isinstance(agent_run_of(object()).failure(), UnknownDialect)
    several = {"eval": {"task": "t"}, "samples": [{"id": 1, "messages": []}, {"id": 2, "messages": []}]}
    assert isinstance(agent_run_of(several).failure(), Unreadable)


@attrs.frozen
class Treacherous:
    """Raises when it is looked into."""

    def all_messages(self) -> object:
        raise RuntimeError("not yet finished")


def test_an_object_that_raises_is_a_fault() -> None:
    """Such as a stream that was not read to its end."""
    fault = agent_run_of(Treacherous()).failure()
    assert isinstance(fault, Unreadable)
    assert "not yet finished" in fault.why
