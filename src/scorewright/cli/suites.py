"""The suite, the rows and the target that a command line names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast, final

import attrs
from returns.pipeline import is_successful

from scorewright.cli.bounds import gates_of, thresholds_of
from scorewright.cli.loading import UsageError, load_object, load_scorers
from scorewright.cli.picking import Pick
from scorewright.cli.sources import mapped
from scorewright.core.budget import Budget
from scorewright.core.collection import SomeScorer
from scorewright.faults import DefinitionError
from scorewright.shapes import structure
from scorewright.suites import RowSource, RowsRefused, Suite, read_rows


@final
@attrs.frozen
class Chosen:
    """What is evaluated, as the options say it; all of it is text and numbers, so that a store can keep it."""

    rows: str
    suite: str | None = None
    scorers: tuple[str, ...] = ()
    target: str | None = None
    mapping: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    limit: int | None = None
    fail_under: tuple[str, ...] = ()
    fail_over: tuple[str, ...] = ()
    gate: tuple[str, ...] = ()
    concurrency: int | None = None
    fail_fast: bool = False
    budget_dollars: float | None = None
    budget_calls: int | None = None
    workers: int | None = None
    format: str | None = None

    def as_json(self) -> Mapping[str, object]:
        """What a store keeps, and `resume` reads."""
        return attrs.asdict(self)

    @property
    def budget(self) -> Budget | None:
        """What may be spent."""
        if self.budget_dollars is None and self.budget_calls is None:
            return None
        try:
            return Budget(calls=self.budget_calls, dollars=self.budget_dollars)
        except DefinitionError as mistake:
            raise UsageError(str(mistake)) from mistake


def chosen_of(kept: object, /) -> Chosen:
    """The options that a store kept; what was started from Python has none."""
    if not kept:
        raise UsageError("the experiment was not begun by scorewright evaluate: the call that began it continues it")
    read = structure(kept, Chosen)
    if not is_successful(read):
        misfit = read.failure()
        raise UsageError(f"the options of the experiment cannot be read: {misfit.path} {misfit.why}")
    return read.unwrap()


def suite_of(chosen: Chosen, /) -> Suite:
    """The suite that is named, or one of the scorers that are, held to what the options ask for."""
    if (chosen.suite is None) == (not chosen.scorers):
        raise UsageError("give --suite module:name, or --scorers module:name, and not both")
    suite = _named(chosen)
    scorers = {id: each.scorer for id, each in suite.by_id.items()}
    thresholds = thresholds_of(chosen.fail_under, chosen.fail_over, scorers)
    try:
        return suite.held_to(thresholds, gates_of(chosen.gate))
    except DefinitionError as mistake:
        raise UsageError(str(mistake)) from mistake


def _named(chosen: Chosen) -> Suite:
    if chosen.suite is None:
        return Suite(*cast("tuple[SomeScorer, ...]", load_scorers(chosen.scorers)))
    found = load_object(chosen.suite, "--suite")
    if not isinstance(found, Suite):
        raise UsageError(f"{chosen.suite} is not a Suite but of type {type(found).__name__}")
    return found


def target_of(chosen: Chosen, /) -> object:
    """The target, where one is named."""
    return None if chosen.target is None else load_object(chosen.target, "--target")


def source_of(chosen: Chosen, /) -> RowSource:
    """The rows, opened; what cannot be read at all is a usage error."""
    mapping = mapped(chosen.mapping)
    if chosen.rows != "-" and not Path(chosen.rows).exists():
        raise UsageError(f"there is no {chosen.rows}")
    try:
        return read_rows(chosen.rows, mapping=mapping, format=chosen.format)
    except RowsRefused as refused:
        raise UsageError(str(refused)) from refused


def pick_of(chosen: Chosen, /) -> Pick:
    """Which rows."""
    return Pick(chosen.filters, chosen.sample, chosen.seed, chosen.limit)
