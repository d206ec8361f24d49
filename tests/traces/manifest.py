"""The manifest of the real traces: what each file must convert to."""

from __future__ import annotations

import csv
from pathlib import Path

import attrs

FOLDER = Path(__file__).parents[2].parent / "shared" / "traces"
MANIFEST = FOLDER / "MANIFEST.tsv"


@attrs.frozen
class Row:
    """One file and its right counts."""

    path: str
    runs: int
    counts: dict[str, int]
    final: str
    notes: str

    @property
    def file(self) -> Path:
        return FOLDER / self.path


COUNTED = ("system", "user", "remembered", "assistant", "tool_calls", "tool_errors")


def rows() -> list[Row]:
    """The rows of the manifest; none where it is absent."""
    if not MANIFEST.exists():
        return []
    with MANIFEST.open(encoding="utf-8") as table:
        read = list(csv.DictReader(table, delimiter="\t"))
    return [
        Row(
            row["path"],
            int(row["runs"]),
            {name: int(row[name].split()[0]) for name in COUNTED},
            row["final_60"],
            row["conversion_notes"],
        )
        for row in read
    ]
