"""The scripted endpoint answers as told and records what it saw."""

from __future__ import annotations

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse, IncompleteRead, RemoteDisconnected
from urllib.parse import urlsplit

import pytest

from fakes.openai_server import (
    Answer,
    FakeOpenAI,
    closed,
    html,
    no_choices,
    raw,
    reset,
    said,
    status,
    truncated,
)


def connect(server: FakeOpenAI) -> HTTPConnection:
    host = urlsplit(server.base_url)
    assert host.hostname is not None
    return HTTPConnection(host.hostname, host.port, timeout=5)


def post(connection: HTTPConnection, prompt: str = "hi") -> HTTPResponse:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}]})
    connection.request("POST", "/v1/chat/completions", body, {"Authorization": "Bearer k"})
    return connection.getresponse()


def answer_to(server: FakeOpenAI, prompt: str = "hi") -> tuple[int, dict[str, str], bytes]:
    connection = connect(server)
    try:
        reply = post(connection, prompt)
        return reply.status, dict(reply.getheaders()), reply.read()
    finally:
        connection.close()


def test_a_reply_carries_text_usage_and_finish_reason() -> None:
    """`said` is a whole chat completion."""
    with FakeOpenAI([said("hello", tokens=(7, 3), finish="length", refusal="no")]) as server:
        code, headers, body = answer_to(server)
    told = json.loads(body)
    assert (code, headers["Content-Type"], headers["x-request-id"]) == (200, "application/json", "req-0")
    assert told["choices"][0] == {
        "index": 0,
        "message": {"role": "assistant", "content": "hello", "refusal": "no"},
        "finish_reason": "length",
    }
    assert told["usage"] == {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


def test_a_reply_may_hold_nothing() -> None:
    """Null content, no usage and no choices are all sayable."""
    with FakeOpenAI([said(None, tokens=None), no_choices()]) as server:
        null, none = (json.loads(answer_to(server)[2]) for _ in range(2))
    assert null["choices"][0]["message"]["content"] is None
    assert "usage" not in null
    assert none["choices"] == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (status(429, "slow down", {"Retry-After": "2"}), (429, "2", "application/json")),
        (status(500, {"detail": "broken"}), (500, None, "application/json")),
        (status(200, "an error with 200"), (200, None, "application/json")),
        (html(), (200, None, "text/html")),
        (raw(b"\xff\xfe", 418), (418, None, "application/json")),
    ],
)
def test_status_headers_and_body_are_as_scripted(answer: Answer, expected: tuple[int, str | None, str]) -> None:
    """What the script says goes over the wire unchanged."""
    with FakeOpenAI([answer]) as server:
        code, headers, body = answer_to(server)
    assert (code, headers.get("Retry-After"), headers["Content-Type"]) == expected
    assert body == answer.body


def test_a_truncated_body_ends_early() -> None:
    """The client was promised more bytes than it gets."""
    with FakeOpenAI([truncated(said("a long answer"))]) as server, pytest.raises(IncompleteRead):
        answer_to(server)


@pytest.mark.parametrize(("answer", "raised"), [(closed(), RemoteDisconnected), (reset(), ConnectionResetError)])
def test_a_connection_can_break(answer: Answer, raised: type[Exception]) -> None:
    """Closed in good order, or torn down: the client can tell."""
    with FakeOpenAI([answer]) as server, pytest.raises(raised) as told:
        answer_to(server)
    assert type(told.value) is raised


def test_a_delay_ends_with_the_server() -> None:
    """A client that gave up does not hold the test."""
    started = time.monotonic()
    with FakeOpenAI([said("late", delay=60)]) as server:
        connection = connect(server)
        connection.timeout = 0.05
        with pytest.raises(TimeoutError):
            post(connection)
        connection.close()
    assert time.monotonic() - started < 5


def test_everything_a_request_held_is_recorded() -> None:
    """Path, headers, bytes, JSON and order of arrival."""
    with FakeOpenAI(lambda body, number: said(f"{body['model']} {number}")) as server:
        replies = [json.loads(answer_to(server, prompt)[2]) for prompt in ("one", "two")]
        first = server.requests[0]
    assert [reply["choices"][0]["message"]["content"] for reply in replies] == ["m 0", "m 1"]
    assert (first.number, first.path, first.headers["authorization"]) == (0, "/v1/chat/completions", "Bearer k")
    assert json.loads(first.raw) == first.json
    assert server.prompts == ["one", "two"]


def test_connections_are_kept_and_told_apart() -> None:
    """Two requests over one connection have one port; a second connection has another."""
    with FakeOpenAI(lambda _body, _number: said("ok")) as server:
        kept, other = connect(server), connect(server)
        for connection in (kept, kept, other):
            post(connection).read()
        ports = [request.port for request in server.requests]
        kept.close()
        other.close()
    assert ports[0] == ports[1] != ports[2]
    assert server.peak == 1


def test_the_peak_counts_requests_that_overlap() -> None:
    """Eight requests that wait for each other are eight at one time."""
    together = threading.Barrier(8)

    def script(_body: dict[str, object], _number: int) -> Answer:
        together.wait(5)
        return said("ok")

    with FakeOpenAI(script) as server, ThreadPoolExecutor(8) as pool:
        assert {code for code, _, _ in pool.map(lambda _: answer_to(server), range(8))} == {200}
    assert server.peak == 8
    assert sorted(request.number for request in server.requests) == list(range(8))


def test_a_script_that_runs_out_is_told_at_the_end() -> None:
    """A request too many is an error of the test, even if the client swallows the 500."""
    with pytest.raises(AssertionError, match="request 2 for a script of 1"), FakeOpenAI([said("only")]) as server:
        assert [answer_to(server)[0] for _ in range(2)] == [200, 500]


def test_a_script_that_raises_is_told_at_the_end() -> None:
    """What a script function raises comes out of the block."""

    def script(_body: dict[str, object], _number: int) -> Answer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), FakeOpenAI(script) as server:
        assert answer_to(server)[0] == 500


def test_the_server_starts_and_ends_quickly_and_leaves_nothing() -> None:
    """Tests can afford one each: no thread stays, and the port is free again."""
    before = threading.active_count()
    started = time.perf_counter()
    for _ in range(10):
        with FakeOpenAI([]) as server:
            port = urlsplit(server.base_url).port
            idle = connect(server)
            idle.connect()
        idle.close()
    assert time.perf_counter() - started < 2
    assert threading.active_count() == before
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
