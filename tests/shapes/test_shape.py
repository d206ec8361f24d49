"""What schemas say, and which types are turned away where they are written."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Optional, TypedDict

import annotated_types
import attrs
import pydantic
import pytest
from attrs import validators as v
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from returns.result import Success
from typing_extensions import Doc

import scorewright.shapes as room
from scorewright.faults import DefinitionError
from scorewright.shapes import shape_of


class Level(Enum):
    """How bad it is."""

    LOW = 1
    HIGH = 2


@attrs.frozen
class Finding:
    """One finding."""

    text: str = attrs.field(validator=[v.min_len(1), v.max_len(80), v.matches_re("[a-z]+")])
    score: float = attrs.field(validator=v.and_(v.ge(0), v.lt(1)), metadata={"description": "how sure"})
    label: str = attrs.field(validator=v.in_(["a", "b"]))
    level: Level
    words: list[str] = attrs.field(validator=v.deep_iterable(v.min_len(2), v.max_len(5)))
    count: int | None = attrs.field(default=None, validator=v.optional(v.gt(0)))
    noted: Annotated[str, "free text"] = ""
    other: Annotated[str, Doc("as doc")] = ""


@attrs.frozen
class Report:
    findings: list[Finding]
    best: Annotated[Finding, "the best one"]


@attrs.frozen
class Node:
    kids: list[Node]


@dataclasses.dataclass
class Point:
    x: float


class Row(TypedDict):
    when: date


class Leaf(BaseModel):
    n: int = Field(default=1, ge=0, description="a count")


class Model(BaseModel):
    """A model."""

    leaf: Leaf = Field(description="the leaf")
    next: Model | None = None
    pair: tuple[int, str] = (1, "a")


@attrs.frozen
class Holder:
    leaf: Leaf
    when: Decimal | None = None


@attrs.frozen
class A:
    x: int


@attrs.frozen
class B:
    x: int


@attrs.frozen
class Taken:
    converter: str


def test_attrs_schema() -> None:
    """Validators, descriptions and docstrings of an attrs class reach its schema."""
    assert shape_of(Finding).schema == {
        "type": "object",
        "description": "One finding.",
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^(?:[a-z]+)$"},
            "score": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "description": "how sure"},
            "label": {"type": "string", "enum": ["a", "b"]},
            "level": {"type": "integer", "enum": [1, 2], "description": "How bad it is."},
            "words": {"type": "array", "items": {"type": "string", "minLength": 2}, "maxItems": 5},
            "count": {"anyOf": [{"type": "integer", "exclusiveMinimum": 0}, {"type": "null"}]},
            "noted": {"type": "string", "description": "free text"},
            "other": {"type": "string", "description": "as doc"},
        },
        "required": ["text", "score", "label", "level", "words", "count", "noted", "other"],
        "additionalProperties": False,
    }


def test_references() -> None:
    """A class inside another is written once, under `$defs`."""
    schema: Any = shape_of(Report).schema
    assert schema["properties"]["findings"] == {"type": "array", "items": {"$ref": "#/$defs/Finding"}}
    assert schema["properties"]["best"] == {"anyOf": [{"$ref": "#/$defs/Finding"}], "description": "the best one"}
    assert list(schema["$defs"]) == ["Finding"]


@pytest.mark.parametrize("form", [Node, Model])
def test_recursive_roots(form: Any) -> None:
    """A recursive class has an object at its root all the same."""
    schema: Any = shape_of(form).schema
    assert schema["type"] == "object"
    assert form.__name__ in schema["$defs"]


@pytest.mark.parametrize(
    ("form", "name", "value"),
    [
        (float, "float", {"type": "number"}),
        (list[int], "list_int", {"type": "array", "items": {"type": "integer"}}),
        (Literal["a"], "Literal_a", {"type": "string", "enum": ["a"]}),
        (int | None, "int_None", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (
            tuple[float, float],
            "tuple_float_float",
            {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        ),
    ],
)
def test_wrapped_schemas(form: Any, name: str, value: object) -> None:
    """A root that is no object is wrapped under `value`."""
    shape = shape_of(form)
    assert shape.name == name
    assert shape.schema["properties"] == {"value": value}
    assert shape.schema["required"] == ["value"]


def _objects(schema: object) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for each in schema for found in _objects(each)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for each in schema.values() for found in _objects(each)]


@pytest.mark.parametrize("form", [Finding, Report, Node, Point, Row, Leaf, Model, list[Model], A | None, float])
def test_closed(form: Any) -> None:
    """Every object of a schema is closed, with every property required and without noise."""
    schema = shape_of(form).schema
    for found in _objects(schema):
        assert found["additionalProperties"] is False
        assert found["required"] == list(found["properties"])
    for noise in ("default", "format", "title", "oneOf", "const", "prefixItems"):
        assert f"'{noise}'" not in str(schema)


def test_generated_docstrings() -> None:
    """A docstring that dataclasses generate is no description."""
    assert "description" not in shape_of(Point).schema


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (Decimal, ["$: Decimal", "use float or str"]),
        (Holder, ["$.when: Decimal", "use float or str"]),
        (list[set[int]], ["$[]: set[int]", "use list[T]"]),
        (dict[int, str], ["keys of a JSON object are strings"]),
        (A | B, ["could be read as A and as B", "Literal"]),
        (list[int] | list[str], ["could be read as"]),
        (dict[str, int] | A, ["could be read as"]),
        (Level | int, ["could be read as"]),
        (date | str, ["could be read as"]),
        (object | int, ["could be read as"]),
        ("Finding", ["is a name, not a type"]),
        (Taken, ["Taken.converter"]),
        (print, ["has no JSON form"]),
        (Annotated[int, Field(ge=1)], ["ge=1", "validator of an attrs field"]),
        (list[Annotated[str, Field(description="a word", max_length=9)]], ["max_length=9"]),
        (Annotated[int, annotated_types.Interval(gt=0, lt=9)], ["gt=0"]),
        (Annotated[float, pydantic.AfterValidator(abs)], ["AfterValidator"]),
        (Annotated[float, v.ge(0)], [">= 0"]),
    ],
)
def test_turned_away(form: Any, words: list[str]) -> None:
    """A type that cannot be served is an error where it is written, with the place and the way out."""
    with pytest.raises(DefinitionError) as raised:
        shape_of(form)
    for word in words:
        assert word in str(raised.value)


@given(name=st.text(min_size=1))
def test_names(name: str) -> None:
    """Whatever a class is called, its name is fit for the wire."""
    found = shape_of(attrs.make_class("C", ["x"]) if not name.isidentifier() else attrs.make_class(name, ["x"])).name
    assert 1 <= len(found) <= 64
    assert found.isascii()


def test_same_names() -> None:
    """Two classes of one name are two definitions."""
    one, two = (attrs.make_class("Twin", {"x": attrs.field(type=kind)}) for kind in (int, str))
    both = attrs.make_class("Both", {"a": attrs.field(type=one), "b": attrs.field(type=two)})
    schema: Any = shape_of(both).schema
    assert schema["$defs"]["Twin"]["properties"] == {"x": {"type": "integer"}}
    assert schema["$defs"]["Twin_2"]["properties"] == {"x": {"type": "string"}}


def test_import_is_light() -> None:
    """Importing the room loads neither pydantic nor json nor asyncio nor instructor."""
    heavy = "import sys, scorewright.shapes; print({'pydantic', 'asyncio', 'instructor', 'json'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def test_all_is_sorted() -> None:
    """The room hands on what it promises."""
    assert sorted(room.__all__) == room.__all__
    assert all(hasattr(room, name) for name in room.__all__)


def test_optional_spelling() -> None:
    """`Optional[T]` and `T | None` are one type."""
    assert shape_of(Optional[int]).schema == shape_of(int | None).schema  # noqa: UP045 - the spelling is what is tested


@pytest.mark.parametrize("form", [Annotated[int, []], list[Annotated[int, []]], list, dict, tuple, tuple[()]])
def test_unusual_spellings(form: Any) -> None:
    """A note that cannot be hashed, and a container without its types, are served like any other."""
    assert shape_of(form).name


def test_endless_types() -> None:
    """A type that holds itself with no class in between is an error where it is written."""
    alias: Any = type("Alias", (), {})()
    alias.__value__ = list[alias]
    with pytest.raises(DefinitionError, match="holds itself"):
        shape_of(alias)


def test_roots_of_pydantic_that_are_no_objects_are_wrapped() -> None:
    """A strict server takes an object at the root: a list and a union of models are put under a key."""

    class A(pydantic.BaseModel):
        kind: Literal["a"]

    class B(pydantic.BaseModel):
        kind: Literal["b"]

    numbers, either = shape_of(pydantic.RootModel[list[int]]), shape_of(pydantic.RootModel[A | B])
    for shape in (numbers, either):
        assert (shape.schema["type"], shape.schema["required"]) == ("object", ["value"])
        assert shape.schema["additionalProperties"] is False
    assert numbers.decode('{"value": [1]}').unwrap().root == numbers.decode("[1]").unwrap().root == [1]
    assert either.decode('{"value": {"kind": "b"}}').unwrap().root == B(kind="b")
    assert not isinstance(either.decode('{"kind": "c"}'), Success)


def test_a_bound_that_is_not_finite_bounds_nothing() -> None:
    """It has no JSON, so it is not written."""

    class Bounded(pydantic.BaseModel):
        value: float = pydantic.Field(le=math.inf, ge=-math.inf)

    @attrs.frozen
    class Limited:
        value: float = attrs.field(validator=[attrs.validators.le(math.inf), attrs.validators.ge(0)])

    for cls in (Bounded, Limited):
        shape = shape_of(cls)
        assert "Infinity" not in json.dumps(shape.schema, allow_nan=False)
        assert shape.decode('{"value": 5}').unwrap().value == 5
