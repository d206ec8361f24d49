"""What is particular to one dialect: states, errors, approvals, and content in unusual places."""

from __future__ import annotations

import json

import pytest

from scorewright.agents import AgentRun, Data, File, Reasoning, Text, ToolInvocation, tool_calls
from scorewright.traces import read_runs


def one(document: object, dialect: str | None = None) -> AgentRun:
    [read] = read_runs(document, dialect)
    return read.unwrap()


def call_of(document: object) -> ToolInvocation:
    [call] = tool_calls(one(document).output)
    return call


def codes(run: AgentRun) -> list[str]:
    return [gap.code for gap in run.gaps]


UI_STATES = [
    ("input-streaming", {}, ("partial_call", None, False)),
    ("input-available", {}, ("call", None, False)),
    ("approval-requested", {}, ("approval_requested", None, False)),
    ("approval-responded", {"approval": {"id": "a", "approved": False}}, ("denied", None, False)),
    ("output-available", {"output": None}, ("result", None, True)),
    ("output-available", {"output": 7, "preliminary": True}, ("call", 7, True)),
    ("output-error", {"errorText": "boom"}, ("error", None, False)),
    ("output-denied", {}, ("denied", None, False)),
]


@pytest.mark.parametrize(("state", "fields", "told"), UI_STATES)
def test_every_state_of_a_ui_part(state: str, fields: dict[str, object], told: tuple[object, ...]) -> None:
    """No state makes the reader fail, and none becomes another: a null result is there, an error stays one."""
    for kind in ({"type": "tool-f"}, {"type": "dynamic-tool", "toolName": "f"}):
        call = call_of([{"role": "assistant", "parts": [{**kind, "toolCallId": "c", "state": state, **fields}]}])
        assert (call.name, call.state, call.result, call.result_present) == ("f", *told)


def test_mastra_thrown_calls_are_found_in_parts_only() -> None:
    """A call that raised is absent from the older list; calls in both are one."""
    good = {"state": "result", "toolCallId": "1", "toolName": "f", "args": {}, "result": 1}
    bad = {"state": "output-error", "toolCallId": "2", "toolName": "f", "args": {}, "errorText": "boom"}
    parts = [{"type": "tool-invocation", "toolInvocation": each} for each in (good, bad)]
    run = one([{"id": "m", "role": "assistant", "content": {"format": 2, "parts": parts, "toolInvocations": [good]}}])
    assert [(call.id, call.state) for call in tool_calls(run.output)] == [("1", "result"), ("2", "error")]


def test_mastra_runs_say_what_was_remembered() -> None:
    """A question that is asked again stays in both places."""
    again = {"role": "user", "content": {"format": 2, "parts": [{"type": "text", "text": "And now?"}]}}
    answer = {"role": "assistant", "content": {"format": 2, "parts": [{"type": "text", "text": "Still no."}]}}
    given = {
        "inputMessages": [again],
        "rememberedMessages": [again, answer],
        "systemMessages": [{"role": "system", "content": "Be brief."}],
        "taggedSystemMessages": {"memory": [{"role": "system", "content": "They wait."}]},
    }
    run = one({"runId": "r", "input": given, "output": [answer]})
    assert [message.text for message in run.input.system_messages] == ["Be brief.", "They wait."]
    assert len(run.input.remembered_messages) == 2
    assert [message.text for message in run.input.input_messages] == ["And now?"]
    assert run.final_output == "Still no."


def test_a_choice_of_several_keeps_the_first() -> None:
    """Alternatives are not several answers; parallel calls are."""
    said = [{"message": {"role": "assistant", "content": text}} for text in "ab"]
    run = one({"messages": [{"role": "user", "content": "Hi"}], "choices": said})
    assert (run.final_output, codes(run)) == ("a", ["choices_dropped"])


