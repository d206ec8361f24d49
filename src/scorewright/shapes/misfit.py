"""Where a value does not fit its type, and why."""

from __future__ import annotations

import re
from typing import TypeAlias, final

from scorewright.faults import Misfit
from scorewright.shapes.values import named, shown

Step: TypeAlias = str | int

_PLAIN_KEY = re.compile(r"[^\W\d]\w*")


@final
class Unfit(Exception):
    """A misfit on its way up; every container that it passes puts its own step in front of the path."""

    def __init__(self, expected: str, *steps: Step, got: str = "", quotes: bool = False, said: str = "") -> None:
        super().__init__(expected)
        self.expected: str = expected
        self.steps: tuple[Step, ...] = steps
        self.got: str = got
        self.quotes: bool = quotes
        self.said: str = said

    def under(self, step: Step) -> Unfit:
        """The same misfit, seen from the container around it."""
        return Unfit(self.expected, step, *self.steps, got=self.got, quotes=self.quotes, said=self.said)

    def misfit(self) -> Misfit:
        """The misfit as a value."""
        return Misfit(path_of(*self.steps), self.expected, self.got, self.quotes, self.said, self.steps)


def of_kind(expected: str, value: object, /) -> Unfit:
    """The misfit of a value that is of another kind than is due."""
    return Unfit(expected, got=named(value))


def as_written(expected: str, value: object, /, *steps: Step) -> Unfit:
    """The misfit of a value that is not among those that are due; it quotes the value where that is a text."""
    return Unfit(expected, *steps, got=shown(value), quotes=isinstance(value, str))


def refused(message: str, /, *steps: Step) -> Unfit:
    """The misfit that a user's validator found; what it says may quote the value, and is for people alone."""
    return Unfit("its validator refused it", *steps, said=message)


def placed(misfit: Misfit, root: str, /) -> Misfit:
    """The misfit, seen from where its root stands in a whole: `$.value` for what is under that key."""
    path = root + misfit.path.removeprefix("$")
    return Misfit(path, misfit.expected, misfit.got, misfit.quotes, misfit.said, (*root.split(".")[1:], *misfit.steps))


def path_of(*steps: Step, root: str = "$") -> str:
    """A JSON path.

    >>> path_of("items", 2, "full name")
    '$.items[2]["full name"]'
    """
    return root + "".join(map(written_step, steps))


def written_step(step: Step, /) -> str:
    """One key or number of a JSON path."""
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    escaped = step.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{escaped}"]'
