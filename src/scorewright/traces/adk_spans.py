"""What Google ADK puts on the spans of its model calls: the request and the response of Gemini, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import Gap
from scorewright.traces.conversing import results_as_tools
from scorewright.traces.google_adk import parts_of
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, parsed, text_at, value_at
from scorewright.traces.opening import Opening, heard

REQUEST, RESPONSE = "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"


def asked_in(said: object, where: str, /) -> Opening | None:
    """The opening of a model call; None where the request is empty."""
    request = parsed(said)
    contents = list_at(request, "contents")
    system = value_at(request, "config", "system_instruction")

    def read(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
        turns = value if is_list(value) else []
        return [message for turn in (heard(turns) if later else turns) for message in contents_of(turn, where, notes)]

    def instruct(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
        del later
        if isinstance(value, str):
            return (Message("system", (Text(value),)),) if value else ()
        parts = tuple(parts_of(list_at(value, "parts"), where, notes))
        return (Message("system", parts),) if parts else ()

    return Opening(contents, read, system, instruct) if contents or system else None


def answered_in(said: object, where: str, notes: list[Gap], /) -> Sequence[Message]:
    """The answer of a model call."""
    content = mapping_at(parsed(said), "content")
    parts = tuple(parts_of(list_at(content, "parts"), where, notes))
    return (Message("assistant", parts, finish_reason=text_at(parsed(said), "finish_reason")),) if parts else ()


def contents_of(turn: object, where: str, notes: list[Gap], /) -> Sequence[Message]:
    """The messages of one of Gemini's contents."""
    if not is_mapping(turn):
        return ()
    parts = tuple(parts_of(list_at(turn, "parts"), where, notes))
    if text_at(turn, "role") == "model":
        return (Message("assistant", parts),)
    return results_as_tools(Message("user", parts))
