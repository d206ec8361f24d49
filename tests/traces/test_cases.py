"""Situations that users of other tools reported: each is impossible here, or has its right outcome."""

from __future__ import annotations

import itertools

import pytest

from scorewright import NotScorable, Run
from scorewright.agents import (
    AgentRun,
    AgentUsage,
    answered,
    asked,
    attempted_calls,
    create_agent_scorer,
    failed_calls,
    final_answer,
    result_text,
    tool_calls,
    tool_results,
    unfinished_calls,
    user_text,
)
from scorewright.core import pure
from scorewright.traces import read_runs


def one(document: object) -> AgentRun:
    [read] = read_runs(document)
    return read.unwrap()


VISIT = {"visit": "Tue 15:30"}
IN_PARTS = {
    "parts": [{"type": "tool-calendar", "toolCallId": "c", "state": "output-available", "input": {}, "output": VISIT}]
}
IN_OLDER_PARTS = {
    "parts": [
        {
            "type": "tool-invocation",
            "toolInvocation": {
                "state": "result",
                "toolCallId": "c",
                "toolName": "calendar",
                "args": {},
                "result": VISIT,
            },
        }
    ]
}
IN_OLDER_LIST = {
    "content": "",
    "toolInvocations": [{"state": "result", "toolCallId": "c", "toolName": "calendar", "args": {}, "result": VISIT}],
}


@pytest.mark.parametrize("form", [IN_PARTS, IN_OLDER_PARTS, IN_OLDER_LIST])
def test_mastra_22014(form: dict[str, object]) -> None:
    """mastra-ai/mastra#22014: Tool results count wherever a message keeps them."""
    question = {"role": "user", "parts": [{"type": "text", "text": "When is my dentist visit?"}]}
    answer = {"role": "assistant", "parts": [{"type": "text", "text": "Tuesday at 15:30."}]}
    output = one([question, {"role": "assistant", **form}, answer]).output
    [result] = tool_results(output)
    assert "15:30" in result
    assert [call.name for call in tool_calls(output)] == ["calendar"]
    assert final_answer(output) == "Tuesday at 15:30."


def test_ragas_1995() -> None:
    """vibrantlabsai/ragas#1995: Two results after one message of the assistant are valid, and are paired by id."""
    run = one(
        [
            {"role": "user", "content": "Compare stock in both shops"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "function": {"name": "stock", "arguments": '{"shop": "N"}'}},
                    {"id": "c2", "function": {"name": "stock", "arguments": '{"shop": "S"}'}},
                ],
            },
            {"role": "tool", "tool_call_id": "c2", "content": "7"},
            {"role": "tool", "tool_call_id": "c1", "content": "4"},
            {"role": "assistant", "content": "North 4, South 7."},
        ]
    )
    assert {call.id: call.result for call in tool_calls(run.output)} == {"c1": "4", "c2": "7"}
    assert run.gaps == ()


def test_ragas_2426() -> None:
    """What is no message, and a role that is none, are named by their index; the rest is read.

    vibrantlabsai/ragas#2426
    """
    run = one([{"role": "user", "content": "hi"}, 42, {"role": "wizard", "content": "x"}])
    assert [(gap.code, gap.where) for gap in run.gaps] == [
        ("not_a_message", "$.messages[1]"),
        ("unknown_role", "$.messages[2]"),
    ]
    assert user_text(run.input) == "hi"


def test_strands_355() -> None:
    """The question is the user's, also when a tool exchange stands right before the answer.

    strands-agents/evals#355
    """
    run = one(
        [
            {"role": "user", "content": "Which is cheaper, A or B?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "t", "function": {"name": "price", "arguments": ""}}],
            },
            {"role": "tool", "tool_call_id": "t", "content": "A 3, B 4"},
            {"role": "assistant", "content": "A is cheaper."},
        ]
    )
    assert (user_text(run.input), final_answer(run.output)) == ("Which is cheaper, A or B?", "A is cheaper.")


def test_agentcore_1393() -> None:
    """aws/agentcore-cli#1393: Every block of a tool's result is in the context; what is no text leaves a mark."""
    blocks = [
        {"type": "text", "text": "2 rooms found"},
        {"type": "text", "text": "Room 12: 80 EUR"},
        {"type": "json", "json": {"room": 14, "price": 95}},
        {"type": "image", "ref": "plan.png"},
    ]
    run = one(
        [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "rooms", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": blocks}]},
        ]
    )
    [text] = tool_results(run.output)
    assert all(words in text for words in ("2 rooms found", "80 EUR", "95", "[image]"))


def test_promptfoo_4014() -> None:
    """promptfoo/promptfoo#4014: An object reads as JSON in a prompt."""
    assert '"fee": 3.5' in result_text({"city": "Graz", "fee": 3.5, "open": True})


def test_langfuse_13777() -> None:
    """A scorer can tell an empty question or answer before it asks a judge: neither becomes text.

    langfuse/langfuse#13777
    """
    nothing = Run(asked(), answered())
    assert (user_text(nothing.input), final_answer(nothing.output)) == ("", None)
    assert one([{"role": "assistant", "content": []}]).final_kind == "none"


def test_opik_5963() -> None:
    """comet-ml/opik#5963: A span whose parent was not exported is kept and marked."""
    run = one(
        [
            span("r", None, "agent", {"gen_ai.operation.name": "invoke_agent"}),
            span("a", "r", "plan", {"gen_ai.operation.name": "chat", "gen_ai.completion.0.content": "ok"}),
            span(
                "x", "not-exported", "tool:ping", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ping"}
            ),
        ]
    )
    assert [call.name for call in tool_calls(run.output)] == ["ping"]
    assert [gap.where for gap in run.gaps if gap.code == "orphan_span"] == ["x"]


