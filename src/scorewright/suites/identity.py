"""What a target is known by, from one process to the next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from types import CodeType
from typing import Final, cast

from typing_extensions import TypeIs

from scorewright.shapes.values import is_object

RESCORED: Final = "scorewright.suites.rescoring:Stored.target"  # the target that knows what a store holds


def target_name(target: object, /) -> str | None:
    """What a target is called in a store."""
    if target is None:
        return None
    named = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', '?')}:{getattr(named, '__qualname__', '?')}"


def target_hash(target: object, /) -> str | None:
    """The name of a target, and its code: what it closes over may change as it is called.

    To the code belong what a decorator wraps, the function of a partial one, the `__call__` of an object, and the plain
    values that are given beforehand: defaults, and the arguments of a partial one.
    """
    said = "\n".join(_told(target, 0))
    if not said:
        return target_name(target)
    return f"{target_name(target)} {sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


_DEEPEST = 20  # so many decorators, one in the other


def _told(target: object, depth: int) -> Iterator[str]:
    if target is None or depth == _DEEPEST:
        return
    if isinstance(target, partial):
        yield from _told(cast("object", target.func), depth + 1)
        yield from _plain(cast("object", target.args))
        yield from _plain(cast("object", target.keywords))
        return
    code: object = getattr(target, "__code__", None)
    if not isinstance(code, CodeType):
        yield from _told(getattr(type(target), "__call__", None), depth + 1)  # noqa: B004 - its own method is asked
        return
    yield from _said(code)
    yield from _plain(getattr(target, "__defaults__", None))
    yield from _plain(getattr(target, "__kwdefaults__", None))
    yield from _told(getattr(target, "__wrapped__", None), depth + 1)


def _plain(given: object) -> Iterator[str]:
    """What of values that are given beforehand cannot change."""
    if is_object(given):
        yield from (f"{key}={value!r}" for key, value in sorted(given.items()) if isinstance(value, _FIXED))
    elif isinstance(given, tuple):
        values = cast("tuple[object, ...]", given)
        yield from (f"{at}={value!r}" for at, value in enumerate(values) if isinstance(value, _FIXED))


_FIXED = (str, int, float, bytes, bool)


def _said(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _said(constant)
        else:
            yield repr(sorted(map(repr, constant)) if _is_set(constant) else constant)


def _is_set(given: object) -> TypeIs[frozenset[object]]:
    return isinstance(given, frozenset)
