"""What `attrs.validators` say about a value, as JSON Schema keywords.

attrs itself enforces its validators when a reply is read; here they only become visible to the judge.
A validator that has no keyword is left to attrs.
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
_BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}
_LENGTHS = {
    "_MinLengthValidator": ("min_length", {"string": "minLength", "array": "minItems"}),
    "_MaxLengthValidator": ("max_length", {"string": "maxLength", "array": "maxItems"}),
}


def constrained(schema: Schema, validator: object, /) -> Schema:
    """The schema with what the validator adds; inside a union, to each member that it can speak about."""
    kind = type(validator).__name__
    if kind == "_AndValidator":
        return _all(schema, _of(validator, "_validators"))
    if kind == "_OptionalValidator":
        return _all(schema, _of(validator, "validator"))
    if kind == "_DeepIterable":
        below = _of(validator, "member_validator")
        return _on_items(_all(schema, _of(validator, "iterable_validator")), below)
    if kind == "_NumberValidator":
        keyword = _BOUNDS.get(str(_of(validator, "compare_op")))
        bound = _of(validator, "bound")
        return _put(schema, dict.fromkeys(_NUMBERS, keyword), bound) if keyword and _is_number(bound) else schema
    if kind in _LENGTHS:
        attribute, keywords = _LENGTHS[kind]
        return _put(schema, keywords, _of(validator, attribute))
    if kind == "_InValidator":
        return _options(schema, _of(validator, "options"))
    if kind == "_MatchesReValidator":
        return _pattern(schema, _of(validator, "pattern"), _of(validator, "match_func"))
    return schema


def _of(validator: object, attribute: str) -> object:
    found: object = getattr(validator, attribute, None)
    return found


def _all(schema: Schema, validators: object) -> Schema:
    for validator in validators if _is_collection(validators) else [validators]:
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
    if not _is_collection(options):
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
    source, flags = _of(pattern, "pattern"), _of(pattern, "flags")
    if not isinstance(source, str) or flags != re.UNICODE:
        return schema
    how: str = getattr(match, "__name__", "fullmatch")
    written = {"match": f"^(?:{source})", "search": source}.get(how, f"^(?:{source})$")
    return _put(schema, {"string": "pattern"}, written)


def _is_collection(value: object) -> TypeIs[Collection[object]]:
    return isinstance(value, (tuple, list, set, frozenset))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
