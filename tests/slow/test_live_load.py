"""Ten thousand spans a second for a minute: the program does not feel it, memory is bounded, all is counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("opentelemetry.sdk")

ROOT = Path(__file__).parents[2]
HOST = Path(__file__).with_name("live_load.py")
pytestmark = pytest.mark.slow


def test_ten_thousand_spans_a_second() -> None:
    """The p99 is within 1 % of that without scoring, as both are measured in turns in one process."""
    done = subprocess.run(
        [sys.executable, str(HOST), "60"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    print(done.stdout)
    counts = found["counts"]
    assert found["flushed"]
    assert found["adds_up"]
    assert counts["triggered"] >= found["runs"] >= 0.8 * 60 * 1000
    assert counts["triggered"] == counts["sampled_out"] + counts["scored"] + counts["dropped"]
    assert found["memory"][-1] < found["memory"][0] + 64
    assert found["p99"]["scored"] <= 1.01 * found["p99"]["plain"]
