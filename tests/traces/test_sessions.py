"""Sessions of coding agents, and logs of benchmarks: what of them is the conversation, and who said it."""

from __future__ import annotations

import json

import pytest
from traces.documents import Document, Rows, counts, runs

from scorewright.agents import tool_calls
from scorewright.traces.json_view import is_list


def line(kind: str, content: Document, id: str, parent: str = "", **more: Document) -> dict[str, Document]:
    """A line of Claude Code's; the id of the model's message is that of the line, where none is given."""
    message: dict[str, Document] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"type": "message", "model": more.pop("model", "claude"), "id": more.pop("message", id)}
    return {"type": kind, "message": message, "uuid": id, "parentUuid": parent or None, **more}


def words(text: str) -> list[Document]:
    return [{"type": "text", "text": text}]


def use(id: str) -> list[Document]:
    return [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}]


def gave(id: str) -> list[Document]:
    return [{"type": "tool_result", "tool_use_id": id, "content": "a.txt"}]


QUEUED = {"type": "queued_command", "prompt": "And c?", "commandMode": "prompt"}
CLAUDE: Rows = {
    "what-the-user-took-back": (
        [
            line("user", "Begin.", "u1"),
            line("assistant", words("Ready."), "a1", "u1"),
            line("user", "Do a.", "u2", "a1"),
            line("assistant", words("Done a."), "a2", "u2"),
            line("user", "Do b.", "u3", "a1"),
            line("assistant", words("Done b."), "a3", "u3"),
        ],
        (0, 2, 0, 2, 0, 0, "Done b."),
    ),
    "parallel-calls-that-branch": (
        [
            line("user", "List.", "u1"),
            line("assistant", use("t1"), "a1", "u1", message="m"),
            line("user", gave("t1"), "r1", "a1"),
            line("assistant", use("t2"), "a2", "a1", message="m"),
            line("user", gave("t2"), "r2", "a2"),
            line("assistant", words("Two."), "a3", "r2"),
        ],
        (0, 1, 0, 2, 2, 0, "Two."),
    ),
    "the-program-in-the-user's-name": (
        [
            line("user", [*words("List.\n<system-reminder>Be brief.</system-reminder>")], "u1"),
            line("assistant", use("t1"), "a1", "u1"),
            line("user", words("[Request interrupted by user for tool use]"), "u2", "a1"),
            line("user", words("<system-reminder>The folder changed.</system-reminder>"), "u3", "u2"),
            line("user", "<command-name>/model</command-name>", "u4", "u3"),
            line("user", "<local-command-stdout>Set.</local-command-stdout>", "u5", "u4"),
            line("user", "<task-notification>ended</task-notification>", "u6", "u5"),
            line("user", "<cross-session-message from='x'>hello</cross-session-message>", "u6b", "u6"),
            line("user", "Go on.", "u7", "u6b"),
            line("assistant", words("Done."), "a2", "u7"),
        ],
        (0, 2, 0, 2, 1, 0, "Done."),
    ),
    "a-command-of-the-user's": (
        [
            line("user", "<command-message>review</command-message>\n<command-name>/review</command-name>", "u1"),
            line("user", words("Review the change."), "u2", "u1", isMeta=True),
            line("assistant", words("Good."), "a1", "u2"),
        ],
        (0, 1, 0, 1, 0, 0, "Good."),
    ),
    "words-that-waited": (
        [
            line("user", "List a and b.", "u1"),
            line("assistant", use("t1"), "a1", "u1"),
            line("user", gave("t1"), "r1", "a1"),
            {"type": "attachment", "attachment": QUEUED, "uuid": "q", "parentUuid": "r1"},
            line("assistant", words("All three."), "a2", "q"),
        ],
        (0, 2, 0, 2, 1, 0, "All three."),
    ),
    "an-answer-of-the-program": (
        [
            line("user", "List.", "u1"),
            line("assistant", words("API Error: 500"), "a1", "u1", model="<synthetic>", isApiErrorMessage=True),
        ],
        (0, 1, 0, 0, 0, 0, None),
    ),
    "a-called-agent's-own-file": (
        [
            line("user", "Survey.", "u1", isSidechain=True, agentId="x"),
            line("assistant", use("t1"), "a1", "u1", isSidechain=True, agentId="x"),
            line("user", gave("t1"), "r1", "a1", isSidechain=True, agentId="x"),
            line("assistant", words("One file."), "a2", "r1", isSidechain=True, agentId="x"),
        ],
        (0, 1, 0, 2, 1, 0, "One file."),
    ),
}