def test_arguments_that_are_no_json_are_kept_as_text() -> None:
    """A cut argument string is a gap, not a loss."""
    call = {"id": "c", "function": {"name": "f", "arguments": '{"q": "wea'}}
    run = one([{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert [(each.args, each.args_raw) for each in tool_calls(run.output)] == [({}, '{"q": "wea')]
    assert codes(run) == ["truncated_json"]


def test_a_request_without_a_response_is_unfinished() -> None:
    """The last answer in it was to an earlier question."""
    turns = [("user", "a"), ("assistant", "A"), ("user", "b")]
    run = one({"model": "m", "messages": [{"role": role, "content": text} for role, text in turns]})
    assert (run.status, run.final_output, codes(run)) == ("partial", None, ["unfinished"])
    assert len(run.input.remembered_messages) == 2


def test_responses_of_mcp_are_calls_with_their_results() -> None:
    """Approval, call and error of one MCP call are one call."""
    ask = {"type": "mcp_approval_request", "id": "a", "name": "f", "arguments": "{}", "server_label": "s"}
    ran = {
        "type": "mcp_call",
        "id": "m",
        "name": "f",
        "arguments": "{}",
        "server_label": "s",
        "approval_request_id": "a",
    }
    waiting = call_of({"object": "response", "output": [ask]})
    assert (waiting.state, waiting.kind, waiting.server) == ("approval_requested", "mcp", "s")
    assert one({"object": "response", "output": [ask]}).status == "suspended"
    failed = call_of({"object": "response", "output": [ask, {**ran, "output": None, "error": {"message": "boom"}}]})
    assert (failed.state, failed.error and failed.error.message) == ("error", "boom")
    denied = {"type": "mcp_approval_response", "approval_request_id": "a", "approve": False}
    assert call_of({"object": "response", "input": [ask, denied], "model": "m"}).state == "denied"


def test_responses_name_what_is_not_in_the_record() -> None:
    """Earlier turns that are named by an id only are a gap; what the client must run is open."""
    run = one(
        {"object": "response", "previous_response_id": "resp_1", "output": [{"type": "computer_call", "call_id": "c"}]}
    )
    assert "history_elsewhere" in codes(run)
    assert [(call.name, call.state, call.kind) for call in tool_calls(run.output)] == [("computer", "call", "client")]


@pytest.mark.parametrize(
    ("result", "state"),
    [
        ({"content": "boom", "is_error": True}, "error"),
        ({"content": "Error: boom", "is_error": False}, "result"),
        ({"content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}}, "error"),
    ],
)
def test_anthropic_says_what_failed(result: dict[str, object], state: str) -> None:
    """By a flag or an error block; words in a normal result are for a scorer to judge."""
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "t", **result}
    call = call_of([{"role": "assistant", "content": [use]}, {"role": "user", "content": [answer]}])
    assert call.state == state


def test_anthropic_answers_that_citations_split_are_one() -> None:
    """The blocks of one answer are joined without a break."""
    blocks = [{"type": "text", "text": "Graz "}, {"type": "text", "text": "is in Austria", "citations": []}]
    reply = {"type": "message", "role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, *blocks]}
    run = one({**reply, "stop_reason": "end_turn"})
    assert run.output.messages[0].parts == (Reasoning("hm"), Text("Graz is in Austria"))


def test_unknown_parts_are_kept() -> None:
    """What a reader does not know is data and a gap."""
    run = one({"type": "message", "role": "assistant", "stop_reason": None, "content": [{"type": "hologram", "w": 1}]})
    assert run.output.messages[0].parts == (Data("hologram", {"type": "hologram", "w": 1}),)
    assert codes(run) == ["unknown_part"]


def test_a_file_by_address_keeps_it() -> None:
    """Only bytes are weighed; an address is kept."""
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    run = one([{"role": "user", "content": [picture]}])
    assert run.input.input_messages[0].parts == (File("image", "https://example.com/a.png"),)


GENAI_EVENTS = [
    {"name": "gen_ai.system.message", "attributes": {"content": "Be brief."}},
    {"name": "gen_ai.user.message", "attributes": {"content": "Fee?"}},
    {"name": "gen_ai.choice", "attributes": {"message": json.dumps({"content": "2 euro"}), "finish_reason": "stop"}},
]
GENAI_JSON = {
    "gen_ai.prompt": json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Fee?"}]),
    "gen_ai.completion": "2 euro",
}


@pytest.mark.parametrize(("attributes", "events"), [({}, GENAI_EVENTS), (GENAI_JSON, [])])
def test_older_forms_of_genai(attributes: dict[str, object], events: list[object]) -> None:
    """An event a message, and JSON in one attribute, tell the same as the newer forms."""
    chat = {"gen_ai.operation.name": "chat", **attributes}
    run = one([{"span_id": "s", "trace_id": "t", "attributes": chat, "events": events}])
    assert [message.text for message in run.input.system_messages] == ["Be brief."]
    assert ([message.text for message in run.input.input_messages], run.final_output) == (["Fee?"], "2 euro")


def test_dropped_attributes_are_a_gap() -> None:
    """An SDK that keeps 128 attributes drops the first messages, and says how many."""
    span = {"traceId": "t", "spanId": "s", "droppedAttributesCount": 72, "attributes": []}
    span["attributes"] = [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]
    run = one({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    assert set(codes(run)) == {"attributes_dropped", "no_anchor", "content_not_captured"}


def test_log_records_are_events_of_their_span() -> None:
    """Content that went to the logs is found by trace and span id, also when it comes on another line."""
    span = {
        "traceId": "ab",
        "spanId": "cd",
        "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}],
    }
    body = {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "Fee?"}}]}}
    said = {"kvlistValue": {"values": [{"key": "message", "value": {"kvlistValue": {"values": [
        {"key": "content", "value": {"stringValue": "2 euro"}}]}}}]}}  # fmt: skip
    logs = [
        {"traceId": "ab", "spanId": "cd", "eventName": "gen_ai.user.message", "body": body},
        {"traceId": "ab", "spanId": "cd", "eventName": "gen_ai.choice", "body": said},
    ]
    lines = [
        {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]},
        {"resourceLogs": [{"scopeLogs": [{"logRecords": logs}]}]},
    ]
    run = one("\n".join(map(json.dumps, lines)).encode())
    assert ([message.text for message in run.input.input_messages], run.final_output) == (["Fee?"], "2 euro")


def test_pydantic_ai_history() -> None:
    """The last request of a user begins the turn; a retry is a failed call; the output tool's arguments are final."""

    def request(*parts: dict[str, object]) -> dict[str, object]:
        return {"kind": "request", "parts": list(parts)}

    def response(*parts: dict[str, object]) -> dict[str, object]:
        return {"kind": "response", "model_name": "m", "parts": list(parts)}

    roll = {"part_kind": "tool-call", "tool_name": "roll", "tool_call_id": "1", "args": '{"n": 6}'}
    back = {"part_kind": "tool-return", "tool_name": "roll"}
    run = one(
        [
            request({"part_kind": "system-prompt", "content": "Dice."}, {"part_kind": "user-prompt", "content": "Hi"}),
            response({"part_kind": "text", "content": "Hello"}),
            request({"part_kind": "user-prompt", "content": "Roll"}),
            response(roll),
            request(
                {"part_kind": "retry-prompt", "tool_name": "roll", "tool_call_id": "1", "content": "n is too large"}
            ),
            response({**roll, "tool_call_id": "2"}),
            request({**back, "tool_call_id": "2", "content": None}),
            response({"part_kind": "tool-call", "tool_name": "final_result", "tool_call_id": "3", "args": {"dice": 4}}),
            request({"part_kind": "tool-return", "tool_name": "final_result", "tool_call_id": "3", "content": "Done."}),
        ]
    )
    assert len(run.input.remembered_messages) == 2
    assert [(call.name, call.state, call.result_present) for call in tool_calls(run.output)] == [
        ("roll", "error", False),
        ("roll", "result", True),
        ("final_result", "result", True),
    ]
    assert (run.final_kind, run.final_output) == ("structured", {"dice": 4})


LC_CALL = {"name": "f", "args": {"q": 1}, "id": "c"}
LC = {
    "plain": lambda kind, fields: {"type": kind, **fields},
    "constructor": lambda kind, fields: {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}[kind]],
        "kwargs": fields,
    },
    "data": lambda kind, fields: {"type": kind, "data": fields},
}


