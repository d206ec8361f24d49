"""JSON Lines: one object a line, read as they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from returns.pipeline import is_successful

from scorewright.shapes.values import is_object, named
from scorewright.suites.rows.json_lines import parsed
from scorewright.suites.rows.record import Meter, Record, RecordItem, RowsRefused
from scorewright.suites.rows.row import BrokenRow, Place

BOM = b"\xef\xbb\xbf"
BLANK = b" \t\r\n"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the byte order mark, which some editors write


def refuse_utf_16(beginning: bytes, name: str, /) -> None:
    """A text that begins with the mark of UTF-16 cannot be read; told once, not line by line."""
    if beginning.startswith(_UTF_16):
        raise RowsRefused(f"{name} is UTF-16: save it as UTF-8")


def ended(lines: Iterable[bytes], /) -> Iterator[bytes]:
    """The lines; a file that ends them with CR alone, as some spreadsheets do, comes as one and is taken apart."""
    given = iter(lines)
    first = next(given, b"")
    apart = not first.endswith(b"\n") and b"\r" in first.rstrip(BLANK)
    return chain(first.splitlines(keepends=True) if apart else (first,), given)


def json_lines(lines: Iterable[bytes], name: str, meter: Meter, /) -> Iterator[RecordItem]:
    """A record for every line that is not blank; one that holds no object is broken, and the others go on."""
    for number, raw in enumerate(ended(lines), 1):
        meter.done += len(raw)
        if number == 1:
            refuse_utf_16(raw, name)
        stripped = (raw.removeprefix(BOM) if number == 1 else raw).rstrip(BLANK)
        if not stripped:
            continue
        read = parsed(stripped)
        if not is_successful(read):
            spot = read.failure()
            yield BrokenRow(Place(name, number, spot.column), spot.why)
            continue
        value = read.unwrap()
        if is_object(value):
            yield Record(value, number, "", stripped)
            continue
        start = len(stripped) - len(stripped.lstrip(BLANK)) + 1
        why = f"not an object but {named(value)}: JSON Lines hold one object a line"
        yield BrokenRow(Place(name, number, start), why)
