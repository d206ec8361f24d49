"""A webhook on the loopback that answers as it is told, and remembers what came."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

import attrs
from typing_extensions import override


@attrs.frozen
class Hooked:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


class Hook:
    """What the server holds. Of `answers` the last one stays; 0 hangs up."""

    def __init__(self, answers: Sequence[int]) -> None:
        self.answers = [*answers]
        self.requests: list[Hooked] = []
        self.came = threading.Semaphore(0)
        self.gate = threading.Event()
        self.gate.set()
        self.url = ""

    def next(self) -> int:
        """How the next request is answered."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    hook: Hook

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        return  # a client that gave up is part of the test


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Remember, and answer."""
        hook = cast("_Server", self.server).hook
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        hook.requests.append(Hooked(self.path, headers, body))
        hook.came.release()
        hook.gate.wait(20)
        status = hook.next()
        if not status:
            self.close_connection = True
            return
        self.send_response(status)
        if status // 100 == 3:
            self.send_header("location", hook.url + "/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    @override
    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def hooked(*answers: int) -> Iterator[Hook]:
    """A server while the block lasts."""
    hook = Hook(answers or (204,))
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.hook = hook
        hook.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield hook
        finally:
            hook.gate.set()
            server.shutdown()
            thread.join()
