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
from scorewright.cli.table import complain
from scorewright.faults import DefinitionError
from scorewright.suites.rows import FIELDS, BrokenRow, Place, Row, RowItem
from scorewright.suites.rows.columns import layout_of
from scorewright.traces import DIALECTS, TraceFault, UnknownDialect, detected, read_runs
from scorewright.traces.expecting import by_id
from scorewright.traces.json_view import is_mapping
from scorewright.traces.targets import span_reader
from scorewright.wording import describe

Runs: TypeAlias = Iterator[Result[AgentRun, TraceFault]]
_ROW = {"input", "output"}
_LONGEST_LINE = 1 << 22
_MOST_NAMED = 5
_NO_REFERENCES: Mapping[str, object] = {}


def readable(scorer: AnyScorer, /) -> AnyScorer:
    """The scorer, where traces hold what it takes; types that nothing in a trace can be read as are a usage error."""
    try:
        span_reader(scorer)
    except DefinitionError as unserved:
        raise UsageError(f"traces cannot be read for the scorer {scorer.id!r}: {unserved}") from unserved
    return scorer


def known_dialect(name: str, /) -> str:
    """The name, when there is such a dialect."""
    names = [dialect.name for dialect in DIALECTS]
    if name not in names:
        raise UsageError(f"--dialect names {name!r}; the dialects are {', '.join(names)}")
    return name


def runs_in(file: BinaryIO, path: str, dialect: str | None, /) -> Runs:
    """The runs of a file, or of stdin."""
    return read_runs(file.read() if path == "-" else Path(path), dialect)


@final
@attrs.frozen
class Told:
    """What a file holds: lines of rows; or, where it is a trace, its runs; and why it is none."""

    lines: Iterable[bytes]
    runs: Runs | None = None
    fault: TraceFault | None = None


def rows_or_trace(file: BinaryIO, path: str, dialect: str | None, /) -> Told:
    """The lines of a file of rows, or the runs of a trace.

    A row is an object with input and output on one line. One that has fields that rows do not have, and that a dialect
    knows, is a trace. What is neither is left to be told as broken lines.
    """
    if dialect is not None:
        return Told((), runs_in(file, path, known_dialect(dialect)))
    first = _first_lines(file)
    lines: Iterable[bytes] = chain(first, file)
    head = _parsed(first[-1]) if first else None
    if is_mapping(head) and _is_row(head):
        return Told(lines)
    if path == "-":
        whole = b"".join(lines)
        lines, runs = BytesIO(whole), read_runs(whole)
    else:
        runs = read_runs(Path(path))
    seen: list[Result[AgentRun, TraceFault]] = []
    for run in runs:
        seen.append(run)
        if is_successful(run):
            return Told((), chain(seen, runs))
    fault = seen[0].failure() if seen else None
    document = bool(first) and first[-1].lstrip()[:1] in {b"{", b"["}
    if isinstance(fault, UnknownDialect) and head is None and first[-1].endswith(b"\n") and not document:
        raise neither(path, fault)
    return Told(lines, fault=fault)


def neither(path: str, fault: TraceFault, /) -> UsageError:
    """What is said of a file that nobody can read."""
    return UsageError(f"{path} holds neither rows nor a trace: {describe(fault)}")


def _is_row(head: Mapping[str, object]) -> bool:
    if head.keys() >= _ROW and head.keys() <= {*FIELDS}:
        return True
    return {*dict(layout_of(head, {}).columns)} >= _ROW and detected(head) is None


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


def references_in(path: Path, /) -> Mapping[str, object]:
    """The references of a file: one JSON object from the ids of spans, runs or traces to what is expected."""
    try:
        held: object = json.loads(path.read_bytes())
    except OSError as failed:
        raise UsageError(f"cannot read the references: {failed.strerror or failed}") from failed
    except (ValueError, RecursionError) as wrong:
        raise UsageError(f"{path} is not JSON: {wrong}") from wrong
    if not is_mapping(held):
        raise UsageError(f'{path} holds no object of references, such as {{"the id of a run": "the right answer"}}')
    return held


def trace_rows(runs: Runs, references: Mapping[str, object] = _NO_REFERENCES, /) -> Iterator[RowItem]:
    """Each run as a row with its reference, counted from 1; what could not be read as a broken line.

    References that no run has are told in the end.
    """
    unmet = dict.fromkeys(references)
    for number, read in enumerate(runs, 1):
        if not is_successful(read):
            yield BrokenRow(Place(line=number, column=1), describe(read.failure()))
            continue
        run = read.unwrap()
        id = run.span_id or run.id or None
        expected = by_id(references, run) if references else None
        for own in (run.span_id, run.id, run.trace_id):
            unmet.pop(own, None)
        yield Row(id or str(number), run, expected=expected, place=Place(line=number), has_id=id is not None)
    if unmet:
        named = ", ".join([*unmet][:_MOST_NAMED])
        complain(f"--references: of {len(references)} ids {len(unmet)} are those of no run, span or trace: {named}")
