"""Cells of a table of text as values: text stays text, unless the column says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.results import err, ok
from scorewright.shapes.values import is_object
from scorewright.suites.rows.columns import ALIASES, FIELDS
from scorewright.suites.rows.json_lines import parsed_text

_JSON = ":json"
_OPTIONAL = frozenset(FIELDS) - {"input", "output"}
_HELD = frozenset(
    {"context", "request_context", "metadata", "trace", "turns", *ALIASES["context"], *ALIASES["metadata"]}
)
_SEVERAL = ("|", ";", ",")

Cell: TypeAlias = Result[object, str]


@final
@attrs.frozen
class Column:
    """A column of a table: the path of its values in the row, how a cell is read, and whether an empty one is none."""

    header: str
    path: tuple[str, ...]
    read: Callable[[str], Cell]
    optional: bool


def columns_of(headers: Sequence[str], /) -> tuple[Column, ...]:
    """The columns: `expected:json` holds JSON, `input.city` is a field of an object, all others hold text."""
    names = {header.removesuffix(_JSON) for header in headers}
    return tuple(_column(header, names) for header in headers)


def _column(header: str, names: set[str]) -> Column:
    name = header.removesuffix(_JSON)
    first, dot, inside = name.partition(".")
    path = (first, *inside.split(".")) if dot and first in FIELDS and first not in names and inside else (name,)
    as_json = header != name
    read = _json if as_json else _tags if name == "tags" else _passages if name in ALIASES["context"] else _text
    if not as_json and name in _HELD and name not in ALIASES["context"]:
        read = _perhaps_json
    return Column(header, path, read, as_json or path[0] in _OPTIONAL or name in _HELD)


def laid(columns: Sequence[Column], cells: Sequence[str], /) -> Result[Mapping[str, object], tuple[str, str]]:
    """The values of a line of cells; or the header of the first that cannot be read, and why."""
    values: dict[str, object] = {}
    for column, cell in zip(columns, cells, strict=True):
        if column.optional and not cell:
            continue
        read = column.read(cell)
        if not is_successful(read):
            return err((column.header, read.failure()))
        inside = values
        for key in column.path[:-1]:
            nested: object = inside.setdefault(key, dict[str, object]())
            if not is_object(nested):
                return err((column.header, f"{key!r} is a value of its own and has no fields"))
            inside = nested
        inside[column.path[-1]] = read.unwrap()
    return ok(values)


def _text(cell: str) -> Cell:
    return ok(cell)


def _json(cell: str) -> Cell:
    return parsed_text(cell).alt(lambda spot: f"{spot.why} (character {spot.column} of the cell)")


def _perhaps_json(cell: str) -> Cell:
    return _json(cell) if cell.lstrip()[:1] in {"{", "["} else ok(cell)


def _tags(cell: str) -> Cell:
    if cell.lstrip().startswith("["):
        return _json(cell)
    mark = next((mark for mark in _SEVERAL if mark in cell), ",")
    return ok([tag.strip() for tag in cell.split(mark) if tag.strip()])


def _passages(cell: str) -> Cell:
    """Passages as deepeval writes them: JSON, or one after the other with a bar between."""
    if cell.lstrip().startswith("["):
        return _json(cell)
    return ok(cell.split("|") if "|" in cell else cell)
