"""Rows out of values of Python: mappings, attrs classes, dataclasses, rows, and frames of pandas or polars."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Protocol, cast

import attrs
from typing_extensions import TypeIs

from scorewright.suites.rows.columns import FIELDS
from scorewright.suites.rows.plain import plain_fields
from scorewright.suites.rows.record import Opened, Record, RecordItem, RowsRefused
from scorewright.suites.rows.row import ABSENT, NOWHERE, BrokenRow, Place, Row


class _Pandas(Protocol):
    columns: Iterable[object]

    def itertuples(self, index: bool, name: None) -> Iterator[tuple[object, ...]]: ...
    def __len__(self) -> int: ...


class _Polars(Protocol):
    columns: list[str]

    def iter_rows(self, *, named: bool) -> Iterator[dict[str, object]]: ...
    def __len__(self) -> int: ...


def frame_source(frame: object, /) -> Opened | None:
    """A frame of pandas or polars; None where it is none. Neither is imported to find out."""
    library, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    if (library, kind) == ("pandas", "DataFrame"):
        return _pandas(cast("_Pandas", frame))  # told by its name: what is used of it stands above
    if (library, kind) == ("polars", "DataFrame"):
        return _polars(cast("_Polars", frame))  # the same
    if (library, kind) == ("polars", "LazyFrame"):
        raise RowsRefused("a LazyFrame of polars holds no rows yet: give frame.collect()")
    return None


def _pandas(frame: _Pandas) -> Opened:
    columns = tuple(map(str, frame.columns))
    name = "a frame of pandas"
    if len({*columns}) != len(columns):
        raise RowsRefused(f"{name} has two columns of one name")

    def records() -> Iterator[RecordItem]:
        for number, cells in enumerate(frame.itertuples(index=False, name=None), 1):
            values = {column: cell for column, cell in zip(columns, cells, strict=True) if not _is_missing(cell)}
            yield plain_fields(values, "", number)

    return Opened(name, records, columns=columns, size_hint=len(frame), file="")


def _is_missing(cell: object) -> bool:
    """NaN, NaT and NA: what pandas writes where there is nothing."""
    if type(cell).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(cell, float) and cell != cell  # noqa: PLR0124 - only NaN differs from itself


def _polars(frame: _Polars) -> Opened:
    name = "a frame of polars"

    def records() -> Iterator[RecordItem]:
        for number, values in enumerate(frame.iter_rows(named=True), 1):
            yield plain_fields(values, "", number)

    return Opened(name, records, columns=tuple(frame.columns), size_hint=len(frame), file="")


def values_source(values: Iterable[object], /) -> Opened:
    """Rows, mappings, attrs classes, dataclasses or models, from a collection or a generator."""
    again = iter(values) is not values
    count = len(values) if isinstance(values, Sized) else None
    return Opened("the rows given", lambda: _records(values), again=again, size_hint=count, file="")


def _records(values: Iterable[object]) -> Iterator[RecordItem]:
    for number, value in enumerate(values, 1):
        if isinstance(value, BrokenRow):
            yield value
            continue
        fields = _fields(value)
        if fields is None:
            why = f"neither a mapping nor a row, an attrs class, a dataclass or a model but {type(value).__name__}"
            yield BrokenRow(Place(line=number), why)
            continue
        read = plain_fields(fields, "", number, nulls=True)
        if isinstance(read, Record) and isinstance(value, Row) and value.place != NOWHERE:
            read = attrs.evolve(read, own=value.place)
        yield read


def is_mapping(value: object, /) -> TypeIs[Mapping[object, object]]:
    """Whether a value is a mapping of whatever keys."""
    return isinstance(value, Mapping)


def _fields(value: object) -> Mapping[str, object] | None:
    if isinstance(value, Row):
        return _of_row(value)
    if is_mapping(value):
        return {str(key): each for key, each in value.items()}
    if isinstance(value, type):
        return None
    kind = type(value)
    if attrs.has(kind):
        return {field.name: getattr(value, field.name) for field in attrs.fields(kind)}
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    dump: object = getattr(value, "model_dump", None)
    dumped: object = dump(mode="json", by_alias=True) if callable(dump) else None
    return {str(key): each for key, each in dumped.items()} if is_mapping(dumped) else None


def _of_row(row: Row) -> Mapping[str, object]:
    fields: dict[str, object] = {name: getattr(row, name) for name in FIELDS}
    if row.output is ABSENT:
        del fields["output"]
    if row.input is None and (row.trace is not None or row.turns):
        del fields["input"]
    return fields
