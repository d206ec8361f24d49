"""Schemas for providers whose grammar lacks some keywords: what it cannot hold is said in the description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
LENGTHS = frozenset({"minLength", "maxLength"})
SIZES = frozenset({"minItems", "maxItems"})
_NAMED = frozenset({"properties", "$defs"})  # their keys are names, not keywords


def without(schema: Mapping[str, object], lacking: frozenset[str], /) -> dict[str, object]:
    """The schema with these keywords taken out and told in words. Our own reading of the reply still holds them.

    >>> without({"type": "number", "minimum": 0}, BOUNDS)
    {'type': 'number', 'description': 'minimum: 0'}
    """
    kept: dict[str, object] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            named = cast("dict[str, object]", value)
            kept[key] = {name: _without(part, lacking) for name, part in named.items()}
        elif key not in lacking:
            kept[key] = _without(value, lacking)
    told = ", ".join(f"{key}: {value}" for key, value in schema.items() if key in lacking)
    if told:
        kept["description"] = f"{kept['description']} ({told})" if "description" in kept else told
    return kept


def _without(part: object, lacking: frozenset[str]) -> object:
    if isinstance(part, dict):
        return without(cast("dict[str, object]", part), lacking)
    return [_without(each, lacking) for each in cast("list[object]", part)] if isinstance(part, list) else part
