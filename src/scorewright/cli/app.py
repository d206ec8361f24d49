"""The commands and their options. Results go to stdout, all else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter

from scorewright.cli import commands
from scorewright.cli.calibrate import calibrate
from scorewright.cli.check import check_modules
from scorewright.cli.codes import INCOMPLETE, INTERRUPTED, USAGE
from scorewright.cli.command import Options, score_file
from scorewright.cli.comparing import compare
from scorewright.cli.convert import convert_file
from scorewright.cli.defaults import with_defaults
from scorewright.cli.exporting import export
from scorewright.cli.loading import UsageError
from scorewright.cli.options import NO_FILES, OUTPUT, Files, Rows, Whole
from scorewright.cli.receive import receive
from scorewright.cli.reporting import report
from scorewright.cli.streams import leave_stdout, ready
from scorewright.cli.table import complain
from scorewright.cli.usage import Misused, formed, told
from scorewright.cli.watch import watch

_BROKEN_PIPE = 141
_FULL = frozenset({ENOSPC, EDQUOT, EFBIG, EIO})


def _version() -> str:
    try:
        return version("scorewright")
    except PackageNotFoundError:
        return "unknown: run from a source tree, not installed"


app: App = App(
    name="scorewright",
    help="Score what language models and agents did.",
    version=_version,
    default_parameter=Parameter(negative=()),
)


def score(
    runs: Rows,
    /,
    *more: Annotated[str, Parameter(show=False)],
    scorers: list[str],
    output: Annotated[Path | None, OUTPUT] = None,
    force: bool = False,
    json: bool = False,
    fail_under: tuple[str, ...] = (),
    fail_over: tuple[str, ...] = (),
    concurrency: Whole = 16,
    files: Files = NO_FILES,
    estimate: bool = False,
    budget_dollars: float | None = None,
    budget_calls: Whole | None = None,
    dialect: str | None = None,
    mapping: Annotated[tuple[str, ...], Parameter(name="--map")] = (),
    format: str | None = None,
    references: Path | None = None,
) -> int:
    """Score every row of a file, or every run of a trace, with every scorer.

    Exit codes: 0 fine, 1 a threshold was missed or there are no rows, 2 wrong usage, 3 inconclusive, 4 incomplete, 130
    interrupted.

    Parameters
    ----------
    runs
        Rows, as JSON, JSON Lines, CSV, YAML, Parquet or a data set; or a trace; - for stdin.
    scorers
        module:name or file.py:name, a scorer or a list of them; without :name all scorers of the module. Repeatable.
    output
        Write a JSON object for each row and scorer to this file, as they are done.
    force
        Replace the file of --output.
    json
        Print the summary as JSON instead of the table.
    fail_under
        ID=LIMIT: the mean of this scorer is at least the limit. Repeatable.
    fail_over
        ID=LIMIT: the same for a scorer of which lower is better: at most the limit. Repeatable.
    concurrency
        So many runs at once where scorers wait for judges.
    estimate
        Print how much would be asked, and what it would cost; score nothing and send nothing.
    budget_dollars
        Spend at most so many US dollars; what is not covered fails its row.
    budget_calls
        Send at most so many requests.
    dialect
        Read the file as a trace of this dialect; without it a trace is recognised.
    mapping
        FIELD=COLUMN: which of their columns is which field of ours, where the names do not tell. Repeatable.
    format
        Read the rows in this format, where the name of the file does not tell it.
    references
        A JSON object from the ids of a trace's runs, spans or traces to what is expected of them.
    """
    if more:
        each = " ".join(f"--scorers {scorer}" for scorer in (*scorers, *more))
        raise UsageError(f"one file at a time is scored, not {more[0]} too; several scorers are written {each}")
    answering = files.answering(budget_dollars, budget_calls)
    return score_file(
        Options(
            runs,
            tuple(scorers),
            output,
            force,
            json,
            fail_under,
            concurrency,
            dialect,
            fail_over,
            answering,
            estimate,
            mapping,
            format,
            references,
        )
    )


def check(
    modules: list[str],
    /,
    *,
    rows: Path | None = None,
    require_reference: bool = False,
    json: bool = False,
) -> int:
    """Check scorer modules: their types by mypy --strict, then what shows when they are loaded.

    Exit codes: 0 nothing found, 1 something to mend, 2 wrong usage.

    Parameters
    ----------
    modules
        Modules or files that define scorers.
    rows
        JSON Lines that the scorers are to run on; every row that does not fit one is named.
    require_reference
        A row without the reference answer that a scorer needs is to be mended; without this it is a note.
    json
        Print the findings as JSON.
    """
    return check_modules(modules, rows, as_json=json, references=require_reference)


def convert(
    file: Rows,
    /,
    *,
    dialect: str | None = None,
    json: bool = False,
) -> int:
    """Show the agent runs that a trace holds, as they were held, and what the trace does not hold.

    Exit codes: 0 fine, 2 wrong usage, 4 something could not be read, or there is no run.

    Parameters
    ----------
    file
        The trace; - for stdin.
    dialect
        Read it as this dialect; without it the dialect is recognised.
    json
        Print the runs as JSON.
    """
    return convert_file(file, dialect, as_json=json)


COMMANDS: Mapping[str, Callable[..., int]] = {
    "score": score,
    "check": check,
    "convert": convert,
    "evaluate": commands.evaluate,
    "resume": commands.resume,
    "rescore": commands.rescore,
    "export": export,
    "doctor": commands.doctor,
    "list": commands.list_,
    "report": report,
    "compare": compare,
    "calibrate": calibrate,
    "receive": receive,
    "watch": watch,
}

for _name, _command in COMMANDS.items():
    app.command(_command, name=_name)


def main() -> None:
    """The command `scorewright`."""
    sys.exit(call(sys.argv[1:]))


def call(tokens: Sequence[str], /) -> int:
    """Run one command line; the exit code."""
    ready()
    command = tokens[0] if tokens else ""
    try:
        code: object = app(
            with_defaults(tokens, COMMANDS),
            result_action="return_value",
            exit_on_error=False,
            print_error=False,
            verbose=False,
        )
        sys.stdout.flush()
    except CycloptsError as wrong:
        complain(told(wrong, command))
        return USAGE
    except Misused as wrong:
        complain(formed(str(wrong), command))
        return USAGE
    except UsageError as wrong:
        complain(str(wrong))
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read stdout has read enough
        leave_stdout()
        return _BROKEN_PIPE
    except OSError as failed:
        if failed.errno not in _FULL or failed.filename is not None:
            raise
        leave_stdout()
        complain(f"the results cannot be written to stdout: {failed.strerror}")
        return INCOMPLETE
    return code if isinstance(code, int) else 0
