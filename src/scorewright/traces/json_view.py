"""Looking into parsed JSON without trusting it: every accessor is total, and absent reads as empty.

A path of no keys ends at the value itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from typing_extensions import TypeIs

from scorewright.shapes.json_text import json_of


def is_mapping(value: object, /) -> TypeIs[dict[str, object]]:
    """Is it a JSON object?"""
    return isinstance(value, dict)


def is_list(value: object, /) -> TypeIs[list[object]]:
    """Is it a JSON array?"""
    return isinstance(value, list)


def is_number(value: object, /) -> TypeIs[int | float]:
    """Is it a JSON number, and of a size to count with? True and False are not, nor is what is not finite."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -_MOST < value < _MOST


def value_at(value: object, /, *path: str) -> object:
    """What lies at the end of a path of keys; None where the path breaks off."""
    for key in path:
        if not is_mapping(value):
            return None
        value = value.get(key)
    return value


def mapping_at(value: object, /, *path: str) -> dict[str, object]:
    """The object at the end of a path; an empty one where there is none."""
    found = value_at(value, *path)
    return found if is_mapping(found) else {}


def list_at(value: object, /, *path: str) -> list[object]:
    """The array at the end of a path; an empty one where there is none."""
    found = value_at(value, *path)
    return found if is_list(found) else []


def text_at(value: object, /, *path: str) -> str:
    """The string at the end of a path; an empty one where there is none."""
    for key in path:
        if not is_mapping(value):
            return ""
        value = value.get(key)
    return value if isinstance(value, str) else ""


def whole_at(value: object, /, *path: str) -> int | None:
    """The whole number at the end of a path, also where it was written as a string."""
    return whole(value_at(value, *path))


def whole(found: object, /) -> int | None:
    """A whole number, also one that was written as a string; None for anything else."""
    if type(found) is int and -_MOST < found < _MOST:
        return found
    if isinstance(found, str) and found.lstrip("-").isdecimal():
        return int(found) if len(found) < 64 else None  # noqa: PLR2004 - longer ones are no counts or times
    return int(found) if is_number(found) else None


_MOST = 1 << 200


def first_text(value: object, /, *keys: str) -> str:
    """The first of these keys that holds a string with something in it."""
    return text_in(value, *keys) if is_mapping(value) else ""


def first_value(value: object, /, *keys: str) -> object:
    """The first of these keys that holds anything but null."""
    return value_in(value, *keys) if is_mapping(value) else None


def spelled(value: object, name: str, /) -> object:
    """A field by its name, in snake case or in camel case.

    >>> spelled({"evalId": "a"}, "eval_id")
    'a'
    """
    return first_value(value, name, _camel(name))


@lru_cache(256)
def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def text_in(fields: Mapping[str, object], /, *keys: str) -> str:
    """`first_text` of what is known to be an object."""
    for key in keys:
        if key in fields:  # most are not there, and asking so costs least
            held = fields[key]
            if held and isinstance(held, str):
                return held
    return ""


def value_in(fields: Mapping[str, object], /, *keys: str) -> object:
    """`first_value` of what is known to be an object."""
    for key in keys:
        if key in fields:
            held = fields[key]
            if held is not None:
                return held
    return None


def parsed(value: object, /) -> object:
    """A string of JSON as what it says, at most twice over; anything else as it is.

    >>> parsed('{"city": "Graz"}'), parsed("rainy, 57°F"), parsed('"\\\\"a\\\\""')
    ({'city': 'Graz'}, 'rainy, 57°F', 'a')
    """
    for _ in range(2):
        if not isinstance(value, str) or value[:1] not in _BEGINS_JSON:
            return value
        try:
            value = json_of(value)
        except (ValueError, RecursionError):
            return value
    return value


_BEGINS_JSON = frozenset('{["0123456789-tfn')


def structured(value: object, /) -> object:
    """A string that holds a JSON object or array as that; any other string, also one of a bare number, as it is.

    >>> structured('["a"]'), structured("42")
    (['a'], '42')
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return value
    found = parsed(value.strip())
    return found if is_mapping(found) or is_list(found) else value
