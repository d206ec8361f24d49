"""Python values as JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import date
from enum import Enum

import attrs
from typing_extensions import TypeIs

from scorewright.shapes.models import model_dumped


def unstructure(value: object, /) -> object:
    """The JSON value that `structure` would read back; a value without a JSON form raises `TypeError`.

    >>> unstructure({"when": [date(2026, 1, 31)]})
    {'when': ['2026-01-31']}
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, Enum):
        return unstructure(value.value)
    if isinstance(value, date):  # a datetime is one
        return value.isoformat()
    if _is_series(value):
        return [unstructure(each) for each in value]
    if _is_mapping(value):
        return {_key(key): unstructure(each) for key, each in value.items()}
    return _fields(value)


def _fields(value: object) -> object:
    dumped = model_dumped(value)
    if dumped is not None:
        return dumped
    cls = type(value)
    if attrs.has(cls):
        return {field.name: unstructure(getattr(value, field.name)) for field in attrs.fields(cls) if field.init}
    if dataclasses.is_dataclass(cls):
        return {field.name: unstructure(getattr(value, field.name)) for field in dataclasses.fields(cls) if field.init}
    raise TypeError(f"a {cls.__name__} has no JSON form")


def _is_series(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))


def _is_mapping(value: object) -> TypeIs[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _key(key: object) -> str:
    if type(key) is not str:
        raise TypeError(f"the keys of a JSON object are strings, not {key!r}")
    return key