def test_pydantic_ai_7070() -> None:
    """A run that raised has its spans and its error, and reading keeps nothing for the next.

    pydantic/pydantic-ai#7070
    """
    spans = [
        span("r", None, "task", {"gen_ai.operation.name": "invoke_agent"}, failed="boom"),
        span("l", "r", "load", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "load"}),
        span("p", "r", "parse", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "parse"}, failed="boom"),
    ]
    for _ in range(2):
        run = one(spans)
        assert [call.name for call in tool_calls(run.output)] == ["load", "parse"]
        assert run.status == "error"
        assert run.error is not None
        assert run.error.message == "boom"


def test_mastra_23460() -> None:
    """mastra-ai/mastra#23460: A call that raised was attempted and is an error; one that only started is neither."""
    told = [
        {"type": "tool-search", "toolCallId": "1", "state": "output-available", "input": {}, "output": "found"},
        {"type": "tool-pay", "toolCallId": "2", "state": "output-error", "input": {}, "errorText": "card declined"},
        {"type": "tool-mail", "toolCallId": "3", "state": "input-available", "input": {}},
    ]
    output = one([{"role": "assistant", "parts": told}]).output
    assert [call.name for call in attempted_calls(output)] == ["search", "pay"]
    assert [call.name for call in failed_calls(output)] == ["pay"]
    assert [call.name for call in unfinished_calls(output)] == ["mail"]
    no_errors = create_agent_scorer("no_tool_errors").generate_score(
        pure(lambda step: not failed_calls(step.run.output))
    )
    assert no_errors.run_sync(Run(asked(), output)).unwrap().score == 0


def test_mlflow_23445() -> None:
    """mlflow/mlflow#23445: A root without input and output falls back to the model call below it, and says so."""
    root = span("r", None, "run", {"openinference.span.kind": "CHAIN"})
    llm = {"openinference.span.kind": "LLM", "input.value": "Fee?", "output.value": "2 euro"}
    run = one([root, span("l", "r", "llm", llm)])
    assert (user_text(run.input), run.final_output) == ("Fee?", "2 euro")
    assert "no_anchor" in [gap.code for gap in run.gaps]
    silent = one([root, span("l", "r", "llm", {"openinference.span.kind": "LLM"})])
    assert isinstance(silent.scorable().failure(), NotScorable)


ROWS = [
    {
        "span_id": "00000000000000b2",
        "parent_span_id": "00000000000000a1",
        "span_name": "tool",
        "kind": "span",
        "start_timestamp": "2026-01-05T10:00:01Z",
        "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "tool"},
    },
    {
        "span_id": "00000000000000c3",
        "parent_span_id": "00000000000000b2",
        "span_name": "note",
        "kind": "log",
        "start_timestamp": "2026-01-05T10:00:02Z",
        "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "note"},
    },
    {
        "span_id": 0xA1,
        "parent_span_id": None,
        "span_name": "agent",
        "kind": "span",
        "start_timestamp": "2026-01-05T12:00:00+02:00",
        "attributes": {"gen_ai.operation.name": "invoke_agent"},
    },
]


@pytest.mark.parametrize("rows", list(itertools.permutations(ROWS)))
def test_pydantic_ai_3946(rows: tuple[dict[str, object], ...]) -> None:
    """Rows in any order, ids as text or number, offsets as instants, logs apart: one tree.

    pydantic/pydantic-ai#3946
    """
    run = one(list(rows))
    assert run.agent_name == "agent"
    assert [call.name for call in tool_calls(run.output)] == ["tool"]
    [call] = tool_calls(run.output)
    assert call.started_at is not None
    assert run.started_at is not None
    assert call.started_at - run.started_at == 10**9


def test_mastra_13464() -> None:
    """mastra-ai/mastra#13464: Every run names its trace, so that every score of it can."""
    spans = [
        {
            **span("a", None, "agent", {"gen_ai.operation.name": "chat", "gen_ai.completion.0.content": "x"}),
            "trace_id": trace,
        }
        for trace in ("t-1", "t-2")
    ]
    runs = [read.unwrap() for read in read_runs(spans)]
    pairs = [(run.run.metadata["trace_id"], scorer) for run in runs for scorer in ("a", "b")]
    assert pairs == [("t-1", "a"), ("t-1", "b"), ("t-2", "a"), ("t-2", "b")]


def span(id: str, parent: str | None, name: str, attributes: object, *, failed: str = "") -> dict[str, object]:
    status = {"code": "ERROR", "message": failed} if failed else {"code": "OK"}
    return {
        "trace_id": "t",
        "span_id": id,
        "parent_span_id": parent,
        "name": name,
        "attributes": attributes,
        "status": status,
    }


def test_strands_1267() -> None:
    """An agent's total repeats its calls' tokens, and is only used where it has none.

    strands-agents/harness-sdk#1267
    """

    def span(id: str, parent: str | None, operation: str, asked: int, said: int) -> dict[str, object]:
        used = {"gen_ai.usage.input_tokens": asked, "gen_ai.usage.output_tokens": said}
        return {
            "span_id": id,
            "parent_id": parent,
            "trace_id": "t",
            "attributes": {"gen_ai.operation.name": operation, "gen_ai.output.messages": '"Hi"', **used},
        }

    agent = span("agent", None, "invoke_agent", 1500, 300)
    calls = [span("m1", "agent", "chat", 700, 120), span("m2", "agent", "chat", 800, 180)]
    assert one([agent, *calls]).usage == AgentUsage(1500, 300)
    assert one([agent]).usage == AgentUsage(1500, 300)
    without = [{**each, "attributes": {"gen_ai.operation.name": "chat"}} for each in calls]
    assert one([agent, *without]).usage == AgentUsage(1500, 300)
