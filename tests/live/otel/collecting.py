"""An OTLP endpoint on the loopback that keeps what it is sent, or answers that it is broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import attrs


@attrs.frozen
class Collector:
    """Where it listens, and the bodies that came."""

    port: int
    bodies: list[bytes]


@contextmanager
def collecting(status: int = 200) -> Iterator[Collector]:
    """Listen while the block runs."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Collector(server.server_address[1], bodies)
        finally:
            server.shutdown()
            thread.join()
