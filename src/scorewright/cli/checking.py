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

from scorewright.cli.loading import AnyScorer, BrokenModule, UsageError, scorers_in
from scorewright.cli.rows import BrokenLine, Row, read_lines
from scorewright.cli.scoring import Reader, reader_for
from scorewright.judges import Judge
from scorewright.wording import describe

Kind: TypeAlias = Literal["type", "definition", "duplicate id", "no judge", "row"]

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


def check(places: Sequence[str], rows: Path | None, /) -> list[Finding]:
    """All that is found in the modules, the checker's findings first; with rows, what does not fit them too."""
    files = {place: _file_of(place) for place in places}
    found = [*type_findings([*files.values()])]
    loaded: list[tuple[str, AnyScorer]] = []
    for place, file in files.items():
        try:
            loaded += [(str(file), scorer) for scorer in scorers_in(place)]
        except BrokenModule as broken:
            found.append(Finding("definition", _here(broken.file), broken.line, 0, broken.said))
    found += duplicates(loaded)
    found += judgeless(loaded)
    if rows is not None:
        found += misfits(loaded, rows)
    return found


def type_findings(files: Sequence[Path], /) -> Iterator[Finding]:
    """What mypy --strict says of the files; the settings of the project around them do not count."""
    if importlib.util.find_spec("mypy") is None:
        raise UsageError("scorewright check needs mypy: pip install 'scorewright[check]'")
    command = [sys.executable, "-m", "mypy", *STRICT, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own interpreter
    if done.returncode not in {0, 1}:
        raise UsageError(f"mypy could not check: {(done.stderr or done.stdout).strip()}")
    asked = {file.resolve() for file in files}
    for line in done.stdout.splitlines():
        said = json.loads(line)
        if said["severity"] == "error" and Path(said["file"]).resolve() in asked:
            yield Finding("type", said["file"], said["line"], said["column"] + 1, said["message"], said["code"] or "")


def duplicates(loaded: Iterable[tuple[str, AnyScorer]], /) -> Iterator[Finding]:
    """Ids that two scorers bear: results could not tell them apart."""
    bearers: dict[str, list[tuple[str, AnyScorer]]] = defaultdict(list)
    for file, scorer in loaded:
        if all(scorer is not known for _, known in bearers[scorer.id]):
            bearers[scorer.id].append((file, scorer))
    for id, several in bearers.items():
        if len(several) > 1:
            where = ", ".join(dict.fromkeys(file for file, _ in several))
            yield Finding("duplicate id", several[1][0], 0, 0, f"{len(several)} scorers have the id {id!r} ({where})")


def judgeless(loaded: Iterable[tuple[str, AnyScorer]], /) -> Iterator[Finding]:
    """Prompt steps whose judge names no model, neither of its own nor from the scorer."""
    for file, scorer in loaded:
        for step in scorer.steps:
            own, outer = step.judge, scorer.about.judge
            judge = outer if own is None else own if outer is None else own.filled(outer)
            if step.kind == "prompt" and isinstance(judge, Judge) and not judge.model:
                yield Finding("no judge", file, 0, 0, f"{scorer.id!r}: the judge of {step.name} names no model")


def misfits(loaded: Sequence[tuple[str, AnyScorer]], rows: Path, /) -> Iterator[Finding]:
    """Rows that a scorer could not run on: of other types, or without the reference answer that it needs."""
    readers = [(scorer, reader_for(scorer)) for _, scorer in loaded]
    counts: dict[tuple[str, str], int] = defaultdict(int)
    with rows.open("rb") as lines:
        for row in read_lines(lines):
            if isinstance(row, BrokenLine):
                yield Finding("row", str(rows), row.line, row.column, row.why)
                continue
            for scorer, reader in readers:
                why = _misfit(reader, row)
                if why:
                    counts[scorer.id, why] += 1
                    if counts[scorer.id, why] <= MOST_ROWS:
                        yield Finding("row", str(rows), row.line, 0, f"{scorer.id!r}: {why}")
    for (id, why), count in counts.items():
        if count > MOST_ROWS:
            yield Finding("row", str(rows), 0, 0, f"{id!r}: {why} ({count} rows in all)")


def _misfit(reader: Reader, row: Row) -> str:
    run = reader.run(row)
    if not is_successful(run):
        return describe(run.failure())
    if reader.scorer.about.needs_expected and row.expected is None:
        return "needs a reference answer, and the row has no 'expected'"
    return ""


def _file_of(place: str) -> Path:
    if place.endswith(".py"):
        if not Path(place).is_file():
            raise UsageError(f"there is no file {place}")
        return Path(place)
    sys.path.insert(0, str(Path.cwd()))
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
