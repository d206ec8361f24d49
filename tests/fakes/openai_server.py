"""A scripted chat-completions endpoint on the loopback, for tests that need a judge.

    with FakeOpenAI([said('{"score": 0.5}'), status(429, headers={"Retry-After": "0"})]) as server:
        ...  # point a client at server.base_url
    assert server.requests[0].prompt == "…"

A script is a list, one answer a request in the order of arrival, or a function of the request's JSON and its number
(from 0). The function runs in the thread of its request, so it may wait for something: a `Barrier` there proves that
requests overlap. A script that breaks or has no answer left answers 500, and raises when the block ends.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Literal, TypeAlias, cast

import attrs

Body: TypeAlias = dict[str, object]
Headers: TypeAlias = Mapping[str, str]


@attrs.frozen
class Answer:
    """One reply, down to the bytes."""

    body: bytes = b""
    status: int = 200
    headers: Headers = attrs.field(factory=dict[str, str])
    delay: float = 0.0  # seconds before the first byte
    ending: Literal["whole", "truncated", "closed", "reset"] = "whole"


Script: TypeAlias = Sequence[Answer] | Callable[[Body, int], Answer]


@attrs.frozen
class Received:
    """One request as it came in."""

    number: int
    path: str
    headers: Headers  # names in lower case
    raw: bytes
    json: Body
    port: int  # the client's: two requests with the same one came over the same connection

    @property
    def messages(self) -> list[dict[str, str]]:
        """The chat messages, in order."""
        return cast("list[dict[str, str]]", self.json["messages"])

    @property
    def prompt(self) -> str:
        """The text of the last message."""
        return self.messages[-1]["content"]


def said(
    text: str | None,
    *,
    tokens: tuple[int, int] | None = (10, 5),
    finish: str = "stop",
    refusal: str | None = None,
    model: str = "fake",
    delay: float = 0.0,
) -> Answer:
    """A completion with this text; `tokens` are those of prompt and reply, None leaves the usage out."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return completion([{"index": 0, "message": message, "finish_reason": finish}], tokens, model, delay)


def no_choices() -> Answer:
    """A completion with an empty list of choices."""
    return completion([], (10, 0), "fake", 0.0)


def completion(choices: list[Body], tokens: tuple[int, int] | None, model: str, delay: float) -> Answer:
    """A completion of these choices."""
    body: Body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": model, "choices": choices}
    if tokens is not None:
        body["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    return raw(json.dumps(body), delay=delay)


def status(code: int, body: Body | str = "", headers: Headers | None = None) -> Answer:
    """An answer of this status; a string becomes the message of an OpenAI error."""
    told = {"error": {"message": body, "type": "error", "code": None}} if isinstance(body, str) else body
    return raw(json.dumps(told), code, headers)


def raw(body: str | bytes, code: int = 200, headers: Headers | None = None, *, delay: float = 0.0) -> Answer:
    """Any body at all; its content type is JSON unless the headers say otherwise."""
    whole = body.encode() if isinstance(body, str) else body
    return Answer(whole, code, {"Content-Type": "application/json", **(headers or {})}, delay)


def html(body: str = "<html>Bad gateway</html>", code: int = 200) -> Answer:
    """What a proxy on the way answers."""
    return raw(body, code, {"Content-Type": "text/html"})


def truncated(answer: Answer) -> Answer:
    """The same headers, but the connection ends in the middle of the body."""
    return attrs.evolve(answer, ending="truncated")


def closed() -> Answer:
    """No answer: the connection is closed in good order."""
    return Answer(ending="closed")


def reset() -> Answer:
    """No answer: the connection is torn down."""
    return Answer(ending="reset")


class FakeOpenAI:
    """The server: listens while its `with` block runs, and records every request."""

    def __init__(self, script: Script) -> None:
        """Nothing listens yet."""
        self._script = script
        self._lock = threading.Lock()
        self._received: list[Received] = []
        self._active = 0
        self._peak = 0
        self._broken: list[BaseException] = []
        self._stopping = threading.Event()

    def __enter__(self) -> FakeOpenAI:
        """Listen on a free port."""
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,), name="fake-openai")
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every connection and wait for every thread."""
        self._stopping.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()
        if self._broken and raised is None:
            raise self._broken[0]

    @property
    def base_url(self) -> str:
        """What a client takes as its base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> list[Received]:
        """What came in so far, in the order of arrival."""
        with self._lock:
            return list(self._received)

    @property
    def prompts(self) -> list[str]:
        """The last message of every request, in the order of arrival."""
        return [request.prompt for request in self.requests]

    @property
    def peak(self) -> int:
        """The most requests that were unanswered at one time."""
        with self._lock:
            return self._peak

    def _arrived(self, path: str, headers: Headers, body: bytes, port: int) -> tuple[Body, int]:
        try:
            parsed = cast("Body", json.loads(body))
        except ValueError:
            parsed = {}
        with self._lock:
            number = len(self._received)
            self._received.append(Received(number, path, headers, body, parsed, port))
            self._active += 1
            self._peak = max(self._peak, self._active)
        return parsed, number

    def _answer(self, body: Body, number: int) -> Answer:
        try:
            if callable(self._script):
                answer = self._script(body, number)
            elif number < len(self._script):
                answer = self._script[number]
            else:
                raise AssertionError(f"request {number + 1} for a script of {len(self._script)} answers")
        except BaseException as broken:  # noqa: BLE001 - raised again where the test can see it, at the end of the block
            with self._lock:
                self._broken.append(broken)
            return status(500, f"the script broke: {broken!r}")
        self._stopping.wait(answer.delay)
        return answer

    def _answered(self) -> None:
        with self._lock:
            self._active -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that server_close waits for them
    request_queue_size = 256

    def __init__(self, fake: FakeOpenAI) -> None:
        self.fake = fake
        self._open: set[socket.socket] = set()
        self._open_lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def server_bind(self) -> None:
        """As its grandparent's: HTTPServer would look its own name up."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def hang_up(self) -> None:
        """End the connections that clients keep open."""
        with self._open_lock:
            for connection in self._open:
                with suppress(OSError):  # the client was faster
                    connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Remember the connection."""
        with self._open_lock:
            self._open.add(cast("socket.socket", request))
        super().process_request(request, client_address)  # type: ignore[arg-type]  # typeshed: the address is private there

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Forget it."""
        with self._open_lock:
            self._open.discard(cast("socket.socket", request))
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        """As a POST of nothing."""
        self.do_POST()

    def do_POST(self) -> None:
        """Record, ask the script, answer."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        fake = self.server.fake
        parsed, number = fake._arrived(self.path, headers, body, self.client_address[1])
        try:
            answer = fake._answer(parsed, number)
        finally:
            fake._answered()
        self._send(answer, number)

    def log_message(self, format: str, *args: object) -> None:
        """Tests print nothing."""

    def _send(self, answer: Answer, number: int) -> None:
        self.close_connection = self.close_connection or answer.ending != "whole"
        if answer.ending == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        if answer.ending in {"reset", "closed"}:
            return
        self.send_response(answer.status)
        for name, value in {
            "Content-Length": str(len(answer.body)),
            "x-request-id": f"req-{number}",
            **answer.headers,
        }.items():
            self.send_header(name, value)
        self._headers_buffer.append(b"\r\n")
        sent = answer.body if answer.ending == "whole" else answer.body[: len(answer.body) // 2]
        self.wfile.write(b"".join([*self._headers_buffer, sent]))  # one packet, whatever its size
        self._headers_buffer = []
