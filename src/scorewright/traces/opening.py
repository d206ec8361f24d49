"""What a model call was given, read no sooner and no further than needed.

Most calls of a run repeat the conversation so far. Only what is new since the call before is read, so that a run is
read in time linear in what was said, not in what was repeated. The answers among it are not read either, as the calls
that gave them are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, final

from msgspec import Struct

from scorewright.agents.messages import Message
from scorewright.agents.run import Gap
from scorewright.traces.json_view import is_list, is_mapping

Reading: TypeAlias = Callable[[object, list[Gap], bool], Sequence[Message]]
"""From a record to messages; with True, what stands before the last answer may be left out, but not the system's."""


def _nothing(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
    del value, notes, later
    return ()


@final
class Opening(Struct, frozen=True, gc=False):
    """Messages as they were recorded, with how to read them; instructions that stand beside them likewise."""

    messages: object
    read: Reading
    instructions: object = None
    instruct: Reading = _nothing

    def told(self, notes: list[Gap], before: Opening | None = None, /) -> tuple[Message, ...]:
        """The messages, instructions first; after an opening that these go on from, only those that are new."""
        if before is None:
            return (*self.instruct(self.instructions, notes, False), *self.read(self.messages, notes, False))
        system = () if before.instructions == self.instructions else self.instruct(self.instructions, notes, False)
        rest = since(before.messages, self.messages)
        return (*system, *self.read(self.messages if rest is None else rest, notes, True))

    def adds_only(self, results: int, before: Opening, /) -> bool:
        """Is it known, without reading, that nothing but so many results of tools came after an opening?"""
        if before.instructions != self.instructions:
            return False
        rest = since(before.messages, self.messages)
        if isinstance(rest, str):
            return rest.count('"tool_call_response"') == results and "system" not in rest and "developer" not in rest
        if is_mapping(rest):
            told = sum(name.endswith("tool_call_id") for name in rest)
            roles = rest.values()
            return told == results and "system" not in roles and "developer" not in roles
        return False


def opening_of(messages: Sequence[Message], /) -> Opening | None:
    """The opening of messages that are read already; None where there are none."""
    return Opening(list(messages), _as_read) if messages else None


def _as_read(value: object, notes: list[Gap], later: bool, /) -> Sequence[Message]:
    del notes, later
    return [each for each in value if isinstance(each, Message)] if is_list(value) else ()


def heard(items: Sequence[object], /) -> Sequence[object]:
    """Of messages with a role: the system's, and all after the last answer."""
    at = len(items)
    while at > 0 and _role(items[at - 1]) not in _ANSWERS:
        at -= 1
    return [*(item for item in items[:at] if _role(item) in _SYSTEM), *items[at:]] if at else items


def _role(item: object) -> object:
    role = item.get("role") if is_mapping(item) else None
    return role if isinstance(role, str) else None


_ANSWERS: frozenset[object] = frozenset({"assistant", "model"})
_SYSTEM = frozenset({"system", "developer"})


def since(before: object, now: object, /) -> object:
    """What `now` adds to `before`; None where it does not begin with it.

    >>> since('[{"a": 1}]', '[{"a": 1}, {"b": 2}]'), since([1], [1, 2]), since([1], [2])
    ('[ {"b": 2}]', [2], None)
    """
    if isinstance(before, str) and isinstance(now, str):
        if not (before.endswith("]") and now.startswith(before[:-1])):
            return None
        return f"[{now[len(before) - 1 :].removeprefix(',')}"
    if is_list(before) and is_list(now):
        return now[len(before) :] if now[: len(before)] == before else None
    if is_mapping(before) and is_mapping(now):
        return {key: now[key] for key in now if key not in before} if before.items() <= now.items() else None
    return None
