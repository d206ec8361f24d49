"""What leaves a store for other tools is whole, strict, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pyarrow.parquet as pq
import pytest

from scorewright.suites.journal import Experiment, Store, StoredItem, StoredScore, StoreError, open_store
from scorewright.suites.journal.export import export

TEXTS = ["=HYPERLINK(1)", "+1", "-1", "@cmd", "plain", "two\nlines", 'a "quote", comma', "日本 👩‍👧"]


def filled(folder: Path) -> Store:
    store = open_store(folder / "runs.db")
    store.begin(Experiment("e", "support", "{}", "2026-01-01"))
    items = [
        StoredItem("e", f"r{at}", at, json.dumps({"input": {"q": text}, "output": text, "expected": at}))
        for at, text in enumerate(TEXTS)
    ]
    scores = [
        StoredScore("e", f"r{at}", "polite", "h", "scored", at / 10, text, '{"steps": [1]}')
        for at, text in enumerate(TEXTS)
    ]
    broken = StoredItem("e", "broken", 8, '{"input": "q"}', fault='{"kind": "StepRaised", "message": "down"}')
    answered = StoredItem("e", "answered", 9, '{"input": "q"}', output='"said"')
    failed = StoredScore("e", "answered", "polite", "h", "failed", None, None, '{"fault": {"kind": "TimedOut"}}')
    store.add([*items, broken, answered], [*scores, failed])
    return store


def as_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def as_table(path: Path) -> list[dict[str, object]]:
    with path.open(newline="") as file:
        rows = [{key: value or None for key, value in row.items()} for row in csv.DictReader(file)]
    return [{**row, "score": None if row["score"] is None else float(row["score"])} for row in rows]


def as_parquet(path: Path) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", pq.read_table(path).to_pylist())


@pytest.mark.parametrize(
    ("name", "read"), [("out.jsonl", as_lines), ("out.csv", as_table), ("out.parquet", as_parquet)]
)
def test_every_row_and_score_is_exported(
    tmp_path: Path, name: str, read: Callable[[Path], list[dict[str, object]]]
) -> None:
    """In the order of the rows; what failed has no score, and neither has what no scorer saw."""
    with filled(tmp_path) as store:
        assert export(store, "e", tmp_path / name) == 10
    held = read(tmp_path / name)
    assert [each["id"] for each in held] == [f"r{at}" for at in range(8)] + ["broken", "answered"]
    assert [each["score"] for each in held] == [at / 10 for at in range(8)] + [None, None]
    assert [each["state"] for each in held] == ["scored"] * 8 + ["failed", "failed"]
    assert [str(each["reason"]).removeprefix("'") for each in held[:8]] == TEXTS
    assert held[9]["output"] == "said"
    assert "down" in json.dumps(held[8]["fault"])
    assert [each.name for each in tmp_path.glob(".*")] == []


@pytest.mark.parametrize(
    ("name", "read"), [("out.jsonl", as_lines), ("out.csv", as_table), ("out.parquet", as_parquet)]
)
def test_half_a_surrogate_is_exported(
    tmp_path: Path, name: str, read: Callable[[Path], list[dict[str, object]]]
) -> None:
    """As an escape, in every format: one such answer does not keep the others from leaving."""
    with filled(tmp_path) as store:
        store.add([StoredItem("e", "r0", 0, json.dumps({"input": {"\ud800": 1}}), output=json.dumps("half \ud83d"))])
        assert export(store, "e", tmp_path / name) == 10
    (first,) = [each for each in read(tmp_path / name) if each["id"] == "r0"]
    assert str(first["output"]).replace("\ud83d", "\\ud83d") == "half \\ud83d"


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    """A text that a spreadsheet would calculate begins with an apostrophe; a negative score stays a number."""
    with filled(tmp_path) as store:
        store.add([], [StoredScore("e", "r0", "polite", "h", "scored", -0.5, "=1", "{}")])
        export(store, "e", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        cells = [(key, cell) for row in csv.DictReader(file) for key, cell in row.items()]
    dangerous = [(key, cell) for key, cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert dangerous == [("score", "-0.5")]


def test_a_file_is_whole_or_is_not_there(tmp_path: Path) -> None:
    """A folder that does not exist, or an ending that is not known, is said, and an earlier file stays."""
    with filled(tmp_path) as store:
        with pytest.raises(StoreError, match=r"export writes \.jsonl, \.csv, \.parquet, not '\.xml'"):
            export(store, "e", tmp_path / "out.xml")
        with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
            export(store, "e", tmp_path / "no" / "out.csv")
        (tmp_path / "out.csv").write_text("before")
        store.add([StoredItem("e", "bad", 11, "not JSON")])
        with pytest.raises(json.JSONDecodeError):
            export(store, "e", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "before"