def rolled(kind: str, **payload: Document) -> dict[str, Document]:
    return {"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload}


def message(role: str, text: str) -> dict[str, Document]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def item(**payload: Document) -> dict[str, Document]:
    return rolled("response_item", **payload)


CALL = {"type": "function_call", "name": "shell", "call_id": "c", "arguments": "{}"}
PRINTED = {"type": "function_call_output", "call_id": "c", "output": "a.txt"}
BEGUN = rolled("session_meta", id="s", base_instructions={"text": "You code."})
HEAD = {"id": "s", "timestamp": "2025-05-01T00:00:00Z", "instructions": None}
FAILED = json.dumps({"output": "no", "metadata": {"exit_code": 2}})
MCP = {"server": "docs", "tool": "find", "arguments": {"q": "a"}}
CODEX: Rows = {
    "instructions-in-the-first-line": (
        [BEGUN, item(**message("user", "List.")), item(**message("assistant", "a.txt"))],
        (1, 1, 0, 1, 0, 0, "a.txt"),
    ),
    "notes-in-the-user's-name": (
        [
            item(**message("user", "<environment_context>x</environment_context>")),
            item(**message("user", "List.")),
            item(**message("user", "<turn_aborted>stopped</turn_aborted>")),
            item(**message("user", "<subagent_notification>{}</subagent_notification>")),
            item(**message("assistant", "a.txt")),
        ],
        (0, 1, 0, 1, 0, 0, "a.txt"),
    ),
    "the-user's-words-as-an-event-only": (
        [rolled("event_msg", type="user_message", message="List."), item(**CALL), item(**PRINTED)],
        (0, 1, 0, 1, 1, 0, None),
    ),
    "the-user's-words-as-both": (
        [
            rolled("event_msg", type="user_message", message="List."),
            item(**message("user", "List.")),
            rolled("event_msg", type="agent_message", message="a.txt"),
            item(**message("assistant", "a.txt")),
        ],
        (0, 1, 0, 1, 0, 0, "a.txt"),
    ),
    "what-the-program-keeps-for-itself": (
        [
            item(type="ghost_snapshot", ghost_commit={"id": "x"}),
            item(**message("user", "List.")),
            item(**message("assistant", "a.txt")),
            item(type="compaction", encrypted_content="x"),
        ],
        (0, 1, 0, 1, 0, 0, "a.txt"),
    ),
    "events-only": (
        [
            rolled("event_msg", type="user_message", message="List."),
            rolled("event_msg", type="agent_reasoning", text="A file."),
            rolled("event_msg", type="agent_message", message="a.txt"),
        ],
        (0, 1, 0, 1, 0, 0, "a.txt"),
    ),
    "the-first-format": (
        [HEAD, {"record_type": "state"}, message("user", "List."), CALL, PRINTED, message("assistant", "a.txt")],
        (0, 1, 0, 2, 1, 0, "a.txt"),
    ),
    "an-exit-code": (
        [item(**message("user", "List.")), item(**CALL), item(**{**PRINTED, "output": FAILED})],
        (0, 1, 0, 1, 1, 1, None),
    ),
    "the-command's-first-events": (
        [
            {"model": "m", "sandbox": "read-only"},
            {"prompt": "List."},
            {"id": "0", "msg": {"type": "task_started"}},
            {"id": "0", "msg": {"type": "exec_command_begin", "call_id": "c", "command": ["ls"]}},
            {"id": "0", "msg": {"type": "exec_command_end", "call_id": "c", "stderr": "no", "exit_code": 2}},
            {"id": "0", "msg": {"type": "mcp_tool_call_begin", "call_id": "d", "invocation": MCP}},
            {"id": "0", "msg": {"type": "mcp_tool_call_end", "call_id": "d", "result": {"Ok": {"content": []}}}},
            {"id": "0", "msg": {"type": "web_search_end", "call_id": "e", "query": "a"}},
            {"id": "0", "msg": {"type": "agent_message", "message": "I may not."}},
        ],
        (0, 1, 0, 3, 3, 1, "I may not."),
    ),
}


def event(kind: str, source: str, **more: Document) -> dict[str, Document]:
    return {"id": kind, "source": source, "kind": kind, **more}


def spoke(source: str, text: str) -> dict[str, Document]:
    return event("MessageEvent", source, llm_message={"role": source, "content": words(text)})


def acted(id: str, name: str, response: str) -> dict[str, Document]:
    call = {"id": id, "name": name, "arguments": '{"thought": "hm"}'}
    return event("ActionEvent", "agent", tool_name=name, tool_call_id=id, tool_call=call, llm_response_id=response)


def observed(id: str, name: str, *, failed: bool = False) -> dict[str, Document]:
    told = {"content": words("a.txt"), "is_error": failed}
    return event("ObservationEvent", "environment", tool_name=name, tool_call_id=id, observation=told)


OPENHANDS: Rows = {
    "calls-made-at-once": (
        [
            spoke("user", "List."),
            acted("c", "terminal", "r"),
            observed("c", "terminal", failed=True),
            acted("d", "terminal", "r"),
            observed("d", "terminal"),
            spoke("agent", "Done."),
        ],
        (0, 1, 0, 2, 2, 1, "Done."),
    ),
    "a-thought-is-a-call": (
        [spoke("user", "List."), acted("c", "think", "r"), observed("c", "think"), spoke("agent", "Done.")],
        (0, 1, 0, 2, 1, 0, "Done."),
    ),
    "states-between": (
        [
            event("ConversationStateUpdateEvent", "environment", key="full_state", value={}),
            spoke("user", "List."),
            event("Condensation", "environment", forgotten_event_ids=[]),
            spoke("agent", "Done."),
        ],
        (0, 1, 0, 1, 0, 0, "Done."),
    ),
    "pairs-of-what-was-done-and-seen": (
        {
            "instance_id": "x",
            "history": [
                [
                    {"id": 1, "source": "user", "action": "message", "args": {"content": "List."}},
                    {"id": 2, "source": "user", "observation": "null", "content": "", "cause": 1},
                ],
                [
                    {"id": 3, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "I look."}},
                    {"id": 4, "source": "agent", "observation": "run", "content": "a.txt", "cause": 3},
                ],
                [{"id": 5, "source": "agent", "action": "finish", "args": {"thought": "Done."}}],
            ],
        },
        (0, 1, 0, 2, 1, 0, "Done."),
    ),
    "an-older-thought": (
        [
            {"id": 1, "source": "user", "action": "message", "args": {"content": "List."}},
            {"id": 2, "source": "agent", "action": "think", "args": {"thought": "hm"}},
            {"id": 3, "source": "agent", "observation": "think", "content": "logged", "cause": 2},
            {"id": 4, "source": "agent", "action": "finish", "args": {"final_thought": "Done."}},
        ],
        (0, 1, 0, 2, 1, 0, "Done."),
    ),
}
SYSTEM, TASK = {"role": "system", "content": "You fix."}, {"role": "user", "content": "Fix it."}
ENDED = {"exit_status": "Submitted"}
FENCED = "```bash\nls\n```"
REQUESTED = {"type": "function_call", "call_id": "c", "name": "bash", "arguments": '{"command": "ls"}'}
BENCHMARKS: Rows = {
    "mini-swe-without-a-command": (
        {
            "trajectory_format": "mini-swe-agent-1",
            "messages": [
                SYSTEM,
                TASK,
                {"role": "assistant", "content": "I think."},
                {"role": "user", "content": "Give one command."},
                {"role": "assistant", "content": FENCED},
                {"role": "user", "content": "<returncode>0</returncode>"},
            ],
        },
        (1, 1, 0, 2, 1, 0, FENCED),
    ),
    "mini-swe-before-its-format-had-a-name": (
        {"info": ENDED, "messages": [SYSTEM, TASK, {"role": "assistant", "content": FENCED}]},
        (1, 1, 0, 1, 1, 0, FENCED),
    ),
    "mini-swe-with-whole-responses": (
        {
            "trajectory_format": "mini-swe-agent-1.1",
            "messages": [
                SYSTEM,
                TASK,
                {"object": "response", "output": [REQUESTED]},
                {"type": "function_call_output", "call_id": "c", "output": "a.txt"},
                {"object": "response", "output": [message("assistant", "Fixed.")]},
            ],
        },
        (1, 1, 0, 2, 1, 0, "Fixed."),
    ),
    "tau2-with-a-user-who-only-acts": (
        {
            "termination_reason": "user_stop",
            "messages": [
                TASK,
                {"role": "assistant", "content": "Press it."},
                {"role": "user", "content": None, "tool_calls": [{"id": "c", "name": "press", "requestor": "user"}]},
                {"role": "tool", "id": "c", "content": "ok", "requestor": "user"},
            ],
        },
        (0, 1, 0, 1, 0, 0, "Press it."),
    ),
}
STEPS: list[Document] = [
    {"step_id": 1, "source": "user", "message": "List."},
    {
        "step_id": 2,
        "source": "agent",
        "message": "",
        "tool_calls": [{"function_name": "bash", "arguments": {}}, {"function_name": "bash", "arguments": {}}],
        "observation": {"results": [{"content": "a.txt"}, {"content": "no", "extra": {"success": False}}]},
    },
    {
        "step_id": 3,
        "source": "agent",
        "message": "",
        "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {}}],
        "observation": {"results": [{"source_call_id": "c", "content": "no"}]},
        "extra": {"tool_result_is_error": True},
    },
    {"step_id": 4, "source": "agent", "message": "API Error: 500", "model_name": "<synthetic>"},
    {"step_id": 5, "source": "agent", "message": "a.txt"},
]
ATIF: Rows = {
    "steps-whose-calls-have-no-ids": ({"schema_version": "ATIF-v1.2", "steps": STEPS}, (0, 1, 0, 3, 3, 2, "a.txt")),
    "steps-without-a-version": ({"session_id": "s", "steps": STEPS}, (0, 1, 0, 3, 3, 2, "a.txt")),
}
MARKED, BROUGHT = {"role": "user", "content": "And b?", "source": "input"}, {"role": "assistant", "content": "a is 1."}
MADE = {"role": "assistant", "content": "b is 2.", "source": "generate"}


