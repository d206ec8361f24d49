"""What lines of Codex hold, as items of the Responses API: those of rollouts, and the events that say it otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    value_at,
)
from scorewright.traces.openai_responses import is_item

_BEGUN = {"exec_command_begin": "exec_command", "mcp_tool_call_begin": "", "patch_apply_begin": "apply_patch"}
_ENDED = {"exec_command_end", "mcp_tool_call_end", "patch_apply_end"}
_SAID = {"user_message": "user", "agent_message": "assistant"}


def is_first_format(lines: Sequence[object], /) -> bool:
    """Are these the items of a session without anything around them, after a line that says which one it is?"""
    head = mapping_at(lines[0] if lines else None)
    rest = lines[1:]
    told = {"id", "timestamp"} <= head.keys() and "type" not in head
    return told and any(map(is_item, rest)) and all(is_item(each) or "record_type" in mapping_at(each) for each in rest)


def is_event(line: object, /) -> bool:
    """Is it an event as the command wrote it at first: an id, and a message with a type?"""
    return "id" in mapping_at(line) and text_at(line, "msg", "type") in {*_BEGUN, *_ENDED, *_SAID, "task_started"}


def items_of(lines: Sequence[object], /) -> list[object]:
    """The items of a session in order; where there are none of the user, or none at all, what its events say."""
    if is_first_format(lines):
        return [line for line in lines if is_item(line)]
    told = [line for line in lines if text_at(line, "payload", "type") not in _ASIDE]
    items = [mapping_at(line, "payload") for line in told if text_at(line, "type") == "response_item"]
    asked = any(text_at(item, "role") == "user" and not is_note(item) for item in items)
    read: list[object] = []
    for line in told:
        event = mapping_at(line, "msg") or mapping_at(line, "payload")
        if text_at(line, "type") == "response_item":
            read.append(_with_status(event))
        elif text_at(line, "prompt"):
            read.append(_message("user", text_at(line, "prompt")))
        elif not items or (text_at(event, "type") == "user_message" and not asked):
            read.extend(_item(event))
    return read


_ASIDE = {"compaction", "compaction_summary", "ghost_snapshot"}  # of the program: neither words nor a call


def is_note(item: object, /) -> bool:
    """Is it what the program tells the model of its surroundings, in the user's name?"""
    words = text_at(next(iter(list_at(item, "content")), None), "text").lstrip()
    return text_at(item, "role") == "user" and words.startswith(_NOTES)


_NOTES = (
    "# AGENTS.md instructions for ",
    "<environment_context>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
)


def head_of(lines: Sequence[object], /) -> dict[str, object]:
    """What a session says of itself, which stands in its first line: its id and its instructions."""
    if is_first_format(lines):
        return mapping_at(lines[0])
    return mapping_at(next((line for line in lines if text_at(line, "type") == "session_meta"), None), "payload")


def instructions_of(head: dict[str, object], /) -> str:
    """The instructions of a session, in today's form or an older one."""
    return text_at(head, "base_instructions", "text") or first_text(head, "base_instructions", "instructions")


def _message(role: str, words: str) -> dict[str, object]:
    kind = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}


def _item(event: dict[str, object]) -> Iterator[dict[str, object]]:
    kind, id = text_at(event, "type"), text_at(event, "call_id")
    if kind in _SAID:
        yield _message(_SAID[kind], text_at(event, "message"))
    elif kind == "agent_reasoning":
        yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": text_at(event, "text")}]}
    elif kind == "web_search_end":
        asked = {"query": value_at(event, "query")}
        yield {"type": "web_search_call", "id": id, "status": "completed", "action": asked}
    elif kind in _BEGUN:
        made = mapping_at(event, "invocation")
        given = value_at(made, "arguments") if made else {key: event[key] for key in _GIVEN if key in event}
        name = _BEGUN[kind] or text_at(made, "tool")
        yield {"type": "function_call", "call_id": id, "name": name, "arguments": given}
    elif kind in _ENDED:
        told = first_value(event, "result", "aggregated_output", "formatted_output", "stdout")
        failed = event.get("success") is False or bool(event.get("exit_code")) or "Err" in mapping_at(event, "result")
        output = first_text(event, "stderr") if failed and not told else told
        yield {"type": "function_call_output", "call_id": id, "output": output, "status": _STATUS[failed]}


_GIVEN = ("command", "changes")
_STATUS = ("completed", "failed")


def _with_status(item: dict[str, object]) -> dict[str, object]:
    """An output, failed where the program that ran says so: its exit code stands beside what it printed."""
    said = parsed(item.get("output")) if text_at(item, "type") == "function_call_output" else None
    code = value_at(said, "metadata", "exit_code") if is_mapping(said) else None
    return {**item, "status": "failed"} if isinstance(code, int) and code else item
