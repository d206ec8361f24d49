"""What `attrs.validators` say about a value, as JSON Schema keywords.

They are enforced when a reply is read (`demands`, and attrs itself); here they only become visible to the judge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from typing import TypeAlias

from typing_extensions import TypeIs

from scorewright.shapes.values import is_list, is_object

Schema: TypeAlias = Mapping[str, object]

_NUMBERS = frozenset({"integer", "number"})
BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}
LENGTHS = {
    "_MinLengthValidator": ("min_length", {"string": "minLength", "array": "minItems"}),
    "_MaxLengthValidator": ("max_length", {"string": "maxLength", "array": "maxItems"}),
}


def constrained(schema: Schema, validator: object, /) -> Schema:
    """The schema with what the validator adds; inside a union, to each member that it can speak about."""
    kind = type(validator).__name__
    if kind == "_AndValidator":
        return _all(schema, part_of(validator, "_validators"))
    if kind == "_OptionalValidator":
        return _all(schema, part_of(validator, "validator"))
    if kind == "_DeepIterable":
        below = part_of(validator, "member_validator")
        return _on_items(_all(schema, part_of(validator, "iterable_validator")), below)
    if kind == "_NumberValidator":
        keyword = BOUNDS.get(str(part_of(validator, "compare_op")))
        bound = part_of(validator, "bound")
        return _put(schema, dict.fromkeys(_NUMBERS, keyword), bound) if keyword and is_number(bound) else schema
    if kind in LENGTHS:
        attribute, keywords = LENGTHS[kind]
        return _put(schema, keywords, part_of(validator, attribute))
    if kind == "_InValidator":
        return _options(schema, part_of(validator, "options"))
    if kind == "_MatchesReValidator":
        return _pattern(schema, part_of(validator, "pattern"), part_of(validator, "match_func"))
    return schema


def part_of(validator: object, attribute: str, /) -> object:
    """What a validator was made of; attrs keeps its classes to itself."""
    found: object = getattr(validator, attribute, None)
    return found


def _all(schema: Schema, validators: object) -> Schema:
    for validator in validators if is_collection(validators) else [validators]:
        schema = constrained(schema, validator)
    return schema


def _each(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    members = schema.get("anyOf")
    if not is_list(members):
        return change(schema)
    return {**schema, "anyOf": [_each(member, change) for member in members if is_object(member)]}


def _put(schema: Schema, keywords: Mapping[str, str], value: object) -> Schema:
    def change(part: Schema) -> Schema:
        keyword = keywords.get(str(part.get("type")))
        return part if keyword is None or "enum" in part else {**part, keyword: value}

    return _each(schema, change)


def _on_items(schema: Schema, validator: object) -> Schema:
    def change(part: Schema) -> Schema:
        items = part.get("items")
        if not is_object(items):
            return part
        return {**part, "items": _all(items, validator)}

    return _each(schema, change)


def _options(schema: Schema, options: object) -> Schema:
    if not is_collection(options):
        return schema
    ordered = sorted(options, key=str) if isinstance(options, (set, frozenset)) else options
    kinds: dict[str, type] = {"string": str, "integer": int, "boolean": bool}

    def change(part: Schema) -> Schema:
        kind = kinds.get(str(part.get("type")))
        fitting = [option for option in ordered if type(option) is kind]
        if kind is None or "enum" in part or not fitting:
            return part
        return {**part, "enum": fitting}

    return _each(schema, change)


def _pattern(schema: Schema, pattern: object, match: object) -> Schema:
    source, flags = part_of(pattern, "pattern"), part_of(pattern, "flags")
    if not isinstance(source, str) or flags != re.UNICODE:
        return schema
    how: str = getattr(match, "__name__", "fullmatch")
    written = {"match": f"^(?:{source})", "search": source}.get(how, f"^(?:{source})$")
    return _put(schema, {"string": "pattern"}, written)


def is_collection(value: object, /) -> TypeIs[Collection[object]]:
    """Whether it holds several things, as options and lists of validators do."""
    return isinstance(value, (tuple, list, set, frozenset))


def is_number(value: object, /) -> bool:
    """Whether it can be a bound in JSON Schema."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
