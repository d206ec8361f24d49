"""What `scorewright score` does, once its options are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import BinaryIO, final

import attrs

from scorewright.cli.answering import Answering, opening
from scorewright.cli.estimating import estimate_lines, estimate_report, estimated
from scorewright.cli.gates import Gate, gates_of
from scorewright.cli.loading import UsageError, load_scorers
from scorewright.cli.progress import progress
from scorewright.cli.records import record_line
from scorewright.cli.report import report
from scorewright.cli.scoring import Scored, score_lines
from scorewright.cli.sources import Read, read_source
from scorewright.cli.summary import Summary, summary_of
from scorewright.cli.table import complain, print_summary, shown
from scorewright.cli.traces import references_in
from scorewright.suites.rows import BrokenRow

FINE, GATE_FAILED, USAGE, INCOMPLETE, INTERRUPTED = 0, 1, 2, 4, 130
INTERRUPT = "interrupted"


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
    """Score the file and say what came of it; the exit code. Raises `UsageError` before anything is scored."""
    if options.estimate:
        return _estimate(options)
    stdout = sys.stdout
    with redirect_stdout(sys.stderr):  # stdout is for the results, whatever scorers print
        summary, gates = _scored(options)
    code = exit_code(summary, gates)
    if summary.stopped:
        complain(f"stopped: {summary.stopped}")
    elif not summary.n_rows + summary.n_broken:
        complain(f"{summary.source} holds no {summary.unit}s")
    if options.json:
        stdout.write(json.dumps(report(summary, gates, code)) + "\n")
    elif summary.n_rows + summary.n_broken:
        print_summary(summary, gates, stdout)
    stdout.flush()
    return code


def _read(stack: ExitStack, options: Options) -> Read:
    scorers = load_scorers(options.scorers)
    references = None if options.references is None else references_in(options.references)
    return read_source(stack, options.runs, scorers, options.dialect, options.mapping, options.format, references)


def _estimate(options: Options) -> int:
    """Say what scoring the file would ask, and send nothing."""
    stdout = sys.stdout
    with redirect_stdout(sys.stderr), ExitStack() as stack:
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


def _scored(options: Options) -> tuple[Summary, list[Gate]]:
    if options.concurrency < 1:
        raise UsageError(f"--concurrency is at least 1, not {options.concurrency}")
    with ExitStack() as stack:
        read = _read(stack, options)
        gates = gates_of(options.fail_under, options.fail_over, read.scorers)
        answered = opening(options.answering, read.scorers)
        results = stack.enter_context(_created(options, options.out)) if options.out else None
        summary = summary_of(read.source, read.scorers, read.unit)
        advance = stack.enter_context(progress(read.size, read.position))

        def emit(item: Scored | BrokenRow) -> None:
            if results is not None and isinstance(item, Scored):
                results.write(record_line(item))
                results.flush()
            summary.add(item)
            advance(item)

        try:
            score_lines(read.rows, read.readers, options.concurrency, emit, answered)
        except KeyboardInterrupt:
            summary.stopped = INTERRUPT
        except SystemExit as ended:  # a step that calls sys.exit() does not decide how the command ends
            summary.stopped = f"a scorer ended the process: SystemExit({ended.code!r})"
        except OSError as failed:  # reading the runs, or writing the results: what steps raise never comes here
            summary.stopped = str(failed)
    return summary, gates


def exit_code(summary: Summary, gates: Iterable[Gate], /) -> int:
    """A stop before a gate, a gate before a run that is missing; a run that is not scorable is none."""
    if summary.stopped:
        return INTERRUPTED if summary.stopped == INTERRUPT else INCOMPLETE
    if not all(gate.passes([*summary.tallies.values()]) for gate in gates):
        return GATE_FAILED
    return INCOMPLETE if summary.n_failed or summary.n_broken or not summary.n_rows else FINE


@contextmanager
def _created(options: Options, out: Path) -> Generator[BinaryIO]:
    if options.runs != "-" and out.exists() and out.samefile(options.runs):
        raise UsageError(f"--out {out} is the file of the runs")
    try:
        file = out.open("wb" if options.force else "xb")
    except FileExistsError as there:
        raise UsageError(f"{out} is there already: give --force to replace it, or another --out") from there
    except OSError as failed:
        raise UsageError(f"cannot write {out}: {failed.strerror}") from failed
    try:
        yield file
    finally:
        with suppress(OSError):  # every line was flushed: what could not be written has been told
            file.close()
