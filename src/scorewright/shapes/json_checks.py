"""What each keyword of JSON Schema demands of a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from datetime import date
from math import isfinite
from typing import TypeAlias

from typing_extensions import TypeIs

from scorewright.faults import DefinitionError
from scorewright.shapes.matching import Matches, matcher
from scorewright.shapes.misfit import Unfit, as_written, of_kind
from scorewright.shapes.values import is_list, moment_of, same, shown

Check: TypeAlias = Callable[[object], None]

TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
_BOUNDS: Mapping[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (lambda value, bound: value >= bound, "at least"),
    "maximum": (lambda value, bound: value <= bound, "at most"),
    "exclusiveMinimum": (lambda value, bound: value > bound, "more than"),
    "exclusiveMaximum": (lambda value, bound: value < bound, "less than"),
}
_LISTS = (list, tuple)  # what is read as a tuple was a list
_SIZES: Mapping[str, tuple[type | tuple[type, ...], bool, str]] = {
    "minLength": (str, True, "characters"),
    "maxLength": (str, False, "characters"),
    "minItems": (_LISTS, True, "items"),
    "maxItems": (_LISTS, False, "items"),
    "minProperties": (dict, True, "keys"),
    "maxProperties": (dict, False, "keys"),
}
_FORMATS: Mapping[str, Callable[[str], object]] = {"date": date.fromisoformat, "date-time": moment_of}


def type_check(argument: object, where: str, /) -> Check:
    """`type`: exact, so a boolean is no integer and 1.0 is none either."""
    names = argument if is_list(argument) else [argument]
    if not names:
        raise DefinitionError(f"{where}: type names at least one JSON type")
    for name in names:
        if not isinstance(name, str) or name not in TYPES:
            raise DefinitionError(f"{where}: {shown(name)} is not a JSON type")
    kinds = {kind for name in names for kind in TYPES[str(name)]}
    expected = " or ".join(str(name) for name in names)

    def check(value: object) -> None:
        if type(value) not in kinds:
            raise of_kind(f"expected {expected}", value)

    return check


def enum_check(options: object, where: str, /) -> Check:
    """`enum`, and `const` as an enum of one."""
    choices = options if is_list(options) else []
    if not choices:
        raise DefinitionError(f"{where}: enum is a list of at least one value")
    expected = " or ".join(shown(option) for option in choices)

    def check(value: object) -> None:
        if not any(same(value, option) for option in choices):
            raise as_written(f"expected {expected}", value)

    return check


def bound_check(keyword: str, bound: object, where: str, /) -> Check:
    """`minimum`, `maximum`, and the exclusive ones."""
    if isinstance(bound, bool) or not isinstance(bound, (int, float)):
        raise DefinitionError(f"{where}: {keyword} is a number")
    if not isfinite(bound):
        raise DefinitionError(f"{where}: {keyword} is a finite number; leave it out")
    holds, words = _BOUNDS[keyword]

    def check(value: object) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not holds(value, bound):
            raise as_written(f"expected {words} {bound}", value)

    return check


def multiple_check(step: object, where: str, /) -> Check:
    """`multipleOf`, of an integer."""
    if type(step) is not int or step <= 0:
        raise DefinitionError(f"{where}: multipleOf is served for a positive integer")

    def check(value: object) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value % step:
            raise as_written(f"expected a multiple of {step}", value)

    return check


def size_check(keyword: str, size: object, where: str, /) -> Check:
    """`minLength`, `maxLength`, `minItems`, `maxItems`, `minProperties`, `maxProperties`."""
    if not is_count(size):
        raise DefinitionError(f"{where}: {keyword} is a whole number from 0 on")
    kind, at_least, noun = _SIZES[keyword]

    def check(value: object) -> None:
        if isinstance(value, kind) and isinstance(value, Sized):
            count = len(value)
            if count < size if at_least else count > size:
                raise Unfit(f"expected {'at least' if at_least else 'at most'} {size} {noun}", got=str(count))

    return check


def is_count(size: object, /) -> TypeIs[int]:
    """Whether it can be a size: a whole number from 0 on."""
    return type(size) is int and size >= 0


def pattern_check(pattern: object, where: str, /) -> Check:
    """`pattern`, found anywhere in a string."""
    try:
        found = matcher(pattern if isinstance(pattern, str) else "(")
    except ValueError as raised:
        raise DefinitionError(f"{where}: {shown(pattern)} is not a regular expression") from raised

    return match_check(str(pattern), found)


def match_check(pattern: str, matches: Matches, /) -> Check:
    """The check that a string, where the value is one, matches."""

    def check(value: object) -> None:
        if isinstance(value, str) and not matches(value):
            raise as_written(f"expected a match of {pattern}", value)

    return check


def format_check(name: object, where: str, /) -> Check:
    """`format`, of dates and times."""
    read = _FORMATS.get(name) if isinstance(name, str) else None
    if read is None:
        raise DefinitionError(f"{where}: the format {shown(name)} is not checked here; use pattern, or leave it out")

    def check(value: object) -> None:
        try:
            if isinstance(value, str):
                read(value)
        except ValueError as raised:
            raise as_written(f"expected a {name}", value) from raised

    return check
