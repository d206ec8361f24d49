"""What `scorewright score` does, once its options are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from math import isfinite, nan
from pathlib import Path
from typing import BinaryIO, final

import attrs

from scorewright.cli.loading import AnyScorer, UsageError, load_scorers
from scorewright.cli.progress import progress
from scorewright.cli.records import record_line
from scorewright.cli.report import report
from scorewright.cli.rows import BrokenLine, read_lines
from scorewright.cli.scoring import Scored, reader_for, score_lines
from scorewright.cli.summary import Gate, Summary, summary_of
from scorewright.cli.table import complain, print_summary

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


def score_file(options: Options, /) -> int:
    """Score the file and say what came of it; the exit code. Raises `UsageError` before anything is scored."""
    stdout = sys.stdout
    with redirect_stdout(sys.stderr):  # stdout is for the results, whatever scorers print
        summary, gates = _scored(options)
    code = exit_code(summary, gates)
    if summary.stopped:
        complain(f"stopped: {summary.stopped}")
    elif not summary.n_rows + summary.n_broken:
        complain(f"{summary.source} holds no rows")
    if options.json:
        stdout.write(json.dumps(report(summary, gates, code)) + "\n")
    elif summary.n_rows + summary.n_broken:
        print_summary(summary, gates, stdout)
    stdout.flush()
    return code


def _scored(options: Options) -> tuple[Summary, list[Gate]]:
    if options.concurrency < 1:
        raise UsageError(f"--concurrency is at least 1, not {options.concurrency}")
    with ExitStack() as stack:
        runs = stack.enter_context(_opened(options.runs))
        scorers = load_scorers(options.scorers)
        gates = [gate_of(given, scorers) for given in options.fail_under]
        readers = tuple(reader_for(scorer) for scorer in scorers)
        results = stack.enter_context(_created(options, options.out)) if options.out else None
        summary = summary_of("stdin" if options.runs == "-" else options.runs, scorers)
        advance = stack.enter_context(progress(runs))

        def emit(item: Scored | BrokenLine) -> None:
            if results is not None and isinstance(item, Scored):
                results.write(record_line(item))
                results.flush()
            summary.add(item)
            advance(item)

        try:
            score_lines(read_lines(runs), readers, options.concurrency, emit)
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


def gate_of(given: str, scorers: Sequence[AnyScorer], /) -> Gate:
    """The gate of one `--fail-under ID=LIMIT`."""
    id, equals, limit = given.rpartition("=")
    if not equals:
        raise UsageError(f"--fail-under takes ID=LIMIT, such as {scorers[0].id}=0.8, not {given!r}")
    found = next((scorer for scorer in scorers if scorer.id == id), None)
    if found is None:
        raise UsageError(f"--fail-under names {id!r}; the scorers are {', '.join(scorer.id for scorer in scorers)}")
    try:
        bound = float(limit)
    except ValueError:
        bound = nan
    if not found.scale.low <= bound <= found.scale.high or not isfinite(bound):
        raise UsageError(f"--fail-under {given}: the limit is a number of the scorer's scale, {scale_of(found)}")
    return Gate(id, bound)


def scale_of(scorer: AnyScorer, /) -> str:
    """The ends of its scale."""
    return f"{scorer.scale.low:g}..{scorer.scale.high:g}"


@contextmanager
def _opened(runs: str) -> Generator[BinaryIO]:
    if runs == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(runs).open("rb")  # noqa: SIM115 - closed below; what goes wrong there is no wrong usage
    except OSError as failed:
        raise UsageError(f"cannot read {runs}: {failed.strerror}") from failed
    with file:
        yield file


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
