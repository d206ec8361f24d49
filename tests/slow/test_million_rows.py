"""A file of a million rows is scored in the memory of a small one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow

SCORERS = """
from scorewright import create_scorer, pure

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: 1 / (1 + len(s.run.output))))
"""
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
MORE = 200_000  # KiB that a hundred times as many rows may take beyond: ids that are held to be unique, and scores


def scored(folder: Path, n: int) -> tuple[int, float]:
    """The highest memory of scoring so many rows, in KiB, and the rows a second."""
    rows, results = folder / f"{n}.jsonl", folder / f"{n}.results.jsonl"
    with rows.open("w") as file:
        for at in range(n):
            file.write(json.dumps({"id": f"r{at}", "input": f"question {at}", "output": "x" * (at % 50)}) + "\n")
    (folder / "lengths.py").write_text(SCORERS)
    command = ["-m", "scorewright.cli", "score", str(rows), "--scorers", "lengths:short", "--out", str(results)]
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, sys.executable, *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    took = perf_counter() - began
    code, memory = map(int, done.stdout.split())
    assert code == 0, done.stderr
    with results.open() as file:
        assert sum(1 for _ in file) == n
    return memory, n / took


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """A million rows are finished, and take little more memory than ten thousand."""
    (few, _), (many, pace) = scored(tmp_path, 10_000), scored(tmp_path, 1_000_000)
    print(f"10,000 rows: {few / 1024:.0f} MiB; 1,000,000 rows: {many / 1024:.0f} MiB, {pace:,.0f} rows/s")
    assert many <= few + MORE