@pytest.mark.parametrize("shape", LC)
def test_langchain_messages_in_three_shapes(shape: str) -> None:
    """However a message was written, it reads the same; a tool's status says whether it failed."""
    write = LC[shape]
    run = one(
        {
            "messages": [
                write("human", {"content": "Hi"}),
                write("ai", {"content": "", "tool_calls": [LC_CALL]}),
                write("tool", {"content": "boom", "tool_call_id": "c", "status": "error"}),
                write("ai", {"content": "It failed."}),
            ]
        }
    )
    assert [(call.args, call.state) for call in tool_calls(run.output)] == [({"q": 1}, "error")]
    assert (run.final_output, codes(run)) == ("It failed.", [])


def test_claude_code_keeps_called_agents_apart() -> None:
    """Lines of a called agent are a run of its own, linked by the call; blocks of one message are one message."""

    def line(role: str, content: object, **more: object) -> dict[str, object]:
        return {"type": role, "message": {"role": role, "content": content, "id": more.pop("id", "")}, **more}

    task = {"type": "tool_use", "id": "t", "name": "Task", "input": {}}
    run = one(
        [
            line("user", "Go"),
            line("assistant", [{"type": "text", "text": "Asking."}], id="m1"),
            line("assistant", [task], id="m1"),
            line("user", "Look", parent_tool_use_id="t"),
            line("assistant", [{"type": "text", "text": "inner"}], parent_tool_use_id="t", id="m2"),
            line("user", [{"type": "tool_result", "tool_use_id": "t", "content": "inner"}]),
            line("assistant", [{"type": "text", "text": "Done."}], id="m3"),
        ]
    )
    assert [len(message.parts) for message in run.output.messages] == [2, 1]
    assert run.final_output == "Done."
    assert [(sub.called_by, sub.final_output) for sub in run.sub_runs] == [("t", "inner")]


