"""A judge's reply, tidied by the schema that it was asked for, and only then read strictly.

Tidying forgives what carries no meaning: keys that nobody asked for, a key or a declared word in other letters or with
blanks around it. It adds nothing and repairs nothing. A free verdict word that is none of the declared ones becomes
`other` where the type has that member, which is never offered to the judge and never earns anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps
from typing import TYPE_CHECKING

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeIs, TypeVar

from scorewright.faults import JudgeFault, SchemaMismatch
from scorewright.results import err
from scorewright.shapes.reply import json_in

if TYPE_CHECKING:
    from scorewright.shapes import Shape

T = TypeVar("T")

OTHER = "other"

# Replies that were recorded with other prompts say these words for ours.
_SYNONYMS: Mapping[str, str] = {
    "statements": "claims",
    "opinions": "claims",
    "results": "verdicts",
    "result": "verdict",
    "reasoning": "reason",
    "explanation": "reason",
}


def decoder(shape: Shape[T], /) -> Callable[[str], Result[T, JudgeFault]]:
    """How replies of a shape are read."""
    schema = shape.schema
    held = schema.get("$defs")
    defined: Mapping[str, object] = held if _is_object(held) else {}

    def decode(text: str, /) -> Result[T, JudgeFault]:
        found = json_in(text)
        if not is_successful(found):
            return err(found.failure())
        tidied = dumps(tidy(found.unwrap(), schema, defined), ensure_ascii=False)
        return shape.decode(tidied).alt(lambda fault: _as_said(fault, text))

    return decode


def _as_said(fault: JudgeFault, text: str) -> JudgeFault:
    return attrs.evolve(fault, text=text) if isinstance(fault, SchemaMismatch) else fault


def tidy(value: object, schema: Mapping[str, object], defined: Mapping[str, object], /) -> object:
    """The value without keys that the schema lacks, its keys and declared words spelt as the schema spells them."""
    ref = schema.get("$ref")
    if isinstance(ref, str):
        below = defined.get(ref.rpartition("/")[2])
        return tidy(value, below, defined) if _is_object(below) else value
    choices = schema.get("anyOf")
    if _is_list(choices):
        fitting = [each for each in choices if _is_object(each) and each.get("type") != "null"]
        return value if value is None or len(fitting) != 1 else tidy(value, fitting[0], defined)
    items, parts, words = schema.get("items"), schema.get("properties"), schema.get("enum")
    if _is_list(value) and _is_object(items):
        return [tidy(each, items, defined) for each in value]
    if _is_object(value) and _is_object(parts):
        return _object(value, parts, defined)
    return _word(value, words) if isinstance(value, str) and _is_list(words) else value


def _object(
    value: Mapping[str, object], parts: Mapping[str, object], defined: Mapping[str, object]
) -> Mapping[str, object]:
    keys = {_plain(key): key for key in parts}
    held: dict[str, object] = {}
    for key, below in value.items():
        plain = _plain(key)
        name = keys.get(plain) or keys.get(_SYNONYMS.get(plain, ""))
        part = parts.get(name) if name else None
        if name and _is_object(part) and (name not in held or key == name):  # the exact spelling wins
            held[name] = tidy(below, part, defined)
    return held


def _word(value: str, words: list[object]) -> str:
    said = value.strip().casefold()
    known = [word for word in words if isinstance(word, str) and word.casefold() == said]
    return known[0] if known else OTHER if OTHER in words else value


def _plain(key: str) -> str:
    return key.replace("_", "").casefold()


def shown(schema: object, /) -> object:
    """The schema as the judge sees it: without the word that is never offered."""
    if _is_list(schema):
        return [shown(each) for each in schema]
    if not _is_object(schema):
        return schema
    words = schema.get("enum")
    seen = {key: shown(below) for key, below in schema.items()}
    return {**seen, "enum": [word for word in words if word != OTHER]} if _is_list(words) else seen


def _is_object(value: object) -> TypeIs[Mapping[str, object]]:
    return isinstance(value, Mapping)


def _is_list(value: object) -> TypeIs[list[object]]:
    return isinstance(value, list)
