"""The tool items of the Responses API: calls, outputs, and those that are both in one."""

from __future__ import annotations

from scorewright.agents.messages import Data
from scorewright.agents.run import Gap
from scorewright.agents.tools import AgentError, CallKind, CallState, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import first_text, first_value, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import result_of

_PLAIN_CALLS = {"function_call", "custom_tool_call"}
_RUN_BY_CLIENT = {"computer_call", "local_shell_call", "shell_call", "apply_patch_call", "program"}
_NO_ARGUMENTS = {
    "id",
    "type",
    "status",
    "call_id",
    "execution",
    "output",
    "outputs",
    "results",
    "result",
    "error",
    "caller",
}


def is_call(kind: str, /) -> bool:
    """Does an item of this type ask for a tool?"""
    return kind.endswith("_call") or kind == "program"


def is_output(kind: str, /) -> bool:
    """Does an item of this type answer a call that is an item of its own?"""
    return kind.endswith("_call_output") or kind in {"tool_search_output", "program_output"}


def call_of(item: dict[str, object], kind: str, where: str, notes: list[Gap], /) -> ToolInvocation:
    """The call; the calls of the provider's own tools and of MCP hold their result."""
    name = text_at(item, "name") or kind.removesuffix("_call").removesuffix("_approval_request")
    id = first_text(item, "call_id", "id")
    if kind == "custom_tool_call":
        return ToolInvocation(name, text_at(item, "input"), id=id)
    if kind == "mcp_approval_request":
        args, raw = arguments(item.get("arguments"), where, notes)
        server = text_at(item, "server_label")
        return ToolInvocation(name, args, id=id, args_raw=raw, state="approval_requested", kind="mcp", server=server)
    said = first_value(item, "arguments", "action", "operation")
    if said is None:
        said = (
            {key: value for key, value in item.items() if key not in _NO_ARGUMENTS} if kind != "function_call" else {}
        )
    args, raw = arguments(said, where, notes)
    if kind in _PLAIN_CALLS:
        return ToolInvocation(name, args, id=id, args_raw=raw)
    result = first_value(item, "output", "outputs", "results", "result", "tools")
    error = _error(item)
    return ToolInvocation(
        name,
        args,
        result_of(result),
        result is not None,
        _state(item, kind, error),
        id,
        raw,
        error,
        _kind(item, kind),
        text_at(item, "server_label"),
    )


def output_of(item: dict[str, object], kind: str, /) -> ToolInvocation:
    """The result as an item of its own."""
    if kind == "mcp_approval_response":
        said: CallState = "call" if item.get("approve") is True else "denied"
        return ToolInvocation("", state=said, id=text_at(item, "approval_request_id"))
    result = first_value(item, "output", "tools", "result")
    failed = text_at(item, "status") in {"failed", "error"}
    return ToolInvocation(
        "tool_search" if kind == "tool_search_output" else "",  # of the provider's own search there is no id
        result=result_of(result),
        result_present=result is not None or "output" in item,
        state="error" if failed else "result",
        id=text_at(item, "call_id"),
        error=AgentError(str(result)) if failed else None,
    )


def unknown(item: dict[str, object], kind: str, where: str, notes: list[Gap], /) -> Data:
    """An item of a type that the reader does not know."""
    notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(item))


def _error(item: dict[str, object]) -> AgentError | None:
    said = item.get("error")
    if said is None:
        return None
    content = value_at(said, "content")
    text = said if isinstance(said, str) else text_at(said, "message") or str(content if content is not None else said)
    return AgentError(text, first_text(said, "type", "code"))


def _state(item: dict[str, object], kind: str, error: AgentError | None) -> CallState:
    if error is not None or text_at(item, "status") == "failed":
        return "error"
    if text_at(item, "status") in {"incomplete", "in_progress", "searching", "calling"}:
        return "interrupted"
    return "call" if _kind(item, kind) == "client" or kind == "tool_search_call" else "result"


def _kind(item: dict[str, object], kind: str) -> CallKind:
    if kind == "mcp_call":
        return "mcp"
    if kind in _RUN_BY_CLIENT or text_at(item, "execution") == "client" or mapping_at(item, "environment"):
        return "client"
    return "server"
