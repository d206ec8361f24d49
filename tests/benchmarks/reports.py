"""A report of many evaluations: `python tests/benchmarks/reports.py [--rows N] [--scorers N] [--json]`.

The store is filled first, in a process of its own. Then each side, in another, reads the experiment, or reads and
writes it: seconds by the clock and of the CPU (with the start of Python and the imports of numpy and scipy), and the
most memory that the process ever had. "compare" compares the experiment with itself and writes the page.

"statistics" takes no store: of as many rows by ten scorers it makes samples, means, pass rates, clustered means and
paired comparisons, without a bootstrap; "calibrate" compares a tenth of the rows with labels, with its bootstraps.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

HERE = Path(__file__).parent
SRC = HERE.parent.parent / "src"
HASH = "0" * 64
SIDES = ("read", "html", "json", "md", "xml", "compare", "statistics", "calibrate")
WORDS = ("the", "order", "was", "sent", "back", "with", "its", "receipt", "and", "a", "label", "that", "nobody")


def fill(path: Path, rows: int, scorers: int) -> None:
    """A store as an evaluation leaves it: texts of a few sentences, tags, groups, some failures."""
    from scorewright.suites.journal import Experiment, StoredItem, StoredScore, open_store

    drawn = random.Random(0)
    names = [f"scorer {at}" for at in range(scorers)]
    spec = {"scorers": dict.fromkeys(names, HASH), "source": "rows.jsonl", "thresholds": [], "gates": []}
    with open_store(path) as store:
        store.begin(Experiment("e", "benchmark", json.dumps(spec), "2026-01-01T00:00:00+00:00"))
        for at in range(rows):
            row = {
                "id": f"row-{at}",
                "input": " ".join(drawn.choices(WORDS, k=30)),
                "output": " ".join(drawn.choices(WORDS, k=50)),
                "tags": [drawn.choice(["de", "en", "fr"])],
                "group": f"customer {at % 500}",
            }
            scores = [_score(StoredScore, drawn, f"row-{at}", name) for name in names]
            store.add([StoredItem("e", f"row-{at}", at, json.dumps(row))], scores)


def _score(made: type, drawn: random.Random, row: str, scorer: str) -> object:
    if drawn.random() < 0.01:
        fault = {"fault": {"kind": "TimedOut", "message": "no answer within 60 s", "step": "analyze"}, "steps": []}
        return made("e", row, scorer, HASH, "failed", None, None, json.dumps(fault, separators=(",", ":")))
    reason = " ".join(drawn.choices(WORDS, k=20))
    record = '{"steps":[{"step":"analyze","value":3,"ms":0.1},{"step":"generate_score","value":0.5,"ms":0.1}]}'
    return made("e", row, scorer, HASH, "scored", round(drawn.random(), 3), reason, record)


def statistics(n: int) -> None:
    """Ten scorers on so many rows, twice."""
    import numpy as np

    from scorewright.statistics import Sample, compare, mean, pass_rate
    from scorewright.suites import Coverage

    drawn = np.random.default_rng(0)
    ids = tuple(f"row-{at}" for at in range(n))
    groups = tuple(f"customer {at % (n // 20 + 1)}" for at in range(n))
    given = [(drawn.random(n).tolist(), drawn.random(n).tolist()) for _ in range(10)]
    began = process_time()
    for before, after in given:
        whole = Coverage(n, 0, 0)
        first = Sample(tuple(before), whole, ids)
        mean(first)
        pass_rate(first, 0.5)
        mean(Sample(tuple(before), whole, ids, groups))
        compare(first, Sample(tuple(after), whole, ids))
    print(json.dumps({"CPU seconds": round(process_time() - began, 2), "rows": n, "scorers": 10}))


def calibrate(n: int) -> None:
    """Scores beside passes and failures of people."""
    import numpy as np

    from scorewright.calibration import LabelledRow, calibration

    drawn = np.random.default_rng(0)
    scores = drawn.random(n).tolist()
    rows = [LabelledRow(str(at), score, (bool(drawn.random() < score),)) for at, score in enumerate(scores)]
    began = process_time()
    calibration(rows)
    print(json.dumps({"CPU seconds": round(process_time() - began, 2), "rows": n}))


def measure(side: str, path: Path) -> dict[str, float]:
    """Seconds, MB at the most, and MB of the file."""
    began = perf_counter()
    from scorewright.reports import report_of, write_report

    found = report_of(path)
    written = 0
    if side == "compare":
        from scorewright.reports import compare_reports, write_comparison

        out = path.with_suffix(".compared.html")
        write_comparison(compare_reports(found, report_of(path)).unwrap(), out)
        written = out.stat().st_size
    elif side != "read":
        out = path.with_suffix(f".{side}")
        write_report(found, out)
        written = out.stat().st_size
    took = perf_counter() - began
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "CPU seconds": round(process_time(), 2),
        "seconds": round(took, 2),
        "most MB": round(most),
        "file MB": round(written / 1e6, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--scorers", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--side")
    parser.add_argument("--path", type=Path)
    given = parser.parse_args()
    if given.side == "fill":
        fill(given.path, given.rows, given.scorers)
        return
    if given.side == "statistics":
        statistics(given.rows * given.scorers)
        return
    if given.side == "calibrate":
        calibrate(given.rows * given.scorers // 10)
        return
    if given.side:
        print(json.dumps(measure(given.side, given.path)))
        return
    sides: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.db"
        call("fill", path, given.rows, given.scorers)
        for side in SIDES:
            sides[side] = json.loads(call(side, path, given.rows, given.scorers))
    if given.json:
        print(json.dumps(sides))
        return
    print(f"{given.rows:,} rows by {given.scorers} scorers = {given.rows * given.scorers:,} evaluations")
    for side, found in sides.items():
        print(f"{side:<11}" + "".join(f"{value:>10} {name}" for name, value in found.items()))


def call(side: str, path: Path, rows: int = 0, scorers: int = 0) -> str:
    """One side in a process of its own."""
    more = ["--side", side, "--path", str(path), "--rows", str(rows), "--scorers", str(scorers)]
    env = os.environ | {"PYTHONPATH": str(SRC)}
    return subprocess.run([sys.executable, __file__, *more], env=env, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
