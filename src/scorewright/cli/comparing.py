"""`scorewright compare`: what changed from one evaluation to another, by how much, and whether it is noise."""

from __future__ import annotations

import json as json_module
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from returns.pipeline import is_successful

from scorewright.cli.loading import UsageError
from scorewright.cli.options import OUTPUT
from scorewright.cli.outputs import may_write, written
from scorewright.cli.stores import at

if TYPE_CHECKING:
    from scorewright.reports import RunComparison


def compare(
    first: str,
    second: str,
    /,
    *,
    store: str | None = None,
    allow_changed: bool = False,
    output: Annotated[Path | None, OUTPUT] = None,
    force: bool = False,
    json: bool = False,
) -> int:
    """Compare two evaluations of the same rows by the same scorers: difference, interval, p-value, rows that changed.

    Exit codes: 0 nothing is worse beyond chance, 1 a scorer is (p below 0.05, corrected for their number), 2 wrong
    usage, 3 they cannot be compared: scorers or rows differ, or no row has a score in both.

    Parameters
    ----------
    first
        A store, whose latest experiment is meant, or STORE#ID; or, with --store, the id of an experiment alone.
    second
        The same.
    store
        The store of those that are named by their ids alone.
    allow_changed
        Compare although scorers or rows differ; what differs is said.
    output
        Write the comparison to this file: a page (.html), Markdown (.md) or JSON (.json).
    force
        Replace the file of --output.
    json
        Print the comparison as JSON instead of the table.
    """
    from scorewright.cli.codes import FINE, GATE_FAILED, INCONCLUSIVE
    from scorewright.cli.reporting import report_in
    from scorewright.cli.table import complain
    from scorewright.reports import compare_reports

    one, other = at(first, store=store), at(second, store=store)
    _check(output, one.store, other.store, force=force)
    before, after = report_in(one), report_in(other)
    if (one.store, before.experiment) == (other.store, after.experiment):
        complain(f"both are experiment {before.experiment} of {one.store}, which is compared with itself")
    found = compare_reports(before, after, allow_changed=allow_changed)
    if not is_successful(found):
        why = found.failure().why
        for each in why:
            complain(f"not compared: {each}")
        complain("give --allow-changed to compare what both have")
        if json:
            sys.stdout.write(json_module.dumps({"schema_version": 1, "not_comparable": [*why]}) + "\n")
        return INCONCLUSIVE
    compared = found.unwrap()
    _tell(compared, output, as_json=json)
    outcomes = {each.outcome for each in compared.scorers}
    if "worse" in outcomes:
        return GATE_FAILED
    return INCONCLUSIVE if outcomes == {"unknown"} else FINE


def _check(output: Path | None, *stores: str | None, force: bool) -> None:
    from scorewright.reports import COMPARISON_WRITERS

    if output is None:
        return
    if output.suffix.lower() not in COMPARISON_WRITERS:
        raise UsageError(f"--output {output}: a comparison is written as {', '.join(COMPARISON_WRITERS)}")
    may_write(output, "--output", force=force, read=stores)


def _tell(compared: RunComparison, output: Path | None, *, as_json: bool) -> None:
    from scorewright.cli.reporting import show
    from scorewright.reports import comparison_json, write_comparison

    if output is not None:
        written(partial(write_comparison, compared, output), output, "the comparison")
    if as_json:
        sys.stdout.write(json_module.dumps(comparison_json(compared), allow_nan=False) + "\n")
    elif output is None:
        show(compared)
    sys.stdout.flush()
