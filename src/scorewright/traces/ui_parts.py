"""The parts of UI messages: text, reasoning, files, and tool calls in all the forms that they have had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.extract import as_json
from scorewright.agents.messages import Data, Part, Reasoning, Text
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, CallState, ToolInvocation
from scorewright.traces.files import file_at, lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    structured,
    text_at,
    value_at,
)

STEP = None  # where a new step of the model begins

_STATES: dict[str, CallState] = {
    "partial-call": "partial_call",
    "input-streaming": "partial_call",
    "call": "call",
    "input-available": "call",
    "approval-requested": "approval_requested",
    "approval-responded": "call",
    "result": "result",
    "output-available": "result",
    "output-error": "error",
    "output-denied": "denied",
}
_KNOWN_DATA = {"source", "source-url", "source-document"}


def parts_of(message: dict[str, object], where: str, notes: list[Gap], /) -> Sequence[Part | None]:
    """The parts of a message, steps marked. Calls that only the older list holds are put before the text."""
    content = message.get("content")
    body = content if is_mapping(content) else message
    listed = [_part(part, f"{where}.parts[{at}]", notes) for at, part in enumerate(list_at(body, "parts"))]
    parts: list[Part | None] = listed or list(_content(content, where, notes))
    seen = {part.id for part in parts if isinstance(part, ToolInvocation)}
    older = [invocation(each) for each in list_at(body, "toolInvocations")]
    missing = [call for call in older if not call.id or call.id not in seen]
    thought = text_at(body, "reasoning")
    if thought and not any(isinstance(part, Reasoning) for part in parts):
        parts.insert(0, Reasoning(thought))
    if not any(isinstance(part, Text) for part in parts) and text_at(body, "content"):
        parts.append(Text(text_at(body, "content")))
    return [*missing, *parts]


def _content(content: object, where: str, notes: list[Gap]) -> Iterator[Part | None]:
    if isinstance(content, str) and content:
        yield Text(content)
    for at, part in enumerate(content if is_list(content) else ()):
        yield _part(part, f"{where}.content[{at}]", notes)


def _part(part: object, where: str, notes: list[Gap]) -> Part | None:
    kind = text_at(part, "type")
    if kind == "step-start":
        return STEP
    if kind == "text":
        return Text(text_at(part, "text"))
    if kind == "reasoning":
        details = "".join(text_at(each, "text") for each in list_at(part, "details"))
        return Reasoning(first_text(part, "text", "reasoning") or details)
    if kind == "tool-invocation":
        return invocation(mapping_at(part, "toolInvocation"))
    if (
        kind in {"tool-call", "tool-result"}
        or kind == "dynamic-tool"
        or (kind.startswith("tool-") and is_mapping(part))
    ):
        return invocation(part)
    if kind in {"file", "image"}:
        address = first_text(part, "url", "data", "image")
        return file_at(address, first_text(part, "mediaType", "mimeType"), first_text(part, "filename", "name"))
    if kind not in _KNOWN_DATA and not kind.startswith("data-"):
        notes.append(gap("unknown_part", where, kind))
    held = value_at(part, "data")
    return Data(kind or "unknown", lean(held if held is not None else part))


def invocation(part: object, /) -> ToolInvocation:
    """A tool call in any of its forms; what failed stays failed, and a result that is null is a result."""
    kind = text_at(part, "type")
    fields = part if is_mapping(part) else {}
    name = text_at(part, "toolName") or (kind.removeprefix("tool-") if kind not in {"tool-call", "tool-result"} else "")
    said = text_at(part, "state")
    state = _STATES.get(said, "result" if "result" in fields or "output" in fields else "call")
    error = text_at(part, "errorText") or (_message(part) if value_at(part, "isError") is True else "")
    if error or value_at(part, "isError") is True:
        state = "error"
    if said == "approval-responded" and value_at(part, "approval", "approved") is False:
        state = "denied"
    output = _output(first_value(part, "result", "output"))
    if text_at(value_at(part, "output"), "type").startswith("error-"):
        state, error = "error", error or (output if isinstance(output, str) else as_json(output))
    args = structured(first_value(part, "args", "input", "rawInput"))
    present = state in {"result", "error"} and (
        "result" in fields or fields.get("output") is not None or said == "output-available"
    )
    return ToolInvocation(
        name,
        lean(args) if args is not None else {},
        lean(output),
        present,
        "call" if state == "result" and value_at(part, "preliminary") is True else state,
        text_at(part, "toolCallId"),
        error=AgentError(error) if state == "error" else None,
        kind="server" if value_at(part, "providerExecuted") is True else "function",
    )


def _output(said: object) -> object:
    """A result; of a model's message out of what says its type."""
    typed = is_mapping(said) and said.keys() <= {"type", "value", "providerOptions"} and "value" in said
    return value_at(said, "value") if typed and text_at(said, "type") in _OUTPUTS else said


_OUTPUTS = {"text", "json", "error-text", "error-json", "content"}


def _message(part: object) -> str:
    result = first_value(part, "result", "output", "error")
    return result if isinstance(result, str) else first_text(result, "message", "error") or as_json(result)
