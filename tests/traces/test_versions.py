"""Versions and corners of the formats: each was misread once. A row says what the file holds, and what it comes to."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from traces.documents import ASKED, Document, Rows, counts, runs

from scorewright.agents import reasoning, tool_calls
from scorewright.traces import UnknownDialect, Unreadable, read_runs


def said(text: str, **more: object) -> Document:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}], **more}


def response(*output: Document) -> Document:
    return {"id": "r", "object": "response", "status": "completed", "model": "m", "output": list(output)}


def reply(*content: Document, stop: str = "end_turn") -> Document:
    return {"type": "message", "role": "assistant", "model": "m", "content": list(content), "stop_reason": stop}


def dumped(value: Document) -> str:
    return json.dumps(value)


NONE: dict[str, object] = {}
CALL = {"id": "c", "type": "function", "function": {"name": "track", "arguments": "{}"}}
SHELL = {"type": "shell_call", "call_id": "c", "status": "completed", "action": {"commands": ["ls"]}}
SHELL_OUTPUT = {"type": "shell_call_output", "call_id": "c", "output": [{"stdout": "x"}]}
SEARCH = {"type": "tool_search_call", "id": "t", "call_id": None, "execution": "server", "arguments": NONE}
SEARCH_OUTPUT = {"type": "tool_search_output", "id": "o", "call_id": None, "execution": "server", "tools": [NONE]}
FUNCTION = {"type": "function_call", "call_id": "c", "name": "track", "arguments": "{}"}

RESPONSES: Rows = {
    "comments-are-not-the-answer": (
        response(said("Let me see.", phase="commentary"), said("In Linz.", phase="final_answer")),
        (0, 0, 0, 1, 0, 0, "In Linz."),
    ),
    "a-shell-of-the-provider": (
        response({**SHELL, "environment": {"type": "container_auto"}}, SHELL_OUTPUT, said("Done.")),
        (0, 0, 0, 1, 1, 0, "Done."),
    ),
    "a-search-without-ids": (response(SEARCH, SEARCH_OUTPUT, FUNCTION), (0, 0, 0, 1, 2, 0, None)),
    "a-line-of-a-batch": (
        {"custom_id": "1", "response": {"status_code": 200, "body": response(said("Yes."))}},
        (0, 0, 0, 1, 0, 0, "Yes."),
    ),
}
BLOCKS = [{"text": "Where?"}]
CONVERSE = {
    "system_prompt": [{"text": "Be brief."}],
    "messages": [{"role": "user", "content": BLOCKS}, {"role": "assistant", "content": [{"text": "There."}]}],
}
SKILL = [
    {"type": "user", "message": ASKED},
    {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Skill", "input": NONE}]},
    },
    {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}},
    {"type": "user", "message": {"role": "user", "content": "Base directory for this skill: /skills\n\n# Parcels"}},
]
STOPPED = [
    {"type": "user.message", "id": "1", "content": [{"type": "text", "text": "Where?"}]},
    {"type": "agent.mcp_tool_use", "id": "2", "name": "track", "input": NONE, "evaluated_permission": "ask"},
    {"type": "user.tool_confirmation", "id": "3", "tool_use_id": "2", "result": "deny"},
    {"type": "agent.mcp_tool_result", "id": "4", "mcp_tool_use_id": "2", "is_error": True, "content": "denied"},
    {"type": "agent.message", "id": "5", "content": [{"type": "text", "text": "I may not look."}]},
]
ANTHROPIC: Rows = {
    "a-system-prompt-of-blocks": (CONVERSE, (1, 1, 0, 1, 0, 0, "There.")),
    "a-skill-is-no-question": ({"messages": SKILL}, (0, 1, 0, 1, 1, 0, None)),
    "a-call-that-was-denied-failed": (STOPPED, (0, 1, 0, 2, 1, 1, "I may not look.")),
    "a-message-that-is-announced-twice": (
        [
            {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
            {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Yes."}},
            {"type": "message_stop"},
        ],
        (0, 0, 0, 1, 0, 0, "Yes."),
    ),
}
UI_CALL = {"type": "tool-call", "toolCallId": "c", "toolName": "track", "input": {"n": 7}}
UI_RESULT = {"type": "tool-result", "toolCallId": "c", "toolName": "track"}
MODEL_MESSAGES = [
    ASKED,
    {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, UI_CALL]},
    {"role": "tool", "content": [{**UI_RESULT, "output": {"type": "error-text", "value": "no parcel"}}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Nowhere."}]},
]
BUILT_IN = {"tool_name": "web_search", "tool_call_id": "c"}
MESSAGES: Rows = {
    "what-the-ai-sdk-hands-to-models": (MODEL_MESSAGES, (0, 1, 0, 2, 1, 1, "Nowhere.")),
    "tools-of-pydantic-ai's-providers": (
        [
            {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Where?"}]},
            {
                "kind": "response",
                "parts": [
                    {"part_kind": "builtin-tool-call", "args": {"q": 1}, **BUILT_IN},
                    {"part_kind": "builtin-tool-return", "content": {"status": "completed"}, **BUILT_IN},
                    {"part_kind": "text", "content": "There."},
                ],
            },
        ],
        (0, 1, 0, 1, 1, 0, "There."),
    ),
    "langchain's-own-blocks": (
        [
            {"type": "human", "content": "Where?"},
            {
                "type": "ai",
                "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "There."}],
                "tool_calls": [],
            },
            {"type": "remove", "content": "", "id": "1"},
        ],
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "what-the-steps-of-a-graph-add": (
        [
            {"ask": {"messages": [{"type": "human", "content": "Where?"}]}},
            {"agent": {"messages": [{"type": "ai", "content": "There."}]}},
        ],
        (0, 1, 0, 1, 0, 0, "There."),
    ),
}


def langsmith(**fields: object) -> dict[str, object]:
    return {"id": "1", "trace_id": "1", "name": "f", "inputs": NONE, "outputs": None, **fields}


COMPLETION = {"choices": [{"message": {"role": "assistant", "content": "There.", "tool_calls": [CALL]}}]}
SENT = langsmith(run_type="llm", inputs={"messages": [{"role": "system", "content": "Be brief."}, ASKED]})
LANGSMITH: Rows = {
    "a-wrapped-client-of-openai": ({**SENT, "outputs": COMPLETION}, (1, 1, 0, 1, 1, 0, None)),
    "what-the-client-sends": (
        {"post": [SENT], "patch": [{"dotted_order": "20260101T000000000001Z1", "outputs": COMPLETION}]},
        (1, 1, 0, 1, 1, 0, None),
    ),
    "a-wrapped-client-of-anthropic": (
        langsmith(
            run_type="llm",
            inputs={"system": "Be brief.", "messages": [ASKED]},
            outputs=reply({"type": "tool_use", "id": "c", "name": "track", "input": NONE}, stop="tool_use"),
        ),
        (1, 1, 0, 1, 1, 0, None),
    ),
    "a-wrapped-client-of-responses": (
        langsmith(
            run_type="llm",
            inputs={"instructions": "Be brief.", "input": "Where?"},
            outputs={"output": [said("There.")]},
        ),
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "a-function": (
        langsmith(run_type="chain", inputs={"question": "Where?"}, outputs={"answer": "There."}),
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "given-nothing": (langsmith(run_type="llm", outputs={"answer": "There."}), (0, 0, 0, 1, 0, 0, "There.")),
    "answering-nothing": (
        langsmith(run_type="llm", inputs={"question": "Where?"}, outputs=NONE),
        (0, 1, 0, 0, 0, 0, None),
    ),
}


def observed(id: str, given: Document, told: Document, sort: str = "GENERATION", at: int = 0) -> Document:
    return {
        "id": id,
        "traceId": "T",
        "type": sort,
        "name": "track",
        "startTime": f"2026-03-25T10:00:{at:02}Z",
        "endTime": f"2026-03-25T10:00:{at + 1:02}Z",
        "input": given if isinstance(given, str) else dumped(given),
        "output": told if isinstance(told, str) else dumped(told),
    }


def observations(*listed: Document) -> Document:
    return {"trace": {"id": "T"}, "observations": list(listed)}


LANGFUSE: Rows = {
    "blocks-of-anthropic": (
        observations(
            observed(
                "1", {"messages": [ASKED]}, reply({"type": "tool_use", "id": "c", "name": "track", "input": NONE})
            ),
            observed(
                "2",
                {
                    "messages": [
                        ASKED,
                        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "track"}]},
                        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "Linz"}]},
                    ]
                },
                reply({"type": "text", "text": "In Linz."}),
                at=5,
            ),
        ),
        (0, 1, 0, 2, 1, 0, "In Linz."),
    ),
    "contents-of-gemini": (
        observations(
            observed(
                "1",
                {"contents": "Where?", "config": {"system_instruction": "Be brief."}},
                {"candidates": [{"content": {"role": "model", "parts": [{"text": "There."}]}}]},
            )
        ),
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "what-google-adk-answers": (
        observations(
            observed(
                "1",
                {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]},
                {"content": {"role": "model", "parts": [{"function_call": {"name": "track", "args": NONE}}]}},
            ),
            observed(
                "2",
                {
                    "contents": [
                        {"role": "user", "parts": [{"text": "Where?"}]},
                        {"role": "model", "parts": [{"function_call": {"name": "track", "args": NONE}}]},
                        {
                            "role": "user",
                            "parts": [{"function_response": {"name": "track", "response": {"at": "Linz"}}}],
                        },
                    ]
                },
                {"content": {"role": "model", "parts": [{"text": "In Linz."}]}, "finish_reason": "STOP"},
                at=5,
            ),
        ),
        (0, 1, 0, 2, 1, 0, "In Linz."),
    ),
    "tools-whose-names-are-roles": (
        observations(
            observed("1", [ASKED], {"role": "assistant", "content": "", "tool_calls": [CALL]}),
            observed(
                "2",
                [
                    ASKED,
                    {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [CALL]}},
                    {"role": "track", "content": "Linz"},
                ],
                {"role": "assistant", "content": "In Linz."},
                at=5,
            ),
        ),
        (0, 1, 0, 2, 1, 0, "In Linz."),
    ),
    "events-of-the-older-pydantic-ai": (
        observations(
            observed(
                "1",
                [{**ASKED, "event.name": "gen_ai.user.message"}],
                {"index": 0, "message": {"role": "assistant", "content": "There."}, "event.name": "gen_ai.choice"},
            )
        ),
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "responses-say-their-instructions": (
        observations(observed("1", [ASKED], {"instructions": "Be brief.", "output": [said("There.")]})),
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "calls-of-the-ai-sdk-alone": (
        observations(
            observed("1", {"prompt": "Where?"}, [{"toolCallId": "c", "toolName": "track", "input": '{"n": 7}'}]),
            observed("2", {"n": 7}, {"at": "Linz"}, "TOOL", 3),
        ),
        (0, 1, 0, 1, 1, 0, None),
    ),
    "arguments-of-a-function": (
        observations(observed("1", {"args": ["Where?"]}, "There.")),
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "what-stands-on-the-trace-alone": (
        {
            "trace": {"id": "T", "input": '"Where?"', "output": '"There."'},
            "observations": [observed("1", "", "", "SPAN")],
        },
        (0, 1, 0, 1, 0, 0, "There."),
    ),
}


def deepeval(sort: str, id: str, given: Document, told: Document, at: int) -> Document:
    begun, ended = (f"2026-06-01T17:24:{each:02}Z" for each in (at, at + 1))
    name = {"uuid": id, "parentUuid": "a", "type": sort, "name": "track"}
    return {**name, "input": given, "output": told, "startTime": begun, "endTime": ended}


CREW = {
    "agentSpans": [{"uuid": "a", "type": "agent", "name": "crew", "input": "Where?", "output": "There."}],
    "llmSpans": [
        deepeval("llm", "2", [ASKED, {"role": "assistant", "tool_calls": [CALL]}], "There.", 5),
        deepeval("llm", "1", [ASKED], [CALL], 1),
    ],
    "toolSpans": [deepeval("tool", "t", NONE, "Linz", 3)],
}
ADK_TURN = {"user_content": {"parts": [{"text": "Where?"}]}, "final_response": {"parts": [{"text": None}]}}
ADK_EVENTS = [{"author": "a", "content": {"parts": [{"function_call": {"name": "track", "args": NONE}}]}}]
FRAMEWORKS: Rows = {
    "calls-of-crewai-alone": (CREW, (0, 1, 0, 2, 1, 0, "There.")),
    "events-of-an-expectation": (
        {"eval_cases": [{"conversation": [{**ADK_TURN, "intermediate_data": {"invocation_events": ADK_EVENTS}}]}]},
        (0, 1, 0, 1, 1, 0, None),
    ),
    "expectations-as-they-were-first": (
        [{"query": "Where?", "expected_tool_use": [{"tool_name": "track", "tool_input": NONE}], "reference": "There."}],
        (0, 1, 0, 1, 1, 0, "There."),
    ),
}


def step(source: str, message: Document, **more: object) -> Document:
    return {"source": source, "message": message, **more}


def atif(*steps: Document) -> Document:
    return {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "a"}, "steps": list(steps)}


def acts(*results: Document) -> Document:
    calls = [{"tool_call_id": id, "function_name": "track", "arguments": NONE} for id in ("c", "d")]
    return step("agent", "Let me look.", tool_calls=calls, observation={"results": list(results)})


def rolled(role: str, text: str) -> Document:
    return {
        "type": "response_item",
        "payload": {"type": "message", "role": role, "content": [{"type": "output_text", "text": text}]},
    }


def event(kind: str, source: str, **more: object) -> Document:
    return {"kind": kind, "source": source, "id": kind, **more}


WORDS = [{"type": "text", "text": "There."}]
OPENHANDS = [
    event("SystemPromptEvent", "agent", system_prompt={"type": "text", "text": "Be brief."}),
    event("MessageEvent", "user", llm_message={"role": "user", "content": [{"type": "text", "text": "Where?"}]}),
    event(
        "ActionEvent",
        "agent",
        thought=[{"type": "text", "text": "Let me look."}],
        tool_name="terminal",
        tool_call_id="c",
        tool_call={"id": "c", "name": "terminal", "arguments": '{"command": "ls"}'},
        action={"kind": "TerminalAction", "command": "ls"},
    ),
    event(
        "ObservationEvent",
        "environment",
        tool_name="terminal",
        tool_call_id="c",
        observation={"content": [{"type": "text", "text": "x"}], "is_error": True},
    ),
    event("ActionEvent", "agent", tool_name="finish", tool_call_id="d", action={"message": "There."}),
]
SESSIONS: Rows = {
    "results-without-the-ids-of-calls": (
        atif(step("user", "Where?"), acts({"content": "Linz"}, {"content": "Graz"}), step("agent", "In both.")),
        (0, 1, 0, 2, 2, 0, "In both."),
    ),
    "steps-of-the-trajectory-before": (
        atif(
            step("user", "Hello", is_copied_context=True),
            step("agent", "Hello.", is_copied_context=True),
            step("user", "Where?"),
            step("agent", "There."),
        ),
        (0, 1, 2, 1, 0, 0, "There."),
    ),
    "surroundings-are-no-question": (
        [
            rolled("user", "<environment_context>\n</environment_context>"),
            rolled("user", "Where?"),
            rolled("assistant", "There."),
        ],
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "items-as-codex-first-named-them": (
        [
            {
                "type": "item.completed",
                "item": {"id": "1", "item_type": "command_execution", "command": "ls", "exit_code": 0},
            },
            {"type": "item.completed", "item": {"id": "2", "item_type": "assistant_message", "text": "There."}},
        ],
        (0, 0, 0, 2, 1, 0, "There."),
    ),
    "events-of-openhands-sdk": (OPENHANDS, (1, 1, 0, 2, 1, 1, "There.")),
    "a-line-of-an-evaluation-of-openhands": (
        {
            "instance_id": "x",
            "history": [
                {"id": 0, "source": "user", "action": "message", "args": {"content": "Where?"}},
                {"id": 1, "source": "agent", "action": "finish", "args": {"thought": "There."}},
            ],
        },
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "how-mini-swe-agent-ended": (
        {
            "trajectory_format": "mini-swe-agent-1.1",
            "messages": [ASKED, {"role": "assistant", "content": "There."}, {"role": "exit", "content": "Submitted"}],
        },
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "a-simulation-alone": (
        {
            "id": "1",
            "termination_reason": "user_stop",
            "messages": [
                ASKED,
                {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "name": "track", "arguments": NONE}]},
                {"role": "tool", "id": "c", "content": "no parcel", "error": True, "requestor": "assistant"},
                {"role": "assistant", "content": "Nowhere."},
            ],
        },
        (0, 1, 0, 2, 1, 1, "Nowhere."),
    ),
    "a-trial-of-tau-bench": (
        [{"task_id": 1, "trial": 0, "reward": 1.0, "traj": [ASKED, {"role": "assistant", "content": "There."}]}],
        (0, 1, 0, 1, 0, 0, "There."),
    ),
}
TOLD = dumped([{"role": "user", "parts": [{"type": "text", "content": "Where?"}]}])
LLM = "attributes.llm"
SPANS: Rows = {
    "an-answer-of-text-alone": (
        {"gen_ai.operation.name": "chat", "gen_ai.prompt": TOLD, "gen_ai.completion": dumped({"text": "There."})},
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "a-row-of-phoenix": (
        [
            {
                "span_kind": "LLM",
                "context": {"trace_id": "t", "span_id": "a"},
                "attributes": {
                    "llm": {
                        "input_messages": [{"message": {"role": "user", "content": "Where?"}}],
                        "output_messages": [{"message": {"role": "assistant", "content": "There."}}],
                    }
                },
            }
        ],
        (0, 1, 0, 1, 0, 0, "There."),
    ),
    "a-table-of-phoenix": (
        [
            {
                "span_kind": "LLM",
                "context.span_id": "a",
                "context.trace_id": "t",
                f"{LLM}.input_messages": [{"message.role": "user", "message.content": "Where?"}],
                f"{LLM}.output_messages": [
                    {
                        "message.role": "assistant",
                        "message.tool_calls": [
                            {"tool_call.function.name": "track", "tool_call.function.arguments": "{}"}
                        ],
                    }
                ],
            }
        ],
        (0, 1, 0, 1, 1, 0, None),
    ),
    "a-chain-alone": (
        {"openinference.span.kind": "CHAIN", "input.value": "Where?", "output.value": "There."},
        (0, 1, 0, 1, 0, 0, "There."),
    ),
}
ANSWER = "llm.output_messages.0.message"
HANDED_ON = [
    {
        "span_id": "a",
        "trace_id": "t",
        "start_time": 1_760_000_000,
        "attributes": {"openinference.span.kind": "AGENT", "agent.name": "desk"},
    },
    {
        "span_id": "b",
        "parent_id": "a",
        "trace_id": "t",
        "start_time": 1_760_000_001,
        "attributes": {
            "openinference.span.kind": "LLM",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "Where?",
            f"{ANSWER}.role": "assistant",
            f"{ANSWER}.contents.0.message_content.type": "reasoning",
            f"{ANSWER}.contents.0.message_content.text": "A matter of parcels.",
            f"{ANSWER}.tool_calls.0.tool_call.id": "c",
            f"{ANSWER}.tool_calls.0.tool_call.function.name": "transfer_to_parcel_desk",
        },
    },
    {
        "span_id": "c",
        "parent_id": "a",
        "trace_id": "t",
        "start_time": 1_760_000_002,
        "name": "handoff to Parcel desk",
        "attributes": {"openinference.span.kind": "TOOL", "input.value": "desk", "output.value": "Parcel desk"},
    },
]
SPANS["a-handoff-is-the-call-that-asked-for-it"] = (HANDED_ON, (0, 1, 0, 1, 1, 0, None))
ALL: Rows = {
    **RESPONSES,
    **ANTHROPIC,
    **MESSAGES,
    **LANGSMITH,
    **LANGFUSE,
    **FRAMEWORKS,
    **SESSIONS,
    **SPANS,
}


@pytest.mark.parametrize("name", ALL)
def test_every_version_is_read(name: str) -> None:
    """One run, with all that was said, called and answered in its place."""
    document, told = ALL[name]
    [run] = runs(document)
    assert counts(run) == told


def test_thoughts_among_the_contents() -> None:
    """What a model thought is told apart from what it said; a handoff takes no arguments."""
    [run] = runs(HANDED_ON)
    [call] = tool_calls(run.output)
    assert (reasoning(run.output), run.gaps) == (("A matter of parcels.",), ())
    assert (call.kind, call.args, call.result) == ("handoff", {}, "Parcel desk")


def test_an_empty_refusal_is_an_answer() -> None:
    """It was captured, and holds nothing: it can be scored, unlike an answer that was not recorded."""
    [refused], [lost] = runs(reply(stop="refusal")), runs(reply())
    assert (refused.content, lost.content) == ("captured", "not_captured")


def test_a_result_without_content_is_missing() -> None:
    """Of two observations one says nothing."""
    results = ({"source_call_id": "c", "content": "Linz"}, {"source_call_id": "d"})
    [run] = runs(atif(step("user", "Where?"), acts(*results)))
    assert [call.result_present for call in tool_calls(run.output)] == [True, False]


def test_what_the_provider_did_on_the_way_is_no_loss() -> None:
    """Compactions and fallbacks are kept as data, and are known."""
    blocks = ({"type": "fallback", "from": {"model": "a"}}, {"type": "compaction", "content": "so far"})
    for document in (
        reply(*blocks, {"type": "text", "text": "Yes."}),
        response({"type": "compaction", "id": "c", "encrypted_content": "x"}, said("Yes.")),
    ):
        [run] = runs(document)
        assert (run.final_output, run.gaps) == ("Yes.", ())


def test_an_answer_with_an_error_beside_it() -> None:
    """Claude's SDK writes the error of a model call beside the message, and the errors of a run in a list."""
    asked = {"type": "user", "message": ASKED}
    answer = {"type": "assistant", "error": "server_error", "message": {"role": "assistant", "content": "4"}}
    ended = {"type": "result", "subtype": "error_during_execution", "is_error": True, "errors": ["it broke"]}
    [half], [broken] = runs([asked, answer]), runs([asked, ended])
    assert [run.error and run.error.message for run in (half, broken)] == ["server_error", "it broke"]
    assert [run.status for run in (half, broken)] == ["error", "error"]


