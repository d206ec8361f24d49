"""Comma and tab separated values, by RFC 4180: quoted cells may hold separators, quotes and line ends."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import final

import attrs
from returns.pipeline import is_successful

from scorewright.suites.rows.cells import Column, columns_of, laid
from scorewright.suites.rows.jsonl import BOM, ended, refuse_utf_16
from scorewright.suites.rows.promptfoo import is_promptfoo, promptfoo_columns, table_case
from scorewright.suites.rows.record import Meter, Record, RecordItem, RowsRefused, key_path
from scorewright.suites.rows.row import BrokenRow, Place

_LONGEST_CELL = 1 << 26
_SAID = {  # what the module says, and what we do
    "unexpected end of data": "a quote that is opened here is never closed",
    "new-line character seen in unquoted field": "a carriage return stands in a cell without quotes",
}
_ESCAPED = ("\udc80", "\udcff")  # what is no UTF-8 arrives as one of these


@final
@attrs.frozen
class Head:
    """The first line of a table: its columns, and what separates its cells."""

    columns: tuple[Column, ...]
    separator: str
    names: tuple[str, ...]
    shape: Callable[[Mapping[str, object]], Mapping[str, object]] | None = None


def head_of(lines: Iterable[bytes], name: str, separator: str | None, /) -> Head:
    """The columns of a table; without any, or with one twice, it cannot be read."""
    rest = iter(lines)
    first = next(rest, b"")
    refuse_utf_16(first, name)
    mark = separator or (";" if b";" in first and b"," not in first else ",")
    read = next(_cells(chain((first,), rest), mark, Meter()), None)
    if read is None:
        raise RowsRefused(f"{name} is empty: the first line of a table names its columns")
    if isinstance(read, Broken):
        raise RowsRefused(f"{name}:{read.line}: the first line cannot be read: {read.why}")
    if any(map(_escaped, read[1])):
        raise RowsRefused(f"{name}:{read[0]}: the first line is not UTF-8")
    return _head(read[1], name, mark)


def _head(cells: Sequence[str], name: str, separator: str) -> Head:
    headers = [cell.strip() or f"column {number}" for number, cell in enumerate(cells, 1)]
    twice = next((header for at, header in enumerate(headers) if header in headers[:at]), None)
    if twice is not None:
        raise RowsRefused(f"{name} has two columns {twice!r}")
    if is_promptfoo(headers):
        return Head(promptfoo_columns(headers), separator, ("input", "expected", "metadata"), table_case)
    columns = columns_of(headers)
    return Head(columns, separator, tuple(dict.fromkeys(column.path[0] for column in columns)))


def table_rows(lines: Iterable[bytes], name: str, head: Head, meter: Meter, /) -> Iterator[RecordItem]:
    """A record for every line below the head; one that cannot be read is broken, and the others go on."""
    reading = _cells(lines, head.separator, meter)
    next(reading, None)
    count = len(head.columns)
    for read in reading:
        if isinstance(read, Broken):
            yield BrokenRow(Place(name, read.line), read.why)
            continue
        line, cells = read
        if len(cells) != count:
            yield BrokenRow(Place(name, line), f"{len(cells)} cells, where the first line names {count} columns")
            continue
        bad = next((at for at, cell in enumerate(cells) if not cell.isascii() and _escaped(cell)), None)
        if bad is not None:
            byte = next(ord(mark) - 0xDC00 for mark in cells[bad] if _ESCAPED[0] <= mark <= _ESCAPED[1])
            yield BrokenRow(_at(name, line, head.columns[bad].header), f"not UTF-8 (byte 0x{byte:02x})")
            continue
        values = laid(head.columns, cells)
        if is_successful(values):
            row = values.unwrap()
            yield Record(head.shape(row) if head.shape else row, line)
        else:
            header, why = values.failure()
            yield BrokenRow(_at(name, line, header), why)


def _at(name: str, line: int, header: str) -> Place:
    return Place(name, line, None, key_path("", header))


def _escaped(cell: str) -> bool:
    return any(_ESCAPED[0] <= mark <= _ESCAPED[1] for mark in cell)


@final
@attrs.frozen
class Broken:
    """A line that holds no cells: where it begins, and why."""

    line: int
    why: str


def _cells(lines: Iterable[bytes], separator: str, meter: Meter) -> Iterator[tuple[int, list[str]] | Broken]:
    """The cells of every row with the line where it begins; lines without any are left out."""
    if csv.field_size_limit() < _LONGEST_CELL:
        csv.field_size_limit(_LONGEST_CELL)  # one for the whole process: the module has no other
    reader = csv.reader(_decoded(lines, meter), delimiter=separator, strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as wrong:
            said = next((ours for theirs, ours in _SAID.items() if theirs in str(wrong)), str(wrong))
            yield Broken(begin, f"not a line of a table: {said}")
            continue
        if cells is None:
            return
        if cells:
            yield begin, cells


def _decoded(lines: Iterable[bytes], meter: Meter) -> Iterator[str]:
    for number, raw in enumerate(ended(lines)):
        meter.done += len(raw)
        yield (raw if number else raw.removeprefix(BOM)).decode("utf-8", "surrogateescape")
