"""Reading rows: one JSON object a line, lazily; what cannot be read is an item of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.cli.json_lines import Spot, column_of, parsed
from scorewright.results import err, ok
from scorewright.shapes.values import is_object, named

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n"
_FIELDS = frozenset({"input", "output", "expected", "id", "request_context", "metadata"})
_NOTHING: Mapping[str, object] = MappingProxyType({})
_MOST_NAMED = 8


@final
@attrs.frozen
class Row:
    """One run as the file has it, not yet of any scorer's types.

    `run_id` is the id, or tells the line where there is none, so that two results of one file can be compared.
    """

    line: int
    id: str | None
    input: object
    output: object
    expected: object
    request_context: Mapping[str, object]
    metadata: Mapping[str, object]
    run_id: str
    end: int  # how many bytes of the file end with this row


@final
@attrs.frozen
class BrokenLine:
    """A line that holds no row: where and why. Lines and columns count from 1."""

    line: int
    column: int
    why: str
    end: int


Line: TypeAlias = Row | BrokenLine


def read_lines(lines: Iterable[bytes], /) -> Iterator[Line]:
    """Every line that is not blank, in order. Ids are remembered, for they must differ; nothing else is."""
    first_lines: dict[str, int] = {}
    end = 0
    for number, raw in enumerate(lines, 1):
        end += len(raw)
        stripped = (raw.removeprefix(_BOM) if number == 1 else raw).rstrip(_BLANK)
        if not stripped:
            continue
        row = parsed(stripped)
        read = _row(stripped, row.unwrap(), number, end) if is_successful(row) else err(row.failure())
        if not is_successful(read):
            yield BrokenLine(number, read.failure().column, read.failure().why, end)
            continue
        found = read.unwrap()
        if found.id is not None and found.id in first_lines:
            why = f"the id {found.id!r} was used before, on line {first_lines[found.id]}"
            yield BrokenLine(number, column_of(stripped, "id"), why, end)
            continue
        if found.id is not None:
            first_lines[found.id] = number
        yield found


def _row(raw: bytes, value: object, line: int, end: int) -> Result[Row, Spot]:
    if not is_object(value):
        start = len(raw) - len(raw.lstrip(_BLANK)) + 1
        return err(Spot(start, f"not an object but {named(value)}: JSON Lines hold one object a line"))
    missing = [repr(key) for key in ("input", "output") if key not in value]
    if missing:
        keys = [*value]
        there = ", ".join(map(repr, keys[:_MOST_NAMED])) + (", …" if len(keys) > _MOST_NAMED else "")
        return err(Spot(1, f"{' and '.join(missing)} missing; the row has {there or 'nothing'}"))
    for key in ("request_context", "metadata"):
        if not (value.get(key) is None or is_object(value[key])):
            return err(Spot(column_of(raw, key), f"{key!r} is not an object but {named(value[key])}"))
    id = value.get("id")
    if isinstance(id, bool) or not (id is None or isinstance(id, (str, int))):
        return err(Spot(column_of(raw, "id"), f"'id' is neither a text nor an integer but {named(id)}"))
    metadata = _mapping(value.get("metadata"))
    rest = {key: each for key, each in value.items() if key not in _FIELDS}
    for key in rest:
        if key in metadata:
            return err(Spot(column_of(raw, key), f"{key!r} stands both in the row and in its 'metadata'"))
    written = None if id is None or id == "" else str(id)
    return ok(
        Row(
            line,
            written,
            value["input"],
            value["output"],
            value.get("expected"),
            _mapping(value.get("request_context")),
            {**metadata, **rest} if rest else metadata,
            written or f"line-{line}",
            end,
        )
    )


def _mapping(value: object) -> Mapping[str, object]:
    return value if is_object(value) else _NOTHING
