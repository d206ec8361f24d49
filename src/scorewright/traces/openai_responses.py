"""OpenAI Responses: a response, a request with its response, or a list of items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Data, Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError, ToolDefinition
from scorewright.traces.conversing import last_turn, role_of, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import first_text, is_list, is_mapping, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import definitions, parts_of, usage_of
from scorewright.traces.openai_items import call_of, is_call, is_output, output_of, unknown

_OTHER_ITEMS = {"reasoning", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction"}


def detect(value: object, /) -> bool:
    """The object "response", or items with the types of the Responses API."""
    if text_at(value, "object") == "response" or text_at(value, "response", "object") == "response":
        return True
    if _is_request(mapping_at(value)):
        return True
    asked = list_at(value, "input") if {"model", "instructions"} & mapping_at(value).keys() else []
    items = value if is_list(value) else list_at(value, "output") or asked
    return any(map(is_item, items)) and all(is_item(item) or "role" in mapping_at(item) for item in items)


def _is_request(fields: dict[str, object]) -> bool:
    """Is it what the API is sent: a model with instructions and a text, or with messages?"""
    if "model" not in fields or {"messages", "output", "run_type", "traceId", "trace_id", "type"} & fields.keys():
        return False
    asked = list_at(fields, "input")
    told = bool(asked) and all(text_at(item, "role") and "content" in mapping_at(item) for item in asked)
    return told or "" not in {text_at(fields, "instructions"), text_at(fields, "input")}


def is_item(item: object, /) -> bool:
    """Is it an item that only the Responses API has?"""
    kind = text_at(item, "type")
    return (
        kind in _OTHER_ITEMS
        or is_call(kind)
        or is_output(kind)
        or (kind == "message" and text_at(item, "role") != "" and not isinstance(value_at(item, "usage"), dict))
    )


def read(value: object, /) -> Iterator[AgentRun]:
    """One run; the input that a record holds ends where its output begins."""
    notes: list[Gap] = []
    request = mapping_at(value, "request") or (value if is_mapping(value) else {})
    response = mapping_at(value, "response") or request
    told = value if is_list(value) else request.get("input")
    before = [*_instructions(request, response), *_given(told, notes)]
    items = list_at(response, "output")
    after = messages_of(items, "$.output", notes)
    after = after if any(text_at(item, "type") in _OF_CLIENTS for item in items) else _at_once(after)
    answered = is_mapping(value) and "output" in response
    tools = definitions([tool for tool in list_at(response, "tools") or list_at(request, "tools") if _is_named(tool)])
    if first_text(response, "previous_response_id", "conversation") or mapping_at(response, "conversation"):
        notes.append(gap("history_elsewhere", "$.previous_response_id", text_at(response, "previous_response_id")))
    error = mapping_at(response, "error")
    known = AgentRun(
        id=text_at(response, "id"),
        model=first_text(response, "model") or text_at(request, "model"),
        status=_status(text_at(response, "status")),
        error=AgentError(text_at(error, "message"), text_at(error, "code")) if error else None,
        tool_definitions=(*tools, *_listed([*list_at(response, "output"), *(told if is_list(told) else ())])),
        usage=usage_of(mapping_at(response, "usage")),
        source=TraceSource(OPENAI_RESPONSES.name),
    )
    turn = last_turn(before) if answered else 0
    turn = len(before) if answered and all(message.role != "user" for message in before) else turn
    yield told_run([*before, *after], turn, notes, known=known, said=_final(items))


_OF_CLIENTS = {"function_call_output", "custom_tool_call_output"}  # which tell several responses after each other


def _final(items: Sequence[object]) -> str:
    """The answer where the model marked it as such, and not as a comment on what it is about to do."""
    final = [item for item in items if text_at(item, "phase") == "final_answer"]
    return "\n".join(text_at(part, "text") for item in final for part in list_at(item, "content"))


def _at_once(messages: list[Message]) -> list[Message]:
    """What one response holds as one message, before the results of the tools that the provider ran on the way."""
    spoken = [message for message in messages if message.role == "assistant"]
    if len(spoken) < 2:  # noqa: PLR2004 - one is one
        return messages
    whole = Message("assistant", tuple(part for message in spoken for part in message.parts))
    return [whole, *(message for message in messages if message.role != "assistant")]


def _instructions(request: dict[str, object], response: dict[str, object]) -> Iterator[Message]:
    said = text_at(request, "instructions") or text_at(response, "instructions")
    if said:
        yield Message("system", (Text(said),))


def _given(told: object, notes: list[Gap]) -> list[Message]:
    if isinstance(told, str):
        return [Message("user", (Text(told),))]
    return messages_of(told if is_list(told) else [], "$.input", notes)


def messages_of(items: Sequence[object], where: str, notes: list[Gap], /) -> list[Message]:
    """The messages that items make: what the model said, thought and called up to the next answer is one message."""
    read: list[Message] = []
    speaking: list[Part] = []
    approved = {text_at(item, "approval_request_id") for item in items if text_at(item, "type") == "mcp_call"}
    for at, item in enumerate(items):
        place = f"{where}[{at}]"
        if not is_mapping(item):
            notes.append(gap("not_a_message", place))
            continue
        kind = text_at(item, "type") or ("message" if text_at(item, "role") else "")
        if kind == "mcp_list_tools" or (kind == "mcp_approval_request" and text_at(item, "id") in approved):
            continue
        if _is_spoken(item, kind):
            speaking.extend(_parts(item, kind, place, notes))
            continue
        if speaking:
            read.append(Message("assistant", tuple(speaking)))
            speaking.clear()
        read.extend(_other(item, kind, place, notes))
    return [*read, Message("assistant", tuple(speaking))] if speaking else read


def _is_spoken(item: dict[str, object], kind: str) -> bool:
    """Is it of the model, and not an answer to it?"""
    if kind == "message":
        return role_of(text_at(item, "role")) == "assistant"
    return not is_output(kind) and kind != "mcp_approval_response"


def _parts(item: dict[str, object], kind: str, where: str, notes: list[Gap]) -> Sequence[Part]:
    if kind == "message":
        return parts_of(item.get("content"), where, notes)
    if kind == "reasoning":
        return (_thought(item),)
    if is_call(kind) or kind == "mcp_approval_request":
        return (call_of(item, kind, where, notes),)
    if kind == "compaction":
        return (Data(kind, lean(item)),)
    return (unknown(item, kind, where, notes),)


def _other(item: dict[str, object], kind: str, where: str, notes: list[Gap]) -> Iterator[Message]:
    role = role_of(text_at(item, "role"))
    if kind != "message":
        yield Message("tool", (output_of(item, kind),))
    elif role is None:
        notes.append(gap("unknown_role", where, text_at(item, "role")))
    else:
        yield Message(role, parts_of(item.get("content"), where, notes), text_at(item, "id"))


def _thought(item: dict[str, object]) -> Reasoning:
    told = [*list_at(item, "summary"), *list_at(item, "content")]
    return Reasoning("\n".join(text for each in told if (text := text_at(each, "text"))))


def _is_named(tool: object) -> bool:
    return text_at(tool, "type") in {"function", "custom"}


def _listed(items: Sequence[object]) -> tuple[ToolDefinition, ...]:
    return tuple(
        definition
        for item in items
        if text_at(item, "type") == "mcp_list_tools"
        for definition in definitions(list_at(item, "tools"))
    )


def _status(said: str) -> Status:
    return _STATUS.get(said, "ok")


_STATUS: dict[str, Status] = {
    "failed": "error",
    "cancelled": "aborted",
    "incomplete": "partial",
    "in_progress": "partial",
    "queued": "partial",
}


OPENAI_RESPONSES = Dialect(
    "openai-responses",
    '{"object": "response"}, or items such as {"type": "function_call"} and {"type": "message"}',
    detect,
    read,
    lines="together",
)
