"""What reading a trace file costs: `python tests/benchmarks/traces.py [--json] [--rounds N] [--scale F]`.

Each file is read by `read_runs`, every run dropped when the next one comes, and beside it by `json.loads` of its bytes,
each in a fresh process; what is shown is the ratio of their CPU times, the median of the rounds in which they take
turns. The ratio includes parsing: one of 3 means that all that comes after it takes twice as long as the parsing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from run import Command, Line, as_json, rounds, table
from spans import KINDS, document, lines

GROWTH = (1_000, 10_000, 100_000)
GOAL = 3.0
LINES = {512: "512, as a collector writes batches", 40: "40", 1: "one, as an exporter writes that has no batches"}
"""How many spans a line of a file has: the collector's file exporter writes a request a line, and an SDK sends 512."""
SIDE = """
import gc, json, sys
from pathlib import Path
from time import process_time
from scorewright.traces import read_runs

path, side, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def read():
    for run in read_runs(path):
        run.unwrap()

def parse():
    if path.suffix == ".jsonl":
        for line in path.read_bytes().splitlines():
            json.loads(line)
    else:
        json.loads(path.read_bytes())

once = read if side == "read_runs" else parse
took = []
for at in range(times + 1):
    gc.collect()
    began = process_time()
    once()
    took.append(process_time() - began)
print(min(took[1:]) * 1e6)
"""
REAL = Path(__file__).parents[2].parent / "shared" / "traces" / "agentevals"


def files(folder: Path, scale: float) -> dict[str, Path]:
    """The files that are read, by what they are: made ones, and real ones where they are beside the project."""
    made: dict[str, Path] = {}
    for kind in KINDS:
        for count in GROWTH:
            some = max(8, round(count * scale))
            made[f"{kind}, {count:,} spans"] = path = folder / f"{kind}-{count}.json"
            path.write_text(document(kind, some))
    for kind in KINDS:
        for batch, what in LINES.items():
            made[f"{kind}, 20,000 spans in lines of {what}"] = path = folder / f"{kind}-{batch}.jsonl"
            path.write_text("".join(lines(kind, max(8, round(20_000 * scale)), batch)))
    return made | {f"agentevals/{path.name}": path for path in sorted(REAL.glob("*.json"))}


def side(path: Path, name: str) -> Command:
    """One side of one file."""
    times = 1 if path.stat().st_size > 1 << 24 else 3 if path.stat().st_size > 1 << 22 else 15
    return ("-c", SIDE, str(path), name, str(times))


def measured(times: int, scale: float) -> list[Line]:
    """The ratios, and how much longer a span takes in the largest file than in the smallest."""
    with TemporaryDirectory() as folder:
        given = files(Path(folder), scale)
        m = rounds({f"{what} {name}": side(path, name) for what, path in given.items() for name in SIDES}, times)
    ratios = [Line(what, m[f"{what} read_runs"] / m[f"{what} json.loads"], "x", _goal(what)) for what in given]
    first, last = GROWTH[0], GROWTH[-1]
    grown = [
        Line(
            f"growth of {kind}, a span of {last:,} beside one of {first:,}",
            m[f"{kind}, {last:,} spans read_runs"] / m[f"{kind}, {first:,} spans read_runs"] / (last / first),
            "x",
            1.5,
        )
        for kind in KINDS
    ]
    return [*ratios, *grown]


SIDES = ("json.loads", "read_runs")


def _goal(what: str) -> float | None:
    return None if what.startswith("requests") else GOAL


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=3, help="how often the sides take turns")
    parser.add_argument("--scale", type=float, default=1.0, help="a fraction of the usual spans, for a quick look")
    given = parser.parse_args(arguments)
    print((as_json if given.json else table)(measured(given.rounds, given.scale)))


if __name__ == "__main__":
    sys.exit(main())
