"""Sessions of Anthropic's Managed Agents: events, alone or as recorded calls of the client."""

from __future__ import annotations

from collections.abc import Iterator

from scorewright.agents.messages import Message, Reasoning, Text
from scorewright.agents.run import AgentRun, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError, CallKind, CallState, ToolInvocation
from scorewright.traces.anthropic_blocks import parts_of
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import result_of
from scorewright.traces.times import moment

_CALLS: dict[str, CallKind] = {
    "agent.tool_use": "server",
    "agent.custom_tool_use": "client",
    "agent.mcp_tool_use": "mcp",
}
_RESULTS = {"agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result", "agent.custom_tool_result"}
_TYPES = {"user.message", "agent.message", "session.status_running", *_CALLS, *_RESULTS}


def detect(value: object, /) -> bool:
    """Events with the types of sessions; or pairs of a client's method and what it sent or got."""
    return any(text_at(event, "type") in _TYPES for event in _events(value))


def _events(value: object) -> Iterator[dict[str, object]]:
    for line in value if is_list(value) else list_at(value, "events") or list_at(value, "data"):
        payload = line[1] if is_list(line) and len(line) == 2 and isinstance(line[0], str) else line  # noqa: PLR2004 - a pair
        sent = list_at(payload[1], "events") if is_list(payload) and len(payload) > 1 else []
        for event in sent or [payload]:
            if is_mapping(event):
                yield event


def read(value: object, /) -> Iterator[AgentRun]:
    """One run; what was sent and came back in the stream is told once, by its words where the sent one has no id."""
    notes: list[Gap] = []
    events = list(_events(value))
    session = next((event for event in events if text_at(event, "type") == "session"), None)
    agent = mapping_at(session, "agent")
    system = text_at(agent, "system")
    messages = [Message("system", (Text(system),))] if system else []
    echoed = any(text_at(event, "id") for event in events if text_at(event, "type") == "user.message")
    ended = {_of(event) for event in events if text_at(event, "type") in _RESULTS}
    for event in events:
        sent = not text_at(event, "id")
        told = text_at(event, "type") == "user.tool_confirmation" and _of(event) in ended  # its result says more
        if not (told or (sent and echoed)):
            messages.extend(_message(event, notes))
    failed = any(text_at(event, "type") == "session.error" for event in events)
    status: Status = "error" if failed else "ok"
    known = AgentRun(
        id=text_at(session, "id"),
        agent_name=text_at(agent, "name"),
        model=text_at(agent, "model", "id") or text_at(agent, "model"),
        framework="anthropic-managed-agents",
        status=status,
        source=TraceSource(MANAGED_AGENTS.name),
    )
    yield told_run(_grouped(messages), 0, notes, known=known)


def _message(event: dict[str, object], notes: list[Gap]) -> Iterator[Message]:
    kind, id, when = text_at(event, "type"), text_at(event, "id"), moment(event.get("processed_at"))
    if kind in {"user.message", "agent.message"}:
        parts = parts_of(event.get("content"), id or kind, notes)
        yield Message("user" if kind == "user.message" else "assistant", parts, id, created_at=when)
    elif kind == "agent.thinking":
        yield Message("assistant", (Reasoning(text_at(event, "thinking")),), id, created_at=when)
    elif kind in _CALLS:
        yield Message("assistant", (_call(event, kind, notes),), id, created_at=when)
    elif kind in _RESULTS:
        yield Message("tool", (_result(event),), created_at=when)
    elif kind == "user.tool_confirmation" and text_at(event, "result") == "deny":
        error = AgentError(text_at(event, "deny_message") or "denied")
        denied = ToolInvocation("", state="denied", id=text_at(event, "tool_use_id"), error=error)
        yield Message("tool", (denied,), created_at=when)


def _call(event: dict[str, object], kind: str, notes: list[Gap]) -> ToolInvocation:
    args, raw = arguments(event.get("input"), text_at(event, "id"), notes)
    state: CallState = "approval_requested" if text_at(event, "evaluated_permission") == "ask" else "call"
    return ToolInvocation(
        text_at(event, "name"),
        args,
        state=state,
        id=text_at(event, "id"),
        args_raw=raw,
        kind=_CALLS[kind],
        server=text_at(event, "mcp_server_name"),
    )


def _of(event: dict[str, object]) -> str:
    """The call that an event is about."""
    return next((found for key in event if key.endswith("tool_use_id") and (found := text_at(event, key))), "")


def _result(event: dict[str, object]) -> ToolInvocation:
    id = _of(event)
    result = result_of(lean(value_at(event, "content")))
    failed = event.get("is_error") is True
    error = AgentError(str(result)) if failed else None
    return ToolInvocation(
        "", result=result, result_present=True, state="error" if failed else "result", id=id, error=error
    )


def _grouped(messages: list[Message]) -> list[Message]:
    """What the agent thought, called and said between two answers as one message."""
    read: list[Message] = []
    for message in messages:
        last = read[-1] if read else None
        if last is not None and last.role == message.role == "assistant":
            read[-1] = Message("assistant", (*last.parts, *message.parts), last.id, created_at=last.created_at)
        else:
            read.append(message)
    return read


MANAGED_AGENTS = Dialect(
    "anthropic-managed-agents",
    'session events such as {"type": "agent.message"}, or [method, payload] pairs',
    detect,
    read,
    lines="together",
)
