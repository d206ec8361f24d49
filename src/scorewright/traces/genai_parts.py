"""Messages of OpenTelemetry's GenAI conventions: a role and typed parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from scorewright.agents.messages import Data, File, Message, Part, Reasoning, Role, Text
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, CallState, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import results_as_tools, role_of
from scorewright.traces.files import file_at, file_of, lean
from scorewright.traces.gaps import gap
from scorewright.traces.genai_usual import usual_messages
from scorewright.traces.joining import served
from scorewright.traces.json_view import (
    first_text,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    text_in,
    value_in,
)
from scorewright.traces.openai_chat import messages_of as openai_messages
from scorewright.traces.openai_chat import result_of
from scorewright.traces.opening import heard

_CALLS = {"tool_call", "server_tool_call", "tool-call", "tool_use"}
_FILES = {"blob", "binary", "uri", "file", "image-url", "image_url", "audio-url", "video-url", "document-url"}
_RESULTS = {"tool_call_response", "server_tool_call_response", "tool-result", "tool_result"}

KEPT, LONGEST_KEPT = 32, 1 << 14
"""So many texts that every call of a trace repeats are read once, if they are no longer than that."""


def messages_of(
    said: object, where: str, notes: list[Gap], role: Role = "user", later: bool = False, /
) -> list[Message]:
    """The messages of an attribute: a list, or JSON of one; plain text is one message of this role.

    `later` leaves out what stands before the last answer, except the system's.
    """
    if not later and isinstance(said, str):
        short = len(said) < LONGEST_KEPT and _CALLED not in said
        known = _plain(said, role) if short else usual_messages(said)
        if known is not None:
            return list(known)
    return _messages_of(parsed(said), where, notes, role, later)


_CALLED = '"tool_call'


@lru_cache(KEPT)
def _plain(said: str, role: Role) -> tuple[Message, ...] | None:
    """Messages that say nothing but words, read once: a call's input is its agent's too, and its output. Else None."""
    notes: list[Gap] = []
    usual = usual_messages(said)
    read = _messages_of(parsed(said), "", notes, role, False) if usual is None else usual
    words = all(isinstance(part, Text) for message in read for part in message.parts)
    return tuple(read) if words and not notes else None


def _messages_of(value: object, where: str, notes: list[Gap], role: Role, later: bool) -> list[Message]:
    if isinstance(value, str):
        if value.lstrip()[:1] in {"[", "{"}:
            notes.append(gap("truncated_json", where))
        return [Message(role, (Text(value),))] if value.strip() else []
    items = value if is_list(value) else list_at(value, "messages") or ([value] if is_mapping(value) else [])
    read: list[Message] = []
    for at, item in enumerate(heard(items) if later else items):
        read.extend(_message(item, f"{where}[{at}]", notes, role))
    return read


def _message(item: object, where: str, notes: list[Gap], role: Role) -> Sequence[Message]:
    if isinstance(item, str):
        return messages_of(item, where, notes, role) if item[:1] != "[" else [Message(role, (Text(item),))]
    if not is_mapping(item):
        notes.append(gap("not_a_message", where))
        return ()
    said = text_in(item, "role")
    known = role_of(said) if said else role
    if known is None:
        notes.append(gap("unknown_role", where, said))
        return ()
    listed = item.get("parts")
    if not is_list(listed):
        plain = {"content": item["text"]} if "text" in item and "content" not in item else {}
        return openai_messages([{**item, **plain, "role": known}], where, notes)
    parts = tuple([_part(part, where, at, notes) for at, part in enumerate(listed)])
    id = name = reason = ""
    if len(item) > 2 or not said:  # noqa: PLR2004 - more than a role and parts
        id, name, reason = text_in(item, "id"), text_in(item, "name"), text_in(item, "finish_reason")
    if known == "assistant":
        return (Message(known, served(parts) if len(parts) > 1 else parts, id, name, None, reason),)
    if known == "system" or (known == "user" and len(parts) == 1 and isinstance(parts[0], Text)):
        return (Message(known, parts, id, name, None, reason),)
    called = [isinstance(part, ToolInvocation) for part in parts]
    if parts and known == "user" and all(called):
        known = "tool"
    if known == "tool" and not all(called):
        parts = tuple(part if isinstance(part, ToolInvocation) else _as_result(part) for part in parts)
    message = Message(known, parts, id, name, None, reason)
    return results_as_tools(message) if known == "user" and any(called) else (message,)


def known_parts(said: object, /) -> tuple[Part, ...]:
    """The parts of instructions that say nothing but words, read once; empty where they say more."""
    return _texts(said) if isinstance(said, str) and len(said) < LONGEST_KEPT else ()


@lru_cache(KEPT)
def _texts(said: str) -> tuple[Part, ...]:
    parts = parts_of(said, "", [])
    return parts if all(isinstance(part, Text) for part in parts) else ()


def parts_of(said: object, where: str, notes: list[Gap], /) -> tuple[Part, ...]:
    """The parts of `gen_ai.system_instructions`: a list, JSON of one, or text."""
    value = parsed(said)
    if isinstance(value, str):
        return (Text(value),) if value.strip() else ()
    items = value if is_list(value) else list_at(value, "parts") or ([value] if is_mapping(value) else [])
    return tuple([_part(item, where, at, notes) for at, item in enumerate(items)])


def _as_result(part: Part) -> Part:
    said = part.text if isinstance(part, (Text, Reasoning)) else part
    return ToolInvocation("", result=said, result_present=True, state="result")


def _part(part: object, message: str, at: int, notes: list[Gap]) -> Part:
    if not is_mapping(part):
        if isinstance(part, str):
            return Text(part)
        notes.append(gap("unknown_part", f"{message}.parts[{at}]"))
        return Data("unknown", lean(part))
    kind = text_in(part, "type")
    if kind in {"text", ""} and ("content" in part or "text" in part):
        return Text(text_in(part, "content", "text"))
    return _other(part, kind, f"{message}.parts[{at}]", notes)


def _other(part: dict[str, object], kind: str, where: str, notes: list[Gap]) -> Part:
    if kind == "text":
        notes.append(gap("content_not_captured", where))
        return Text("")
    if kind in {"reasoning", "thinking"}:
        return Reasoning(first_text(part, "content", "text"))
    if kind in _CALLS:
        return _call(part, kind, where, notes)
    if kind in _RESULTS:
        return _result(part)
    if kind in _FILES:
        return _file(part, kind)
    if kind != "compaction":
        notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(part))


def _file(part: dict[str, object], kind: str) -> File:
    media_type = first_text(part, "mime_type", "media_type", "modality")
    if kind in {"blob", "binary"}:
        return file_of(first_text(part, "content", "data"), media_type)
    return file_at(first_text(part, "uri", "url", "file_id") or text_at(part, "image_url", "url"), media_type)


def _call(part: dict[str, object], kind: str, where: str, notes: list[Gap]) -> ToolInvocation:
    inner = (mapping_at(part, "server_tool_call") if "server_tool_call" in part else None) or part
    args, raw = arguments(value_in(inner, "arguments", "args", "input"), where, notes)
    name, id = text_in(part, "name", "tool_name") or text_at(inner, "type"), text_in(part, "id", "tool_call_id")
    served = kind.startswith("server")
    return ToolInvocation(name, args, None, False, "call", id, raw, None, "server" if served else "function")


def _result(part: dict[str, object]) -> ToolInvocation:
    keys = [key for key in ("response", "result", "content", "output", "server_tool_call_response") if key in part]
    state: CallState = "error" if part.get("is_error") is True or part.get("isError") is True else "result"
    result = result_of(part[keys[0]]) if keys else None
    return ToolInvocation(
        first_text(part, "name", "tool_name"),
        result=result,
        result_present=bool(keys),
        state=state,
        id=first_text(part, "id", "tool_call_id", "tool_use_id"),
        error=AgentError(str(result)) if state == "error" else None,
    )


def indexed(attributes: dict[str, object], prefix: str, /) -> list[dict[str, object]]:
    """The list that numbered keys spell, such as `gen_ai.prompt.0.role`, as dictionaries nested by their dots."""
    rows: dict[int, dict[str, object]] = {}
    lists: list[tuple[dict[str, object], str]] = []  # where keys may all be numbers, the outer ones first
    for key, value in attributes.items():
        if key.startswith(prefix):
            at, path = _path(key, len(prefix))
            if path:
                row = rows.get(at)
                if row is None:
                    rows[at] = row = _row()
                inner = row.get(path[0])
                if len(path) == 1:
                    row.setdefault(path[0], value)
                elif len(path) == 2 and inner and is_mapping(inner):  # noqa: PLR2004 - as most are
                    inner.setdefault(path[1], value)
                else:
                    _put(row, path, value, lists)
    for holder, name in reversed(lists):
        inner = holder[name]
        if is_mapping(inner) and all(map(str.isdecimal, inner)):
            holder[name] = [inner[key] for key in sorted(inner, key=int)]
    return [rows[at] for at in sorted(rows)] if len(rows) > 1 else list(rows.values())


def _row() -> dict[str, object]:
    return {}


@lru_cache(1024)
def _path(key: str, begin: int) -> tuple[int, tuple[str, ...]]:
    """The number in a key, and the names after it; no names where the key has not this form."""
    number, _, rest = key[begin:].partition(".")
    if rest and number.isdecimal() and len(number) < 9:  # noqa: PLR2004 - no list is longer
        return int(number), tuple(rest.split("."))
    return 0, ()


def _put(
    into: dict[str, object], path: tuple[str, ...], value: object, lists: list[tuple[dict[str, object], str]]
) -> None:
    holder, name, last = into, "", path[-1]
    for key in path[:-1]:
        inner = into.get(key)
        if not is_mapping(inner):
            into[key] = inner = _row()
            if name and len(into) == 1 and key.isdecimal():
                lists.append((holder, name))
        holder, name, into = into, key, inner
    if last not in into:
        into[last] = value
        if len(into) == 1 and last.isdecimal():
            lists.append((holder, name))
