"""Building and leaving a `Result` so that every checker sees the exact type."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Never, cast

from returns.pipeline import is_successful
from returns.primitives.container import BaseContainer
from returns.result import Failure, Result, Success
from typing_extensions import TypeVar

A = TypeVar("A")
B = TypeVar("B")
E = TypeVar("E")
S = TypeVar("S")
X = TypeVar("X", bound=Exception)


# A `Success` made as it makes itself, without three Python frames: every step of every run makes one.
_blank = cast("Callable[[], Result[Never, Never]]", partial(object.__new__, Success))
_write: Callable[[object, object], None] = vars(BaseContainer)["_inner_value"].__set__


def ok(value: A, /) -> Result[A, Never]:
    """A success that cannot be a failure."""
    made = _blank()
    _write(made, value)
    return made


def err(fault: E, /) -> Result[Never, E]:
    """A failure that cannot be a success."""
    return Failure(fault)


def fold(result: Result[A, E], good: Callable[[A], B], bad: Callable[[E], B], /) -> B:
    """One value out of either side.

    >>> fold(ok(0.5), lambda score: f"scored {score}", lambda fault: f"failed: {fault}")
    'scored 0.5'
    """
    return good(result.unwrap()) if is_successful(result) else bad(result.failure())


def attempt(kind: type[X], /) -> Callable[[Callable[[S], A]], Callable[[S], Result[A, X]]]:
    """A function that may raise `kind` becomes one that returns it; anything else it raises passes through.

    >>> attempt(ValueError)(int)("7")
    <Success: 7>
    """

    def lift(f: Callable[[S], A], /) -> Callable[[S], Result[A, X]]:
        def lifted(given: S, /) -> Result[A, X]:
            try:
                return ok(f(given))
            except kind as raised:
                return err(raised)

        return lifted

    return lift
