"""JSON values that fit a JSON Schema, drawn at random: the answers of a scripted judge."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from scorewright.shapes.values import is_list, is_object, object_of

Schema: TypeAlias = Mapping[str, object]
DEEP = 6  # from here on the shortest value is drawn, so that recursive schemas end


def fitting(schema: Schema, draw: Random, /) -> object:
    """A value of the schema: of the parts of JSON Schema that shapes are asked with, not of all of it.

    >>> fitting({"type": "object", "properties": {"kind": {"enum": ["a"]}}, "required": ["kind"]}, Random(0))
    {'kind': 'a'}
    """
    definitions = schema.get("$defs")
    return _value(schema, object_of(definitions), draw, 0)


def _value(schema: Schema, defs: Schema, draw: Random, depth: int) -> object:
    reference, choices = schema.get("$ref"), schema.get("enum")
    options = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(reference, str):
        return _value(object_of(defs.get(reference.rpartition("/")[2])), defs, draw, depth + 1)
    if is_list(options):
        return _value(object_of(_one_of(options, draw, depth)), defs, draw, depth + 1)
    if "const" in schema or is_list(choices):
        return draw.choice(choices) if is_list(choices) else schema["const"]
    kind = schema.get("type")
    return _typed(_one_of(kind, draw, depth) if is_list(kind) else kind, schema, defs, draw, depth)


def _one_of(choices: list[object], draw: Random, depth: int) -> object:
    return choices[-1] if depth > DEEP else draw.choice(choices)


def _typed(kind: object, schema: Schema, defs: Schema, draw: Random, depth: int) -> object:
    match kind:
        case "object":
            return _object(schema, defs, draw, depth)
        case "array":
            return _array(schema, defs, draw, depth)
        case "string":
            return draw.choice(("", "yes", "no", "It is as it was asked for.", "Ünïcode ✓"))
        case "integer":
            return int(_bounded(schema, float(draw.randint(-1, 6))))
        case "number":
            return _bounded(schema, draw.choice((0.0, 0.25, 0.5, 1.0, draw.random(), 1.5, -1.0)))
        case "boolean":
            return draw.choice((True, False))
        case _:
            return None


def _object(schema: Schema, defs: Schema, draw: Random, depth: int) -> dict[str, object]:
    properties, required = object_of(schema.get("properties")), schema.get("required")
    must = required if is_list(required) else ()
    chosen = [name for name in properties if name in must or (depth <= DEEP and draw.choice((True, False)))]
    made = {name: _value(object_of(properties[name]), defs, draw, depth + 1) for name in chosen}
    more = schema.get("additionalProperties")
    if is_object(more) and not properties and depth <= DEEP:
        made["other"] = _value(more, defs, draw, depth + 1)
    return made


def _array(schema: Schema, defs: Schema, draw: Random, depth: int) -> list[object]:
    each, few = schema.get("prefixItems"), schema.get("minItems")
    if is_list(each):
        return [_value(object_of(item), defs, draw, depth + 1) for item in each]
    least = few if isinstance(few, int) else 0
    many = schema.get("maxItems")
    most = min(least + 2, many) if isinstance(many, int) else least + 2
    length = least if depth > DEEP else draw.randint(least, most)
    return [_value(object_of(schema.get("items")), defs, draw, depth + 1) for _ in range(length)]


def _bounded(schema: Schema, number: float) -> float:
    low, high = schema.get("minimum"), schema.get("maximum")
    at_least = max(number, low) if isinstance(low, (int, float)) else number
    return float(min(at_least, high) if isinstance(high, (int, float)) else at_least)
