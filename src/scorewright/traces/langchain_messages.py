"""LangChain's messages in their three written shapes, and lists that mix them with OpenAI's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorewright.agents.messages import Message, Part, Role, Text
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.anthropic_blocks import MARKS
from scorewright.traces.anthropic_blocks import parts_of as block_parts
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import role_of
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    text_at,
    value_at,
)
from scorewright.traces.openai_chat import parts_of, result_of

_TYPES = {"human", "ai", "system", "developer", "tool", "function", "remove"}


def is_message(value: object, /) -> bool:
    """Has it one of the shapes `{type, content}`, `{lc, id, kwargs}`, `{type, data}`?"""
    fields = fields_of(value)
    return _type_of(value, fields) in _TYPES and "content" in fields


def fields_of(value: object, /) -> dict[str, object]:
    """The message's own fields, out of whatever wraps them."""
    return mapping_at(value, "kwargs") or mapping_at(value, "data") or (value if is_mapping(value) else {})


def _type_of(value: object, fields: dict[str, object]) -> str:
    """The message's type, as "human" or "ai", also where only a class such as AIMessageChunk is named."""
    path = list_at(value, "id")
    named = path[-1] if path and isinstance(path[-1], str) else ""
    outer = text_at(value, "type")
    said = text_at(fields, "type") or (named if outer in {"constructor", ""} else outer)
    return said.removesuffix("Chunk").removesuffix("Message").lower()


def role_in(value: object, /) -> Role | None:
    """The role of a message in any shape."""
    fields = fields_of(value)
    return role_of(_type_of(value, fields)) or role_of(text_at(fields, "role"))


def messages_of(given: Sequence[object], where: str, notes: list[Gap], role: Role = "user", /) -> list[Message]:
    """The messages; what is none is a gap that names its index."""
    read: list[Message] = []
    for at, each in enumerate(given):
        place = f"{where}[{at}]"
        if isinstance(each, str):
            read.append(Message(role, (Text(each),)))
            continue
        if not is_mapping(each):
            notes.append(gap("not_a_message", place))
            continue
        fields = fields_of(each)
        known = role_in(each)
        if _type_of(each, fields) == "remove":  # a message taken out of a state: no message
            continue
        if known is None:
            notes.append(gap("unknown_role", place, _type_of(each, fields)))
        elif known == "tool":
            read.append(Message("tool", (_result(fields),), text_at(fields, "id")))
        else:
            parts = (*_content(fields, place, notes), *_calls(fields, place, notes))
            read.append(Message(known, parts, text_at(fields, "id"), text_at(fields, "name")))
    return read


def _content(fields: Mapping[str, object], where: str, notes: list[Gap]) -> tuple[Part, ...]:
    content = fields.get("content")
    blocks = content if is_list(content) else []
    standard = [_standard(block) for block in blocks if text_at(block, "type") not in _CALLS]
    if not any(text_at(block, "type") in MARKS for block in standard):
        return parts_of(standard if blocks else content, where, notes)
    kept = [block for block in standard if text_at(block, "type") != "tool_use" or not list_at(fields, "tool_calls")]
    return block_parts(kept, where, notes)


_CALLS = {"tool_call", "tool_call_chunk", "invalid_tool_call"}  # which `tool_calls` repeats
_MEDIA = {"image", "audio", "video", "file"}


def _standard(block: object) -> object:
    """A block of LangChain's own standard as one of OpenAI's, or of Anthropic's where that has it."""
    kind = text_at(block, "type")
    if kind == "reasoning":
        return {"type": "thinking", "thinking": first_text(block, "reasoning", "text")}
    said = first_text(block, "url", "base64", "data", "file_id", "id")
    if kind in _MEDIA and said and not value_at(block, "source") and not value_at(block, kind):
        return {"type": "file", "file": {"file_data": _address(said, block)}}
    return block


def _address(said: str, block: object) -> str:
    inline = "url" not in mapping_at(block) and bool(first_text(block, "base64", "data"))
    return f"data:{text_at(block, 'mime_type')};base64,{said}" if inline else said


def _calls(fields: dict[str, object], where: str, notes: list[Gap]) -> list[ToolInvocation]:
    listed = list_at(fields, "tool_calls") or list_at(fields, "additional_kwargs", "tool_calls")
    read: list[ToolInvocation] = []
    for at, each in enumerate(listed):
        body = mapping_at(each, "function") or each
        args, raw = arguments(first_value(body, "args", "arguments"), f"{where}.tool_calls[{at}]", notes)
        read.append(ToolInvocation(text_at(body, "name"), args, id=text_at(each, "id"), args_raw=raw))
    for each in list_at(fields, "invalid_tool_calls"):
        raw_args = text_at(each, "args")
        notes.append(gap("truncated_json", f"{where}.invalid_tool_calls", text_at(each, "error")))
        read.append(ToolInvocation(text_at(each, "name"), id=text_at(each, "id"), args_raw=raw_args))
    return read


def _result(fields: dict[str, object]) -> ToolInvocation:
    result = result_of(fields.get("content"))
    failed = text_at(fields, "status") == "error"
    return ToolInvocation(
        text_at(fields, "name"),
        result=result,
        result_present="content" in fields,
        state="error" if failed else "result",
        id=first_text(fields, "tool_call_id"),
        error=AgentError(str(result)) if failed else None,
    )
