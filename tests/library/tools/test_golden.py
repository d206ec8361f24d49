"""What another system answered about tool calls: the same where it is right, the right value where it is not."""

from __future__ import annotations

from typing import cast

import pytest
from golden_rows import PRESENT, Row, faulty, rows, run, sound
from library.trajectory.right import TOOLS

from scorewright import DefinitionError
from scorewright.library.tools import tool_call_accuracy

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")

ROWS = rows("tool-call-accuracy-code")


def score(row: Row) -> float | None:
    """Our score; None where the definition is refused, or the run has no score."""
    options = row.options
    try:
        scorer = tool_call_accuracy(
            cast("str | None", options.get("expectedTool")),
            order=cast("list[str] | None", options.get("expectedToolOrder")),
            strict=options.get("strictMode") is True,
        )
    except DefinitionError:
        return None
    return scorer.run_sync(run(row)).map(lambda done: done.score).value_or(None)


def test_rows_without_a_defect_agree() -> None:
    """The same score; none where the other system raised."""
    assert sound(ROWS)
    assert [(str(row), score(row), row.score) for row in sound(ROWS) if score(row) != row.score] == []


@pytest.mark.parametrize("defect", sorted({id for row in faulty(ROWS) for id in row.defects}))
def test_rows_with_a_defect_get_the_right_value(defect: str) -> None:
    """By its id, and by a formula that is not ours; an id without a reason fails."""
    for row in (row for row in ROWS if defect in row.defects):
        assert score(row) == TOOLS[defect].right(row), (str(row), TOOLS[defect].why)
