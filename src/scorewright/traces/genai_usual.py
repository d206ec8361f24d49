"""GenAI messages as most are written, decoded straight into what is read of them: words, and calls of tools.

Messages of any other shape are left to the reader that takes them all, so that nothing is read differently here, only
in half the time.
"""

from __future__ import annotations

from typing import TypeAlias, final

import msgspec
from msgspec import Struct

from scorewright.agents.messages import Message, Part, Text
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.files import lean


@final
class _Words(Struct, gc=False, forbid_unknown_fields=True, tag_field="type", tag="text"):
    content: str


@final
class _Call(Struct, gc=False, forbid_unknown_fields=True, tag_field="type", tag="tool_call"):
    name: str
    arguments: dict[str, object]
    id: str = ""


@final
class _Spoken(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="assistant"):
    parts: tuple[_Words | _Call, ...]
    finish_reason: str = ""


@final
class _Asked(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="user"):
    parts: tuple[_Words, ...]


@final
class _Ruled(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="system"):
    parts: tuple[_Words, ...]


_Usual: TypeAlias = _Spoken | _Asked | _Ruled
_MESSAGES = msgspec.json.Decoder(list[_Usual])


def usual_messages(said: str, /) -> list[Message] | None:
    """The messages of an array; None where any is of another shape."""
    if said[:1] != "[":
        return None
    try:
        return list(map(_message, _MESSAGES.decode(said)))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


def _message(told: _Usual) -> Message:
    parts = tuple([Text(part.content) if isinstance(part, _Words) else _called(part) for part in told.parts])
    if isinstance(told, _Spoken):
        return Message("assistant", parts, "", "", None, told.finish_reason)
    return Message("user" if isinstance(told, _Asked) else "system", parts)


def _called(call: _Call) -> Part:
    if not call.name:
        raise msgspec.ValidationError("a call without a name")
    return ToolInvocation(call.name, lean(call.arguments), None, False, "call", call.id)