def sample(*messages: Document, **more: Document) -> dict[str, Document]:
    return {"id": 1, "epoch": 1, "input": "And b?", "target": "2", "messages": list(messages), **more}


SUBMITTED = {"id": "c", "function": "submit", "arguments": {"answer": "2"}}
GOES_ON = {"role": "user", "content": "Please go on."}
INSPECT: Rows = {
    "turns-that-the-sample-brings": (
        {"eval": {"task": "t"}, "samples": [sample(SYSTEM, {**TASK, "source": "input"}, BROUGHT, MARKED, MADE)]},
        (1, 1, 2, 1, 0, 0, "b is 2."),
    ),
    "turns-that-are-not-marked": (
        sample(TASK, BROUGHT, {"role": "user", "content": "And b?"}, MADE, input=[TASK, BROUGHT, MARKED]),
        (0, 1, 2, 1, 0, 0, "b is 2."),
    ),
    "what-the-agent-tells-itself": (
        sample(
            MARKED,
            {"role": "assistant", "content": "Hm."},
            GOES_ON,
            {"role": "assistant", "content": "", "tool_calls": [SUBMITTED]},
            output={"completion": "2", "choices": []},
        ),
        (0, 1, 0, 2, 1, 0, "2"),
    ),
    "what-a-model-says-for-the-user": (
        sample(MARKED, MADE, {**GOES_ON, "source": "generate"}, {**MADE, "content": "c is 3."}),
        (0, 2, 0, 2, 0, 0, "c is 3."),
    ),
    "one-sample-by-itself": (sample(MARKED, MADE), (0, 1, 0, 1, 0, 0, "b is 2.")),
}
ALL: Rows = {**CLAUDE, **CODEX, **OPENHANDS, **BENCHMARKS, **ATIF, **INSPECT}


