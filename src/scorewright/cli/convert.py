"""What `scorewright convert` does, once its options are read."""

from __future__ import annotations

import json
import sys
from typing import TextIO

from returns.pipeline import is_successful

from scorewright.cli.conversation import conversation
from scorewright.cli.sources import opened
from scorewright.cli.table import complain, console_on, counted, shown
from scorewright.cli.traces import Runs, known_dialect, runs_in
from scorewright.shapes import unstructure
from scorewright.wording import describe

FINE, INCOMPLETE = 0, 4
SCHEMA_VERSION = 1


def convert_file(path: str, dialect: str | None, /, *, as_json: bool) -> int:
    """Print every run of the file; the exit code."""
    known = None if dialect is None else known_dialect(dialect)
    with opened(path) as file:
        runs = runs_in(file, path, known)
        source = "stdin" if path == "-" else path
        n_runs, unread = (_print_json if as_json else _print_told)(source, runs, sys.stdout)
    for why in unread:
        complain(f"{source}: {why}")
    if not n_runs and not unread:
        complain(f"{source} holds no runs")
    return FINE if n_runs and not unread else INCOMPLETE


def _print_told(source: str, runs: Runs, stdout: TextIO) -> tuple[int, list[str]]:
    from rich.text import Text

    console = console_on(stdout)
    n_runs, unread = 0, list[str]()
    for read in runs:
        if not is_successful(read):
            unread.append(describe(read.failure()))
            continue
        run = read.unwrap()
        n_runs += 1
        with console.capture() as captured:  # rich would end the process when nobody reads any more
            dialect = f"{run.source.dialect} {run.source.version}".rstrip()
            console.print(Text.assemble((f"{shown(source)}  run {n_runs}", "bold"), f"  {shown(dialect)}"))
            for line in conversation(run):
                console.print(line)
            if run.gaps:
                console.print(Text(counted(len(run.gaps), "gap"), "yellow"))
            console.print()
        stdout.write(captured.get())
    return n_runs, unread


def _print_json(source: str, runs: Runs, stdout: TextIO) -> tuple[int, list[str]]:
    """One JSON object, written as the runs are read."""
    n_runs, unread = 0, list[str]()
    stdout.write(f'{{"schema_version": {SCHEMA_VERSION}, "source": {json.dumps(source)}, "runs": [')
    for read in runs:
        if not is_successful(read):
            unread.append(describe(read.failure()))
            continue
        stdout.write(", " if n_runs else "")
        stdout.write(json.dumps(unstructure(read.unwrap())))
        n_runs += 1
    stdout.write(f'], "unread": {json.dumps(unread)}}}\n')
    return n_runs, unread
