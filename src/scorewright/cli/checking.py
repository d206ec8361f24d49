"""Holding scorer modules to their types, and to what only shows when they are loaded."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, final

import attrs
from returns.pipeline import is_successful

from scorewright.cli.loading import AnyScorer, BrokenModule, UsageError, from_here, scorers_in
from scorewright.cli.sources import reader_for
from scorewright.core.ask import Answerer
from scorewright.core.describing import Described
from scorewright.core.parts import labels_of
from scorewright.judges import Judge
from scorewright.suites.rows import BrokenRow, Row, RowsRefused, read_rows
from scorewright.suites.rows.structuring import RowReader
from scorewright.wording import describe

Kind: TypeAlias = Literal[
    "syntax", "type", "definition", "half-built", "duplicate id", "no judge", "row", "missing", "note"
]

STRICT = (
    "--strict",
    "--warn-unreachable",
    "--enable-error-code=ignore-without-code",
    "--enable-error-code=possibly-undefined",
    "--enable-error-code=exhaustive-match",
    "--enable-error-code=unused-awaitable",
    "--output=json",
    "--no-error-summary",
    "--config-file=",
    "--explicit-package-bases",
)
MOST_ROWS = 5  # rows named for each way in which they do not fit


@final
@attrs.frozen
class Finding:
    """One thing to mend: where, of which kind, and how it reads. Line 0 is the whole file."""

    kind: Kind
    file: str
    line: int
    column: int
    message: str
    code: str = ""


@final
@attrs.frozen
class Loaded:
    """A scorer, the file that it is of, and the name that it has there."""

    file: str
    name: str
    scorer: AnyScorer


@final
@attrs.frozen
class Checked:
    """How much was checked, and what was found; notes are no faults."""

    modules: int
    scorers: int
    findings: tuple[Finding, ...]

    @property
    def to_mend(self) -> int:
        """How many findings are more than a note."""
        return sum(found.kind != "note" for found in self.findings)


def check(places: Sequence[str], rows: Path | None, /, *, references: bool = False) -> Checked:
    """All that is found in the modules, the checker's findings first; with rows, what does not fit them too.

    With `references`, a row without the reference answer that a scorer needs is to be mended.
    """
    found: list[Finding] = []
    files: dict[str, Path] = {}
    for place in dict.fromkeys(places):
        try:
            files[place] = _file_of(place)
        except UsageError as missing:
            if len(places) == 1:
                raise
            found.append(Finding("missing", place, 0, 0, str(missing)))
    if not files:
        raise UsageError("; ".join(each.message for each in found))
    found += type_findings([*files.values()])
    loaded: list[Loaded] = []
    for place, file in files.items():
        found += _load(place, str(file), loaded, {(each.file, each.line) for each in found if each.kind == "syntax"})
    found += duplicates(loaded)
    found += judgeless(loaded)
    if rows is not None:
        found += misfits(loaded, rows, references=references)
    return Checked(len(files), len({id(each.scorer) for each in loaded}), tuple(found))


def _load(place: str, file: str, loaded: list[Loaded], known: set[tuple[str, int]]) -> Iterator[Finding]:
    """Load one module; what shows there, unless mypy has told it already."""
    try:
        found = scorers_in(place)
    except BrokenModule as broken:
        here = _here(broken.file)
        if not broken.column:
            yield Finding("definition", here, broken.line, 0, broken.said)
        elif (here, broken.line) not in known:
            yield Finding("syntax", here, broken.line, broken.column, broken.said)
        return
    loaded += (Loaded(file, name, scorer) for name, scorer in found.scorers)
    for name, lack in found.halves:
        yield Finding("half-built", file, 0, 0, f"{name}: {lack}")
    if not found.scorers:
        yield Finding("note", file, 0, 0, "there is no scorer in this module")


def type_findings(files: Sequence[Path], /) -> Iterator[Finding]:
    """What mypy --strict says of the files; the settings of the project around them do not count."""
    if importlib.util.find_spec("mypy") is None:
        raise UsageError("scorewright check needs mypy: pip install 'scorewright[check]'")
    broken = [found for file in files for found in _syntax(file)]
    yield from broken
    wrong = {found.file for found in broken}
    asked = [file for file in files if str(file) not in wrong]
    if not asked:
        return
    command = [sys.executable, "-m", "mypy", *STRICT, *map(str, asked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own interpreter
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode not in {0, 1}:
        if not told:
            raise UsageError(f"mypy could not check: {(done.stderr or done.stdout).strip()}")
        for said in told:  # a module that these import is no Python
            yield Finding("syntax", said["file"], said["line"], said["column"] + 1, said["message"], said["code"] or "")
        return
    resolved = {file.resolve() for file in asked}
    for said in told:
        if said["severity"] == "error" and Path(said["file"]).resolve() in resolved:
            yield Finding("type", said["file"], said["line"], said["column"] + 1, said["message"], said["code"] or "")


def _syntax(file: Path) -> Iterator[Finding]:
    try:
        compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    except SyntaxError as wrong:
        yield Finding("syntax", str(file), wrong.lineno or 1, wrong.offset or 1, wrong.msg)
    except (ValueError, OSError) as unread:
        yield Finding("syntax", str(file), 0, 0, str(unread))


def duplicates(loaded: Iterable[Loaded], /) -> Iterator[Finding]:
    """Ids that two scorers bear: results could not tell them apart."""
    bearers: dict[str, list[Loaded]] = defaultdict(list)
    for each in loaded:
        if all(each.scorer is not known.scorer for known in bearers[each.scorer.id]):
            bearers[each.scorer.id].append(each)
    for id, several in bearers.items():
        if len(several) > 1:
            where = ", ".join(f"{each.name} in {each.file}" for each in several)
            yield Finding("duplicate id", several[1].file, 0, 0, f"{len(several)} scorers have the id {id!r}: {where}")


def judgeless(loaded: Iterable[Loaded], /) -> Iterator[Finding]:
    """Prompt steps, of parts too, whose judge names no model: neither its own, nor the scorer's, nor a juror's."""
    for each in loaded:
        for where in _nameless(each.scorer, ()):
            yield Finding("no judge", each.file, 0, 0, f"{each.scorer.id!r}: the judge of {where} names no model")


def _nameless(scorer: Described, seats: tuple[Answerer | None, ...]) -> Iterator[str]:
    if not scorer.parts:
        for step in scorer.steps:
            judges = [judge for judge in (*seats, step.judge, scorer.about.judge) if judge is not None]
            if step.kind == "prompt" and judges and not any(map(_names_model, judges)):
                yield step.name
    elif len(scorer.parts) == 1:  # asked anew by each of its steps: samples have the same judge, jurors their own
        asked: list[Answerer | None] = []
        for step in scorer.steps:
            if step.kind != "pure" and step.judge not in asked:
                asked.append(step.judge)
                yield from (f"{step.name} / {inside}" for inside in _nameless(scorer.parts[0], (*seats, step.judge)))
    else:
        for label, part in zip(labels_of(tuple(part.about.id for part in scorer.parts)), scorer.parts, strict=True):
            yield from (f"{label} / {inside}" for inside in _nameless(part, seats))


def _names_model(judge: Answerer) -> bool:
    return not isinstance(judge, Judge) or bool(judge.model)


def misfits(loaded: Sequence[Loaded], rows: Path, /, *, references: bool) -> Iterator[Finding]:
    """Rows that a scorer could not run on: of other types, or without the reference answer that it needs."""
    readers: list[RowReader] = []
    yield from _read_for(loaded, readers)
    counts: dict[tuple[str, Kind, str], int] = defaultdict(int)
    try:
        source = read_rows(rows, needs=("input", "output"))
    except RowsRefused as refused:
        yield Finding("row", str(rows), 0, 0, str(refused))
        return
    for row in source:
        line = row.place.line or 0
        if isinstance(row, BrokenRow):
            yield Finding("row", str(rows), line, row.place.column or 0, row.why)
            continue
        for reader in readers:
            for kind, why in _misfit(reader, row, references=references):
                key = reader.scorer.id, kind, why
                counts[key] += 1
                if counts[key] <= MOST_ROWS:
                    yield Finding(kind, str(rows), line, 0, f"{key[0]!r}: {why}")
    for (id, kind, why), count in counts.items():
        if count > MOST_ROWS:
            yield Finding(kind, str(rows), 0, 0, f"{id!r}: {why} ({count} rows in all)")


def _read_for(loaded: Iterable[Loaded], readers: list[RowReader]) -> Iterator[Finding]:
    """Make the readers; the scorers that no row can be structured for are told."""
    for each in loaded:
        try:
            readers.append(reader_for(each.scorer))
        except UsageError as unserved:
            yield Finding("definition", each.file, 0, 0, f"{each.name}: {unserved}")


def _misfit(reader: RowReader, row: Row, *, references: bool) -> Iterator[tuple[Kind, str]]:
    run = reader.run(row)
    if not is_successful(run):
        yield "row", describe(run.failure())
    elif reader.scorer.about.needs_expected and row.expected is None:
        yield "row" if references else "note", "needs a reference answer, and the row has no 'expected'"


def _file_of(place: str) -> Path:
    if place.endswith(".py"):
        if not Path(place).is_file():
            raise UsageError(f"there is no file {place}")
        return Path(place)
    from_here()
    try:
        spec = importlib.util.find_spec(place)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        raise UsageError(f"there is no module {place!r} here or among the installed packages")
    return Path(spec.origin)


def _here(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
