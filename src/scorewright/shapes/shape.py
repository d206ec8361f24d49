"""What a judge is asked for and how its answer is read, compiled once from a type or from a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Generic, TypeAlias

import attrs
from returns.result import Result
from typing_extensions import TypeForm, TypeIs, TypeVar

from scorewright.faults import DefinitionError, EmptyReply, Misfit, NotJson, SchemaMismatch
from scorewright.results import err, fold, ok
from scorewright.shapes.anatomy import spoken
from scorewright.shapes.converter import structurer
from scorewright.shapes.json_schema import checker
from scorewright.shapes.misfit import Unfit, placed
from scorewright.shapes.reply import json_in
from scorewright.shapes.schema import name_of, root_schema
from scorewright.shapes.values import is_list, is_object

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Unreadable: TypeAlias = NotJson | SchemaMismatch | EmptyReply
Structured: TypeAlias = Callable[[object], Result[T, Misfit]]
Decode: TypeAlias = Callable[[str], Result[T, Unreadable]]


@attrs.frozen
class Shape(Generic[T_co]):
    """What a type looks like on the wire: a name and a closed schema to ask with, and how a reply is read."""

    name: str
    schema: Mapping[str, object]
    decode: Callable[[str], Result[T_co, Unreadable]]


def shape_of(output: TypeForm[T], /) -> Shape[T]:
    """The shape of a type; a type that cannot be served raises `DefinitionError`, naming the place and what to use.

    A root that is no object is asked for as `{"value": …}`, and accepted with or without that wrapping.

    >>> shape_of(float).decode('{"value": 0.5}')
    <Success: 0.5>
    """
    try:
        schema, wrapped = root_schema(output)
    except RecursionError as raised:
        raise DefinitionError(f"{output} holds itself with no class in between; put a class there") from raised
    return Shape(name_of(spoken(output)), schema, _decoder(structurer(output), wrapped=wrapped))


def json_shape(schema: Mapping[str, object], /) -> Shape[Mapping[str, object]]:
    """The shape of a JSON Schema, which is sent as it is written; its root must be an object.

    >>> json_shape({"type": "object", "required": ["a"]}).decode("{}").failure().path
    '$.a'
    """
    if not _is_mapping(schema):
        raise DefinitionError(f"#: a schema is a mapping, not {type(schema).__name__}")
    if schema.get("type") != "object":
        raise DefinitionError('#: the root of a schema has "type": "object"; put the value under a property')
    own = _plain(schema)
    check = checker(own)

    def structured(value: object) -> Result[Mapping[str, object], Misfit]:
        try:
            check(value)
        except Unfit as unfit:
            return err(unfit.misfit())
        except RecursionError:
            return err(Misfit("$", "is nested too deeply"))
        return ok(value) if is_object(value) else err(Misfit("$", "expected an object"))

    title = own.get("title")
    return Shape(name_of(title if isinstance(title, str) else "answer"), own, _decoder(structured, wrapped=False))


def _is_mapping(given: object, /) -> TypeIs[Mapping[str, object]]:
    """Whether it is a mapping of any make."""
    return isinstance(given, Mapping)


def _plain(schema: Mapping[str, object]) -> dict[str, object]:
    """A copy that is JSON from end to end."""
    from json import dumps, loads

    try:
        own = deepcopy(dict(schema))
        _check_keys(own, "#")
        copied: object = loads(dumps(own, allow_nan=False))
    except DefinitionError:
        raise
    except Exception as raised:
        raise DefinitionError(f"#: the schema cannot be written as JSON: {raised}") from raised
    return copied if is_object(copied) else {}


def _check_keys(part: object, where: str) -> None:
    """Refuse keys that are no texts, which JSON would turn into some."""
    if is_object(part):
        for key, below in part.items():
            if type(key) is not str:
                raise DefinitionError(f"{where}: the keys of a schema are texts, not {key!r}")
            _check_keys(below, f"{where}/{key}")
    elif is_list(part):
        for below in part:
            _check_keys(below, where)


def _decoder(structured: Structured[T], *, wrapped: bool) -> Decode[T]:
    def decode(text: str, /) -> Result[T, Unreadable]:
        def read(value: object) -> Result[T, Unreadable]:
            if wrapped and is_object(value) and value.keys() == {"value"}:
                return structured(value["value"]).alt(lambda misfit: _mismatch(text, "$.value", misfit))
            return structured(value).alt(lambda misfit: _mismatch(text, "$", misfit))

        return fold(json_in(text), read, err)

    return decode


def _mismatch(text: str, root: str, misfit: Misfit) -> SchemaMismatch:
    found = placed(misfit, root)
    return SchemaMismatch.of(text, found)
