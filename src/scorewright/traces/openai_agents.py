"""OpenAI Agents: a serialised run state. (`RunResult.to_input_list()` gives items of the Responses API.)"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import first_text, is_list, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_responses import messages_of


def detect(value: object, /) -> bool:
    """A run state: `$schemaVersion` and `generated_items`."""
    return text_at(value, "$schemaVersion") != "" and is_list(value_at(value, "generated_items"))


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: the original input, then what was generated; items that the input repeats are told once."""
    notes: list[Gap] = []
    told = value_at(value, "original_input")
    given = [Message("user", (Text(told),))] if isinstance(told, str) else []
    given += messages_of(told if is_list(told) else [], "$.original_input", notes)
    generated = list_at(value, "generated_items")
    items = [mapping_at(item, "raw_item") for item in generated if text_at(item, "type") != _APPROVAL]
    answer = messages_of(items, "$.generated_items", notes)
    waiting = {
        first_text(mapping_at(each, "raw_item"), "call_id", "id")
        for each in list_at(value, "current_step", "data", "interruptions")
        or list_at(value, "current_step", "interruptions")
    }
    known = AgentRun(
        agent_name=text_at(value, "current_agent", "name"),
        conversation_id=text_at(value, "conversation_id"),
        framework="openai-agents",
        source=TraceSource(OPENAI_AGENTS.name, text_at(value, "$schemaVersion")),
    )
    asked = [at for at, message in enumerate(given) if message.role == "user"]
    turn = _turn(given) if asked else len(given)
    yield told_run([*given, *(_suspended(message, waiting) for message in answer)], turn, notes, known=known)


_APPROVAL = "tool_approval_item"  # it repeats the call that waits


def _turn(given: list[Message]) -> int:
    at = len(given)
    while at > 0 and given[at - 1].role != "user":
        at -= 1
    while at > 0 and given[at - 1].role == "user":
        at -= 1
    return at


def _suspended(message: Message, waiting: set[str]) -> Message:
    """The message with the calls that wait for approval marked so."""
    if not any(call.id in waiting for call in message.tool_calls):
        return message
    parts = tuple(
        attrs.evolve(part, state="approval_requested")
        if isinstance(part, ToolInvocation) and part.id in waiting
        else part
        for part in message.parts
    )
    return attrs.evolve(message, parts=parts)


OPENAI_AGENTS = Dialect("openai-agents", '{"$schemaVersion", "generated_items"}', detect, read)
