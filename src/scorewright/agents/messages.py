"""Messages and what they are made of."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

import attrs

from scorewright.agents.shown import brief
from scorewright.agents.tools import ToolInvocation
from scorewright.core.run import writers

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]


@final
@attrs.frozen(init=False)  # its own `__init__` takes half the time
class Text:
    """Words."""

    text: str
    type: Literal["text"] = attrs.field(default="text", kw_only=True, repr=False)

    __repr__ = brief

    def __init__(self, text: str, *, type: Literal["text"] = "text") -> None:  # noqa: A002 - the name of the field
        _text(self, text)
        _type(self, type)


_text, _type = writers(Text, "text", "type")


@final
@attrs.frozen
class Reasoning:
    """What the model thought before it spoke; empty where only the fact was recorded."""

    text: str = ""
    type: Literal["reasoning"] = attrs.field(default="reasoning", kw_only=True, repr=False)

    __repr__ = brief


@final
@attrs.frozen
class File:
    """An image, a document, a recording: what it is and where it lies; of its bytes only size and SHA-256."""

    media_type: str = ""
    uri: str = ""
    name: str = ""
    size: int | None = None
    sha256: str = ""
    type: Literal["file"] = attrs.field(default="file", kw_only=True, repr=False)

    __repr__ = brief


@final
@attrs.frozen
class Data:
    """A part of any other kind, kept as it came."""

    kind: str
    value: object = None
    type: Literal["data"] = attrs.field(default="data", kw_only=True, repr=False)

    __repr__ = brief


Part: TypeAlias = Text | Reasoning | ToolInvocation | File | Data


@final
@attrs.frozen(init=False)  # its own `__init__` takes half the time
class Message:
    """One message: who spoke, and the parts in their order.

    `position` is its place in the conversation that it was read from, so that input and output can be told as one
    story; equality ignores it. `created_at` is nanoseconds since 1970.
    """

    role: Role
    parts: tuple[Part, ...] = ()
    id: str = ""
    name: str = ""
    created_at: int | None = None
    finish_reason: str = ""
    agent_name: str = ""
    position: int | None = attrs.field(default=None, eq=False, repr=False)

    __repr__ = brief

    def __init__(  # noqa: PLR0917 - readers write the fields in their order, which is what makes them fast
        self,
        role: Role,
        parts: tuple[Part, ...] = (),
        id: str = "",
        name: str = "",
        created_at: int | None = None,
        finish_reason: str = "",
        agent_name: str = "",
        position: int | None = None,
    ) -> None:
        _role(self, role)
        _parts(self, parts)
        _id(self, id)
        _name(self, name)
        _created_at(self, created_at)
        _finish_reason(self, finish_reason)
        _agent_name(self, agent_name)
        _position(self, position)

    @property
    def text(self) -> str:
        """Its words, one text part a line; empty where it has none."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text) and part.text)

    @property
    def tool_calls(self) -> tuple[ToolInvocation, ...]:
        """Its tool calls, in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolInvocation))


_role, _parts, _id, _name, _created_at, _finish_reason, _agent_name, _position = writers(
    Message, "role", "parts", "id", "name", "created_at", "finish_reason", "agent_name", "position"
)


def parts_of(given: tuple[str | Part, ...], /) -> tuple[Part, ...]:
    """Parts, of which texts may be plain strings."""
    return tuple(Text(part) if isinstance(part, str) else part for part in given)


def user(*parts: str | Part) -> Message:
    """A user's message."""
    return Message("user", parts_of(parts))


def assistant(*parts: str | Part) -> Message:
    """An agent's message: words and tool calls in their order."""
    return Message("assistant", parts_of(parts))


def system(*parts: str | Part) -> Message:
    """A system message."""
    return Message("system", parts_of(parts))
