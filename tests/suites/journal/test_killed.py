"""Processes that are killed, with a real signal, while a server counts what they ask for."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest
from fakes.openai_server import Answer, Body, FakeOpenAI, said

WORKER = Path(__file__).with_name("worker.py")
UNRECORDED = 40  # at most so many of the 32 that a worker asks at once, and a quarter more, may be asked again


class Provider:
    """Answers each question, and says when so many have been asked."""

    def __init__(self) -> None:
        self.asked = 0
        self._more = threading.Condition()

    def __call__(self, _: Body, number: int) -> Answer:
        with self._more:
            self.asked = number + 1
            self._more.notify_all()
        return said('{"value": true}', delay=0.005)

    def wait_for(self, asked: int, worker: subprocess.Popen[bytes]) -> None:
        """Until so many questions have come, or the worker has ended."""
        with self._more:
            while self.asked < asked and worker.poll() is None:
                self._more.wait(0.05)


@attrs.frozen
class Bill:
    """What the server saw: requests, and how often it charges if it heeds `Idempotency-Key`."""

    requests: int
    charged: int
    most_for_one: int


def begun(store: str, server: FakeOpenAI, rows: int) -> subprocess.Popen[bytes]:
    environment: Mapping[str, str] = {**os.environ, "OPENAI_API_KEY": "open-sesame-123456"}
    return subprocess.Popen([sys.executable, str(WORKER), store, server.base_url, str(rows)], env=environment)


def bill(server: FakeOpenAI) -> Bill:
    keys = Counter(received.headers["idempotency-key"] for received in server.requests)
    return Bill(len(server.requests), len(keys), max(keys.values()))


def killed(store: str, rows: int, kills: int, workers: int = 1) -> Bill:
    """Kill as many times at random points; at the end everything is scored."""
    drawn = random.Random(rows)
    provider = Provider()
    with FakeOpenAI(provider) as server:
        running = [begun(store, server, rows) for _ in range(workers)]
        try:
            for kill in range(kills):
                victim = running[kill % workers]
                provider.wait_for(int(rows * (kill + drawn.uniform(0.2, 0.8)) / kills), victim)
                victim.send_signal(signal.SIGKILL)
                victim.wait()
                running[kill % workers] = begun(store, server, rows)
            assert [worker.wait(600) for worker in running] == [0] * workers
        finally:
            for worker in running:
                worker.kill()
                worker.wait()
        return bill(server)


@pytest.mark.once
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_evaluation_pays_once(place: str, workers: int) -> None:
    """Every row is scored, and each question is charged once; only what was not recorded is asked again."""
    if workers == 2 and not place.startswith("postgresql"):
        pytest.skip("several workers share a PostgreSQL")
    found = killed(place, rows=400, kills=3, workers=workers)
    assert found.charged == 400
    assert found.requests <= 400 + 3 * UNRECORDED
    assert found.most_for_one <= 2


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_ten_thousand_rows_survive_five_kills(place: str, workers: int, record_property: pytest.RecordProperty) -> None:
    """The same with 10,000 rows."""
    if workers == 2 and not place.startswith("postgresql"):
        pytest.skip("several workers share a PostgreSQL")
    found = killed(place, rows=10_000, kills=5, workers=workers)
    record_property("requests", found.requests)
    print(f"{workers} workers on {place.partition(':')[0]}: {found}")
    assert found.charged == 10_000
    assert found.requests <= 10_000 + 5 * UNRECORDED
