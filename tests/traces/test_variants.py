"""What other versions of the frameworks write: each kind of difference that real files were seen to have."""

from __future__ import annotations

import json

import pytest

from scorewright.agents import AgentRun, AgentUsage, called, final_answer, system_prompt, tool_calls, user_text
from scorewright.traces import read_runs
from scorewright.traces.joining import folded

Attributes = dict[str, object]


def runs(*spans: dict[str, object]) -> list[AgentRun]:
    return [read.unwrap() for read in read_runs(list(spans))]


def span(at: int, parent: int | None, attributes: Attributes, *events: dict[str, object]) -> dict[str, object]:
    begun = 1_760_000_000_000_000_000 + at * 10**9
    return {
        "span_id": f"s{at}",
        "parent_id": None if parent is None else f"s{parent}",
        "trace_id": "t",
        "start_time": begun,
        "end_time": begun + 10**8,
        "attributes": attributes,
        "events": list(events),
    }


def event(name: str, **attributes: object) -> dict[str, object]:
    return {"name": name, "attributes": attributes}


def outline(run: AgentRun) -> list[tuple[str, object, object, str]]:
    return [(call.name, call.args, call.result, call.state) for call in tool_calls(run.output)]


AGENT: Attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "clerk"}
CHAT: Attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
TOOL: Attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "track", "gen_ai.tool.call.id": "c1"}
ASKED = [{"role": "user", "parts": [{"type": "text", "content": "Where?"}]}]
DONE = [{"role": "assistant", "parts": [{"type": "text", "content": "There."}]}]


def calls(id: str, name: str = "track") -> list[object]:
    return [{"role": "assistant", "parts": [{"type": "tool_call", "id": id, "name": name, "arguments": {"n": 7}}]}]


def told(given: list[object] | None, said: list[object]) -> Attributes:
    return {**CHAT, "gen_ai.input.messages": json.dumps(given or ASKED), "gen_ai.output.messages": json.dumps(said)}


def test_blocks_of_converse_on_events() -> None:
    """Strands keeps what was said, given to a tool and got from it in events, in blocks without a type."""
    question = event("gen_ai.user.message", content=json.dumps([{"text": "Where?"}]))
    use = [{"text": "Let me look."}, {"toolUse": {"toolUseId": "c1", "name": "track", "input": {"n": 7}}}]
    result = [{"toolResult": {"toolUseId": "c1", "status": "success", "content": [{"text": "depot"}]}}]
    [run] = runs(
        span(0, None, AGENT, question, event("gen_ai.choice", message="There.\n")),
        span(1, 0, CHAT, question, event("gen_ai.choice", message=json.dumps(use), finish_reason="tool_use")),
        span(
            2,
            0,
            TOOL,
            event("gen_ai.tool.message", role="tool", content=json.dumps({"n": 7})),
            event("gen_ai.choice", message=json.dumps([{"text": "depot"}])),
        ),
        span(
            3,
            0,
            CHAT,
            question,
            event("gen_ai.assistant.message", content=json.dumps(use)),
            event("gen_ai.tool.message", content=json.dumps(result)),
            event("gen_ai.choice", message=json.dumps([{"text": "There."}])),
        ),
    )
    assert outline(run) == [("track", {"n": 7}, "depot", "result")]
    assert (user_text(run.input), run.final_output, run.gaps) == ("Where?", "There.", ())


def test_a_conversation_of_converse() -> None:
    """Recorded as the API takes it, with results of text and of JSON, one of which failed."""
    uses = [{"toolUse": {"toolUseId": id, "name": "track", "input": {"n": 7}}} for id in ("a", "b")]
    results = [
        {"toolResult": {"toolUseId": "b", "status": "error", "content": [{"text": "no parcel"}]}},
        {"toolResult": {"toolUseId": "a", "status": "success", "content": [{"json": {"at": "depot"}}]}},
    ]
    document = {
        "modelId": "nova",
        "system": [{"text": "Be brief."}, {"cachePoint": {"type": "default"}}],
        "messages": [
            {"role": "user", "content": [{"text": "Where?"}]},
            {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}}, *uses]},
            {"role": "user", "content": results},
        ],
        "output": {"message": {"role": "assistant", "content": [{"text": "There."}]}},
    }
    [run] = [read.unwrap() for read in read_runs(document)]
    assert (run.source.dialect, run.model, system_prompt(run.input)) == ("bedrock-converse", "nova", "Be brief.")
    assert [(call.id, call.result, call.state) for call in tool_calls(run.output)] == [
        ("a", {"at": "depot"}, "result"),
        ("b", "no parcel", "error"),
    ]
    assert run.final_output == "There."


