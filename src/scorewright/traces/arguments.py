"""The arguments of a tool call, which most dialects write as JSON in a string."""

from __future__ import annotations

from scorewright.agents.run import Gap
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, is_mapping, parsed


def arguments(said: object, where: str, notes: list[Gap], /) -> tuple[object, str | None]:
    """The arguments as a value, and the text where it is not JSON: that is kept, and is a gap."""
    none: dict[str, object] = {}
    if not isinstance(said, str):
        return (lean(said) if said is not None else none), None
    if not said.strip():
        return none, None
    value = parsed(said.strip())
    if is_mapping(value) or is_list(value):
        return lean(value), None
    if isinstance(value, str):
        notes.append(gap("truncated_json", where, "the arguments are not JSON"))
        return none, said
    return value, None
