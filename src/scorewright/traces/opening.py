"""What a model call was given, read no sooner and no further than needed.

Most calls of a run repeat the conversation so far. Only what is new since the call before is read, so that a run is
read in time linear in what was said, not in what was repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, final

import attrs

from scorewright.agents.messages import Message
from scorewright.agents.run import Gap
from scorewright.traces.json_view import is_list, is_mapping

Reading: TypeAlias = Callable[[object, list[Gap]], Sequence[Message]]


def _nothing(value: object, notes: list[Gap], /) -> Sequence[Message]:
    del value, notes
    return ()


@final
@attrs.frozen
class Opening:
    """Messages as they were recorded, with how to read them; instructions that stand beside them likewise."""

    messages: object
    read: Reading
    instructions: object = None
    instruct: Reading = _nothing

    def told(self, notes: list[Gap], before: Opening | None = None, /) -> tuple[Message, ...]:
        """The messages, instructions first; after an opening that these go on from, only those that are new."""
        if before is None:
            return (*self.instruct(self.instructions, notes), *self.read(self.messages, notes))
        system = () if before.instructions == self.instructions else self.instruct(self.instructions, notes)
        rest = since(before.messages, self.messages)
        return (*system, *self.read(self.messages if rest is None else rest, notes))


def opening_of(messages: Sequence[Message], /) -> Opening | None:
    """The opening of messages that are read already; None where there are none."""
    return Opening(list(messages), _as_read) if messages else None


def _as_read(value: object, notes: list[Gap], /) -> Sequence[Message]:
    del notes
    return [each for each in value if isinstance(each, Message)] if is_list(value) else ()


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
        is_part = len(before) <= len(now) and all(key in now and now[key] == before[key] for key in before)
        return {key: now[key] for key in now if key not in before} if is_part else None
    return None
