"""Values of Python, of tables and of frames as the JSON that rows hold."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import isfinite

from scorewright.shapes import unstructure
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.record import Record, RecordItem, key_path
from scorewright.suites.rows.row import BrokenRow, Place

_PLAIN = {str, bool, int, type(None)}


def plain_fields(values: Mapping[str, object], name: str, number: int, /, *, nulls: bool = False) -> RecordItem:
    """A row of a table as a record; without its nulls, unless they say something. What has no JSON form is broken."""
    fields: dict[str, object] = {}
    for key, value in values.items():
        if value.__class__ in _PLAIN:
            if value is not None or nulls:
                fields[key] = value
            continue
        try:
            fields[key] = plain(value)
        except Exception as wrong:  # noqa: BLE001 - a user's class may raise anything when its fields are read
            place = Place(name, number, None, key_path("", key))
            return BrokenRow(place, f"a value without a JSON form: {wrong}")
    return Record(fields, number)


def plain(value: object, /) -> object:
    """A value as JSON; what has none, such as NaN or bytes, raises `ValueError` or `TypeError`."""
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"{value} is not a number of JSON")
        return float(value)
    if is_object(value):
        return {key: plain(each) for key, each in value.items()}
    if is_list(value):
        return [plain(each) for each in value]
    if isinstance(value, Decimal):
        return plain(float(value))
    scalar: object = getattr(value, "tolist", None)  # of numpy
    if callable(scalar):
        return plain(scalar())
    dump: object = getattr(value, "model_dump", None)  # of pydantic
    if callable(dump):
        return plain(dump(mode="json", by_alias=True))
    form = unstructure(value)
    return form if form.__class__ in _PLAIN or form.__class__ is value.__class__ else plain(form)
