"""Answers that were recorded while they streamed read as those that came at once."""

from __future__ import annotations

import json
from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.agents import AgentRun, tool_calls
from scorewright.traces import read_runs

WHERE = {"city": "Graz", "days": 2}


def told(value: object) -> AgentRun:
    """The one run of a value, which lines with one event each give as well."""
    [run] = [each.unwrap() for each in read_runs(value)]
    if isinstance(value, list) and len(value) > 1:
        lines = "".join(f"{json.dumps(each)}\n" for each in value)
        assert [each.unwrap() for each in read_runs(lines.encode())] == [run]
    return run


def as_if_at_once(run: AgentRun, whole: object) -> bool:
    """Is it the run of the whole answer, but for the name of the dialect?"""
    [other] = [each.unwrap() for each in read_runs(whole)]
    return attrs.evolve(run, source=other.source) == other


def cut(text: str, places: Sequence[int]) -> list[str]:
    ends = sorted({min(place, len(text)) for place in places} | {len(text)})
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def chunk(delta: dict[str, object], reason: str | None = None) -> dict[str, object]:
    choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
    return {"id": "c1", "object": "chat.completion.chunk", "model": "gpt", "choices": choices}


def part(at: int, arguments: str, **head: str) -> dict[str, object]:
    name = {"name": head["name"]} if "name" in head else {}
    id = {"id": head["id"]} if "id" in head else {}
    return {"tool_calls": [{"index": at, **id, "function": {**name, "arguments": arguments}}]}


cuts = st.lists(st.integers(0, 60), max_size=4)


@given(cuts, cuts)
def test_chat_chunks(words: list[int], args: list[int]) -> None:
    """Law: wherever words and arguments are cut, the completion is the same; parallel calls stay apart."""
    said, asked = "Let me look at two cities.", json.dumps(WHERE)
    stream = [chunk({"role": "assistant", "content": ""})]
    stream += [chunk({"content": each}) for each in cut(said, words)]
    stream += [chunk(part(0, "", id="a", name="weather")), chunk(part(1, "", id="b", name="weather"))]
    stream += [chunk(part(at, each)) for each in cut(asked, args) for at in (0, 1)]
    stream += [
        chunk({}, "tool_calls"),
        {**chunk({}), "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}},
    ]
    calls = [{"id": id, "function": {"name": "weather", "arguments": asked}} for id in "ab"]
    message = {"role": "assistant", "content": said, "tool_calls": calls}
    whole = {
        "id": "c1",
        "object": "chat.completion",
        "model": "gpt",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 4},
    }
    assert as_if_at_once(told(stream), whole)


def test_calls_that_share_a_number_are_told_by_id() -> None:
    """Some providers number every call 0: another id is another call."""
    stream = [chunk(part(0, "{}", id="a", name="f")), chunk(part(0, "{}", id="b", name="g")), chunk({}, "tool_calls")]
    assert [(call.id, call.name) for call in tool_calls(told(stream).output)] == [("a", "f"), ("b", "g")]


def test_answers_with_different_ids_are_different_runs() -> None:
    """A file may hold several streams, one after the other."""
    stream = [chunk({"content": "A"}, "stop"), {**chunk({"content": "B"}, "stop"), "id": "c2"}]
    assert [run.unwrap().final_output for run in read_runs(stream)] == ["A", "B"]


def response_events(said: Sequence[str], args: Sequence[str]) -> list[dict[str, object]]:
    head = {"object": "response", "id": "r1", "model": "gpt", "status": "in_progress", "output": []}
    message = {"type": "message", "role": "assistant", "id": "m1", "content": []}
    call = {"type": "function_call", "id": "f1", "call_id": "a", "name": "weather", "arguments": ""}
    return [
        {"type": "response.created", "response": head},
        {"type": "response.output_item.added", "output_index": 0, "item": message},
        *(
            {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": each}
            for each in said
        ),
        {"type": "response.output_item.added", "output_index": 1, "item": call},
        *({"type": "response.function_call_arguments.delta", "output_index": 1, "delta": each} for each in args),
    ]


@given(cuts, cuts, st.booleans())
def test_responses_events(words: list[int], args: list[int], full: bool) -> None:
    """Law: the events come to the response that ends them, whether or not that repeats the output."""
    said, asked = "I look.", json.dumps(WHERE)
    output = [
        {"type": "message", "role": "assistant", "id": "m1", "content": [{"type": "output_text", "text": said}]},
        {"type": "function_call", "id": "f1", "call_id": "a", "name": "weather", "arguments": asked},
    ]
    whole = {"object": "response", "id": "r1", "model": "gpt", "status": "completed", "output": output}
    last = whole if full else {**whole, "output": []}
    events = [*response_events(cut(said, words), cut(asked, args)), {"type": "response.completed", "response": last}]
    assert as_if_at_once(told(events), whole)


def anthropic_events(said: Sequence[str], args: Sequence[str]) -> list[dict[str, object]]:
    message: dict[str, object] = {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "model": "claude",
        "content": [],
        "stop_reason": None,
    }
    use = {"type": "tool_use", "id": "a", "name": "weather", "input": {}}

    def delta(at: int, **held: str) -> dict[str, object]:
        return {"type": "content_block_delta", "index": at, "delta": held}

    return [
        {"type": "message_start", "message": {**message, "usage": {"input_tokens": 9, "output_tokens": 1}}},
        {"type": "ping"},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(delta(0, type="text_delta", text=each) for each in said),
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": use},
        *(delta(1, type="input_json_delta", partial_json=each) for each in args),
    ]


@given(cuts, cuts)
def test_anthropic_events(words: list[int], args: list[int]) -> None:
    """Law: wherever the deltas are cut, the message is the same."""
    said = "I look."
    events = [
        *anthropic_events(cut(said, words), cut(json.dumps(WHERE), args)),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 4}},
        {"type": "message_stop"},
    ]
    content = [{"type": "text", "text": said}, {"type": "tool_use", "id": "a", "name": "weather", "input": WHERE}]
    whole = {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "model": "claude",
        "content": content,
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 9, "output_tokens": 4},
    }
    assert as_if_at_once(told(events), whole)


@pytest.mark.parametrize(
    "events",
    [
        [chunk({"content": "I look."}), chunk(part(0, '{"city": "Gr', id="a", name="weather"))],
        response_events(["I look."], ['{"city": "Gr']),
        anthropic_events(["I look."], ['{"city": "Gr']),
    ],
    ids=["chat", "responses", "anthropic"],
)
def test_a_stream_that_breaks_off_is_a_gap(events: list[dict[str, object]]) -> None:
    """What was said is kept; the call whose arguments break off was not made."""
    run = told(events)
    assert run.status == "partial"
    assert "unfinished" in {gap.code for gap in run.gaps}
    [message] = run.output.messages
    assert message.text == "I look."
    assert [(call.state, call.args_raw) for call in message.tool_calls] == [("partial_call", '{"city": "Gr')]


def test_a_stream_that_fails_says_so() -> None:
    """An error among the events is the run's."""
    failed = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    run = told([*anthropic_events(["I"], []), failed])
    assert (run.status, run.error and run.error.message) == ("error", "Overloaded")
