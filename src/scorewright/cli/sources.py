"""What a command reads: the rows of a file of whatever format, or the runs of a trace."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Final, final

import attrs

from scorewright.cli.loading import AnyScorer, UsageError
from scorewright.cli.traces import Told, neither, readable, rows_or_trace, trace_rows
from scorewright.faults import DefinitionError
from scorewright.suites.rows import RowItem, RowSource, RowsRefused, read_rows
from scorewright.suites.rows.columns import checked_mapping
from scorewright.suites.rows.formats import SUFFIXES, line_rows, stream_rows
from scorewright.suites.rows.record import NoRows
from scorewright.suites.rows.structuring import RowReader, row_reader

NEEDS: Final = ("input", "output")
_TOLD = frozenset({"csv", "tsv", "yaml", "parquet"})  # formats that no trace has, so that their names tell enough


@final
@attrs.frozen
class Read:
    """The file, begun to be read, and who scores what it holds."""

    source: str
    unit: str
    rows: Iterable[RowItem]
    scorers: tuple[AnyScorer, ...]
    readers: tuple[RowReader, ...]
    size: int | None
    position: Callable[[], int]


def read_source(  # noqa: PLR0917 - the options of a command, in their order
    stack: ExitStack,
    runs: str,
    scorers: tuple[AnyScorer, ...],
    dialect: str | None,
    columns: Sequence[str],
    format: str | None,
    references: Mapping[str, object] | None = None,
    /,
) -> Read:
    """Open the file, tell rows from a trace, and make the readers of the scorers. Raises `UsageError`."""
    try:
        mapping = checked_mapping(mapped(columns))
        if references is not None and (format or mapping):
            raise UsageError("--references is for traces: rows bring what is expected along")
        if dialect is None and (format or mapping or _told(runs)):
            return _of_rows(read_rows(runs, mapping=mapping, format=format, needs=NEEDS), runs, scorers)
        file = stack.enter_context(opened(runs))
        told = rows_or_trace(file, runs, dialect)
        if told.runs is None:
            return _of_rows(_rows(told, runs, size_of(file)), runs, scorers)
    except RowsRefused as refused:
        raise UsageError(str(refused)) from refused
    name = "stdin" if runs == "-" else runs
    readers = tuple(reader_for(readable(each)) for each in scorers)
    return Read(name, "run", trace_rows(told.runs, references or {}), scorers, readers, None, lambda: 0)


def _rows(told: Told, runs: str, size: int | None) -> RowSource:
    """The rows of a file that is no trace; of a stream what is left of it."""
    try:
        if runs != "-" and size is not None:
            return read_rows(runs, needs=NEEDS)
        lines = told.lines
        begun = stream_rows(lines, "stdin") if isinstance(lines, BytesIO) else line_rows(lines, "stdin")
        return RowSource(begun, {}, NEEDS)
    except NoRows as refused:
        raise UsageError(str(refused)) if told.fault is None else neither(runs, told.fault) from refused


def _told(runs: str) -> bool:
    """Whether the name tells that these are rows."""
    path = Path(runs)
    return path.is_dir() or SUFFIXES.get(path.suffix.lower()) in _TOLD


def _of_rows(source: RowSource, runs: str, scorers: tuple[AnyScorer, ...]) -> Read:
    name = "stdin" if runs == "-" else runs
    readers = tuple(map(reader_for, scorers))
    return Read(name, "row", source, scorers, readers, source.size, lambda: source.position)


def reader_for(scorer: AnyScorer, /) -> RowReader:
    """The reader of a scorer; types that no row can be structured into are a usage error."""
    try:
        return row_reader(scorer)
    except DefinitionError as unserved:
        raise UsageError(f"rows cannot be read for the scorer {scorer.about.id!r}: {unserved}") from unserved


def mapped(columns: Iterable[str], /) -> Mapping[str, str]:
    """`--map` as it was given: our field, an equals sign, their column."""
    mapping: dict[str, str] = {}
    for each in columns:
        field, equals, column = each.partition("=")
        if not (field and equals and column):
            raise UsageError(f"--map takes FIELD=COLUMN, such as --map expected=gold, not {each!r}")
        if field in mapping:
            raise UsageError(f"--map names {field!r} twice")
        mapping[field] = column
    return mapping


def size_of(file: BinaryIO, /) -> int | None:
    """The bytes of a regular file; of a pipe nobody knows."""
    status = os.fstat(file.fileno())
    return status.st_size if S_ISREG(status.st_mode) else None


@contextmanager
def opened(runs: str) -> Generator[BinaryIO]:
    """The file, or stdin."""
    if runs == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(runs).open("rb")  # noqa: SIM115 - closed below; what goes wrong there is no wrong usage
    except OSError as failed:
        raise UsageError(f"cannot read {runs}: {failed.strerror}") from failed
    with file:
        yield file