def test_placeholders_give_way_to_content() -> None:
    """ADK elides its events, and keeps the request and the response beside them."""
    elided = [event("gen_ai.user.message", content="<elided>"), event("gen_ai.choice", content="<elided>")]
    request = {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]}
    response = {"content": {"role": "model", "parts": [{"text": "There."}]}}
    model = {
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps(response),
    }
    inner = {"gen_ai.operation.name": "generate_content"}
    [run] = runs(span(0, None, AGENT), span(1, 0, model), span(2, 1, inner, *elided))
    assert (user_text(run.input), run.final_output, run.content) == ("Where?", "There.", "captured")
    [run] = runs(span(0, None, AGENT), span(2, 0, inner, *elided))
    assert run.content == "redacted"
    assert "content_redacted" in {gap.code for gap in run.gaps}


def test_events_with_the_contents_of_gemini() -> None:
    """The body of an event is a role and parts."""
    question = {"content": {"role": "user", "parts": [{"text": "Where?"}, {"function_call": None}]}}
    answer = {"content": {"role": "model", "parts": [{"text": "There."}]}, "index": 0}
    [run] = runs(span(0, None, CHAT, event("gen_ai.user.message", **question), event("gen_ai.choice", **answer)))
    assert (user_text(run.input), run.final_output) == ("Where?", "There.")


def test_the_span_around_parallel_calls_is_no_call() -> None:
    """ADK records parallel calls once more together."""
    merged = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)", "gen_ai.tool.call.id": "e"}
    tool = {**TOOL, "gen_ai.tool.call.result": "depot", "gen_ai.tool.call.arguments": '{"n": 7}'}
    [run] = runs(span(0, None, AGENT), span(1, 0, told(None, calls("c1"))), span(2, 0, tool), span(3, 0, merged))
    assert outline(run) == [("track", {"n": 7}, "depot", "result")]


@pytest.mark.parametrize("elsewhere", [True, False])
def test_tools_that_ran_under_other_ids(elsewhere: bool) -> None:
    """The ids of messages and of spans differ: the calls of a name are those that ran, and a result counts once."""
    result = {"type": "tool_call_response", "id": "x", "response": "depot"}
    again = [*ASKED, *calls("c1"), {"role": "tool", "parts": [result]}]
    ran = {**TOOL, "gen_ai.tool.call.id": "adk-9"} | ({} if elsewhere else {"gen_ai.tool.call.result": "depot"})
    [run] = runs(
        span(0, None, AGENT),
        span(1, 0, told(None, calls("x" if elsewhere else "c1"))),
        span(2, 0, ran),
        span(3, 0, told(again, DONE)),
    )
    assert outline(run) == [("track", {"n": 7}, "depot", "result")]
    assert run.gaps == ()


def test_a_result_that_no_call_has_is_not_given_away() -> None:
    """Only what was seen to run is joined by its name against its id."""
    from scorewright.agents import Message, assistant

    told = folded([assistant(called("track", id="a")), Message("tool", (called("track", id="b", result=1),))], [])
    assert [call.id for message in told for call in message.tool_calls] == ["a", "b"]


def test_a_workflow_that_only_holds_agents() -> None:
    """Agents that hand on to each other are runs of their own, when what is around them says nothing."""
    workflow: Attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "workflow"}
    desk = {**AGENT, "gen_ai.agent.name": "desk"}
    spans = [span(0, None, workflow), span(1, 0, AGENT), span(2, 1, told(None, DONE)), span(3, 0, desk)]
    read = runs(*spans, span(4, 3, told(None, DONE)))
    assert [(run.agent_name, run.final_output) for run in read] == [("clerk", "There."), ("desk", "There.")]
    speaking = {**workflow, "gen_ai.output.messages": json.dumps(DONE)}
    [run] = runs(span(0, None, speaking), *spans[1:], span(4, 3, told(None, DONE)))
    assert [sub.agent_name for sub in run.sub_runs] == ["clerk", "desk"]


