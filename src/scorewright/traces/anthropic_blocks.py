"""The content blocks of Anthropic messages."""

from __future__ import annotations

from scorewright.agents.extract import result_text
from scorewright.agents.messages import Data, File, Part, Reasoning, Text
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, CallKind, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.files import file_at, file_of, lean
from scorewright.traces.gaps import gap
from scorewright.traces.joining import merged
from scorewright.traces.json_view import first_text, is_list, is_mapping, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import result_of

_CALLS: dict[str, CallKind] = {"tool_use": "function", "server_tool_use": "server", "mcp_tool_use": "mcp"}
MARKS = {
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "tool_result",
    "mcp_tool_result",
    "thinking",
    "redacted_thinking",
}

_NOTES = {"compaction", "fallback"}  # what the provider did on the way: neither words nor a call


def parts_of(content: object, where: str, notes: list[Gap], /) -> tuple[Part, ...]:
    """The parts; a result follows its call in one message for the provider's own tools, and is put into it there.

    Texts that follow each other are one answer that citations split, and are read as one.
    """
    if isinstance(content, str):
        return (Text(content),) if content else ()
    parts: list[Part] = []
    called: dict[str, int] = {}
    for at, block in enumerate(content if is_list(content) else ()):
        part = _part(block, f"{where}.content[{at}]", notes)
        last = parts[-1] if parts else None
        if isinstance(part, Text) and isinstance(last, Text):
            parts[-1] = Text(last.text + part.text)
        elif isinstance(part, ToolInvocation) and part.name == "" and part.id in called:
            call = parts[called[part.id]]
            parts[called[part.id]] = merged(call, part, "id") if isinstance(call, ToolInvocation) else call
        else:
            if isinstance(part, ToolInvocation) and part.id:
                called[part.id] = len(parts)
            parts.append(part)
    return tuple(parts)


def _part(block: object, where: str, notes: list[Gap]) -> Part:
    kind = text_at(block, "type")
    if isinstance(block, str):
        return Text(block)
    if kind == "text":
        return Text(text_at(block, "text"))
    if kind in {"thinking", "redacted_thinking"}:
        return Reasoning(text_at(block, "thinking"))
    if kind in _CALLS:
        args, raw = arguments(value_at(block, "input"), where, notes)
        return ToolInvocation(
            text_at(block, "name"),
            args,
            id=text_at(block, "id"),
            args_raw=raw,
            kind=_CALLS[kind],
            server=text_at(block, "server_name"),
        )
    if kind.endswith("tool_result") and is_mapping(block):
        return result_block(block)
    if kind in {"image", "document"}:
        return _file(block)
    if kind == "container_upload":
        return File(uri=text_at(block, "file_id"))
    if kind not in _NOTES:
        notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(block))


def result_block(block: dict[str, object], /) -> ToolInvocation:
    """The result; it failed when it is flagged so, or when its content is an error of the provider's tool."""
    content = block.get("content")
    inner = text_at(content, "type")
    error: AgentError | None = None
    if inner.endswith("_error"):
        error = AgentError(first_text(content, "error_message", "error_code") or inner, inner)
    elif block.get("is_error") is True:
        error = AgentError(result_text(result_of(content)))
    return ToolInvocation(
        "",
        result=result_of(content),
        result_present="content" in block,
        state="error" if error else "result",
        id=text_at(block, "tool_use_id"),
        error=error,
    )


def _file(block: object) -> File:
    source = mapping_at(block, "source")
    media_type, name = text_at(source, "media_type"), text_at(block, "title")
    if text_at(source, "type") == "base64":
        return file_of(text_at(source, "data"), media_type, name)
    return file_at(first_text(source, "url", "file_id"), media_type, name)
