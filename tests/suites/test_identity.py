"""What a target is known by: its name and its code, wherever that stands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from types import FunctionType

import pytest

from scorewright.suites.identity import target_hash


def written(body: str) -> object:
    """What a file of this text has as its target."""
    space: dict[str, object] = {"__name__": "desk", "wraps": wraps, "partial": partial}
    exec(body, space)
    return space["target"]


DECORATED = """
def tried(call):
    @wraps(call)
    def once(given):
        return call(given)
    return once

@tried
@tried
def target(given):
    return given + {}
"""
CALLED = """
class Desk:
    def __call__(self, given):
        return given + {}

target = Desk()
"""
METHOD = """
class Desk:
    def ask(self, given):
        return given + {}

target = Desk().ask
"""
WRITTEN = {
    "a function": "def target(given): return given + {}",
    "a lambda": "target = lambda given: given + {}",
    "a function in it": "def target(given): return (lambda: given + {})()",
    "a default": "def target(given, model={}): return given",
    "a default by name": "def target(given, *, model={}): return given",
    "an async one": "async def target(given): return given + {}",
    "decorated": DECORATED,
    "an object that is called": CALLED,
    "a method": METHOD,
    "a partial one": "def ask(model, given): return given\ntarget = partial(ask, {})",
    "a partial one by name": "def ask(given, model): return given\ntarget = partial(ask, model={})",
    "the function of a partial one": "def ask(model, given): return given + {}\ntarget = partial(ask, 1)",
}


@pytest.mark.parametrize("how", WRITTEN)
def test_a_target_whose_code_changed_is_another_one(how: str) -> None:
    """And one that was read again, as the next process does it, is the same."""
    one, same, other = (target_hash(written(WRITTEN[how].replace("{}", number))) for number in ("17", "17", "18"))
    assert (one == same, one == other) == (True, False)


def counted() -> Callable[..., int]:
    """A function that closes over how often it was called."""
    calls = [0]

    def target(given: int, seen: list[int] = calls) -> int:
        calls[0] += 1
        seen.append(given)
        return calls[0]

    return target


def test_what_changes_as_it_is_called_is_no_part_of_it() -> None:
    """What it closes over, a default that is a list, the state of an object."""
    target = counted()
    before = target_hash(target)
    assert (target(1), target(1)) == (1, 2)
    assert target_hash(target) == before
    assert target_hash(partial(target, [1])) == target_hash(partial(target, [2]))


def test_whatever_a_target_is_it_has_a_name() -> None:
    """A class, a builtin, one that is decorated by itself."""
    circle = written("def target(given): return given")
    assert isinstance(circle, FunctionType)
    circle.__dict__["__wrapped__"] = circle
    assert str(target_hash(circle)).startswith("desk:target ")
    known = [target_hash(each) for each in (int, len, 4, None)]
    assert known == ["builtins:int", "builtins:len", "builtins:int", None]
