"""A row: one case as a file has it, not yet of any scorer's types; and what stands for one that cannot be read."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, TypeAlias, final

import attrs

from scorewright.core.run import writers

NOTHING: Final[Mapping[str, object]] = {}  # one for all rows; a mappingproxy could not be pickled


@final
class Absent(enum.Enum):
    """What a row has where it has nothing: no output is not the output `null`."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT


@final
@attrs.frozen(init=False)
class Place:
    """Where something stands: the file, line and column counted from 1, and the path inside a document.

    >>> str(Place("rows.jsonl", 3, 14)), str(Place("cases.yaml", path="$.cases[2].inputs"))
    ('rows.jsonl:3:14', 'cases.yaml $.cases[2].inputs')
    """

    file: str = ""
    line: int | None = None
    column: int | None = None
    path: str = ""

    def __init__(self, file: str = "", line: int | None = None, column: int | None = None, path: str = "") -> None:
        _file(self, file)
        _line(self, line)
        _column(self, column)
        _path(self, path)

    def __str__(self) -> str:
        numbers = [] if self.line is None else [self.line] if self.column is None else [self.line, self.column]
        if self.file:
            spot = ":".join(map(str, [self.file, *numbers]))
        else:
            spot = ", ".join(f"{name} {number}" for name, number in zip(("line", "column"), numbers, strict=False))
        return " ".join(filter(None, (spot, self.path)))


_file, _line, _column, _path = writers(Place, *(field.name for field in attrs.fields(Place)))
NOWHERE: Final = Place()


@final
@attrs.frozen(init=False)
class Row:
    """One case: what went in, perhaps what came out, what was expected, and what is known about it.

    `output` is `ABSENT` where a target is still to be asked. `context` is what the answer may rest on, a text or
    several. `group` names the cluster that a row belongs to, `trace` is a recorded run (JSON, or the path of a file),
    `turns` are the exchanges of a conversation. `place` is where the row stands, `has_id` whether its id stands there
    too or was made of the input; neither counts when rows are compared.
    """

    id: str
    input: object
    output: object | Absent
    expected: object
    context: object
    request_context: Mapping[str, object]
    metadata: Mapping[str, object]
    tags: tuple[str, ...]
    group: str | None
    trace: object
    turns: tuple[Mapping[str, object], ...]
    place: Place = attrs.field(eq=False)
    has_id: bool = attrs.field(eq=False)

    def __init__(  # noqa: PLR0917 - it writes the fields in their order, in half the time of attrs
        self,
        id: str,
        input: object,
        output: object | Absent = ABSENT,
        expected: object = None,
        context: object = None,
        request_context: Mapping[str, object] = NOTHING,
        metadata: Mapping[str, object] = NOTHING,
        tags: tuple[str, ...] = (),
        group: str | None = None,
        trace: object = None,
        turns: tuple[Mapping[str, object], ...] = (),
        place: Place = NOWHERE,
        has_id: bool = True,
    ) -> None:
        _id(self, id)
        _input(self, input)
        _output(self, output)
        _expected(self, expected)
        _context(self, context)
        _request_context(self, request_context)
        _metadata(self, metadata)
        _tags(self, tags)
        _group(self, group)
        _trace(self, trace)
        _turns(self, turns)
        _place(self, place)
        _has_id(self, has_id)


(
    _id,
    _input,
    _output,
    _expected,
    _context,
    _request_context,
    _metadata,
    _tags,
    _group,
    _trace,
    _turns,
    _place,
    _has_id,
) = writers(Row, *(field.name for field in attrs.fields(Row)))


@final
@attrs.frozen
class BrokenRow:
    """A row that cannot be read: where and why, and its id where that much could be read. It stops no other row."""

    place: Place
    why: str
    id: str | None = None


RowItem: TypeAlias = Row | BrokenRow
