"""Messages, tool calls and runs as values."""

from __future__ import annotations

import json

import pytest
from attrs.exceptions import FrozenInstanceError
from cattrs import Converter
from hypothesis import given
from traces.agent_runs import runs

from scorewright.agents import (
    AgentRun,
    Message,
    Text,
    answered,
    asked,
    assistant,
    called,
    user,
)
from scorewright.faults import NotScorable
from scorewright.shapes import structure, unstructure


@given(runs)
def test_a_run_survives_json(run: AgentRun) -> None:
    """Written as JSON and read back strictly, a run is equal to itself."""
    assert structure(json.loads(json.dumps(unstructure(run))), AgentRun).unwrap() == run


PLAIN = Converter(use_alias=True)
PLAIN.register_structure_hook_func(lambda form: form is object, lambda value, _: value)


@given(runs)
def test_a_run_survives_plain_cattrs(run: AgentRun) -> None:
    """A converter of the user's own, without hooks of ours, reads back what it wrote but for what is typed `object`."""
    assert PLAIN.structure(json.loads(json.dumps(PLAIN.unstructure(run))), AgentRun) == run


def test_two_lines_make_a_run() -> None:
    """What a test needs is short to write."""
    run = AgentRun(
        asked("Where is my parcel?", system="Be brief."), answered(assistant(called("track")), "On its way.")
    )
    assert [message.role for message in run.transcript] == ["user", "assistant", "assistant"]


def test_a_value_cannot_be_changed() -> None:
    """No field of a message can be rebound."""
    with pytest.raises(FrozenInstanceError):
        user("hi").role = "assistant"  # type: ignore[misc]  # that it fails is what is tested


def test_a_repr_says_only_what_was_said() -> None:
    """Defaults are left out, and long texts are cut."""
    assert repr(called("track", {"parcel": 7})) == "ToolInvocation('track', {'parcel': 7})"
    assert repr(user("hi")) == "Message('user', (Text('hi'),))"
    assert repr(called("pay", error="card declined")) == (
        "ToolInvocation('pay', state='error', error=AgentError('card declined'))"
    )
    assert len(repr(Text("word " * 1000))) < 100


def test_a_null_result_is_not_a_missing_one() -> None:
    """Both hold None, and only one is there."""
    null, missing = called("dice", result=None), called("dice")
    assert (null.result_present, missing.result_present) == (True, False)
    assert null != missing


def test_the_transcript_is_told_in_its_order() -> None:
    """Messages that were read from one conversation stand in its order, whatever list they are in."""
    first, second = Message("user", (Text("a"),), position=0), Message("user", (Text("b"),), position=2)
    between = Message("assistant", (Text("A"),), position=1)
    run = AgentRun(asked(first, second), answered(between))
    assert [message.text for message in run.transcript] == ["a", "A", "b"]


@pytest.mark.parametrize("content", ["not_captured", "redacted"])
def test_what_was_not_captured_cannot_be_scored(content: str) -> None:
    """A run without its content is no 0: it is not scorable."""
    run = AgentRun(content=content)  # type: ignore[arg-type]  # one of the literals, from a list
    assert isinstance(run.scorable().failure(), NotScorable)


def test_a_run_hands_its_ids_on() -> None:
    """What is scored names its trace and span, so that scores find back."""
    run = AgentRun(asked("hi"), answered("ho"), id="r", trace_id="t-1", span_id="s-1")
    assert run.run.metadata == {"trace_id": "t-1", "span_id": "s-1"}
    assert run.run.run_id == "r"
    assert run.scorable().unwrap() == run.run
