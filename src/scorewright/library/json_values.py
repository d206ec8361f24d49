"""JSON texts as values, and when two values say the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from returns.result import Result
from typing_extensions import TypeIs

from scorewright.results import err, ok
from scorewright.shapes.strict_json import strict_decoder


def parsed(text: str, /) -> Result[object, str]:
    """The value of a JSON text, or why it is none: NaN, a key twice and text after the value are refused."""
    try:
        value = cast("object", strict_decoder().decode(text.strip(" \t\r\n\ufeff")))
    except ValueError as wrong:
        return err(str(wrong))
    except RecursionError:
        return err("it is nested too deeply")
    return ok(value)


def same(one: object, other: object, /) -> bool:
    """Do two JSON values say the same? The order of keys does not matter, 1 is 1.0, and True is not 1."""
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(same(held, other[key]) for key, held in one.items())
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def is_object(value: object, /) -> TypeIs[Mapping[str, object]]:
    """Whether it is a JSON object."""
    return isinstance(value, Mapping)


def is_array(value: object, /) -> TypeIs[list[object] | tuple[object, ...]]:
    """Whether it is a JSON array."""
    return isinstance(value, (list, tuple))
