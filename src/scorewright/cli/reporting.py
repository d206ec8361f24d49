"""`scorewright report`: what a store holds of an evaluation, as a page, a file or a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from scorewright.cli.loading import UsageError
from scorewright.cli.outputs import may_write, written

if TYPE_CHECKING:
    from scorewright.reports import Report


def report(
    store: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    experiment: str | None = None,
    output: list[Path] | None = None,
    force: bool = False,
    json: bool = False,
    github: bool = False,
) -> int:
    """Report what a store holds of an evaluation; on the terminal where no file is named.

    The exit code is that of the verdict which the report shows, as of evaluate: 0 passed, 1 a gate or threshold was
    missed, 2 wrong usage, 3 inconclusive, 4 incomplete.

    Parameters
    ----------
    store
        The store: a file or postgresql://…
    experiment
        Its id, or how that begins; the latest without one.
    output
        Write the report to this file: .html, .md, .json or .xml (JUnit). Repeatable.
    force
        Replace the files of --output.
    json
        Print the report as JSON instead of the table.
    github
        Add it to the summary of the step of a GitHub workflow, and annotate what is missed.
    """
    if store.startswith("-"):
        raise UsageError(f"unknown option {store}")
    _check(files := tuple(output or ()), store, force=force)
    found = report_in(store, experiment)
    _write(found, files)
    if github:
        _to_github(found)
    elif json:
        from scorewright.reports import json_text

        sys.stdout.write(json_text(found))
    elif not files:
        show(found)
    sys.stdout.flush()
    from scorewright.cli.codes import CODES

    return CODES[found.verdict]


def report_in(store: str, experiment: str | None, /) -> Report:
    """The report; a store or an experiment that is not there is a usage error."""
    from scorewright.reports import report_of
    from scorewright.suites.journal import StoreError

    if "://" not in store and not Path(store).is_file():
        raise UsageError(f"there is no store {store}: give the file that --store named")
    try:
        return report_of(store, experiment)
    except StoreError as failed:
        raise UsageError(str(failed)) from failed


def show(given: object, /) -> None:
    """Something that rich can show, on stdout: a table of others' texts, none of which is markup."""
    from scorewright.cli.table import console_on

    console = console_on(sys.stdout)
    with console.capture() as captured:  # rich would end the process when nobody reads any more
        console.print(given)
    sys.stdout.write(captured.get())


def _check(files: Sequence[Path], store: str, *, force: bool) -> None:
    from scorewright.reports import WRITERS

    for file in files:
        if file.suffix.lower() not in WRITERS:
            raise UsageError(f"--output {file}: a report is written as {', '.join(WRITERS)}")
        may_write(file, "--output", force=force, read=(store,))


def _write(found: Report, files: Sequence[Path]) -> None:
    from scorewright.cli.table import shown
    from scorewright.reports import write_report

    for file in files:
        written(partial(write_report, found, file), file, f"the report of {shown(found.name)}")


def _to_github(found: Report) -> None:
    from scorewright.reports import annotations, write_step_summary

    if not write_step_summary(found):
        raise UsageError("--github needs GITHUB_STEP_SUMMARY, which a step of a GitHub workflow has")
    sys.stdout.write("".join(f"{line}\n" for line in annotations(found)))
