"""What a target is known by, from one process to the next."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from types import CodeType

from typing_extensions import TypeIs


def target_name(target: object, /) -> str | None:
    """What a target is called in a store."""
    if target is None:
        return None
    named = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', '?')}:{getattr(named, '__qualname__', '?')}"


def target_hash(target: object, /) -> str | None:
    """The name of a target, and the code of one that is a function: what it closes over may change as it is called."""
    code: object = getattr(target, "__code__", None)
    if not isinstance(code, CodeType):
        return target_name(target)
    said = "\n".join(_said(code))
    return f"{target_name(target)} {sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


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
