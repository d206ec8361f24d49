"""The rows of the other system's helpers of trajectories: what they counted, ours counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from golden_rows import PRESENT, Json, Row, agent_output, items, mapping, rows
from library.trajectory.told import MODES, expected_steps, number, path_of

from scorewright import DefinitionError, Run
from scorewright.agents import asked
from scorewright.library.judged.options import rounded
from scorewright.library.trajectory import (
    PathScorer,
    efficiency,
    forbidden_tools,
    path,
    tool_failures,
    trajectory_match,
)
from scorewright.library.trajectory.expected import Mode
from scorewright.library.trajectory.limits import rounding

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")

Read = Callable[[Row], object]


def options(row: Row) -> Json:
    return mapping(row.args[1]) if len(row.args) > 1 else {}


def scored(row: Row, make: Callable[[Json], PathScorer]) -> float | None:
    """Ours; None where the definition is refused, or the run has no score."""
    try:
        scorer = make(options(row))
    except DefinitionError:
        return None
    run = Run(asked("task"), path_of(row.args[0]))
    return scorer.run_sync(run).map(lambda done: done.score).value_or(None)


def efficient(given: Json) -> PathScorer:
    limits = [number(given.get(name)) for name in ("maxSteps", "maxTotalTokens", "maxTotalDurationMs")]
    repeats = given.get("noRedundantCalls") is not False
    return efficiency(max_steps=limits[0], max_tokens=limits[1], max_milliseconds=limits[2], repeats=repeats, places=2)


def forbidden(given: Json) -> PathScorer:
    sequences = [[str(name) for name in items(each)] for each in items(given.get("blacklistedSequences")) if each]
    tools = [str(name) for name in items(given.get("blacklistedTools"))]
    return forbidden_tools(tools, sequences=sequences, nested=False)


def failing(given: Json) -> PathScorer:
    return tool_failures(max_retries=cast("float", given.get("maxRetriesPerTool", 2)), places=2)


def compared(row: Row) -> float | None:
    def match(given: Json) -> PathScorer:
        told = mapping(row.args[2]) if len(row.args) > 2 else {}
        mode = cast("Mode", MODES.get(str(told.get("ordering")), "in_order"))
        repeats = told.get("allowRepeatedSteps") is not False
        return trajectory_match(expected_steps(given), mode=mode, allow_repeats=repeats, places=2)

    return scored(row, match)


READ: dict[str, Read] = {
    "checkTrajectoryEfficiency": lambda row: scored(row, efficient),
    "checkTrajectoryBlacklist": lambda row: scored(row, forbidden),
    "analyzeToolFailures": lambda row: scored(row, failing),
    "compareTrajectories": compared,
    "extractTrajectory": lambda row: [(step.name, step.succeeded) for step in path(agent_output(row.args[0])).steps],
    "roundToTwoDecimals": lambda row: [rounding(2)(float(str(row.args[0]))), rounded(float(str(row.args[0])), 10**6)],
}

NOTHING = "a scorer that forbids nothing is a mistake of its definition"
UNSEEN = "a call whose end was not seen neither succeeded nor failed"
OURS: dict[int, tuple[str, object]] = {
    **dict.fromkeys((19, 53, 61, 68, 80, 88, 95, 115), (NOTHING, None)),
    121: ("TR-KEYORDER: the order of keys does not make another call", 0.8),
    207: (UNSEEN, [("X", True), ("L1", True), ("S", True), ("L2", None)]),
    210: (UNSEEN, [("M", None), ("S2", True), ("S1", True)]),
    214: ("M-USERTOOLS: what stands in a user's message is no call of the agent", [("N", True)]),
}

NOT_OURS = {
    "isCloserTo": "no scorer of ours asks which of two numbers is nearer",
    "isScorerRunInputForAgent": "a run has the type that it is made with; nothing is guessed from its fields",
    "isScorerRunOutputForAgent": "a run has the type that it is made with; nothing is guessed from its fields",
}


def theirs(row: Row) -> object:
    """What the other system gave; None where it raised."""
    if row.raised:
        return None
    found = row["result"]
    if row.factory == "extractTrajectory":
        steps = [mapping(step) for step in items(mapping(found)["steps"])]
        return [(step["name"], step["success"]) for step in steps]
    return [found, found] if row.factory == "roundToTwoDecimals" else mapping(found)["score"]


@pytest.mark.parametrize("util", READ)
def test_what_is_counted_is_the_same(util: str) -> None:
    """But for the rows of the table, which say why and what is right."""
    found = [row for row in rows("utils") if row.factory == util]
    assert found
    for row in found:
        why, right = OURS.get(row.line, ("the other system is right", theirs(row)))
        assert READ[util](row) == right, (str(row), why)


def test_the_table_names_no_row_in_vain() -> None:
    """Each of its rows differs from what the other system gave."""
    differing = {row.line for row in rows("utils") if row.factory in READ and READ[row.factory](row) != theirs(row)}
    assert differing == OURS.keys()
