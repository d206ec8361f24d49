"""What `scorewright resume`, `rescore`, `export`, `doctor` and `list` do with a store."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scorewright.cli.answering import taped_by
from scorewright.cli.codes import FINE, GATE_FAILED
from scorewright.cli.conducting import Told, conducted, opened_store
from scorewright.cli.evaluate import evaluate_rows
from scorewright.cli.loading import UsageError
from scorewright.cli.options import Files
from scorewright.cli.outputs import may_write
from scorewright.cli.stores import At, experiment_in, taken_in
from scorewright.cli.suites import Chosen, chosen_of, scorers_of, suite_of
from scorewright.cli.table import columns_of, console_on, shown
from scorewright.suites.counting import Counting
from scorewright.suites.evaluate import How
from scorewright.suites.rescoring import rescored

if TYPE_CHECKING:
    from scorewright.suites.journal import Experiment


def resume(place: At, told: Told, files: Files, concurrency: int | None, /) -> int:
    """Call `evaluate` again as it was called: what was done is kept, and what failed is tried again.

    Without an id it is the latest that the command line began; a rescoring is continued by its own command. What
    `files` or `concurrency` say is otherwise than it was.
    """
    with opened_store(place.store, made=True) as store:
        begun = [each.id for each in store.experiments() if each.settings.get("call")]
        experiment = experiment_in(store, place.id or (begun[-1] if begun else None))
    chosen = chosen_of(experiment.settings.get("call")).with_files(files)
    if concurrency is not None:
        chosen = attrs.evolve(chosen, concurrency=concurrency)
    return evaluate_rows(chosen, place.store, told, continues=experiment.id)


def rescore(place: At, chosen: Chosen, told: Told, /) -> int:
    """Score what a store holds with other scorers; no target is called."""
    may_write(told.output, "--output", force=told.force, read=(place.store,))
    with opened_store(place.store, made=True) as store:
        experiment_in(store, place.id)
    suite = suite_of(chosen)
    taped = taped_by(chosen.answering, scorers_of(suite).values())
    how = How(concurrency=chosen.concurrency, budget=chosen.answering.budget, fail_fast=chosen.fail_fast, taped=taped)
    return conducted(
        Counting(suite), how, lambda counting, how: rescored(counting, place.id, how), where=place.store, told=told
    )


def export_to(place: At, output: Path, *, force: bool) -> int:
    """Write what a store holds of an experiment to JSON Lines, CSV or Parquet."""
    from scorewright.suites.journal import StoreError
    from scorewright.suites.journal.export import export

    may_write(output, "--output", force=force, read=(place.store,))
    with opened_store(place.store, made=True) as store:
        experiment = taken_in(store, place.id)
        try:
            written = export(store, experiment.id, output)
        except StoreError as failed:
            raise UsageError(str(failed)) from failed
    sys.stderr.write(f"scorewright: {written} records of experiment {experiment.id} in {shown(str(output))}\n")
    return FINE


def examine(where: str, *, as_json: bool) -> int:
    """Look at a store, and say what is to be mended; 1 where something is."""
    from scorewright.suites.journal.doctor import doctor

    findings = doctor(where)
    if as_json:
        sys.stdout.write(json.dumps({"schema_version": 1, "findings": [attrs.asdict(each) for each in findings]}))
        sys.stdout.write("\n")
    else:
        for each in findings:
            sys.stdout.write(f"{each.weight:<8} {shown(each.what)}\n")
    return GATE_FAILED if any(each.weight == "fault" for each in findings) else FINE


def list_experiments(where: str, *, as_json: bool) -> int:
    """What a store holds, the latest last."""
    with opened_store(where, made=True) as store:
        there = store.experiments()
    listed = [(each.id, each.name, each.created, _source(each)) for each in there]
    if as_json:
        names = ("id", "name", "created", "source")
        held = [dict(zip(names, each, strict=True)) for each in listed]
        sys.stdout.write(json.dumps({"schema_version": 1, "experiments": held}) + "\n")
        return FINE
    table = columns_of("experiment", "suite", "created", "rows")
    for each in listed:
        table.add_row(*map(shown, each))
    console = console_on(sys.stdout)
    with console.capture() as captured:
        console.print(table)
    sys.stdout.write(captured.get())
    return FINE


def _source(experiment: Experiment) -> str:
    source = experiment.settings.get("source")
    return source if isinstance(source, str) else ""
