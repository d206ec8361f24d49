"""What another system answered to trajectories: the same where it is right, the right value where it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from golden_rows import PRESENT, Row, faulty, items, mapping, rows, sound
from library.trajectory.right import TRAJECTORY
from library.trajectory.told import MODES, expectation, expected_steps, path_of, run_of
from returns.pipeline import is_successful
from returns.result import Result

from scorewright import DefinitionError, Evaluation
from scorewright.library.trajectory import Weights, trajectory_match, trajectory_score
from scorewright.library.trajectory.calls import failures
from scorewright.library.trajectory.comparing import Comparison
from scorewright.library.trajectory.expected import Mode

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")


def accuracy(row: Row) -> float | None:
    """Our score of a row of `code-trajectory-accuracy-scorer`."""
    return matched(row).map(lambda done: done.score).value_or(None)


def matched(row: Row) -> Result[Evaluation, object]:
    """What ours makes of such a row: its own steps come before those of the item."""
    own, item = row.options.get("expectedTrajectory"), mapping(row.get("expectedTrajectory"))
    if own is None and "steps" not in item:
        return trajectory_match().run_sync(run_of(row))  # type: ignore[arg-type]  # the reference is missing
    options = {**mapping(row.options.get("comparisonOptions")), **{k: v for k, v in item.items() if k != "steps"}}
    scorer = trajectory_match(
        expected_steps(own if own is not None else item),
        mode=cast("Mode", MODES.get(str(options.get("ordering")), "in_order")),
        allow_repeats=options.get("allowRepeatedSteps") is not False,
        places=2,
    )
    return scorer.run_sync(run_of(row))


def whole(row: Row) -> float | None:
    """Our score of a row of `code-trajectory-scorer`; None where there is none. A negative weight means 0 there."""
    theirs = {"toolFailures": "failures", "blacklist": "forbidden"}
    given = {name: float(str(value)) for name, value in mapping(row.options.get("weights")).items()}
    try:
        scorer = trajectory_score(
            expectation(mapping(row.options.get("defaults"))),
            weights=Weights(**{theirs.get(name, name): max(0.0, weight) for name, weight in given.items()}),
            places=2,
        )
    except DefinitionError:
        return None
    item = row.get("expectedTrajectory")
    run = run_of(row).with_expected(None if item is None else expectation(mapping(item)))
    return scorer.run_sync(run).map(lambda done: done.score).value_or(None)


FILES: dict[str, Callable[[Row], float | None]] = {
    "trajectory-accuracy-code": accuracy,
    "trajectory-unified-code": whole,
}


@pytest.mark.parametrize("name", FILES)
def test_rows_without_a_defect_agree(name: str) -> None:
    """The same score, to the last bit; none where the other system raised."""
    found = sound(rows(name))
    assert found
    ours = [(row, FILES[name](row)) for row in found]
    assert [(str(row), score, right(row)) for row, score in ours if score != right(row)] == []


def right(row: Row) -> float | None:
    """The row's score; but where nothing is expected anywhere there is none, which is a 0 there."""
    expects = "expectedTrajectory" in row.options or "steps" in mapping(row.get("expectedTrajectory"))
    return row.score if expects or row.file != "trajectory-accuracy-code" else None


def test_what_was_matched_and_what_is_missing_agree() -> None:
    """Not only the score: the number of steps that were found, and the names of those that were not."""
    for row in sound(rows("trajectory-accuracy-code")):
        theirs, done = mapping(mapping(row["extra"]).get("comparison")), matched(row)
        if is_successful(done) and theirs:
            told = cast("Comparison", done.unwrap().record("analyze").value)
            missing = [told.expected[at].name for at in told.missing]
            assert (len(told.pairs), missing) == (theirs["matchedSteps"], theirs["missingSteps"]), str(row)


def test_the_patterns_of_failure_agree() -> None:
    """Which tool was tried again, how often, with what end, and what was called instead; in every row."""
    for row in rows("trajectory-unified-code"):
        if "toolFailures" in mapping(row["extra"]):
            found = mapping(mapping(row["extra"])["toolFailures"])["patterns"]
            theirs = [
                (each["toolName"], each["retryCount"], each["eventuallySucceeded"], each.get("alternativeTool", ""))
                for each in map(mapping, items(found))
            ]
            tried = [each for each in failures(path_of(row["output"])) if each.retries]
            ours = [(each.tool, each.retries, each.succeeded, each.instead) for each in tried]
            assert ours == theirs, str(row)


@pytest.mark.parametrize(
    ("name", "defect"), sorted({(name, id) for name in FILES for row in faulty(rows(name)) for id in row.defects})
)
def test_rows_with_a_defect_get_the_right_value(name: str, defect: str) -> None:
    """By its id, and by a formula that is not ours; an id without a reason fails."""
    reason = TRAJECTORY[defect]
    for row in (row for row in rows(name) if defect in row.defects):
        right, score = reason.right(row), FILES[name](row)
        assert score == (None if right is None else pytest.approx(right, abs=0.005 + 1e-9)), (str(row), reason.why)


def test_a_negative_weight_is_refused() -> None:
    """There it means 0; ours says so where it is written."""
    with pytest.raises(DefinitionError, match="accuracy= is finite and at least 0"):
        Weights(accuracy=-5)
