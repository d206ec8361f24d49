"""The suite, the rows and the target that a command line names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast, final

import attrs
from returns.pipeline import is_successful

from scorewright.cli.answering import Answering
from scorewright.cli.bounds import gates_of, thresholds_of
from scorewright.cli.loading import UsageError, load_object, load_scorers
from scorewright.cli.options import Files
from scorewright.cli.picking import Pick
from scorewright.cli.sources import mapped
from scorewright.cli.usage import mistaken
from scorewright.core import Scorer
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
    replay: str | None = None
    record: str | None = None
    cache: str | None = None

    def as_json(self) -> Mapping[str, object]:
        """What a store keeps, and `resume` reads."""
        return attrs.asdict(self)

    @property
    def answering(self) -> Answering:
        """Who answers for the judges, and what may be spent."""
        replay, record, cache = (Path(each) if each else None for each in (self.replay, self.record, self.cache))
        return Answering(replay, record, cache, self.budget_dollars, self.budget_calls)

    def with_files(self, files: Files, /) -> Chosen:
        """Answered from these files instead, where any is given."""
        given = (files.replay, files.record, files.cache)
        if not any(given):
            return self
        replay, record, cache = (None if each is None else str(each) for each in given)
        return attrs.evolve(self, replay=replay, record=record, cache=cache)


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
    scorers = scorers_of(suite)
    thresholds = thresholds_of(chosen.fail_under, chosen.fail_over, scorers)
    try:
        return suite.held_to(thresholds, gates_of(chosen.gate))
    except DefinitionError as mistake:
        raise mistaken(mistake) from mistake


def scorers_of(suite: Suite, /) -> Mapping[str, SomeScorer]:
    """The scorers of a suite, by their ids in it."""
    return {id: each.scorer for id, each in suite.by_id.items()}


def _named(chosen: Chosen) -> Suite:
    if chosen.suite is None:
        return Suite(*cast("tuple[SomeScorer, ...]", load_scorers(chosen.scorers)))
    found = load_object(chosen.suite, "--suite")
    if not isinstance(found, Suite):
        hint = f"a scorer: give --scorers {chosen.suite}" if isinstance(found, Scorer) else f"{type(found).__name__}"
        raise UsageError(f"--suite {chosen.suite} is no Suite but {hint}")
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
