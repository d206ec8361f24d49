"""A suite on a million rows takes the memory of a small one, with a store and when it is resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow

EVALUATED = """
import asyncio, json, resource, sys
from scorewright import create_scorer, pure
from scorewright.suites import Suite, evaluate

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: 1 / (1 + len(s.run.output))))
rows, store = sys.argv[1], sys.argv[2] or None
summary = asyncio.run(evaluate(Suite(short), rows, store=store))
print(summary["short"].mean.coverage.n_scored, summary.n_before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
MORE = 200_000  # KiB beyond: eight bytes a score, and ids that are held to be unique
RESUMED = 300_000  # KiB of a resume that has next to nothing to do; inspect_ai#2932


def evaluated(rows: Path, store: str = "") -> tuple[int, int, int]:
    """How many rows have a score, how many had one before, and the highest memory in KiB."""
    done = subprocess.run(
        [sys.executable, "-c", EVALUATED, str(rows), store],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    scored, before, memory = map(int, done.stdout.split())
    return scored, before, memory


def written(folder: Path, n: int, size: int = 20) -> Path:
    """A file of so many rows, each with an output of about this size."""
    path = folder / f"{n}.jsonl"
    append(path, range(n), size)
    return path


def append(path: Path, numbers: range, size: int) -> None:
    """More rows; none is held, for a process begins with the highest memory of the one that started it."""
    with path.open("a") as file:
        for at in numbers:
            file.write(json.dumps({"id": f"r{at}", "input": f"question {at}", "output": "x" * (size + at % 50)}) + "\n")


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """`promptfoo/promptfoo#2049`: ten thousand rows and a million, without a store and with one."""
    few, many = written(tmp_path, 10_000), written(tmp_path, 1_000_000)
    for store in ("", "runs.db"):
        name = str(tmp_path / store) if store else ""
        n_few, _, small = evaluated(few, name)
        n_many, _, large = evaluated(many, name)
        print(f"{store or 'no store'}: 10,000 rows {small / 1024:.0f} MiB; 1,000,000 rows {large / 1024:.0f} MiB")
        assert (n_few, n_many) == (10_000, 1_000_000)
        assert large <= small + MORE


def test_a_resume_reads_no_old_row_into_memory(tmp_path: Path) -> None:
    """`UKGovernmentBEIS/inspect_ai#2932`: fifty thousand rows of 20 kB are done, ten are not."""
    rows, store = written(tmp_path, 49_990, size=20_000), str(tmp_path / "runs.db")
    assert evaluated(rows, store)[:2] == (49_990, 0)
    append(rows, range(49_990, 50_000), 20_000)
    scored, before, memory = evaluated(rows, store)
    print(f"resumed in {memory / 1024:.0f} MiB")
    assert (scored, before) == (50_000, 49_990)
    assert memory < RESUMED
