"""Many rows."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest

from scorewright.suites import Row
from scorewright.suites.rows import RowSource
from scorewright.suites.rows.formats import line_rows

LINE = '{{"input": "question {0}", "output": "answer {0}", "expected": "answer {0}"}}\n'


@pytest.mark.slow
def test_many_rows_take_little_memory() -> None:
    """What is remembered of a row is its id, in 16 bytes, and not the row."""

    def lines() -> Iterator[bytes]:
        for number in range(200_000):
            yield LINE.format(number).encode()

    tracemalloc.start()
    try:
        count = sum(isinstance(row, Row) for row in RowSource(line_rows(lines(), "rows.jsonl"), {}, ("input",)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 200_000
    assert peak < 24 << 20
