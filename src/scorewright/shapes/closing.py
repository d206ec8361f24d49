"""Closing a schema that somebody else wrote, as strict decoding wants it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite

from scorewright.shapes.values import is_list, is_object

_NOISE = frozenset(
    {"title", "default", "format", "examples", "discriminator", "deprecated", "readOnly", "writeOnly", "uniqueItems"}
)
_LIMITS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_MAPS = frozenset({"properties", "$defs"})
_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})


def closed(
    schema: Mapping[str, object],
    /,
    *,
    all_required: bool = True,
    formats: bool = False,
    renamed: Callable[[str], str] = str,
) -> dict[str, object]:
    """The schema without noise, `additionalProperties: false` on every object that names its properties.

    With `all_required`, each property is required as well; `formats` stay where values are checked, and are not sent;
    `renamed` gives definitions their new names. A bound that is no finite number bounds nothing and is left out.
    """

    def close(value: object) -> object:
        return _closed(value) if is_object(value) else value

    def _closed(part: Mapping[str, object]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in part.items():
            if key in _MAPS and is_object(value):
                found[key] = {renamed(name) if key == "$defs" else name: close(each) for name, each in value.items()}
            elif key in _LISTS and is_list(value):
                found[key] = [close(each) for each in value]
            elif key == "$ref" and isinstance(value, str):
                found[key] = f"#/$defs/{renamed(value.removeprefix('#/$defs/'))}"
            elif key in _LIMITS and not (isinstance(value, (int, float)) and isfinite(value)):
                continue
            elif key not in _NOISE or (formats and key == "format"):
                found[key] = close(value)
        return _respelled(found, all_required=all_required)

    return _closed(schema)


def _respelled(part: dict[str, object], *, all_required: bool) -> dict[str, object]:
    properties = part.get("properties")
    if is_object(properties):
        part["additionalProperties"] = False
        if all_required:
            part["required"] = list(properties)
    if "oneOf" in part:
        part["anyOf"] = part.pop("oneOf")
    if "const" in part:
        part["enum"] = [part.pop("const")]
    prefix = part.pop("prefixItems", None)
    if is_list(prefix):
        part["items"] = any_of(prefix)
    if "$ref" in part and part.keys() - {"$ref", "$defs"}:
        part = {"anyOf": [{"$ref": part.pop("$ref")}], **part}
    return part


def any_of(schemas: list[object], /) -> object:
    """One schema for a value of any of these."""
    distinct = [schema for index, schema in enumerate(schemas) if schema not in schemas[:index]]
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
