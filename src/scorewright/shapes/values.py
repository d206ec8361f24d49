"""JSON values as Python holds them: telling them apart, and naming them in a sentence."""

from __future__ import annotations

import re
from datetime import datetime

from typing_extensions import TypeIs

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number with a fraction",
    type(None): "null",
}
_MOST_SHOWN = 60
_MOMENT = re.compile(r"[\dW-]{7,10}[Tt ]\d\d")


def is_object(value: object, /) -> TypeIs[dict[str, object]]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def object_of(value: object, /) -> dict[str, object]:
    """The JSON object that a value is; one without members where it is none."""
    return value if is_object(value) else {}


def is_list(value: object, /) -> TypeIs[list[object]]:
    """Whether a value is a JSON list; a tuple and a string are none."""
    return isinstance(value, list)


def named(value: object, /) -> str:
    """What a JSON value is, in words.

    >>> named([1])
    'a list'
    """
    return _KINDS.get(type(value)) or f"a Python {type(value).__name__}"


def shown(value: object, /) -> str:
    """A scalar as it is written, cut short; anything else by its kind."""
    if isinstance(value, int) and abs(value) > 10**_MOST_SHOWN:
        return "an integer of very many digits"  # some cannot even be written
    text = repr(value) if isinstance(value, (str, int, float, type(None))) else named(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def moment_of(text: str, /) -> datetime:
    """A date and a time of ISO 8601; a bare date is none, and what else is not is a `ValueError`."""
    if not _MOMENT.match(text):
        raise ValueError("a date and a time are due")
    return datetime.fromisoformat(text)


def same(one: object, other: object, /) -> bool:
    """Whether two JSON values are the same, where True is not 1.

    >>> same([1], [1.0]), same([1], [True])
    (True, False)
    """
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return isinstance(one, bool) == isinstance(other, bool) and one == other
