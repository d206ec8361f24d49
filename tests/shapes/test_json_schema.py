"""Replies held to a JSON Schema that the user wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from returns.pipeline import is_successful

from scorewright.faults import DefinitionError
from scorewright.shapes import json_shape

TREE = {"$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}

CASES: list[tuple[dict[str, Any], object, str | None]] = [
    ({"type": "integer"}, 1, None),
    ({"type": "integer"}, 1.0, "$.x"),
    ({"type": "integer"}, True, "$.x"),
    ({"type": "number"}, 1, None),
    ({"type": "number"}, True, "$.x"),
    ({"type": ["string", "null"]}, None, None),
    ({"type": ["string", "null"]}, 1, "$.x"),
    ({"enum": [1, "a", None]}, None, None),
    ({"enum": [1]}, True, "$.x"),
    ({"const": [1, {"a": 1}]}, [1, {"a": 1}], None),
    ({"const": [1]}, [True], "$.x"),
    ({"minimum": 1}, 1, None),
    ({"exclusiveMinimum": 1}, 1, "$.x"),
    ({"maximum": 1}, 1.5, "$.x"),
    ({"exclusiveMaximum": 2}, 1, None),
    ({"multipleOf": 2}, 3, "$.x"),
    ({"minLength": 2}, "a", "$.x"),
    ({"maxLength": 1}, "a", None),
    ({"pattern": "^a"}, "ba", "$.x"),
    ({"format": "date"}, "2026-01-31", None),
    ({"format": "date-time"}, "soon", "$.x"),
    ({"minItems": 1}, [], "$.x"),
    ({"maxItems": 1}, [1], None),
    ({"maxProperties": 0}, {"a": 1}, "$.x"),
    ({"items": {"type": "string"}}, ["a", 1], "$.x[1]"),
    ({"prefixItems": [{"type": "string"}], "items": False}, ["a"], None),
    ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], "$.x[1]"),
    ({"properties": {"a": {"type": "string"}}}, {"a": 1}, "$.x.a"),
    ({"required": ["a"]}, {}, "$.x.a"),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, "$.x.b"),
    ({"additionalProperties": {"type": "string"}}, {"b": 1}, "$.x.b"),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, "$.x"),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, None),
    ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, 1, "$.x"),
    ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, 1.5, None),
    ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, 3, "$.x"),
    ({"not": {"type": "string"}}, "a", "$.x"),
    ({"$ref": "#/$defs/T"}, [[], [[]]], None),
    ({"$ref": "#/$defs/T"}, [[], [1]], "$.x[1][0]"),
]


@pytest.mark.parametrize(("schema", "value", "path"), CASES)
def test_keywords(schema: dict[str, Any], value: object, path: str | None) -> None:
    """Each keyword is held against the reply, at its place."""
    shape = json_shape({"type": "object", "properties": {"x": schema}, **TREE})
    result = shape.decode(json.dumps({"x": value}))
    assert is_successful(result) == (path is None)
    if path is None:
        assert result.unwrap() == {"x": value}
    else:
        assert result.failure().path == path


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {},
        {"type": "object", "properties": {"x": {"type": "strin"}}},
        {"type": "object", "properties": {"x": 1}},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"x": {"pattern": "("}}},
        {"type": "object", "properties": {"x": {"minimum": "1"}}},
        {"type": "object", "properties": {"x": {"minLength": -1}}},
        {"type": "object", "properties": {"x": {"enum": []}}},
        {"type": "object", "properties": {"x": {"$ref": "#/$defs/None"}}},
        {"type": "object", "properties": {"x": {"$ref": "https://example.com"}}},
        {"type": "object", "properties": {"x": {"format": "email"}}},
        {"type": "object", "patternProperties": {"a": {}}},
        {"type": "object", "if": {}},
        {"type": "object", "required": "x"},
    ],
)
def test_unserved(schema: dict[str, Any]) -> None:
    """A schema that is wrong, or says what is not checked, is an error where it is written."""
    with pytest.raises(DefinitionError, match="#"):
        json_shape(schema)


def test_own_copy() -> None:
    """Changing the schema afterwards changes nothing."""
    schema: dict[str, Any] = {"type": "object", "title": "My answer", "properties": {"x": {"type": "string"}}}
    shape = json_shape(schema)
    schema["properties"]["x"]["type"] = "integer"
    assert shape.name == "My_answer"
    assert is_successful(shape.decode('{"x": "a"}'))
    assert shape.schema["properties"] == {"x": {"type": "string"}}


CYCLE: dict[str, object] = {"type": "object"}
CYCLE["properties"] = CYCLE


@pytest.mark.parametrize(
    "schema",
    [
        None,
        "x",
        [],
        {"type": []},
        {"type": "object", "properties": {"a": {"type": []}}},
        {"type": "object", "properties": {"a": {"type": [["string"]]}}},
        {"type": "object", "default": object()},
        {"type": "object", "default": float("nan")},
        {"type": "object", "properties": {"a": {"minimum": float("nan")}}},
        {"type": "object", "properties": {"a": {"maximum": float("inf")}}},
        {"type": "object", "properties": {1: {}}},
        {1: 2, "type": "object"},
        CYCLE,
        {"type": "object", "$ref": "#"},
        {"type": "object", "$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}},
        },
    ],
)
def test_what_is_no_schema_is_a_definition_error(schema: Any) -> None:
    """Said where it is written, and not where a judge is asked."""
    with pytest.raises(DefinitionError):
        json_shape(schema)


def test_a_schema_may_go_down_into_itself() -> None:
    """A reference below a key is a tree and no circle."""
    tree = json_shape({"type": "object", "properties": {"next": {"$ref": "#"}}})
    assert tree.decode('{"next": {"next": {}}}').unwrap() == {"next": {"next": {}}}
