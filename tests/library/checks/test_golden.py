"""The checks on the golden rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import regex
from golden_rows import PRESENT, Row, mapping, rows, run
from library.reasons import REASONS, REFUSED, reason_of

from scorewright import DefinitionError
from scorewright.agents import AgentScorer
from scorewright.library import checks
from scorewright.library.text import on_texts

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")

FLAGS = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL}


def options(row: Row) -> dict[str, object]:
    return mapping(row.args[1]) if len(row.args) > 1 else {}


def ignoring(row: Row) -> bool:
    return options(row).get("ignoreCase") is not False


def pattern(row: Row) -> AgentScorer:
    given = mapping(row.args[0])
    flags = sum(FLAGS.get(letter, 0) for letter in str(given["flags"]))
    exact = options(row).get("exact") is True
    return on_texts(checks.matches(regex.compile(str(given["regex"]), flags), exact=exact), joined_by="")


def similar(row: Row) -> AgentScorer:
    due = options(row).get("threshold")
    return on_texts(
        checks.similarity(
            str(row.args[0]), ignore_case=ignoring(row), threshold=None if due is None else float(str(due))
        ),
        joined_by=" ",
    )


MADE: dict[str, Callable[[Row], AgentScorer]] = {
    "includes": lambda row: on_texts(checks.includes(str(row.args[0]), ignore_case=ignoring(row)), joined_by=" "),
    "excludes": lambda row: on_texts(checks.excludes(str(row.args[0]), ignore_case=ignoring(row)), joined_by=" "),
    "equals": lambda row: on_texts(checks.equals(str(row.args[0]), ignore_case=ignoring(row)), joined_by=""),
    "matches": pattern,
    "similarity": similar,
    "calledTool": lambda row: checks.called_tool(str(row.args[0]), times=options(row).get("times", 1)),
    "didNotCall": lambda row: checks.did_not_call(str(row.args[0])),
    "toolOrder": lambda row: checks.tool_order(row.args[0]),
    "maxToolCalls": lambda row: checks.max_tool_calls(row.args[0]),
    "usedNoTools": lambda _: checks.used_no_tools(),
    "noToolErrors": lambda _: checks.no_tool_errors(),
}


def scored(row: Row) -> float | str:
    """Ours on one row: the score, or that the definition is refused."""
    try:
        scorer = MADE[row.factory.removeprefix("checks.")](row)
    except DefinitionError:
        return REFUSED
    return scorer.run_sync(run(row)).unwrap().score


@pytest.mark.parametrize("kind", MADE)
def test_a_check_agrees(kind: str) -> None:
    """Every row without a reason has the other system's score, to the last bit."""
    found = [row for row in rows("checks") if row.factory == f"checks.{kind}" and not reason_of(row)]
    assert found
    assert [(str(row), scored(row), row.score) for row in found if scored(row) != row.score] == []


@pytest.mark.parametrize("id", sorted({reason_of(row) for row in rows("checks")} - {""}))
def test_where_a_check_differs_it_is_right(id: str) -> None:
    """Every row with a reason has what an independent formula says."""
    found = [row for row in rows("checks") if reason_of(row) == id]
    wrong = [(str(row), scored(row), REASONS[id].right(row)) for row in found if scored(row) != REASONS[id].right(row)]
    assert wrong == [], REASONS[id].why


def test_a_check_with_a_pattern_is_used_again() -> None:
    """The rows that ran one check four and three times there gave 1, 0, 1, 0; ours gives 1 each time."""
    for row in rows("checks"):
        if "CK-LASTINDEX" in row.defects:
            scorer = pattern(row)
            assert {scorer.run_sync(run(row)).unwrap().score for _ in range(4)} == {1.0}


def test_every_row_has_its_place() -> None:
    """981 rows; the table of reasons names no row in vain."""
    found = rows("checks")
    assert len(found) == 981
    assert sum(not reason_of(row) for row in found) == 861
