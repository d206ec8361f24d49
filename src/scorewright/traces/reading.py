"""`read_runs`: the runs that a file or an object holds, one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
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
from scorewright.traces.streaming import Piece

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
        return _read_stream(source, source.stream, again, dialect, dialects)
    if isinstance(source.stream, Large):
        return _read_any(attrs.evolve(source.stream.whole(), ref=source.ref), dialects, named=named)
    return _read_lines(source, dialects, named=named)


def _read_stream(
    source: Source,
    given: Lines | Large,
    found: Iterable[tuple[int, Loaded]],
    dialect: Dialect,
    dialects: Sequence[Dialect],
) -> Read:
    """The runs of a document in pieces; what comes of pieces that cannot be read, or are of others, in between."""
    aside: deque[Loaded] = deque()

    def own() -> Iterator[Piece]:
        for end, loaded in found:
            if is_successful(loaded) and not _is_of_another(loaded.unwrap(), dialect, dialects):
                yield Piece(end, loaded.unwrap())
            else:
                aside.append(loaded)
                yield Piece(end, None)

    read = () if dialect.stream is None else dialect.stream(own(), given.ends())
    for run in _safely(iter(read), source):
        while aside:
            yield from _read(aside.popleft(), dialects, source, named=False)
        yield run
    for each in aside:
        yield from _read(each, dialects, source, named=False)


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
    own, others = _parted(document, dialect, dialects)
    if not others:
        yield from _safely(dialect.read(document), source)
        return
    for each in (own, *others):
        yield from _read(ok(each), dialects, source, named=named)


def _parted(document: object, dialect: Dialect, dialects: Sequence[Dialect]) -> tuple[list[object], list[object]]:
    """What of a list is of the dialect that claims it, and the documents of others among it.

    A list is of documents where its first one is claimed alone too.
    """
    if not is_list(document) or not document or not _claims(dialect, document[0]):
        return [], []
    others = [_is_of_another(each, dialect, dialects) for each in document]
    return (
        [each for each, is_other in zip(document, others, strict=True) if not is_other],
        [each for each, is_other in zip(document, others, strict=True) if is_other],
    )


def _is_of_another(document: object, dialect: Dialect, dialects: Sequence[Dialect]) -> bool:
    packed = is_mapping(document) or is_list(document)
    return packed and not _claims(dialect, document) and detected(document, dialects) is not None


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
            yield from _read(line, dialects, source, named=named)
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
        return f"an archive of {_some(document.members)}" if document.members else "an archive without a .json file"
    if is_mapping(document):
        return f"an object with {_some(document)}"
    if is_list(document):
        return f"a list of {len(document)}, the first of which is {_seen(document[0])}" if document else "an empty list"
    return f"a {type(document).__name__}"


def _some(keys: Iterable[str]) -> str:
    names = list(keys)
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")  # noqa: PLR2004 - a few
