"""`scorewright report`: what a store holds of an evaluation, as a page, a file or a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scorewright.cli.conducting import opened_store
from scorewright.cli.loading import UsageError
from scorewright.cli.options import OUTPUT
from scorewright.cli.outputs import may_write, written
from scorewright.cli.stores import At, Named, at, taken_in

if TYPE_CHECKING:
    from scorewright.reports import Report


def report(
    named: str | None = None,
    id: Named = None,
    /,
    *,
    store: str | None = None,
    experiment: str | None = None,
    output: Annotated[list[Path] | None, OUTPUT] = None,
    force: bool = False,
    json: bool = False,
    github: bool = False,
) -> int:
    """Report what a store holds of an evaluation; on the terminal where no file is named.

    The exit code is that of the verdict which the report shows, as of evaluate: 0 passed, 1 a gate or threshold was
    missed, 2 wrong usage, 3 inconclusive, 4 incomplete.

    Parameters
    ----------
    named
        The store, a file or postgresql://…; STORE#ID is an experiment in it.
    id
        An experiment of it.
    store
        The store, where none stands first.
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
    place = at(named, id, store=store, experiment=experiment)
    _check(files := tuple(output or ()), place.store, force=force)
    found = report_in(place)
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


def report_in(place: At, /) -> Report:
    """The report; a store or an experiment that is not there is a usage error."""
    from scorewright.reports import report_of
    from scorewright.suites.journal import StoreError

    with opened_store(place.store, made=True) as store:
        experiment = taken_in(store, place.id)
        try:
            return report_of(store, experiment.id)
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
