"""Where a value does not fit its type, and why."""

from __future__ import annotations

import re
from typing import TypeAlias, final

import attrs

Step: TypeAlias = str | int

_PLAIN_KEY = re.compile(r"[^\W\d]\w*")


@final
@attrs.frozen
class Misfit:
    """One place where a value does not fit: a JSON path such as `$.items[2].name`, and a sentence."""

    path: str
    why: str


@final
class Unfit(Exception):
    """A misfit on its way up; every container that it passes puts its own step in front of the path."""

    def __init__(self, why: str, *steps: Step) -> None:
        super().__init__(why)
        self.why = why
        self.steps = steps

    def under(self, step: Step) -> Unfit:
        """The same misfit, seen from the container around it."""
        return Unfit(self.why, step, *self.steps)

    def misfit(self, root: str = "$") -> Misfit:
        """The misfit as a value."""
        return Misfit(path_of(*self.steps, root=root), self.why)


REFUSED = "its validator refused it"


def refused(message: str, /) -> str:
    """What a user's validator said, which may quote the value: it is for people, and not for the judge."""
    return f"{REFUSED}: {message}"


def path_of(*steps: Step, root: str = "$") -> str:
    """A JSON path.

    >>> path_of("items", 2, "full name")
    '$.items[2]["full name"]'
    """
    return root + "".join(_written(step) for step in steps)


def _written(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    escaped = step.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{escaped}"]'