def test_documents_by_their_names_are_read_one_by_one() -> None:
    """A mapping of nothing but documents holds their runs; a row with an input and an output is no such mapping."""
    assert [counts(run) for run in runs({"one": CONVERSE, "two": CONVERSE})] == [(1, 1, 0, 1, 0, 0, "There.")] * 2
    [read] = read_runs({"input": CONVERSE, "output": CONVERSE})
    assert isinstance(read.failure(), UnknownDialect)


SPAN = {"context": {"trace_id": "0x1", "span_id": "0x2"}, "attributes": SPANS["an-answer-of-text-alone"][0]}
EVENTS = [
    {
        "id": "1",
        "object": "chat.completion.chunk",
        "choices": [{"delta": {"content": "There."}, "finish_reason": "stop"}],
    }
]


@pytest.mark.parametrize(
    "content",
    [
        dumped([ASKED, {"role": "assistant", "content": "There."}]).encode(),
        json.dumps(SPAN, indent=4).encode() + b"\n",
        b"event: x\ndata: " + dumped(EVENTS[0]).encode() + b"\n\ndata: [DONE]\n\n",
    ],
    ids=["messages", "console", "server-sent events"],
)
def test_what_content_comes_packed_in(content: bytes, tmp_path: Path) -> None:
    """As it is, and in gzip; what is packed and breaks off is a fault."""
    packed = gzip.compress(content)
    path = tmp_path / "trace.json.gz"
    path.write_bytes(packed)
    for source in (content, path, packed):
        assert {run.final_output for run in runs(source)} == {"There."}
    [broken] = read_runs(packed[:-9])
    assert isinstance(broken.failure(), Unreadable)


def test_console_exporters_write_one_span_after_the_other() -> None:
    """Pretty, with nothing between."""
    other = {**SPAN, "context": {"trace_id": "0x3", "span_id": "0x4"}}
    text = json.dumps(SPAN, indent=4) + "\n" + json.dumps(other, indent=4)
    assert [run.trace_id for run in runs(text.encode())] == ["1", "3"]
