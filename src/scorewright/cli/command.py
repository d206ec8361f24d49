"""What `scorewright score` does, once its options are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import cast, final

import attrs

from scorewright.cli.answering import Answering, taped_by
from scorewright.cli.bounds import thresholds_of
from scorewright.cli.codes import FINE, INCOMPLETE
from scorewright.cli.conducting import Told, conducted
from scorewright.cli.estimating import estimate_lines, estimate_report, estimated
from scorewright.cli.loading import UsageError, load_scorers
from scorewright.cli.outputs import may_write
from scorewright.cli.records import record_lines
from scorewright.cli.sources import Read, read_source
from scorewright.cli.streams import aside
from scorewright.cli.table import complain, shown
from scorewright.cli.traces import references_in
from scorewright.core.collection import SomeScorer
from scorewright.suites import Suite, Summary
from scorewright.suites.counting import Counting
from scorewright.suites.evaluate import How, RowStream, counted


@final
@attrs.frozen
class Options:
    """How the command was called."""

    runs: str
    scorers: tuple[str, ...]
    out: Path | None = None
    force: bool = False
    json: bool = False
    fail_under: tuple[str, ...] = ()
    concurrency: int = 16
    dialect: str | None = None
    fail_over: tuple[str, ...] = ()
    answering: Answering = attrs.field(factory=Answering)
    estimate: bool = False
    mapping: tuple[str, ...] = ()
    format: str | None = None
    references: Path | None = None


def score_file(options: Options, /) -> int:
    """Score the file and say what came of it; the exit code. Raises `UsageError` before anything is scored.

    The scorers are a suite that is evaluated without a target; results are told in the order of the rows.
    """
    if options.estimate:
        return _estimate(options)
    if options.concurrency < 1:
        raise UsageError(f"--concurrency is at least 1, not {options.concurrency}")
    with ExitStack() as stack:
        with aside():  # stdout is for the results, whatever scorers print
            read = _read(stack, options)
        suite = Suite(*cast("tuple[SomeScorer, ...]", read.scorers))
        scorers = {id: each.scorer for id, each in suite.by_id.items()}
        held = suite.held_to(thresholds_of(options.fail_under, options.fail_over, scorers))
        taped = taped_by(options.answering, scorers.values())
        out = options.out
        may_write(out, "--output", force=options.force, read=(options.runs,))

        def run(counting: Counting, how: How) -> Coroutine[object, object, Summary]:
            return counted(counting, RowStream(read.source, read.rows), how)

        how = How(concurrency=options.concurrency, budget=options.answering.budget, in_order=True, taped=taped)
        told = Told(options.json, out, options.force, record_lines, read.unit)
        counting = Counting(held, read.source)
        return conducted(counting, how, run, where=None, told=told, size=read.size, position=read.position)


def _read(stack: ExitStack, options: Options) -> Read:
    scorers = load_scorers(options.scorers)
    references = None if options.references is None else references_in(options.references)
    return read_source(stack, options.runs, scorers, options.dialect, options.mapping, options.format, references)


def _estimate(options: Options) -> int:
    """Say what scoring the file would ask, and send nothing."""
    stdout = sys.stdout
    with aside(), ExitStack() as stack:
        read = _read(stack, options)
        try:
            found = estimated(read.rows, read.readers)
        except SystemExit as ended:
            complain(f"stopped: a scorer ended the process: SystemExit({ended.code!r})")
            return INCOMPLETE
    if options.json:
        stdout.write(json.dumps(estimate_report(found, read.source)) + "\n")
    else:
        stdout.write(estimate_lines(found, shown(read.source), read.unit))
    return FINE