@pytest.mark.parametrize(
    "given", [{"input_str": "7", "inputs": {"n": 7}, "tags": []}, {"args": [], "kwargs": {"n": 7}}, {"n": 7}]
)
def test_what_traceloop_wraps_arguments_in(given: dict[str, object]) -> None:
    """A tool's arguments are those that it was called with; a text that is written as JSON is a text."""
    tool = {"traceloop.span.kind": "tool", "traceloop.entity.name": "track"}
    both = {"traceloop.entity.input": json.dumps(given), "traceloop.entity.output": json.dumps("depot")}
    agent = {"traceloop.span.kind": "agent", "traceloop.entity.name": "clerk"}
    [run] = runs(span(0, None, agent), span(1, 0, told(None, DONE)), span(2, 0, tool | both))
    assert outline(run) == [("track", {"n": 7}, "depot", "result")]
    assert run.agent_name == "clerk"


def test_tools_of_the_provider_without_ids() -> None:
    """A result stands after its call in the same message."""
    parts = [
        {"type": "server_tool_call", "name": "web_search", "server_tool_call": {"type": "web_search", "query": "q"}},
        {"type": "server_tool_call_response", "server_tool_call_response": {"results": 3}},
        {"type": "text", "content": "There."},
    ]
    [run] = runs(span(0, None, told(None, [{"role": "assistant", "parts": parts}])))
    [call] = tool_calls(run.output)
    assert (call.name, call.result, call.kind, call.state) == ("web_search", {"results": 3}, "server", "result")
    assert final_answer(run.output) == "There."


def test_the_older_call_of_openinference() -> None:
    """`function_call_name` and `function_call_arguments_json` are one call."""
    message = "llm.output_messages.0.message"
    [run] = runs(
        span(
            0,
            None,
            {
                "openinference.span.kind": "LLM",
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.content": "Where?",
                f"{message}.role": "assistant",
                f"{message}.function_call_name": "track",
                f"{message}.function_call_arguments_json": '{"n": 7}',
            },
        )
    )
    assert outline(run) == [("track", {"n": 7}, None, "call")]


def test_tokens_of_the_newer_ai_sdk() -> None:
    """`ai.usage.inputTokens` and `ai.usage.outputTokens`."""
    outer: Attributes = {"ai.operationId": "ai.generateText", "ai.prompt": '{"prompt": "Where?"}'}
    inner: Attributes = {"ai.operationId": "ai.generateText.doGenerate", "ai.response.text": "There."}
    used: Attributes = {"ai.usage.inputTokens": 5, "ai.usage.outputTokens": 2}
    [run] = runs(span(0, None, outer), span(1, 0, inner | used))
    assert run.usage == AgentUsage(5, 2)


def test_names_and_ids_of_tools_are_no_content() -> None:
    """Without content, instrumentations still record which tools ran: such a run has nothing to score."""
    [run] = runs(span(0, None, AGENT), span(1, 0, CHAT), span(2, 0, TOOL))
    assert run.content == "not_captured"
    [run] = runs(span(0, None, AGENT), span(1, 0, CHAT), span(2, 0, {**TOOL, "gen_ai.tool.call.result": "depot"}))
    assert run.content == "partial"


def test_a_log_record_names_its_event_in_an_attribute() -> None:
    """`otel.event.name`, as exporters write it that know no event names."""
    attributes = {"otel.event.name": "gen_ai.client.inference.operation.details", **told(None, DONE)}
    logged = [{"key": key, "value": {"stringValue": str(value)}} for key, value in attributes.items()]
    chat = [{"key": key, "value": {"stringValue": str(value)}} for key, value in CHAT.items()]
    document = {
        "resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "a", "attributes": chat}]}]}],
        "resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": "t", "spanId": "a", "attributes": logged}]}]}],
    }
    [run] = [read.unwrap() for read in read_runs(document)]
    assert (user_text(run.input), run.final_output) == ("Where?", "There.")
