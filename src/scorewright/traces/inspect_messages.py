"""The messages of inspect_ai, whose long contents may lie among a sample's attachments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scorewright.agents.messages import Data, Message, Part, Reasoning, Text
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import with_roles
from scorewright.traces.files import file_at, lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import first_text, is_list, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import result_of

_ATTACHMENT = "attachment://"


def messages_of(
    given: Sequence[object],
    where: str,
    notes: list[Gap],
    attachments: Mapping[str, str],
    which: Iterable[int] | None = None,
    /,
) -> list[Message]:
    """The messages, or those of them that are named by their indices, with their attachments put in."""
    read: list[Message] = []
    numbered = enumerate(given) if which is None else ((at, given[at]) for at in which)
    for place, role, each in with_roles(numbered, where, notes):
        if role == "tool":
            read.append(Message("tool", (_result(each, attachments),), text_at(each, "id")))
        else:
            parts = (*_content(each.get("content"), place, notes, attachments), *_calls(each, place, notes))
            read.append(Message(role, parts, text_at(each, "id")))
    return read


def _kept(text: str, attachments: Mapping[str, str]) -> str:
    return attachments.get(text.removeprefix(_ATTACHMENT), text) if text.startswith(_ATTACHMENT) else text


def _content(content: object, where: str, notes: list[Gap], attachments: Mapping[str, str]) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Text(_kept(content, attachments)),) if content else ()
    items = content if is_list(content) else []
    return tuple(_part(item, f"{where}.content[{at}]", notes, attachments) for at, item in enumerate(items))


def _part(item: object, where: str, notes: list[Gap], attachments: Mapping[str, str]) -> Part:
    kind = text_at(item, "type")
    if kind == "text":
        return Text(_kept(text_at(item, "text"), attachments))
    if kind == "reasoning":
        return Reasoning(_kept(text_at(item, "reasoning"), attachments))
    if kind in {"image", "audio", "video", "document"}:
        address = _kept(first_text(item, kind, "url"), attachments)
        return file_at(address, first_text(item, "mime_type", "format"), text_at(item, "filename"))
    if kind == "tool_use":
        name = first_text(item, "name", "tool_type")
        args, raw = arguments(value_at(item, "arguments"), where, notes)
        error = text_at(item, "error")
        return ToolInvocation(
            name,
            args,
            lean(value_at(item, "result")),
            not error,
            "error" if error else "result",
            text_at(item, "id"),
            raw,
            AgentError(error) if error else None,
            "server",
        )
    notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(item))


def _calls(message: dict[str, object], where: str, notes: list[Gap]) -> list[ToolInvocation]:
    read: list[ToolInvocation] = []
    for at, each in enumerate(list_at(message, "tool_calls")):
        said = value_at(each, "arguments")
        args, raw = arguments(said, f"{where}.tool_calls[{at}]", notes)
        if text_at(each, "parse_error"):
            notes.append(gap("truncated_json", f"{where}.tool_calls[{at}]", text_at(each, "parse_error")))
        read.append(ToolInvocation(text_at(each, "function"), args, id=text_at(each, "id"), args_raw=raw))
    return read


def _result(message: dict[str, object], attachments: Mapping[str, str]) -> ToolInvocation:
    content = message.get("content")
    result = _kept(content, attachments) if isinstance(content, str) else result_of(content)
    error = mapping_at(message, "error")
    return ToolInvocation(
        text_at(message, "function"),
        result=result,
        result_present="content" in message,
        state="error" if error else "result",
        id=text_at(message, "tool_call_id"),
        error=AgentError(text_at(error, "message"), text_at(error, "type")) if error else None,
    )
