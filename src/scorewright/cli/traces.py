"""Telling a trace from rows, and reading its runs as rows that scorers take."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents import AgentRun
from scorewright.cli.loading import AnyScorer, UsageError
from scorewright.cli.rows import BrokenLine, Line, Row
from scorewright.core import Run
from scorewright.faults import DefinitionError, InvalidRun, NotScorable
from scorewright.results import err
from scorewright.traces import DIALECTS, TraceFault, UnknownDialect, detected, read_runs
from scorewright.traces.json_view import is_mapping
from scorewright.traces.scoring import READING
from scorewright.traces.targets import SpanReader, Target, span_reader
from scorewright.wording import describe

Runs: TypeAlias = Iterator[Result[AgentRun, TraceFault]]
_ROW = {"input", "output"}
_ROW_FIELDS = _ROW | {"expected", "id", "request_context", "metadata"}
_LONGEST_LINE = 1 << 22


@final
@attrs.frozen
class TraceReader:
    """A scorer, and what makes its runs out of rows that hold an agent's run."""

    scorer: AnyScorer
    reader: SpanReader
    step: str = READING

    def run(self, row: Row, /) -> Result[Run[object, object, object], NotScorable | InvalidRun]:
        """The row as this scorer's run."""
        if not isinstance(row.input, AgentRun):
            return err(InvalidRun("$", "not a run of an agent"))
        return self.reader.run(Target(row.input), row.expected)


def trace_reader(scorer: AnyScorer, /) -> TraceReader:
    """The reader of a scorer; types that nothing in a trace can be read as are a usage error."""
    try:
        return TraceReader(scorer, span_reader(scorer))
    except DefinitionError as unserved:
        raise UsageError(f"traces cannot be read for the scorer {scorer.id!r}: {unserved}") from unserved


def known_dialect(name: str, /) -> str:
    """The name, when there is such a dialect."""
    names = [dialect.name for dialect in DIALECTS]
    if name not in names:
        raise UsageError(f"--dialect names {name!r}; the dialects are {', '.join(names)}")
    return name


def runs_in(file: BinaryIO, path: str, dialect: str | None, /) -> Runs:
    """The runs of a file, or of stdin."""
    return read_runs(file.read() if path == "-" else Path(path), dialect)


def rows_or_trace(file: BinaryIO, path: str, dialect: str | None, /) -> tuple[Iterable[bytes], Runs | None]:
    """The lines of a file of rows, and None; or, where it is a trace, its runs.

    A row is an object with input and output on one line. One that has fields that rows do not have, and that a dialect
    knows, is a trace. What is neither is left to be told as broken lines.
    """
    if dialect is not None:
        return (), runs_in(file, path, known_dialect(dialect))
    first = _first_lines(file)
    lines: Iterable[bytes] = chain(first, file)
    head = _parsed(first[-1]) if first else None
    if is_mapping(head) and head.keys() >= _ROW and (head.keys() <= _ROW_FIELDS or detected(head) is None):
        return lines, None
    if path == "-":
        whole = b"".join(lines)
        lines, runs = BytesIO(whole), read_runs(whole)
    else:
        runs = read_runs(Path(path))
    seen: list[Result[AgentRun, TraceFault]] = []
    for run in runs:
        seen.append(run)
        if is_successful(run):
            return (), chain(seen, runs)
    fault = seen[0].failure() if seen else None
    if isinstance(fault, UnknownDialect) and head is None and first[-1].endswith(b"\n"):
        raise UsageError(f"{path} holds neither rows nor a trace: {describe(fault)}")
    return lines, None


def _first_lines(file: BinaryIO) -> list[bytes]:
    """The first line that is not blank, and the blank ones before; of a very long line only its beginning."""
    read: list[bytes] = []
    try:
        while line := file.readline(_LONGEST_LINE):
            read.append(line)
            if line.strip():
                break
    except OSError as failed:
        raise UsageError(f"cannot read the runs: {failed.strerror or failed}") from failed
    return read


def _parsed(line: bytes) -> object:
    try:
        parsed: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parsed


def trace_rows(runs: Runs, /) -> Iterator[Line]:
    """Each run as a row, counted from 1; what could not be read as a broken line."""
    for number, read in enumerate(runs, 1):
        if not is_successful(read):
            yield BrokenLine(number, 1, describe(read.failure()), 0)
            continue
        run = read.unwrap()
        id = run.span_id or run.id or None
        yield Row(number, id, run, None, None, _NOTHING, _NOTHING, id or str(number), 0)


_NOTHING: Mapping[str, object] = {}
