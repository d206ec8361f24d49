"""Sessions of Codex: the events of `codex exec --json`, and rollouts, whose items are those of the Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError, CallKind, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.codex_lines import head_of, instructions_of, is_event, is_first_format, is_note, items_of
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import first_text, first_value, is_list, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import result_of, usage_of
from scorewright.traces.openai_responses import is_item, messages_of

_ROLLOUT = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_KINDS: dict[str, CallKind] = {"mcp_tool_call": "mcp", "web_search": "server", "todo_list": "client"}


def detect(value: object, /) -> bool:
    """Events with items that start and complete; or lines of a rollout; or a mapping with the items of one."""
    events = value if is_list(value) else list_at(value, "events")
    if any(text_at(event, "type") in {"item.completed", "item.started", "thread.started"} for event in events):
        return True
    if any(text_at(line, "type") in _ROLLOUT and "payload" in mapping_at(line) for line in events):
        return True
    if any(map(is_event, events[:8])) or is_first_format(events):
        return True
    items = list_at(value, "items")
    return bool(items) and all(map(is_item, items))


def read(value: object, /) -> Iterator[AgentRun]:
    """One run."""
    notes: list[Gap] = []
    events = value if is_list(value) else list_at(value, "events")
    told: Sequence[object] = list_at(value, "items") or items_of(events)
    items = [item for item in told if not is_note(item)]
    if len(items) < len(told):
        notes.append(gap("prompt_as_user", "$.items", f"{len(told) - len(items)} about the surroundings"))
    messages = messages_of(items, "$.items", notes) if items else list(_events(events, notes))
    head = head_of(events)
    instructions = instructions_of(head)
    if instructions:
        messages.insert(0, Message("system", (Text(instructions),)))
    yield told_run(messages, 0, notes, known=_known(head, events))


def _known(head: dict[str, object], events: Sequence[object]) -> AgentRun:
    """What is said of the run beside its messages."""
    failed = next((event for event in events if text_at(event, "type") in {"turn.failed", "error"}), None)
    error = text_at(failed, "message") or text_at(failed, "error", "message")
    status: Status = "error" if failed is not None else "ok"
    usage = next((mapping_at(e, "usage") for e in reversed(events) if text_at(e, "type") == "turn.completed"), None)
    threads = (text_at(event, "thread_id") for event in events)
    return AgentRun(
        id=text_at(head, "id") or next(filter(None, threads), ""),
        framework="codex",
        status=status,
        error=AgentError(error) if failed is not None else None,
        usage=usage_of(mapping_at(usage)),
        source=TraceSource(CODEX.name),
    )


def _events(events: Sequence[object], notes: list[Gap]) -> Iterator[Message]:
    """The items that completed, and those that were started only; words after a call begin another message."""
    done = {text_at(e, "item", "id") for e in events if text_at(e, "type") == "item.completed"}
    parts: list[Part] = []
    for event in events:
        item = mapping_at(event, "item")
        ends = text_at(event, "type") == "item.completed"
        if not item or not (ends or (text_at(event, "type") == "item.started" and text_at(item, "id") not in done)):
            continue
        kind = first_text(item, "type", "item_type")
        if kind in {"agent_message", "assistant_message"}:
            if any(isinstance(part, (ToolInvocation, Text)) for part in parts):
                yield Message("assistant", tuple(parts))
                parts = []
            parts.append(Text(text_at(item, "text")))
        elif kind == "reasoning":
            parts.append(Reasoning(text_at(item, "text")))
        elif kind != "error":
            parts.append(_call(item, kind, ends, notes))
    if parts:
        yield Message("assistant", tuple(parts))


def _call(item: dict[str, object], kind: str, ends: bool, notes: list[Gap]) -> ToolInvocation:
    error = _error(item)
    result = first_value(item, "aggregated_output", "result", "changes", "items")
    own = {key: held for key in ("command", "changes", "query", "items") if (held := item.get(key)) is not None}
    said = item.get("arguments")
    args, raw = arguments(said if said is not None else own, text_at(item, "id"), notes)
    return ToolInvocation(
        text_at(item, "tool") or kind,
        args,
        result_of(lean(result)),
        ends and result is not None,
        "error" if error else "result" if ends else "interrupted",
        text_at(item, "id"),
        raw,
        error,
        _KINDS.get(kind, "function"),
        text_at(item, "server"),
    )


def _error(item: dict[str, object]) -> AgentError | None:
    code = value_at(item, "exit_code")
    if text_at(item, "status") != "failed" and not (isinstance(code, int) and code != 0):
        return None
    return AgentError(text_at(item, "error", "message") or f"exit code {code}", "")


CODEX = Dialect(
    "codex",
    'events such as {"type": "item.completed"}, or {"type": "response_item"} lines',
    detect,
    read,
    lines="together",
)