def test_langsmith_trees_and_lists_are_one() -> None:
    """Child runs inside their parent, or beside it with its id, are the same run."""

    def message(kind: str, content: str, **more: object) -> dict[str, object]:
        name = {"human": "HumanMessage", "ai": "AIMessage", "system": "SystemMessage"}[kind]
        return {"lc": 1, "type": "constructor", "id": ["langchain", name], "kwargs": {"content": content, **more}}

    def run_of(id: str, kind: str, inputs: object, outputs: object, second: int) -> dict[str, object]:
        start = f"2026-01-01T00:00:0{second}"
        common = {"id": id, "trace_id": "r", "name": "f" if kind == "tool" else kind, "start_time": start}
        return {**common, "run_type": kind, "inputs": inputs, "outputs": outputs}

    ask, asks = message("human", "Hi"), message("ai", "", tool_calls=[LC_CALL])
    result = {"type": "tool", "content": "boom", "tool_call_id": "c", "status": "error"}
    given = {"messages": [[message("system", "Be brief."), ask]]}
    root = run_of("r", "chain", {"messages": [ask]}, {"messages": [ask, asks, result, message("ai", "Bye")]}, 0)
    parts = [
        run_of("l1", "llm", given, {"generations": [[{"text": "", "message": asks}]]}, 1),
        run_of("t1", "tool", {"input": '{"q": 1}'}, {"output": result}, 2),
        run_of("l2", "llm", given, {"generations": [[{"text": "Bye", "message": message("ai", "Bye")}]]}, 3),
    ]
    tree = one({**root, "child_runs": parts})
    flat = one([*({**part, "parent_run_id": "r"} for part in parts), root])
    assert tree == flat
    assert [message.text for message in tree.input.system_messages] == ["Be brief."]
    assert [(call.args, call.state) for call in tool_calls(tree.output)] == [({"q": 1}, "error")]
    assert tree.final_output == "Bye"


def test_adk_spans_without_another_instrumentation() -> None:
    """Request and response of Gemini on the span of a model call are its content."""
    request = {
        "contents": [{"role": "user", "parts": [{"text": "Fee?"}]}],
        "config": {"system_instruction": "Be brief."},
    }
    response = {"content": {"role": "model", "parts": [{"text": "2 euro"}]}}
    content = {
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps(response),
    }
    inner = {"gen_ai.operation.name": "generate_content"}
    run = one(
        [
            {"trace_id": "t", "span_id": "a", "attributes": {"gen_ai.operation.name": "invoke_agent"}},
            {"trace_id": "t", "span_id": "m", "parent_span_id": "a", "attributes": content},
            {"trace_id": "t", "span_id": "i", "parent_span_id": "m", "attributes": inner},
        ]
    )
    assert [message.text for message in run.input.system_messages] == ["Be brief."]
    assert ([message.text for message in run.input.input_messages], run.final_output) == (["Fee?"], "2 euro")
    assert len(run.output.messages) == 1
