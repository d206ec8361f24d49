"""The benchmarks run. What they measure is for people to read: no test passes or fails by the clock."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "run.py"


@pytest.mark.once
def test_the_benchmarks_run() -> None:
    """Every side gives a number, with very few runs."""
    command = [sys.executable, str(RUN), "--json", "--rounds", "1", "--scale", "0.02"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = json.loads(done.stdout)
    assert len(lines) == 23
    assert all(isinstance(line["value"], float) for line in lines)
