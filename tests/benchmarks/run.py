"""What a scorer costs, as ratios: `python tests/benchmarks/run.py [--json] [--rounds N] [--scale F]`.

Every number comes from processes of its own. The sides take turns, so that a slow moment of the machine meets all of
them; the number shown is the median of the rounds. Times are CPU times of the fastest of many small batches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TypeAlias

import attrs

HERE = Path(__file__).parent
SRC = HERE.parent.parent / "src"
Command: TypeAlias = tuple[str, ...]

SMALL = 200  # runs in a batch: small enough that some batches meet no other process
TIMED = {
    **{f"dropped {side}": ("dropped", side) for side in ("loop", "pure_steps", "pure_steps_and_run", "ok_steps")},
    "dropped pydantic_evaluator": ("dropped", "pydantic_evaluator"),
    **{f"kept {side}": ("kept", side) for side in ("loop", "loop_with_values", "pure_steps")},
}
GROWTH = (1_000, 10_000, 100_000)
IMPORTS = {
    "nothing": "pass",
    "the three": "import attrs, cattrs, returns.result, returns.pipeline",
    "scorewright": "import scorewright",
}


@attrs.frozen
class Line:
    """One line of the table: what was measured, and the goal where there is one."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal


def number(command: Command) -> float:
    """What a fresh process prints."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as installed
    env = kept | {"PYTHONPATH": os.pathsep.join([str(SRC), str(HERE)])}
    done = subprocess.run([sys.executable, *command], env=env, check=True, capture_output=True, text=True)
    return float(done.stdout)


def measuring(what: str, side: str, runs: int, batches: int) -> Command:
    """One side, measured in its own process."""
    return (str(HERE / "measure.py"), what, side, str(runs), str(batches))


def importing(statement: str) -> Command:
    """CPU time of a process that only imports, in ms."""
    return ("-c", f"import time; {statement}; print(time.process_time() * 1000)")


def rounds(commands: dict[str, Command], times: int) -> dict[str, float]:
    """The median of each, the commands taking turns."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(times):
        for name, command in commands.items():
            found[name].append(number(command))
    return {name: median(values) for name, values in found.items()}


def growth(m: dict[str, float], what: str, some: Callable[[int], int]) -> list[Line]:
    """µs a run as the runs grow in number; where all is kept, the garbage collector's part grows with any loop."""
    ours, loops = (
        [m[f"{what} {side} {runs}"] for runs in GROWTH] for side in ("pure_steps_and_run", "loop_with_values")
    )
    grown = ours[-1] / ours[0] / (loops[-1] / loops[0] if what == "kept" else 1)
    beside = "beside a loop that keeps the step values" if what == "kept" else "and let go"
    return [
        *(Line(f"one of {some(n):,} runs, {what}", took, "µs") for n, took in zip(GROWTH, ours, strict=True)),
        Line(f"  growth, {beside}", grown, "x", 1.2),
    ]


def lines(times: int, scale: float) -> list[Line]:
    """Measure everything."""

    def some(count: int) -> int:
        return max(1, round(count * scale))

    timed = {name: measuring(what, side, SMALL, some(150)) for name, (what, side) in TIMED.items()}
    timed["dataset"] = measuring("kept", "pydantic_dataset", some(500), 3)
    for what in ("dropped", "kept"):
        for side in ("pure_steps_and_run", "loop_with_values"):
            timed |= {f"{what} {side} {runs}": measuring(what, side, some(runs), 1) for runs in GROWTH}
    timed |= {f"bytes {side}": measuring("bytes", side, some(10_000), 1) for side in ("pure_steps", "loop_with_values")}
    timed |= {f"import {name}": importing(statement) for name, statement in IMPORTS.items()}
    m = rounds(timed, times)
    loop, pure, with_run, with_ok = (
        m[f"dropped {side}"] for side in ("loop", "pure_steps", "pure_steps_and_run", "ok_steps")
    )
    bare = m["import nothing"]
    return [
        Line("the work by hand", loop, "µs"),
        Line("four pure steps, over the loop", pure - loop, "µs", 7),
        Line("four pure steps, against the loop", pure / loop, "x", 1.9),
        Line("  with each run made too, over the loop", with_run - loop, "µs"),
        Line("four steps that build ok(…), over the loop", with_ok - loop, "µs", 9),
        Line("  against the loop", with_ok / loop, "x"),
        Line("all evaluations kept, over a loop that keeps scores", m["kept pure_steps"] - m["kept loop"], "µs"),
        Line("  over a loop that keeps the step values too", m["kept pure_steps"] - m["kept loop_with_values"], "µs"),
        Line("pydantic-evals, bare evaluator, over the loop", m["dropped pydantic_evaluator"] - loop, "µs"),
        Line("pydantic-evals, Dataset.evaluate", m["dataset"], "µs"),
        Line("  against four pure steps with each run made", m["dataset"] / with_run, "x", 10, at_least=True),
        Line("an evaluation beyond its step values", m["bytes pure_steps"] - m["bytes loop_with_values"], "bytes", 400),
        *growth(m, "dropped", some),
        *growth(m, "kept", some),
        Line("import attrs, cattrs, returns", m["import the three"] - bare, "ms"),
        Line("import scorewright", m["import scorewright"] - bare, "ms"),
        Line("  against the three", (m["import scorewright"] - bare) / (m["import the three"] - bare), "x", 1.8),
    ]


def table(measured: Sequence[Line]) -> str:
    """The lines as a person reads them."""
    width = max(len(line.what) for line in measured)
    rows = [f"{'':{width}}  {'measured':>10}         goal"]
    for line in measured:
        sign = "≥" if line.at_least else "≤"
        verdict = {None: "", True: "met", False: "MISSED"}[line.met]
        goal = f"{sign} {line.goal:g}" if line.goal is not None else ""
        rows.append(f"{line.what:{width}}  {line.value:>10.2f} {line.unit:<6} {goal:>7}  {verdict}".rstrip())
    return "\n".join(rows)


def as_json(measured: Sequence[Line]) -> str:
    """The lines for a program."""
    return json.dumps([attrs.asdict(line) | {"met": line.met} for line in measured], ensure_ascii=False, indent=2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=5, help="how often the sides take turns")
    parser.add_argument("--scale", type=float, default=1.0, help="a fraction of the usual runs, for a quick look")
    given = parser.parse_args(arguments)
    shown: Callable[[Sequence[Line]], str] = as_json if given.json else table
    print(shown(lines(given.rounds, given.scale)))


if __name__ == "__main__":
    main()
