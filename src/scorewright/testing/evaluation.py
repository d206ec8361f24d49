"""One marked test: its rows as cases, and what scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from os import PathLike
from pathlib import Path
from typing import final

import attrs
import pytest
from returns.pipeline import is_successful

from scorewright.faults import DefinitionError
from scorewright.shapes.values import is_list
from scorewright.suites.evaluate import Rows, RowStream, source_name
from scorewright.suites.rows import RowSource, RowsRefused, read_rows
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.suite import Suite
from scorewright.testing.answers import Answers, Way
from scorewright.testing.case import Case, Made, case_maker
from scorewright.testing.evaluated import Evaluated, spec_in
from scorewright.testing.score import Means, Score

MARK = "scorewright"
TRANSCRIPTS = "transcripts"  # the folder beside a test in which replies are recorded


@final
@attrs.frozen(eq=False)
class Evaluation:
    """A marked test and its cases; `ids` are those of the rows, each its own."""

    name: str
    nodeid: str
    path: str
    line: int | None
    suite: Suite
    source: str
    answers: Answers
    ids: tuple[str, ...]
    cases: tuple[Case | None, ...]
    scores: tuple[Score, ...]


def evaluation_of(definition: pytest.Item, test: Callable[..., object], way: Way, /) -> Evaluation:
    """The evaluation that the mark of a test asks for.

    What is written down wrongly, and rows that cannot be read at all, raise `DefinitionError`.
    """
    spec = _spec(definition)
    folder = definition.path.parent
    rows = [*_repeated(_rows(spec.rows, folder), spec.repeat)]
    source = source_name(spec.rows)
    if not rows:
        raise DefinitionError(f"{source or 'the rows'}: there are no rows, so there is nothing to evaluate")
    within = "" if definition.parent is None else definition.parent.nodeid
    named: str = getattr(definition, "originalname", None) or definition.name
    name = ".".join((*within.split("::")[1:], named))
    path = folder / (spec.transcript or Path(TRANSCRIPTS, definition.path.stem, f"{name}.jsonl"))
    answers = Answers(way, path, spec.suite.budget)
    means = Means(_without_budget(spec.suite), answers)
    make = case_maker(test)
    made = [_case(row, make) for row in rows]
    scores = (
        Score(row if isinstance(row, Row) else None, at, means, why)
        for at, (row, (_, why)) in enumerate(zip(rows, made, strict=True))
    )
    file, line, _ = definition.location
    return Evaluation(
        name, f"{within}::{named}", file, line, spec.suite, source, answers, tuple(_ids(rows)),
        tuple(case for case, _ in made), tuple(scores),
    )  # fmt: skip


def _without_budget(suite: Suite) -> Suite:
    bare = copy(suite)
    object.__setattr__(bare, "budget", None)
    return bare


def _spec(definition: pytest.Item) -> Evaluated:
    marks = [*definition.iter_markers_with_node(MARK)]
    nearest = marks[0][0]
    closest = [mark for node, mark in marks if node is nearest]
    if isinstance(nearest, pytest.Class):  # of classes that inherit, the mark of the class itself counts
        marked: object = getattr(nearest, "obj", None)
        own: object = vars(marked).get("pytestmark")
        closest = [mark for mark in closest if is_list(own) and mark in own] or closest[-1:]
    if len(closest) > 1:
        raise DefinitionError(
            "two scorewright marks on one test: one evaluation holds all of its scorers, thresholds and gates"
        )
    return spec_in(closest[0].args, closest[0].kwargs)


def _rows(given: Rows, folder: Path) -> Iterator[RowItem]:
    if isinstance(given, RowStream):
        return iter(given.items)
    if isinstance(given, RowSource):
        return iter(given)
    source: object = folder / given if isinstance(given, (str, PathLike)) else given
    try:
        return iter(read_rows(source))
    except (RowsRefused, OSError) as refused:
        raise DefinitionError(str(refused)) from None


def _repeated(rows: Iterator[RowItem], repeat: int) -> Iterator[RowItem]:
    for row in rows:
        if repeat == 1 or isinstance(row, BrokenRow):
            yield row
            continue
        for number in range(1, repeat + 1):
            yield attrs.evolve(row, id=f"{row.id}#{number}", group=row.group or row.id)


def _case(row: RowItem, make: Callable[[Row], Made]) -> tuple[Case | None, str]:
    """The case, or why there is none."""
    if isinstance(row, BrokenRow):
        return None, f"{row.place}: the row cannot be read: {row.why}".lstrip(": ")
    made = make(row)
    if is_successful(made):
        return made.unwrap(), ""
    return None, f"{row.place}: the row does not fit: {made.failure()}".lstrip(": ")


def _ids(rows: Sequence[RowItem]) -> Iterator[str]:
    """Different ids, those of rows that cannot be read among them."""
    seen: set[str] = set()
    for number, row in enumerate(rows, 1):
        id = row.id or f"row {number}"
        while id in seen:
            id = f"{id} ({number})"
        seen.add(id)
        yield id
