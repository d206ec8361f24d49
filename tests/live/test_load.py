"""A flood of calls, with scorers that do not keep up: the slow set."""

from __future__ import annotations

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
from live.watching import PATIENCE, Gate, Seen, tone

from scorewright.live import Block, ratio, scored

pytestmark = pytest.mark.slow

SIZE = 10_000


@pytest.mark.parametrize("when_full", ["drop_newest", "drop_oldest", Block(0)])
def test_memory_is_bounded_by_the_queue(when_full: str) -> None:
    """Whatever is triggered: as many outputs are held as the queue has places, and every run has its count."""
    gate, seen, many = Gate(), Seen(queue=100, when_full=when_full), 3_000

    @scored(gate.scorer, live=seen.live)
    def answer(question: str) -> str:
        return question * SIZE

    answer("x")
    assert gate.begun.wait(PATIENCE)
    gc.collect()
    tracemalloc.start()
    for _ in range(many):
        answer("x")
    kept, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    counts = seen.live.counts()
    assert kept < 3 * 100 * SIZE
    assert (counts.triggered, counts.pending, counts.dropped) == (many + 1, 100, many + 1 - 100)
    gate.open.set()
    assert seen.counts().scored == 100
    seen.live.shutdown()


def test_threads_in_a_flood_lose_no_count() -> None:
    """Sampled or not, dropped or scored: to the unit."""
    seen = Seen(queue=50, when_full="drop_oldest")

    @scored(tone, live=seen.live, sample=ratio(0.5))
    def answer(question: str) -> str:
        return question

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(answer, ["x"] * 20_000, chunksize=500))
    counts = seen.counts()
    assert counts.triggered == 20_000
    assert counts.sampled_out + counts.dropped + counts.scored == 20_000
    assert counts.stored == counts.scored == len(seen.scores)
    seen.live.shutdown()
