"""One side in a process of its own; prints one number.

python measure.py dropped SIDE RUNS BATCHES    µs a run, each result dropped when the next is made
python measure.py kept SIDE RUNS BATCHES       µs a run, all results of a batch kept
python measure.py bytes SIDE RUNS 1            bytes a result holds on to
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from itertools import repeat
from time import process_time_ns

from sides import MANY, ONE


def batch(side: str, runs: int, keeping: bool) -> Callable[[], object]:
    """The side, done so many times."""
    if side in MANY:
        return MANY[side](runs)
    one = ONE[side]()

    def dropped() -> None:
        for _ in repeat(None, runs):
            one()

    return (lambda: [one() for _ in repeat(None, runs)]) if keeping else dropped


def microseconds(side: str, runs: int, batches: int, keeping: bool) -> float:
    """CPU time a run, in the fastest batch: what other processes on the machine slow down does not count."""
    once = batch(side, runs, keeping)
    once()
    took: list[int] = []
    for _ in range(batches):
        gc.collect()
        began = process_time_ns()
        kept = once()
        took.append(process_time_ns() - began)
        del kept
    return min(took) / runs / 1000


def bytes_kept(side: str, runs: int) -> float:
    """What a result holds on to, its place in a list included."""
    once = batch(side, runs, keeping=True)
    once()
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = once()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    del kept
    return (after - before) / runs


if __name__ == "__main__":
    what, side, runs, batches = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    print(bytes_kept(side, runs) if what == "bytes" else microseconds(side, runs, batches, what == "kept"))
