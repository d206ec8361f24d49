"""A tool call and what became of it."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

import attrs

from scorewright.agents.shown import brief
from scorewright.core.run import writers

CallState: TypeAlias = Literal["partial_call", "call", "approval_requested", "result", "error", "denied", "interrupted"]
CallKind: TypeAlias = Literal["function", "mcp", "server", "client", "handoff", "output"]
NOTHING = attrs.NOTHING
JoinedBy: TypeAlias = Literal["together", "id", "name", "order", "span_only", "part_only"]


@final
@attrs.frozen
class AgentError:
    """What went wrong in a call or a run: its message, and its type where one was recorded."""

    message: str
    type: str = ""

    __repr__ = brief


def nothing() -> dict[str, object]:
    """An empty mapping: a default that attrs makes in a third of the time of `dict[str, object]`."""
    return {}


@final
@attrs.frozen(init=False)  # its own `__init__` takes half the time
class ToolInvocation:
    """One tool call: what was asked for, and the result, the error, or neither.

    `result_present` tells a result that is null from one that was not recorded. `args_raw` holds arguments that are not
    JSON. Times are nanoseconds since 1970. `joined_by` says how the result was found for the call.
    """

    name: str
    args: object = attrs.field(factory=nothing)
    result: object = None
    result_present: bool = False
    state: CallState = "call"
    id: str = ""
    args_raw: str | None = None
    error: AgentError | None = None
    kind: CallKind = "function"
    server: str = ""
    agent_name: str = ""
    started_at: int | None = None
    ended_at: int | None = None
    joined_by: JoinedBy = "together"
    type: Literal["tool_invocation"] = attrs.field(default="tool_invocation", kw_only=True, repr=False)

    __repr__ = brief

    def __init__(  # noqa: PLR0917 - readers write the fields in their order, which is what makes them fast
        self,
        name: str,
        args: object = NOTHING,
        result: object = None,
        result_present: bool = False,
        state: CallState = "call",
        id: str = "",
        args_raw: str | None = None,
        error: AgentError | None = None,
        kind: CallKind = "function",
        server: str = "",
        agent_name: str = "",
        started_at: int | None = None,
        ended_at: int | None = None,
        joined_by: JoinedBy = "together",
        *,
        type: Literal["tool_invocation"] = "tool_invocation",  # noqa: A002 - the name of the field
    ) -> None:
        _name(self, name)
        _args(self, {} if args is NOTHING else args)
        _result(self, result)
        _result_present(self, result_present)
        _state(self, state)
        _id(self, id)
        _args_raw(self, args_raw)
        _error(self, error)
        _kind(self, kind)
        _server(self, server)
        _agent_name(self, agent_name)
        _started_at(self, started_at)
        _ended_at(self, ended_at)
        _joined_by(self, joined_by)
        _type(self, type)

    @property
    def failed(self) -> bool:
        """Did the tool raise, or say that it failed?"""
        return self.state == "error"

    @property
    def finished(self) -> bool:
        """Did the tool run to an end, good or bad?"""
        return self.state in {"result", "error"}


(
    _name,
    _args,
    _result,
    _result_present,
    _state,
    _id,
    _args_raw,
    _error,
    _kind,
    _server,
    _agent_name,
    _started_at,
    _ended_at,
    _joined_by,
    _type,
) = writers(ToolInvocation, *(field.name for field in attrs.fields(ToolInvocation)))


@final
@attrs.frozen
class ToolDefinition:
    """A tool that the agent was offered; `parameters` is a JSON Schema where one was recorded."""

    name: str
    description: str = ""
    parameters: object = None

    __repr__ = brief


_ABSENT = object()


def called(
    name: str,
    args: object = None,
    /,
    *,
    result: object = _ABSENT,
    error: str | None = None,
    id: str = "",
    kind: CallKind = "function",
) -> ToolInvocation:
    """A tool call, for tests and examples: with its result, with its error, or unfinished.

    >>> called("track", {"parcel": 7}, result="on its way")
    ToolInvocation('track', {'parcel': 7}, 'on its way', True, 'result')
    """
    given: object = {} if args is None else args
    if error is not None:
        return ToolInvocation(name, given, state="error", error=AgentError(error), id=id, kind=kind)
    if result is _ABSENT:
        return ToolInvocation(name, given, id=id, kind=kind)
    return ToolInvocation(name, given, result, True, "result", id=id, kind=kind)
