"""`read_runs`: the runs that a file or an object holds, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents.run import AgentRun
from scorewright.results import err, ok
from scorewright.traces.dialect import Dialect
from scorewright.traces.dialects import DIALECTS
from scorewright.traces.faults import TraceFault, UnknownDialect, Unreadable
from scorewright.traces.json_view import is_list, is_mapping
from scorewright.traces.loading import Archive, Loaded, Source, opened

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
    try:
        given = opened(source)
    except RecursionError:
        return iter((err(Unreadable("$", "nested too deeply, or a circle")),))
    known = tuple(each for each in dialects if dialect in {None, each.name})
    if not known:
        return iter((err(UnknownDialect(f"the name {dialect!r}", tuple(each.name for each in dialects))),))
    if given.document is not None:
        return _read(given.document, known, given, named=dialect is not None)
    return _read_lines(given, known, named=dialect is not None)


def detected(document: object, dialects: Sequence[Dialect] = DIALECTS, /) -> Dialect | None:
    """The dialect that claims a document; None where none does."""
    return next((dialect for dialect in dialects if _claims(dialect, document)), None)


def _claims(dialect: Dialect, document: object) -> bool:
    try:
        return dialect.detect(document)
    except RecursionError:
        return False


def _read(loaded: Loaded, dialects: Sequence[Dialect], source: Source, *, named: bool) -> Read:
    if not is_successful(loaded):
        yield err(loaded.failure())
        return
    document = loaded.unwrap()
    dialect = dialects[0] if named else detected(document, dialects)
    if dialect is None:
        yield err(UnknownDialect(_seen(document), tuple(f"{each.name}: {each.looks_for}" for each in dialects)))
        return
    runs = dialect.read(document)
    while True:
        try:
            run = next(runs, None)
        except RecursionError:
            yield err(Unreadable(source.ref or "$", "nested too deeply, or a circle"))
            return
        if run is None:
            return
        about = attrs.evolve(run.source, ref=run.source.ref or source.ref)
        yield ok(attrs.evolve(run, source=about, gaps=(*source.gaps, *run.gaps)))


def _read_lines(source: Source, dialects: Sequence[Dialect], *, named: bool) -> Read:
    """Lines that are documents of their own are read as they come; lines that make one document are gathered."""
    lines = iter(source.lines)
    first = next(lines, None)
    if first is None:
        return
    head = first.unwrap() if is_successful(first) else None
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
