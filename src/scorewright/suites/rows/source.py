"""`read_rows`: the rows of a file, a folder, a stream, a frame or values, whatever their format."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from os import PathLike
from typing import final

from typing_extensions import TypeIs

from scorewright.suites.rows.columns import checked_mapping, layout_of, refuse_unknown
from scorewright.suites.rows.formats import open_path, open_stream
from scorewright.suites.rows.laying import Layer
from scorewright.suites.rows.record import Opened, Record, RecordItem, RowsRefused
from scorewright.suites.rows.row import RowItem
from scorewright.suites.rows.values import frame_source, is_mapping, values_source

_LOOKED_AT = 64


@final
class RowSource(Iterable[RowItem]):
    """Rows that are read as they are asked for, in order; what is broken comes as a `BrokenRow` in its place.

    A file, a frame or a list can be read again; a stream or a generator only once.
    """

    def __init__(self, opened: Opened, mapping: Mapping[str, str], needs: Collection[str], /) -> None:
        self._opened: Opened = opened
        self._mapping: Mapping[str, str] = mapping
        self._needs: tuple[str, ...] = tuple(needs)
        self._waiting: Iterator[RecordItem] | None = None
        self._spent: bool = False
        self._fields: Mapping[str, str] = self._known()

    @property
    def name(self) -> str:
        """The file, as it was named, or what else the rows are from."""
        return self._opened.name

    @property
    def fields(self) -> Mapping[str, str]:
        """Our field to their column, as it was found; what goes into the metadata as `metadata.name`.

        Of lines of JSON, whose names may differ, it is that of the first row.
        """
        return self._fields

    @property
    def size_hint(self) -> int | None:
        """How many rows there are, where that is known before they are read."""
        return self._opened.size_hint

    @property
    def size(self) -> int | None:
        """How many bytes there are to read, where that is known."""
        return self._opened.size

    @property
    def position(self) -> int:
        """How many bytes the last reading has read."""
        return self._opened.meter.done

    def __iter__(self) -> Iterator[RowItem]:
        file = self.name if self._opened.file is None else self._opened.file
        layer = Layer(file, self._mapping, self._needs, self._opened.columns)
        return layer.rows(self._records())

    def _records(self) -> Iterator[RecordItem]:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            return waiting
        if self._spent:
            raise RowsRefused(f"{self.name}: the rows were read already, and cannot be read again")
        return self._begun()

    def _begun(self) -> Iterator[RecordItem]:
        self._spent = not self._opened.again
        self._opened.meter.done = 0
        return iter(self._opened.records())

    def _known(self) -> Mapping[str, str]:
        """The fields, by the head of a table or the first rows; raises `RowsRefused` where they cannot be told."""
        keys: Iterable[str] | None = self._opened.columns
        if keys is None:
            reading = self._begun()
            first: list[RecordItem] = []
            for item in reading:
                first.append(item)
                if isinstance(item, Record) or len(first) == _LOOKED_AT:
                    break
            self._waiting = chain(first, reading)
            keys = first[-1].fields if first and isinstance(first[-1], Record) else None
        if keys is None:
            return {}
        names = tuple(keys)
        refuse_unknown(self._mapping, names, self.name)
        layout = layout_of(names, self._mapping)
        if layout.doubt:
            raise RowsRefused(f"{self.name}: {layout.doubt}")
        return layout.fields()


def read_rows(
    source: str | PathLike[str] | Iterable[object] | object,
    /,
    *,
    mapping: Mapping[str, str] = {},
    format: str | None = None,
    needs: Collection[str] = ("input",),
) -> RowSource:
    """The rows of a path, of "-" for stdin, of a frame of pandas or polars, or of mappings, rows or attrs classes.

    `mapping` says which of their columns is which field of ours, where names alone do not tell. `format` names the
    format where the name of the file does not. A row without what it `needs` is broken. Raises `RowsRefused` where
    nothing can be read at all.

    >>> from scorewright.suites import Row
    >>> [row.output for row in read_rows([{"question": "6 * 7?", "answer": "42"}]) if isinstance(row, Row)]
    ['42']
    """
    checked_mapping(mapping)
    return RowSource(_opened(source, format), mapping, needs)


def _opened(source: object, format: str | None) -> Opened:
    if isinstance(source, RowSource):
        raise RowsRefused("these are rows already: use them as they are")
    if _is_path(source):
        return open_stream(format) if source == "-" else open_path(source, format)
    if format is not None:
        raise RowsRefused(f"format= is for files, and the rows are from {type(source).__name__}")
    frame = frame_source(source)
    if frame is not None:
        return frame
    if isinstance(source, (bytes, bytearray)) or is_mapping(source) or not _is_iterable(source):
        raise RowsRefused(
            f"rows are read from a path, a frame or several mappings, not from {type(source).__name__}; "
            "give a list, such as [{'input': …, 'output': …}]"
        )
    return values_source(source)


def _is_path(source: object) -> TypeIs[str | PathLike[str]]:
    return isinstance(source, (str, PathLike))


def _is_iterable(source: object) -> TypeIs[Iterable[object]]:
    return isinstance(source, Iterable)
