"""pydantic-ai's message history: `all_messages_json()`, in the forms of 2024 to 2026."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.extract import as_json
from scorewright.agents.messages import Data, Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, CallState, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import OUTPUT_TOOL, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import file_at, file_of, lean
from scorewright.traces.gaps import gap
from scorewright.traces.joining import served
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    text_at,
    whole_at,
)
from scorewright.traces.times import moment

_OUTCOMES: dict[str, CallState] = {
    "failed": "error",
    "retried": "error",  # the tool raised ModelRetry: since 2026 a return with this outcome, before that a retry-prompt
    "denied": "denied",
    "interrupted": "interrupted",
}


def detect(value: object, /) -> bool:
    """A list of requests and responses whose parts have a `part_kind`."""
    messages = _listed(value)
    kinds = [part for message in messages for part in list_at(message, "parts")[:1]]
    return bool(kinds) and all(text_at(part, "part_kind") for part in kinds)


def _listed(value: object) -> Sequence[object]:
    """The messages: alone, or under one of the names that programs keep them by."""
    keys = ("messages", "all_messages", "message_history")
    return value if is_list(value) else next((told for key in keys if (told := list_at(value, key))), ())


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: the last request that a user speaks in begins the turn; what the run id says decides before that."""
    notes: list[Gap] = []
    messages: list[Message] = []
    turn = 0
    listed = _listed(value)
    last = first_text(listed[-1], "run_id") if listed else ""
    for at, each in enumerate(listed):
        told = list(_message(each, f"$[{at}]", notes))
        begins = any(message.role == "user" for message in told)
        new = not last or text_at(each, "run_id") == last
        if begins and new and (not last or turn == 0):
            turn = len(messages)
        messages.extend(told)
    responses = [each for each in listed if text_at(each, "kind") == "response"]
    usage = [mapping_at(each, "usage") for each in responses]
    asked = sum(whole_at(each, "input_tokens") or whole_at(each, "request_tokens") or 0 for each in usage)
    said = sum(whole_at(each, "output_tokens") or whole_at(each, "response_tokens") or 0 for each in usage)
    known = AgentRun(
        id=last,
        model=next((text_at(each, "model_name") for each in responses), ""),
        framework="pydantic-ai",
        usage=AgentUsage(asked, said) if asked or said else None,
        source=TraceSource(PYDANTIC_AI.name),
    )
    yield told_run(messages, turn, notes, known=known)


def _message(value: object, where: str, notes: list[Gap]) -> Iterator[Message]:
    """One message of ours for each speaker in a request; one for a response."""
    if not is_mapping(value):
        notes.append(gap("not_a_message", where))
        return
    when = moment(first_value(value, "timestamp"))
    if text_at(value, "kind") == "response":
        listed = [_said(part, f"{where}.parts[{at}]", notes) for at, part in enumerate(list_at(value, "parts"))]
        parts = served(listed)
        yield Message("assistant", parts, created_at=when, finish_reason=text_at(value, "finish_reason"))
        return
    if text_at(value, "instructions"):
        yield Message("system", (Text(text_at(value, "instructions")),))
    for at, part in enumerate(list_at(value, "parts")):
        yield _given(part, f"{where}.parts[{at}]", notes)


def _given(part: object, where: str, notes: list[Gap]) -> Message:
    kind = text_at(part, "part_kind")
    when = moment(first_value(part, "timestamp"))
    if kind in {"system-prompt", "instruction"}:
        return Message("system", (Text(text_at(part, "content")),), created_at=when)
    if kind == "user-prompt":
        content = first_value(part, "content")
        items = content if is_list(content) else [content]
        return Message("user", tuple(_content(item, where, notes) for item in items), created_at=when)
    if kind in {"tool-return", "builtin-tool-return"} or (kind == "retry-prompt" and text_at(part, "tool_name")):
        return Message("tool", (_result(part, kind),), created_at=when)
    if kind in {"retry-prompt", "retry-feedback"}:
        content = first_value(part, "content")
        return Message("developer", (Text(content if isinstance(content, str) else as_json(content)),), created_at=when)
    notes.append(gap("unknown_part", where, kind))
    return Message("developer", (Data(kind or "unknown", lean(part)),))


def _content(item: object, where: str, notes: list[Gap]) -> Part:
    if isinstance(item, str):
        return Text(item)
    kind = text_at(item, "kind")
    if kind == "binary":
        return file_of(text_at(item, "data"), text_at(item, "media_type"))
    if kind.endswith("-url"):
        return file_at(text_at(item, "url"), text_at(item, "media_type"))
    notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(item))


def _said(part: object, where: str, notes: list[Gap]) -> Part:
    kind = text_at(part, "part_kind")
    if kind == "text":
        return Text(text_at(part, "content"))
    if kind == "thinking":
        return Reasoning(text_at(part, "content"))
    if kind in {"tool-call", "builtin-tool-call"}:
        args, raw = arguments(first_value(part, "args"), where, notes)
        name = text_at(part, "tool_name")
        return ToolInvocation(
            name,
            args,
            id=text_at(part, "tool_call_id"),
            args_raw=raw,
            kind="server" if kind.startswith("builtin") else "output" if name == OUTPUT_TOOL else "function",
        )
    if kind == "builtin-tool-return":
        return _result(part, kind)
    if kind == "file":
        return _content(first_value(part, "content"), where, notes)
    if kind != "compaction":
        notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(part))


def _result(part: object, kind: str) -> ToolInvocation:
    content = lean(first_value(part, "content"))
    state: CallState = "error" if kind == "retry-prompt" else _OUTCOMES.get(text_at(part, "outcome"), "result")
    return ToolInvocation(
        text_at(part, "tool_name"),
        result=content,
        result_present=kind != "retry-prompt",
        state=state,
        id=text_at(part, "tool_call_id"),
        error=AgentError(content if isinstance(content, str) else as_json(content)) if state == "error" else None,
    )


PYDANTIC_AI = Dialect("pydantic-ai", 'a list of {"kind": "request", "parts": [{"part_kind"}]}', detect, read)
