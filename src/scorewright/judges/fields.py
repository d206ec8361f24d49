"""Reading untyped JSON without trusting it: what is not there, or of another type, is the empty value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

MOST = 10**12
_EMPTY: Mapping[str, object] = MappingProxyType({})


def mapping(given: object, *path: str) -> Mapping[str, object]:
    """The object at the path."""
    for key in path:
        given = cast("dict[str, object]", given).get(key) if isinstance(given, dict) else None
    return cast("dict[str, object]", given) if isinstance(given, dict) else _EMPTY


def items(given: Mapping[str, object], key: str) -> tuple[Mapping[str, object], ...]:
    """The objects of the list under the key."""
    found = given.get(key)
    return tuple(mapping(item) for item in cast("list[object]", found)) if isinstance(found, list) else ()


def first_of(given: Mapping[str, object], key: str) -> Mapping[str, object]:
    """The first object of the list under the key."""
    found = given.get(key)
    return mapping(cast("list[object]", found)[0]) if isinstance(found, list) and found else _EMPTY


def text(given: Mapping[str, object], key: str) -> str:
    """The string under the key."""
    found = given.get(key)
    return found if isinstance(found, str) else ""


def number(given: Mapping[str, object], key: str) -> int:
    """The count under the key; what no count of tokens can be is 0."""
    found = given.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < MOST else 0