@pytest.mark.parametrize("name", ALL)
def test_every_session_is_read(name: str) -> None:
    """One run, with all that was said, called and answered in its place, whether as lines or as one document."""
    document, told = ALL[name]
    [run] = runs(document)
    assert counts(run) == told
    if is_list(document):
        [again] = runs("\n".join(map(json.dumps, document)).encode())
        assert counts(again) == told


def test_a_log_that_failed_before_its_first_sample_has_no_run() -> None:
    """It is a log all the same, and no fault."""
    assert runs({"version": 2, "status": "error", "eval": {"task": "t"}, "plan": {}}) == []


def test_what_was_left_out_is_told() -> None:
    """A gap for each, with the line that it stood in."""
    [run] = runs(ALL["what-the-user-took-back"][0])
    assert [(gap.code, gap.where) for gap in run.gaps] == [("choices_dropped", "line 3"), ("choices_dropped", "line 4")]
    [run] = runs(ALL["what-the-agent-tells-itself"][0])
    assert [(gap.code, gap.where) for gap in run.gaps if gap.code == "prompt_as_user"] == [
        ("prompt_as_user", "$.messages[2]")
    ]


def test_each_called_agent_is_a_run_of_its_own() -> None:
    """Two that ran beside each other are told apart, and each names the call that its result names."""
    called = [line("user", "Survey.", f"u{agent}", isSidechain=True, agentId=agent) for agent in ("x", "y")]
    results = [line("user", gave(f"t{agent}"), f"r{agent}", toolUseResult={"agentId": agent}) for agent in ("x", "y")]
    calls = [line("assistant", use(f"t{agent}"), f"a{agent}", message="m") for agent in ("x", "y")]
    [run] = runs([line("user", "Survey all.", "u"), *calls, *called, *results])
    assert [(sub.called_by, counts(sub)[1]) for sub in run.sub_runs] == [("tx", 1), ("ty", 1)]


def test_an_answer_of_the_program_is_an_error_of_the_run() -> None:
    """The model was not heard."""
    [run] = runs(ALL["an-answer-of-the-program"][0])
    assert (run.status, run.model) == ("error", "")


def test_results_without_ids_find_their_calls_by_their_places() -> None:
    """As many observations as calls are theirs in order."""
    [run] = runs(ALL["steps-without-a-version"][0])
    assert [call.result for call in tool_calls(run.output)] == ["a.txt", "no", "no"]
