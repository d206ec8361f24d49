"""Anthropic Messages: a reply, a request with its reply, or a list of messages made of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.traces.anthropic_blocks import MARKS, parts_of
from scorewright.traces.conversing import last_turn, results_as_tools, told_run, with_roles
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import definitions, usage_of


def detect(value: object, /) -> bool:
    """A reply of the type "message", or messages with Anthropic's blocks, or with `system` beside them."""
    if _is_reply(value) or _is_reply(value_at(value, "response")):
        return True
    messages = value if is_list(value) else list_at(value, "messages") or list_at(value, "request", "messages")
    if not any(map(_is_plain, messages)) or not all(map(_is_plain, messages)):
        return False
    beside = is_mapping(value) and "system" in value and isinstance(value["system"], (str, list))
    return beside or any(map(_is_marked, messages))


def _is_reply(value: object) -> bool:
    return (
        text_at(value, "type") == "message"
        and text_at(value, "role") == "assistant"
        and is_list(value_at(value, "content"))
        and bool({"model", "stop_reason"} & mapping_at(value).keys())
    )


def _is_plain(message: object) -> bool:
    return (
        is_mapping(message)
        and text_at(message, "role") in {"user", "assistant", "system", "developer"}
        and "parts" not in message
        and ("tool_calls" not in message)
        and all(not is_mapping(block) or "type" in block for block in list_at(message, "content"))
    )


def _is_marked(message: object) -> bool:
    return any(text_at(block, "type") in MARKS for block in list_at(message, "content"))


def read(value: object, /) -> Iterator[AgentRun]:
    """One run; a reply ends the request that stands beside it, a list of messages has no boundary."""
    notes: list[Gap] = []
    request = mapping_at(value, "request") or (value if is_mapping(value) else {})
    reply = mapping_at(value, "response") or (request if _is_reply(value) else {})
    given = value if is_list(value) else list_at(request, "messages")
    before = [*system_of(request.get("system"), notes), *messages_of(given, "$.messages", notes)]
    after = messages_of([reply] if reply else [], "$.response" if reply is not value else "$", notes)
    known = AgentRun(
        id=text_at(reply, "id"),
        model=text_at(reply, "model") or text_at(request, "model"),
        tool_definitions=definitions(list_at(request, "tools")),
        usage=usage_of(mapping_at(reply, "usage")),
        source=TraceSource(ANTHROPIC.name),
    )
    turn = last_turn(before) if after else 0
    yield told_run([*before, *after], turn, notes, known=known)


def system_of(said: object, notes: list[Gap], /) -> Iterator[Message]:
    """The system prompt, which stands beside the messages."""
    if isinstance(said, str) and said:
        yield Message("system", (Text(said),))
    elif is_list(said) and said:
        yield Message("system", parts_of(said, "$.system", notes))


def messages_of(given: Sequence[object], where: str, notes: list[Gap], /) -> list[Message]:
    """The messages; results inside a user's message become messages of the role "tool" before it."""
    read: list[Message] = []
    for place, role, each in with_roles(enumerate(given), where, notes):
        message = Message(role, parts_of(each.get("content"), place, notes), text_at(each, "id"))
        read.extend(results_as_tools(attrs.evolve(message, finish_reason=text_at(each, "stop_reason"))))
    return read


ANTHROPIC = Dialect(
    "anthropic-messages",
    '{"type": "message", "role": "assistant", "content": [blocks]}, or messages with tool_use and tool_result blocks',
    detect,
    read,
)
