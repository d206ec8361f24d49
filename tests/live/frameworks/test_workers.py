"""A real server with two workers: what each served is what each scored."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path
from threading import Event

import pytest

pytest.importorskip("fastapi", reason="pip install -e '.[frameworks]'")
pytest.importorskip("uvicorn", reason="pip install -e '.[frameworks]'")

TESTS = Path(__file__).parents[2]
MOST = 2000  # requests, until both workers have served some


def asked(port: int) -> str | None:
    """Who answered; None where nobody listens yet."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", "/ask", json.dumps({"question": "when?"}), {"content-type": "application/json"})
        response = connection.getresponse()
        assert json.loads(response.read()) == {"answer": "please, when?"}
        return response.headers["x-worker"]
    finally:
        connection.close()


def test_each_worker_counts_what_it_served(tmp_path: Path) -> None:
    """To the unit, also for what came just before the end."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    environment = {
        **os.environ,
        "SCORES": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent / "src")]),
    }
    command = [sys.executable, "-m", "uvicorn", "live.frameworks.served:app", "--workers", "2"]
    with listener, (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--fd", str(listener.fileno()), "--no-access-log"],
            env=environment,
            pass_fds=[listener.fileno()],
            stderr=log,
            stdout=log,
        )
        try:
            served = Counter(asked(port) for _ in range(20))
            while len(served) < 2 and served.total() < MOST:
                served[asked(port)] += 1
                Event().wait(0.005)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)
    said = (tmp_path / "log").read_text()
    assert len(served) == 2, said
    rows = {path.stem: len(path.read_text().splitlines()) for path in tmp_path.glob("*.jsonl")}
    assert rows == dict(served), said
    told = re.findall(r"(\d+) live scoring 'live' ended: (\d+) triggered, .* (\d+) stored", said)
    counted = {worker: (int(triggered), int(stored)) for worker, triggered, stored in told if worker in served}
    assert counted == {worker: (number, number) for worker, number in served.items()}
