"""The commands that evaluate suites and read stores, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import attrs
from cyclopts import Parameter

from scorewright.cli.options import NO_FILES, OUTPUT, Files, Rows, Whole
from scorewright.cli.stores import Named, at, is_place

if TYPE_CHECKING:
    from scorewright.cli.conducting import Told


@Parameter(name="*")
@final
@attrs.frozen(kw_only=True)
class Held:
    """Which scorers, and what they are held to.

    Parameters
    ----------
    suite
        module:name or file.py:name of a Suite.
    scorers
        Instead of a suite, module:name of scorers. Repeatable.
    fail_under
        ID=LIMIT: the mean of this scorer is at least the limit. Repeatable.
    fail_over
        ID=LIMIT: the same for a scorer of which lower is better: at most the limit. Repeatable.
    gate
        ID or ID>=LIMIT: every item has the best score, or one that is good enough. Repeatable.
    concurrency
        So many items at once, and so many questions to judges.
    """

    suite: str | None = None
    scorers: list[str] | None = None
    fail_under: list[str] | None = None
    fail_over: list[str] | None = None
    gate: list[str] | None = None
    concurrency: Whole | None = None


@Parameter(name="*")
@final
@attrs.frozen(kw_only=True)
class Results:
    """Where the results go.

    Parameters
    ----------
    output
        Write a JSON object for each item to this file, as they are done.
    force
        Replace the file of --output.
    json
        Print the summary as JSON instead of the table.
    """

    output: Annotated[Path | None, OUTPUT] = None
    force: bool = False
    json: bool = False

    def told(self) -> Told:
        """As the commands take it."""
        from scorewright.cli.conducting import Told

        return Told(self.json, self.output, self.force)


_HELD, _RESULTS = Held(), Results()


def evaluate(
    rows: Rows,
    /,
    *,
    held: Held = _HELD,
    target: str | None = None,
    map: list[str] | None = None,  # noqa: A002 - the option is called so
    format: str | None = None,
    filter: list[str] | None = None,  # noqa: A002 - as above
    sample: Whole | None = None,
    seed: Whole = 0,
    limit: Whole | None = None,
    store: str | None = None,
    fail_fast: bool = False,
    budget_dollars: float | None = None,
    budget_calls: Whole | None = None,
    workers: Whole | None = None,
    files: Files = NO_FILES,
    results: Results = _RESULTS,
) -> int:
    """Evaluate a data set: ask a target for every row, or take the outputs that the rows hold, and score them.

    Exit codes: 0 fine, 1 a gate or threshold was missed, 2 wrong usage, 3 inconclusive, 4 incomplete, 130 interrupted.

    Parameters
    ----------
    rows
        JSON Lines, JSON, CSV, YAML, Parquet, a data set's folder or another tool's file; - for stdin.
    target
        module:name of a function from a row's input to an output, or of an agent.
    map
        FIELD=COLUMN, where the names of columns do not say which field they are. Repeatable.
    format
        Read the rows in this format, where the name of the file does not tell it.
    filter
        FIELD=VALUE, FIELD!=VALUE or FIELD~PATTERN; names that are no field are looked up in the metadata. Repeatable.
    sample
        Draw so many rows at random; the same ones for the same --seed.
    seed
        What --sample draws from.
    limit
        Evaluate the first so many rows.
    store
        A file or postgresql://… that keeps items and paid replies; the same command again continues.
    fail_fast
        Begin nothing more once a target, a scorer or a gate fails.
    budget_dollars
        Spend at most so many US dollars.
    budget_calls
        Send at most so many requests.
    workers
        Score in so many processes, for scorers that compute much.
    """
    from scorewright.cli.evaluate import evaluate_rows
    from scorewright.cli.suites import Chosen

    chosen = Chosen(
        rows,
        held.suite,
        tuple(held.scorers or ()),
        target,
        tuple(map or ()),
        tuple(filter or ()),
        sample,
        seed,
        limit,
        tuple(held.fail_under or ()),
        tuple(held.fail_over or ()),
        tuple(held.gate or ()),
        held.concurrency,
        fail_fast,
        budget_dollars,
        budget_calls,
        workers,
        format,
    )
    return evaluate_rows(chosen.with_files(files), store, results.told())


def resume(
    named: str | None = None,
    id: Named = None,
    /,
    *,
    store: str | None = None,
    experiment: str | None = None,
    concurrency: Whole | None = None,
    files: Files = NO_FILES,
    results: Results = _RESULTS,
) -> int:
    """Continue an evaluation as it was called: what is done stays, what failed is tried again.

    Exit codes as of evaluate.

    Parameters
    ----------
    named
        The store, a file or postgresql://…; STORE#ID is an experiment in it. Or with --store the id alone.
    id
        An experiment of it.
    store
        The store, where none stands first.
    experiment
        Its id, or how that begins; the latest without one.
    concurrency
        So many items at once, and so many questions to judges; without it as many as before.
    """
    from scorewright.cli.stored import resume as resumed

    place = at(named, id, store=store, experiment=experiment)
    return resumed(place, results.told(), files, concurrency)


def rescore(
    named: str | None = None,
    id: Named = None,
    /,
    *,
    store: str | None = None,
    experiment: str | None = None,
    held: Held = _HELD,
    budget_dollars: float | None = None,
    budget_calls: Whole | None = None,
    files: Files = NO_FILES,
    results: Results = _RESULTS,
) -> int:
    """Score what a store holds with other scorers, without calling the target again.

    Exit codes as of evaluate.

    Parameters
    ----------
    named
        The store, a file or postgresql://…, which is to keep the new scores too; STORE#ID is an experiment in it. Or
        with --store the id alone.
    id
        An experiment of it.
    store
        The store, where none stands first.
    experiment
        Its id, or how that begins; without one the latest that is no rescoring itself.
    budget_dollars
        Spend at most so many US dollars.
    budget_calls
        Send at most so many requests.
    """
    from scorewright.cli.stored import rescore as rescored
    from scorewright.cli.suites import Chosen

    chosen = Chosen(
        "",
        held.suite,
        tuple(held.scorers or ()),
        fail_under=tuple(held.fail_under or ()),
        fail_over=tuple(held.fail_over or ()),
        gate=tuple(held.gate or ()),
        concurrency=held.concurrency,
        budget_dollars=budget_dollars,
        budget_calls=budget_calls,
    )
    place = at(named, id, store=store, experiment=experiment)
    return rescored(place, chosen.with_files(files), results.told())


def doctor(named: str | None = None, /, *, store: str | None = None, json: bool = False) -> int:
    """Look at a store without changing it: file, place, database, version, unfinished calls.

    Exit codes: 0 fine, 1 something to mend, 2 wrong usage.

    Parameters
    ----------
    named
        The store: a file or postgresql://…
    store
        The store, where none stands first.
    json
        Print the findings as JSON.
    """
    from scorewright.cli.stored import examine

    return examine(at(named, store=store).store, as_json=json)


def list_(name: str | None = None, /, *, store: str | None = None, json: bool = False) -> int:
    """List the ready scorers, or some of them in full; of a store its experiments, the latest last.

    Exit codes: 0 fine, 2 wrong usage.

    Parameters
    ----------
    name
        A ready scorer, such as levenshtein or text.levenshtein; a room of them, such as text; or a store.
    store
        The store whose experiments are listed, where nothing stands first.
    json
        Print them as JSON.
    """
    if (name is None and store is not None) or (name is not None and is_place(name)):
        from scorewright.cli.stored import list_experiments

        return list_experiments(at(name, store=store).store, as_json=json)
    from scorewright.cli.catalogue import list_scorers

    return list_scorers(name or "", as_json=json)
