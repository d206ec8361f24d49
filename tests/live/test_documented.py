"""The tables of the page on live scoring are true."""

from __future__ import annotations

import re
from pathlib import Path

from scorewright.live import is_sampled, position
from scorewright.live.counting import NUMBERS

PAGE = (Path(__file__).parents[2] / "docs" / "live.md").read_text()


def table(name: str) -> list[list[str]]:
    """The cells of a table, its head left out."""
    _, _, rest = PAGE.partition(f"<!-- table: {name} -->")
    lines = rest.strip().split("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in re.split(r"\|", line)[1:-1]] for line in lines[2:]]


def test_the_positions_are_those_of_the_rule() -> None:
    """And so is what follows of them."""
    rows = table("positions")
    assert len(rows) == 3
    for key, place, tenth, half in rows:
        assert f"{position(key):016x}" == place
        assert [is_sampled(key, rate) for rate in (0.1, 0.5)] == [said == "yes" for said in (tenth, half)]


def test_every_count_is_told() -> None:
    """In the order of the value."""
    assert [row[0] for row in table("counts")] == list(NUMBERS)
