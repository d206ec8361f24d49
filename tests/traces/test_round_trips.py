"""What is written in a dialect is read back, and one conversation in two dialects is one run."""

from __future__ import annotations

import json
from collections.abc import Callable

import attrs
import pytest
from hypothesis import given
from traces.writing import (
    Talk,
    as_anthropic,
    as_chat,
    as_chat_list,
    as_responses,
    as_ui,
    by_attributes,
    by_numbers,
    by_openinference,
    spans,
    talks,
)

from scorewright.agents import AgentRun, Message, ToolInvocation
from scorewright.traces import detected, read_runs

Writer = Callable[[Talk], object]

REQUESTS: dict[str, Writer] = {
    "openai-chat": as_chat,
    "openai-responses": as_responses,
    "anthropic-messages": as_anthropic,
}
TRACES: dict[str, Writer] = {
    f"{told.__name__}, results from {'spans' if tools else 'messages'}": lambda talk, told=told, tools=tools: spans(
        talk, told, tools=tools
    )
    for told in (by_attributes, by_numbers, by_openinference)
    for tools in (True, False)
}
WHOLE: dict[str, Writer] = {"openai-chat": as_chat_list, "ui-messages": as_ui}


def one(document: object) -> AgentRun:
    [read] = read_runs(json.loads(json.dumps(document)))
    return read.unwrap()


def bare(message: Message) -> Message:
    """A message without how it was joined and when its tools ran, which dialects know or do not."""
    parts = tuple(
        attrs.evolve(part, joined_by="together", started_at=None, ended_at=None, error=None)
        if isinstance(part, ToolInvocation)
        else part
        for part in message.parts
    )
    return attrs.evolve(message, parts=parts, finish_reason="", id="", created_at=None)


def bared(messages: tuple[Message, ...]) -> list[Message]:
    return [bare(message) for message in messages]


@pytest.mark.parametrize("name", [*REQUESTS, *TRACES])
def test_a_turn_is_read_back(name: str) -> None:
    """System, earlier turns, the question, every step and the answer are what was written; nothing is lost."""

    @given(talks())
    def holds(talk: Talk) -> None:
        run = one({**REQUESTS, **TRACES}[name](talk))
        assert [message.text for message in run.input.system_messages] == [talk.system]
        assert bared(run.input.remembered_messages) == talk.opening[1:-1]
        assert bared(run.input.input_messages) == talk.opening[-1:]
        assert bared(run.output.messages) == talk.reply
        assert run.final_output == talk.answer
        assert [gap.code for gap in run.gaps] == []

    holds()


@pytest.mark.parametrize("name", WHOLE)
def test_a_conversation_without_a_boundary_is_read_whole(name: str) -> None:
    """All of the user's messages are its input, and all answers its output."""

    @given(talks())
    def holds(talk: Talk) -> None:
        run = one(WHOLE[name](talk))
        told = [*talk.opening[1:], *talk.reply]
        assert bared(run.input.input_messages) == [message for message in told if message.role == "user"]
        assert bared(run.output.messages) == [message for message in told if message.role == "assistant"]
        assert bared(run.transcript) == told
        assert run.input.remembered_messages == ()

    holds()


@given(talks(failing=True))
def test_a_failed_tool_stays_failed_in_every_dialect_that_can_say_so(talk: Talk) -> None:
    """Anthropic's flag, the UI's error state, the span's status: which calls failed is the same."""
    failed = [call.failed for message in talk.reply for call in message.tool_calls]
    told: list[Writer] = [as_anthropic, as_ui, lambda talk: spans(talk, by_attributes, tools=True)]
    for writer in told:
        run = one(writer(talk))
        calls = [call for message in run.output.messages for call in message.tool_calls]
        assert [call.failed for call in calls] == failed


@given(talks(before=False))
def test_equal_runs_in_all_dialects_are_equal(talk: Talk) -> None:
    """One turn, written in eleven ways, is one run."""
    runs = [one(writer(talk)) for writer in (*REQUESTS.values(), *TRACES.values(), *WHOLE.values())]
    assert {json.dumps([repr(bared(run.output.messages)), repr(run.final_output)]) for run in runs} == {
        json.dumps([repr(talk.reply), repr(talk.answer)])
    }
    assert [bared(run.input.input_messages) for run in runs] == [bared(runs[0].input.input_messages)] * len(runs)
    assert [run.input.remembered_messages for run in runs] == [()] * len(runs)


@given(talks())
def test_the_order_of_spans_does_not_matter(talk: Talk) -> None:
    """Exporters write spans as they end, shuffle them, or write them backwards."""
    written = spans(talk, by_attributes, tools=True)
    assert one(written[::-1]) == one(written)


@pytest.mark.parametrize("name", [*REQUESTS, *WHOLE])
def test_the_dialect_is_recognised(name: str) -> None:
    """What a client wrote is claimed by its reader."""

    @given(talks())
    def holds(talk: Talk) -> None:
        dialect = detected(json.loads(json.dumps({**WHOLE, **REQUESTS}[name](talk))))
        assert dialect is not None
        assert dialect.name == name

    holds()
