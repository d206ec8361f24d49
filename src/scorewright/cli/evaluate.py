"""What `scorewright evaluate` does, once its options are read."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Coroutine

from scorewright.cli.answering import taped_by
from scorewright.cli.conducting import Told, conducted
from scorewright.cli.loading import UsageError
from scorewright.cli.outputs import may_write
from scorewright.cli.streams import aside
from scorewright.cli.suites import Chosen, pick_of, scorers_of, source_of, suite_of, target_of
from scorewright.cli.table import complain
from scorewright.cli.usage import mistaken
from scorewright.faults import DefinitionError
from scorewright.suites import ChunkJob, ProcessExecutor, Suite, Summary
from scorewright.suites.counting import Counting
from scorewright.suites.evaluate import How, RowStream, counted


def evaluate_rows(chosen: Chosen, store: str | None, told: Told, /, *, continues: str | None = None) -> int:
    """Evaluate, and say what came of it; the exit code. Raises `UsageError` before anything is evaluated.

    Where an experiment is to be continued that this is not any more, that is told first: a target is asked anew.
    """
    may_write(told.output, "--output", force=told.force, read=(chosen.rows, store))
    with aside():  # stdout is for the results, whatever scorers and targets print
        suite, target, source = suite_of(chosen), target_of(chosen), source_of(chosen)
        picked = RowStream(source.name or chosen.rows, pick_of(chosen)(source))
        if source.fields and sys.stderr.isatty():
            sys.stderr.write(f"rows: {', '.join(f'{ours} ← {theirs}' for ours, theirs in source.fields.items())}\n")
    if continues is not None:
        _tell_changes(continues, suite, picked.name, target, chosen, store)
    how = How(
        target=target,
        concurrency=chosen.concurrency,
        fail_fast=chosen.fail_fast,
        budget=chosen.answering.budget,
        taped=taped_by(chosen.answering, scorers_of(suite).values()),
        executor=_executor(chosen),
        called=chosen.as_json(),
    )
    counting = Counting(suite, picked.name)
    size, position = source.size, lambda: source.position

    def run(counting: Counting, how: How) -> Coroutine[object, object, Summary]:
        return counted(counting, picked, how)

    return conducted(counting, how, run, where=store, told=told, size=size, position=position)


def _tell_changes(  # noqa: PLR0917 - what an experiment is made of
    continues: str, suite: Suite, source: str, target: object, chosen: Chosen, store: str | None
) -> None:
    from scorewright.suites.experiments import experiment_of

    if experiment_of(suite, source, target, {}).id != continues:
        complain(f"scorers, settings or target have changed since {continues}: this is another experiment, begun anew")
        named = ["--suite", chosen.suite] if chosen.suite else [f"--scorers={each}" for each in chosen.scorers]
        again = shlex.join(["scorewright", "rescore", continues, "--store", store or "", *named])
        complain(f"what {continues} holds is scored without its target by {again}")


def _executor(chosen: Chosen) -> ProcessExecutor | None:
    if chosen.workers is None:
        return None
    if chosen.suite is None or _is_path(chosen.suite):
        raise UsageError("--workers needs --suite module:name: a worker process finds it by that name")
    if chosen.target is not None and _is_path(chosen.target):
        raise UsageError("--workers needs --target module:name: a worker process finds it by that name")
    if chosen.answering.budget is not None:
        raise UsageError("--workers takes no budget: one process keeps it")
    if chosen.answering.files:
        raise UsageError("--workers takes no --replay, --record or --cache: one process keeps the file")
    try:
        return ProcessExecutor(ChunkJob(chosen.suite, chosen.target, chosen.concurrency), chosen.workers)
    except DefinitionError as mistake:
        raise mistaken(mistake) from mistake


def _is_path(named: str) -> bool:
    return named.partition(":")[0].endswith(".py")
