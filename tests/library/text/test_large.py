"""A megabyte against a megabyte, and the benchmark itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "text.py"


@pytest.mark.slow
def test_a_megabyte_is_scored_or_refused() -> None:
    """Every scorer ends: with a score, or with the fault that says both lengths and the limit."""
    done = subprocess.run([sys.executable, str(BENCHMARK), "--large"], capture_output=True, text=True, check=True)
    outcomes = json.loads(done.stdout)
    assert len(outcomes) == 31
    refused = {id for id, outcome in outcomes.items() if "make more than 20,000,000,000 cells" in outcome}
    assert refused == {"textual_difference", "levenshtein", "jaro_winkler", "rouge('rougeL')"}
    assert all(0.0 <= float(outcome) <= 1.0 for id, outcome in outcomes.items() if id not in refused)


@pytest.mark.slow
def test_the_benchmark_runs() -> None:
    """Both sides of every comparison give a number."""
    command = [sys.executable, str(BENCHMARK), "--json", "--scale", "0.05"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = json.loads(done.stdout)
    assert {line["scorer"] for line in lines} >= {"levenshtein", "jaro_winkler", "textual_difference", "bleu", "chrf"}
    assert all(line["ours"] > 0 and line["theirs"] > 0 for line in lines)
