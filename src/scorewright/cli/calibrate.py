"""`scorewright calibrate`: how far a scorer agrees with people, where to cut, and what to correct."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from scorewright.cli.answering import Opening, opening
from scorewright.cli.codes import FINE, INCOMPLETE, INCONCLUSIVE
from scorewright.cli.loading import AnyScorer, UsageError, load_scorers
from scorewright.cli.options import NO_FILES, Files, Rows, Whole
from scorewright.cli.outputs import may_write, written
from scorewright.cli.streams import aside
from scorewright.cli.suites import Chosen, pick_of, source_of
from scorewright.cli.usage import mistaken
from scorewright.faults import DefinitionError
from scorewright.suites.evaluate import RowStream
from scorewright.suites.rows import Row

if TYPE_CHECKING:
    from scorewright.calibration import Calibration
    from scorewright.calibration.counting import Criterion
    from scorewright.calibration.running import How
    from scorewright.core.collection import SomeScorer


def calibrate(
    rows: Rows,
    /,
    *,
    scorer: str,
    human: list[str] | None = None,
    levels: str | None = None,
    threshold: float | None = None,
    criterion: str = "balanced_accuracy",
    costs: tuple[float, float] = (1.0, 1.0),
    scores: str | None = None,
    output: Annotated[list[Path] | None, Parameter(name=("--output", "--out", "--html"))] = None,
    force: bool = False,
    json: bool = False,
    map: list[str] | None = None,  # noqa: A002 - the option is called so
    format: str | None = None,
    filter: list[str] | None = None,  # noqa: A002 - as above
    limit: Whole | None = None,
    store: str | None = None,
    concurrency: Whole = 16,
    files: Files = NO_FILES,
    budget_dollars: float | None = None,
    budget_calls: Whole | None = None,
) -> int:
    """Compare a scorer with people who labelled the same rows: agreement, threshold, reliability, corrected mean.

    Exit codes: 0 fine, 2 wrong usage, 3 inconclusive (no labelled row has a score), 4 labelled rows failed.

    Parameters
    ----------
    rows
        Labelled rows: JSON Lines, JSON, CSV, YAML, Parquet or a data set's folder; - for stdin.
    scorer
        module:name or file.py:name of one scorer. With --scores its id is enough.
    human
        The column of the labels: passes and failures, levels or numbers; several are several annotators. Repeatable.
        Without it the column is called human.
    levels
        Names of levels, the worst first, with commas: bad,fair,good.
    threshold
        The score from which a row passes. Without it the best one is sought.
    criterion
        What the best threshold is best at: balanced_accuracy, f1, youden or cost.
    costs
        With --criterion cost, what a false pass and a false miss cost.
    scores
        Take the scores from this store, STORE or STORE#ID, by the ids of the rows; nobody is asked.
    output
        Write the calibration to this file: .html, .md or .json. Repeatable.
    force
        Replace files that are there.
    json
        Print the calibration as JSON instead of the tables.
    map
        FIELD=COLUMN, where the names of columns do not say which field they are. Repeatable.
    format
        Read the rows in this format, where the name of the file does not tell it.
    filter
        FIELD=VALUE, FIELD!=VALUE or FIELD~PATTERN. Repeatable.
    limit
        Take the first so many rows.
    store
        A file or postgresql://… that keeps items and paid replies; the same command again continues.
    concurrency
        So many rows at once, and so many questions to judges.
    budget_dollars
        Spend at most so many US dollars.
    budget_calls
        Send at most so many requests.
    """
    written_to = tuple(output or ())
    _check(written_to, rows, scores, store, force=force)
    chosen = Chosen(
        rows, mapping=tuple(map or ()), filters=tuple(filter or ()), limit=limit, concurrency=concurrency, format=format
    )
    how: How = {"threshold": threshold, "criterion": cast("Criterion", criterion), "costs": costs}
    if levels is not None:
        how["levels"] = [each.strip() for each in levels.split(",")]
    labels = human or ["human"]
    with aside():  # stdout is for the results, whatever scorers print
        source = source_of(chosen)
        picked = RowStream(source.name or rows, [*pick_of(chosen)(source)])
        _check_columns(labels, picked)
        try:
            if scores is not None:
                found = _stored(scores, scorer, picked, labels, how)
            else:
                known = _one(scorer)
                answered = opening(files.answering(budget_dollars, budget_calls), (cast("SomeScorer", known),))
                found = _scored(known, picked, labels, answered, how, store=store, several=concurrency)
        except ImportError as lacking:
            raise UsageError(str(lacking)) from lacking
        except DefinitionError as mistake:
            raise mistaken(mistake) from mistake
    _tell(found, picked.name, written_to, as_json=json)
    if not found.coverage.n_scored:
        return INCONCLUSIVE
    return INCOMPLETE if found.coverage.n_failed else FINE


def _check_columns(labels: Sequence[str], rows: RowStream) -> None:
    """Columns of labels that no row has are a usage error."""
    read = [row for row in rows.items if isinstance(row, Row)]
    columns = dict.fromkeys(name for row in read for name in row.metadata)
    there = {*columns, *(["expected"] if any(row.expected is not None for row in read) else [])}
    for label in labels if read else ():
        if label.removeprefix("metadata.").partition(".")[0] not in there:
            known = ", ".join(sorted(there)) or "none beside input and output"
            raise UsageError(f"no row has the column {label!r}: --human names that of the labels; there are {known}")


def _one(scorer: str) -> AnyScorer:
    known = load_scorers([scorer])
    if len(known) != 1:
        raise UsageError(f"{scorer} holds {len(known)} scorers: name one, as module:name")
    return known[0]


def _stored(where: str, scorer: str, rows: RowStream, human: list[str], how: How) -> Calibration:
    """Scores of a store, by the ids of the rows."""
    from scorewright.calibration import calibrate_stored
    from scorewright.cli.conducting import opened_store
    from scorewright.suites.journal import StoreError

    place, _, experiment = where.partition("#")
    id = _one(scorer).id if ":" in scorer or scorer.endswith(".py") else scorer
    with opened_store(place, made=True) as store:
        try:
            return calibrate_stored(store, id, experiment or None, human=human, labels=rows, **how)
        except StoreError as missing:
            raise UsageError(str(missing)) from missing


def _scored(
    scorer: AnyScorer, rows: RowStream, human: list[str], opened: Opening, how: How, *, store: str | None, several: int
) -> Calibration:
    """What the scorer makes of the rows, now; of one column a list in it is several labels."""
    import asyncio

    from scorewright.calibration import calibrate

    async def scored() -> Calibration:
        async with opened() as answer:
            given = cast("SomeScorer", scorer)
            columns = human if len(human) > 1 else human[0]
            return await calibrate(given, rows, human=columns, store=store, concurrency=several, answer=answer, **how)

    return asyncio.run(scored())


def _check(files: Sequence[Path], *read: str | None, force: bool) -> None:
    from scorewright.reports import CALIBRATION_WRITERS

    for file in files:
        if file.suffix.lower() not in CALIBRATION_WRITERS:
            raise UsageError(f"--output {file}: a calibration is written as {', '.join(CALIBRATION_WRITERS)}")
        may_write(file, "--output", force=force, read=read)


def _tell(found: Calibration, source: str, files: Sequence[Path], *, as_json: bool) -> None:
    from scorewright.cli.reporting import show
    from scorewright.cli.table import shown
    from scorewright.reports import CalibrationReport, calibration_text, write_calibration

    report = CalibrationReport(found, source)
    for file in files:
        written(partial(write_calibration, report, file), file, f"the calibration of {shown(found.scorer)}")
    if as_json:
        sys.stdout.write(calibration_text(found))
    elif not files:
        show(report)
    sys.stdout.flush()
