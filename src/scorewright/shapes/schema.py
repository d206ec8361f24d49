"""From a type's anatomy to its JSON Schema: closed, every property required, a recursive class by `$ref`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import TypeAlias

from scorewright.faults import DefinitionError
from scorewright.shapes.anatomy import anatomy, seen_through, spoken
from scorewright.shapes.choosing import chooser
from scorewright.shapes.closing import any_of, closed
from scorewright.shapes.constraints import constrained
from scorewright.shapes.forms import Anatomy, Anything, Choices, Either, Fixed, Many, Model, Noted, Plain, Record, Table
from scorewright.shapes.misfit import path_of
from scorewright.shapes.models import model_schema
from scorewright.shapes.values import is_object

Schema: TypeAlias = dict[str, object]

_PLAIN: dict[type, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "description": "a date and time in ISO 8601"},
    date: {"type": "string", "description": "a date in ISO 8601"},
}
_JSON_TYPES: dict[type, str] = {bool: "boolean", int: "integer", str: "string", type(None): "null"}


class Definitions:
    """The `$defs` of one schema while it is written: a name for each class, and what stands under it."""

    def __init__(self) -> None:
        self.schemas: dict[str, object] = {}
        self._names: dict[object, str] = {}

    def ref(self, form: object, write: Callable[[], object]) -> Schema:
        """A reference to a class, written out the first time."""
        if form not in self._names:
            name = self._names[form] = self.free(spoken(form))
            self.schemas[name] = None  # taken, while the class is written
            self.schemas[name] = write()
        return {"$ref": f"#/$defs/{self._names[form]}"}

    def free(self, wanted: str) -> str:
        """A name that no other class has."""
        name, count = name_of(wanted), 1
        while name in self.schemas:
            count += 1
            name = f"{name_of(wanted)}_{count}"
        return name


def root_schema(form: object, /) -> tuple[Schema, bool]:
    """The schema of a type, and whether it had to be wrapped as `{"value": …}` because its root is no object."""
    definitions = Definitions()
    found = _anatomy(form, "$", seen_through)
    wrapped = not isinstance(found, (Record, Model, Table))
    written: Schema = _object({}) if wrapped else _written(form, "$", definitions)
    if wrapped or (isinstance(found, Model) and written.get("type") != "object"):  # a RootModel of a list, of a union
        wrapped, definitions = True, Definitions()
        written = _object({"value": _schema(form, "$", definitions)})
    return ({**written, "$defs": definitions.schemas} if definitions.schemas else written), wrapped


def name_of(text: str, /) -> str:
    """A name fit for `json_schema.name`.

    >>> name_of("list[Claim | None]")
    'list_Claim_None'
    """
    return re.sub(r"[^a-zA-Z0-9_-]+", "_", text)[:64].strip("_") or "answer"


def _schema(form: object, path: str, definitions: Definitions) -> Schema:
    found = _anatomy(form, path)
    if isinstance(found, (Record, Model)):
        return definitions.ref(form, lambda: _written(form, path, definitions))
    return _written(form, path, definitions)


def _written(form: object, path: str, definitions: Definitions) -> Schema:  # noqa: C901 - one line a kind
    found = _anatomy(form, path)
    match found:
        case Noted():
            root = path == "$" and isinstance(seen_through(form), (Record, Model, Table))
            return _described((_written if root else _schema)(found.form, path, definitions), found.doc)
        case Anything():
            return {}
        case Plain():
            return dict(_PLAIN[found.kind])
        case Choices():
            return _described(_enum([wire for wire, _ in found.pairs]), found.doc)
        case Many():
            return {"type": "array", "items": _schema(found.item, f"{path}[]", definitions)}
        case Fixed():
            return _fixed([_schema(item, f"{path}[{index}]", definitions) for index, item in enumerate(found.items)])
        case Table():
            return {"type": "object", "additionalProperties": _schema(found.item, f"{path}.*", definitions) or True}
        case Either():
            return _either(found, path, definitions)
        case Model():
            return _model(found.cls, definitions)
        case Record():
            return _record(found, path, definitions)


def _anatomy(form: object, path: str, look: Callable[[object], Anatomy] = anatomy) -> Anatomy:
    try:
        return look(form)
    except DefinitionError as unserved:
        raise DefinitionError(f"{path}: {unserved}") from unserved


def _record(found: Record, path: str, definitions: Definitions) -> Schema:
    properties: dict[str, object] = {}
    for part in found.parts:
        below = _schema(part.form, path_of(part.key, root=path), definitions)
        properties[part.key] = _described(dict(constrained(below, part.validator)), part.doc)
    return _described(_object(properties), found.doc)


def _object(properties: dict[str, object]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _either(found: Either, path: str, definitions: Definitions) -> Schema:
    try:
        chooser(found.members)
    except DefinitionError as ambiguous:
        raise DefinitionError(f"{path}: {ambiguous}") from ambiguous
    members = any_of([_schema(member, path, definitions) for member in found.members])
    return members if is_object(members) else {}


def _enum(values: list[object]) -> Schema:
    kinds = list(dict.fromkeys(_JSON_TYPES[type(value)] for value in values))
    return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": values}


def _fixed(items: list[Schema]) -> Schema:
    several = [dict(item) for item in items]
    counted: Schema = {"type": "array", "minItems": len(items), "maxItems": len(items)}
    if not several:
        return {**counted, "items": {}}
    return {**counted, "items": any_of([*several])}


def _model(cls: type, definitions: Definitions) -> Schema:
    given = model_schema(cls)
    own = given.get("$defs", {})
    names = {name: definitions.free(name) for name in own} if is_object(own) else {}
    schema = closed(given, renamed=lambda name: names.get(name, name))
    below = schema.pop("$defs", {})
    definitions.schemas.update(below if is_object(below) else {})
    reference = schema.get("$ref")
    if isinstance(reference, str):  # a model that holds itself: its body may stand at the root, a reference may not
        body = definitions.schemas[reference.removeprefix("#/$defs/")]
        return dict(body) if is_object(body) else schema
    return schema


def _described(schema: Schema, doc: str | None) -> Schema:
    if doc is None:
        return schema
    return {"anyOf": [schema], "description": doc} if "$ref" in schema else {**schema, "description": doc}
