"""The page about rows says what is."""

from __future__ import annotations

import re
from pathlib import Path

from scorewright.suites.rows import ALIASES, FIELDS, FORMATS

PAGE = (Path(__file__).parents[3] / "docs" / "rows.md").read_text(encoding="utf-8")


def table(head: str) -> list[list[list[str]]]:
    """What stands in backticks in the cells of the table with this head."""
    _, _, rest = PAGE.partition(f"\n{head}\n")
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [[re.findall(r"`([^`]+)`", cell) for cell in line.split("|")[1:-1]] for line in lines]


def test_the_table_of_aliases_is_the_one_that_is_used() -> None:
    """In the same order."""
    told = {fields[0]: tuple(aliases) for fields, aliases in table("| field | is also called |")}
    assert told == ALIASES


def test_all_fields_and_formats_are_told() -> None:
    """And no others."""
    fields = [field for names, _ in table("| field | what it holds |") for field in names]
    assert sorted(fields) == sorted(FIELDS)
    formats = [name for names, _, _ in table("| format | files | held whole |") for name in names]
    assert sorted(formats) == sorted(FORMATS)
