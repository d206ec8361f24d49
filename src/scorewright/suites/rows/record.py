"""What every reader makes: the named values of one row, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias, final

import attrs

from scorewright.core.run import writers
from scorewright.faults import DefinitionError
from scorewright.suites.rows.json_lines import column_of
from scorewright.suites.rows.row import BrokenRow, Place

NO_MARKS: Final[Mapping[str, tuple[int, int]]] = {}


class RowsRefused(DefinitionError):
    """The rows cannot be read at all: no such file, an unknown format, columns that nobody can tell apart."""


class NoRows(RowsRefused):
    """The document was read, and holds nothing that could be rows."""


@final
@attrs.frozen(init=False)
class Record:
    """The named values of one row, before it is known which of them is what.

    `raw` is the line of JSON that they stand in, `marks` the line and column of each name, `path` their place in a
    document: whichever the format has. `own` is the place that a row brought along.
    """

    fields: Mapping[str, object]
    line: int | None = None
    path: str = ""
    raw: bytes | None = None
    marks: Mapping[str, tuple[int, int]] = NO_MARKS
    own: Place | None = None

    def __init__(  # noqa: PLR0917 - it writes the fields in their order, in half the time of attrs
        self,
        fields: Mapping[str, object],
        line: int | None = None,
        path: str = "",
        raw: bytes | None = None,
        marks: Mapping[str, tuple[int, int]] = NO_MARKS,
        own: Place | None = None,
    ) -> None:
        _fields(self, fields)
        _line(self, line)
        _path(self, path)
        _raw(self, raw)
        _marks(self, marks)
        _own(self, own)

    def place(self, file: str, key: str | None = None, /) -> Place:
        """Where the row stands, or one of its values."""
        if self.own is not None:
            return self.own
        if key is None:
            return Place(file, self.line, None, self.path)
        if self.raw is not None:
            return Place(file, self.line, column_of(self.raw, key))
        if key in self.marks:
            return Place(file, *self.marks[key], self.path)
        return Place(file, self.line, None, key_path(self.path, key))


_fields, _line, _path, _raw, _marks, _own = writers(Record, *(field.name for field in attrs.fields(Record)))


def key_path(path: str, key: str, /) -> str:
    """A path, one key further.

    >>> key_path("$[2]", "output"), key_path("", "my column")
    ('$[2].output', "$['my column']")
    """
    return f"{path or '$'}.{key}" if key.isidentifier() else f"{path or '$'}[{key!r}]"


RecordItem: TypeAlias = Record | BrokenRow


@final
class Meter:
    """How many bytes of a file were read so far."""

    __slots__ = ("done",)

    def __init__(self) -> None:
        self.done: int = 0


@final
@attrs.frozen
class Opened:
    """A source that was looked at: its records in order, and what is known before they are read.

    `records` may be called once, or as often as one likes where `again` is true. `columns` are those of a table,
    `file` is what places name, where it is not the name.
    """

    name: str
    records: Callable[[], Iterable[RecordItem] | Iterator[RecordItem]]
    again: bool = True
    columns: tuple[str, ...] | None = None
    size_hint: int | None = None
    size: int | None = None
    file: str | None = None
    meter: Meter = attrs.field(factory=Meter, repr=False, eq=False)
