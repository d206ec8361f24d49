"""Gemini's requests and responses."""

from __future__ import annotations

from typing import Any

from scorewright.agents import AgentRun, tool_calls, user_text
from scorewright.traces import read_runs

ASKED = {"role": "user", "parts": [{"text": "Rain in Graz?"}]}
CALLED = {"role": "model", "parts": [{"functionCall": {"name": "weather", "args": {"city": "Graz"}}}]}
GAVE = {"role": "user", "parts": [{"functionResponse": {"name": "weather", "response": {"rain": True}}}]}
REQUEST: dict[str, object] = {
    "contents": [ASKED, CALLED, GAVE],
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "tools": [{"functionDeclarations": [{"name": "weather", "description": "Now", "parameters": {"type": "OBJECT"}}]}],
}


def response(*texts: str, **more: object) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text} for text in texts]}
    return {"candidates": [{"content": content, "finishReason": "STOP"}], "modelVersion": "gemini-3", **more}


def told(value: object) -> AgentRun:
    [run] = [each.unwrap() for each in read_runs(value)]
    assert run.source.dialect == "gemini"
    return run


def test_a_request_with_its_response() -> None:
    """The system, the user's words, the call with its result, the answer, the tools and the tokens."""
    usage = {"promptTokenCount": 30, "candidatesTokenCount": 4}
    answer = response("It rains.", usageMetadata=usage)
    for value in ({"request": REQUEST, "response": answer}, {**REQUEST, **answer}):
        run = told(value)
        assert (run.input.system_messages[0].text, user_text(run.input)) == ("Be brief.", "Rain in Graz?")
        [call] = tool_calls(run.output)
        assert (call.name, call.args, call.result) == ("weather", {"city": "Graz"}, {"rain": True})
        assert (run.final_output, run.status, run.model) == ("It rains.", "ok", "gemini-3")
        assert [tool.name for tool in run.tool_definitions] == ["weather"]
        assert run.usage is not None
        assert (run.usage.input_tokens, run.usage.output_tokens) == (30, 4)


def test_a_request_alone_has_no_answer_yet() -> None:
    """What was asked is told, and that the answer is missing."""
    run = told({"contents": [ASKED]})
    assert (user_text(run.input), run.final_output, run.status) == ("Rain in Graz?", None, "partial")
    assert [gap.code for gap in run.gaps] == ["unfinished"]


def test_a_history_may_end_with_the_answer() -> None:
    """Contents that end with the model's words are a conversation."""
    run = told({"contents": [ASKED, CALLED, GAVE, {"role": "model", "parts": [{"text": "It rains."}]}]})
    assert (run.final_output, len(tool_calls(run.output)), run.gaps) == ("It rains.", 1, ())


def test_a_stream_is_one_answer() -> None:
    """Responses that follow each other are pieces of one; the last one's tokens count."""
    pieces = [response("It ", usageMetadata={"promptTokenCount": 3, "candidatesTokenCount": n}) for n in (1, 2)]
    run = told([*pieces, response("rains.")])
    [message] = run.output.messages
    assert [part.type for part in message.parts] == ["text"]
    assert run.final_output == "It It rains."
    assert run.usage is not None
    assert run.usage.output_tokens == 2


def test_several_candidates() -> None:
    """The first is kept, and that there were others is a gap."""
    several = response("A")
    several["candidates"].append({"content": {"parts": [{"text": "B"}]}})
    run = told(several)
    assert (run.final_output, [gap.code for gap in run.gaps]) == ("A", ["choices_dropped"])
