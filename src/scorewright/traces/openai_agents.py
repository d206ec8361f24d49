"""OpenAI Agents: a serialised run state. (`RunResult.to_input_list()` gives items of the Responses API.)"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.conversing import last_turn, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import first_text, is_list, list_at, mapping_at, spelled, text_at, value_at
from scorewright.traces.openai_responses import messages_of


def detect(value: object, /) -> bool:
    """A run state: `$schemaVersion` and `generated_items`, in the spelling of Python or of JavaScript."""
    return text_at(value, "$schemaVersion") != "" and is_list(spelled(value, "generated_items"))


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: the original input, then what was generated; items that the input repeats are told once."""
    notes: list[Gap] = []
    told, made = spelled(value, "original_input"), spelled(value, "generated_items")
    given = [Message("user", (Text(told),))] if isinstance(told, str) else []
    given += messages_of([*map(_item, list_at(told))], "$.original_input", notes)
    items = [_item(spelled(item, "raw_item")) for item in list_at(made) if text_at(item, "type") != _APPROVAL]
    answer = messages_of(items, "$.generated_items", notes)
    step = spelled(value, "current_step")
    stopped = list_at(step, "data", "interruptions") or list_at(step, "interruptions")
    waiting = {first_text(spelled(each, "raw_item"), "call_id", "callId", "id") for each in stopped}
    known = AgentRun(
        agent_name=text_at(spelled(value, "current_agent"), "name"),
        conversation_id=first_text(value, "conversation_id", "conversationId"),
        framework="openai-agents",
        source=TraceSource(OPENAI_AGENTS.name, text_at(value, "$schemaVersion")),
    )
    turn = last_turn(given) if any(message.role == "user" for message in given) else len(given)
    yield told_run([*given, *(_suspended(message, waiting) for message in answer)], turn, notes, known=known)


def _item(item: object) -> object:
    """An item as the API has it, where the SDK for JavaScript gives it another shape."""
    fields, kind = mapping_at(item), text_at(item, "type")
    if kind == "function_call" and "callId" in fields:
        return {**fields, "call_id": fields["callId"]}
    if kind == "function_call_result":
        output = fields.get("output")
        said = value_at(output, "text") if text_at(output, "type") == "text" else output
        return {"type": "function_call_output", "call_id": fields.get("callId"), "output": said}
    if kind == "hosted_tool_call":
        name = text_at(item, "name").removesuffix("_call")
        return {**fields, **mapping_at(fields, "providerData"), "type": f"{name}_call", "name": name}
    return item


_APPROVAL = "tool_approval_item"  # it repeats the call that waits


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
