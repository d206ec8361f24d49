"""`read_runs`: the runs that a file or an object holds, one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents.run import AgentRun, TraceSource
from scorewright.results import err, ok
from scorewright.traces.dialect import Dialect
from scorewright.traces.dialects import DIALECTS
from scorewright.traces.faults import TraceFault, UnknownDialect, Unreadable
from scorewright.traces.json_view import is_list, is_mapping
from scorewright.traces.loading import Archive, Large, Lines, Loaded, Source, opened
from scorewright.traces.packing import answered, documents_in
from scorewright.traces.streaming import Ends, Piece

Read = Iterator[Result[AgentRun, TraceFault]]


def read_runs(
    source: str | Path | object, dialect: str | None = None, *, dialects: Sequence[Dialect] = DIALECTS
) -> Read:
    """The runs of a file, of bytes, or of an object such as a list of messages, read as they are asked for.

    The dialect is recognised, or named; `dialects` adds your own. It never raises on content: what cannot be read at
    all is a fault, what is missing inside a run is one of the run's gaps.

    >>> [run.unwrap().final_output for run in read_runs([{"role": "user", "content": "Hi"}])]
    [None]
    """
    known = tuple(each for each in dialects if dialect in {None, each.name})
    if not known:
        return iter((err(UnknownDialect(f"the name {dialect!r}", tuple(each.name for each in dialects))),))
    try:
        given = opened(source, known[0].quick)
    except RecursionError:
        return iter((err(Unreadable("$", "nested too deeply, or a circle")),))
    return _read_any(given, known, named=dialect is not None)


def detected(document: object, dialects: Sequence[Dialect] = DIALECTS, /) -> Dialect | None:
    """The dialect that claims a document; None where none does."""
    return next((dialect for dialect in dialects if _claims(dialect, document)), None)


def _claims(dialect: Dialect, document: object) -> bool:
    try:
        return dialect.detect(document)
    except RecursionError:
        return False


def _read_any(source: Source, dialects: Sequence[Dialect], *, named: bool) -> Read:
    if source.document is not None:
        return _read(source.document, dialects, source, named=named)
    if source.stream is None:
        return _read_lines(source, dialects, named=named)
    found = source.stream.pieces()
    first = next(found, None)
    head = first[1].unwrap() if first is not None and is_successful(first[1]) else None
    dialect = dialects[0] if named else detected(head, dialects)
    if (
        dialect is not None
        and dialect.stream is not None
        and (isinstance(source.stream, Large) or dialect.lines == "together")
    ):
        again = chain(() if first is None else (first,), found)
        return _read_stream(source, source.stream, again, dialect.stream)
    if isinstance(source.stream, Large):
        return _read_any(attrs.evolve(source.stream.whole(), ref=source.ref), dialects, named=named)
    return _read_lines(source, dialects, named=named)


def _read_stream(
    source: Source,
    given: Lines | Large,
    found: Iterable[tuple[int, Loaded]],
    stream: Callable[[Iterable[Piece], Ends], Iterator[AgentRun]],
) -> Read:
    """The runs of a document in pieces, and a fault for every piece that cannot be read."""
    faults: deque[Unreadable] = deque()

    def good() -> Iterator[Piece]:
        for end, loaded in found:
            if is_successful(loaded):
                yield Piece(end, loaded.unwrap())
            else:
                faults.append(loaded.failure())
                yield Piece(end, None)

    for run in _safely(stream(good(), given.ends()), source):
        while faults:
            yield err(faults.popleft())
        yield run
    yield from map(err, faults)


def _read(loaded: Loaded, dialects: Sequence[Dialect], source: Source, *, named: bool) -> Read:
    if not is_successful(loaded):
        yield err(loaded.failure())
        return
    document = answered(loaded.unwrap())
    dialect = detected(document, dialects)
    held = documents_in(document, lambda each: detected(each, dialects) is not None) if dialect is None else None
    for each in held or ():
        yield from _read(ok(each), dialects, source, named=named)
    if held is not None:
        return
    dialect = dialects[0] if named else dialect
    if dialect is None:
        yield err(UnknownDialect(_seen(document), tuple(f"{each.name}: {each.looks_for}" for each in dialects)))
        return
    yield from _safely(dialect.read(document), source)


def _safely(runs: Iterator[AgentRun], source: Source) -> Read:
    """The runs, with what was lost when the source was opened; a circle in an object is a fault."""
    before = about = TraceSource()  # most runs of a file share one
    while True:
        try:
            run = next(runs, None)
        except RecursionError:
            yield err(Unreadable(source.ref or "$", "nested too deeply, or a circle"))
            return
        if run is None:
            return
        if source.gaps or (source.ref and not run.source.ref):
            if run.source is not before:
                before = run.source
                about = attrs.evolve(before, ref=before.ref or source.ref)
            run = run.read_from(about, source.gaps)
        yield ok(run)


def _read_lines(source: Source, dialects: Sequence[Dialect], *, named: bool) -> Read:
    """Lines that are documents of their own are read as they come; lines that make one document are gathered."""
    lines = iter(source.lines)
    first = next(lines, None)
    if first is None:
        return
    head = answered(first.unwrap()) if is_successful(first) else None
    single = tuple(each for each in dialects if each.lines == "each")
    if single and (named or detected(head, single) is not None):
        for line in chain((first,), lines):
            yield from _read(line, single, source, named=named)
        return
    gathered: list[object] = []
    for line in chain((first,), lines):
        if is_successful(line):
            gathered.append(line.unwrap())
        else:
            yield err(line.failure())
    yield from _read(ok(gathered), dialects, source, named=named)


def _seen(document: object) -> str:
    """What an unknown document looks like, in a few words."""
    if isinstance(document, Archive):
        return f"an archive of {_some(document.members)}"
    if is_mapping(document):
        return f"an object with {_some(document)}"
    if is_list(document):
        return f"a list of {len(document)}, the first of which is {_seen(document[0])}" if document else "an empty list"
    return f"a {type(document).__name__}"


def _some(keys: Iterable[str]) -> str:
    names = list(keys)
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")  # noqa: PLR2004 - a few
