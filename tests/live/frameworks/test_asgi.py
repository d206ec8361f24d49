"""Applications behind the middleware: FastAPI by its own client, and plain ASGI by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import cast

import pytest
from live.frameworks.seeing import IN_TENTH, OUT_OF_TENTH
from live.watching import Gate, Seen, polite

from scorewright import DefinitionError, create_scorer, pure
from scorewright.live import live_context, ratio, scored, unscored
from scorewright.live.frameworks import ErrorResponse, HttpRequest, HttpResponse, ScoringMiddleware

Message = MutableMapping[str, object]
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def question(request: HttpRequest) -> str:
    return request.json(dict[str, str])["question"]


def text(response: HttpResponse) -> str:
    return response.text


class Client:
    """Asks a plain application as a server would, and keeps what it sends."""

    def __init__(self, app: Callable[..., object], seen: Seen, *scorers: object, **settings: object) -> None:
        make = cast("Callable[..., ScoringMiddleware]", ScoringMiddleware)
        given = {"input": lambda request: request.text, "output": text, **settings}
        self.app = make(*(scorers or [polite]), live=seen.live, **given)(app)  # type: ignore[arg-type]  # an application
        self.sent: list[Message] = []

    def ask(
        self, *body: bytes, headers: Mapping[str, str] | None = None, kind: str = "http", path: str = "/ask"
    ) -> list[Message]:
        """The messages of the application."""
        parts = [{"type": "http.request", "body": part, "more_body": True} for part in body[:-1]]
        last = {"type": "http.request", "body": body[-1] if body else b""}
        given = iter([*parts, last])
        scope: Message = {"type": kind, "method": "POST", "path": path, "query_string": b"a=1"}
        scope["headers"] = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
        self.sent = []

        async def receive() -> Message:
            return cast("Message", next(given, {"type": "http.disconnect"}))

        async def send(message: Message) -> None:
            self.sent.append(message)

        asyncio.run(self.app(scope, receive, send))  # type: ignore[arg-type]  # a coroutine
        return self.sent


def answering(*parts: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Callable[..., object]:
    """An application that reads all and answers in these parts."""

    async def app(scope: Message, receive: Callable[..., object], send: Callable[..., object]) -> None:
        while (await receive()).get("more_body"):  # type: ignore[misc]  # a coroutine
            pass
        told = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
        await send({"type": "http.response.start", "status": status, "headers": told})  # type: ignore[misc]  # as above
        for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})  # type: ignore[misc]  # as above
        await send({"type": "http.response.body"})  # type: ignore[misc]  # as above

    return app


def test_a_request_and_its_response_in_parts(seen: Seen) -> None:
    """The scorers see both whole; the client gets the parts as they are."""
    client = Client(answering(b"Wait, ", "plé".encode()[:3], "plé".encode()[3:], b"please"), seen)
    sent = client.ask(b"wh", b"en?")
    assert [message.get("body") for message in sent[1:]] == [b"Wait, ", b"pl\xc3", b"\xa9", b"please", None]
    assert seen.values == [1.0]
    assert (seen.scores[0].run.input, seen.scores[0].run.output) == ("when?", "Wait, pléplease")


def test_a_stream_is_neither_held_nor_changed(seen: Seen) -> None:
    """The client has the first part before the second is made; scoring begins with the end."""
    passed: list[tuple[object, int]] = []

    async def app(scope: Message, receive: object, send: Callable[..., object]) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": []}
        parts = [
            {"type": "http.response.body", "body": b"data: please\n\n", "more_body": more} for more in (True, False)
        ]
        for message in (start, *parts):
            await send(message)  # type: ignore[misc]  # a coroutine
            passed.append((client.sent[-1] is message, seen.live.counts().triggered))

    client = Client(app, seen, output=lambda response: "".join(response.events))
    client.ask()
    assert passed == [(True, 0), (True, 0), (True, 1)]
    assert seen.values == [1.0]
    assert seen.scores[0].run.output == "pleaseplease"


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"data: a\n\ndata:b\n\n", ("a", "b")),
        (b"event: x\r\nid: 1\r\ndata: a\r\ndata:  b\r\n\r\n", ("a\n b",)),
        (b": comment\n\ndata\n\ndata: unfinished", ("",)),
        (b"", ()),
    ],
)
def test_events(body: bytes, events: tuple[str, ...]) -> None:
    """As the standard reads them: what is not ended by an empty line is not there."""
    assert HttpResponse(200, {}, body).events == events


def test_errors(seen: Seen) -> None:
    """What the application raises is its own; `on_error` makes an output of it, and of a response that is an error."""

    async def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    heard: list[Exception] = []
    for settings in ({}, {"on_error": lambda error: str(heard.append(error))}):
        with pytest.raises(RuntimeError, match="out of order"):
            Client(broken, seen, **settings).ask()
        Client(answering(b"teapot", status=418), seen, **settings).ask()
    assert seen.counts().scored == 2
    assert dict(seen.counts().reasons) == {
        "filtered: the call raised": 1,
        "filtered: the response had status 418": 1,
    }
    assert isinstance(heard[0], RuntimeError)
    assert isinstance(heard[1], ErrorResponse)
    assert heard[1].response.text == "teapot"


def test_what_is_not_scored_is_counted(seen: Seen, tmp_path: Path) -> None:
    """Too long, encoded, a file that a server sends, never finished, refused, a predicate that raises."""

    async def file(scope: Message, receive: object, send: Callable[..., object]) -> None:
        await send({"type": "http.response.start", "status": 200})  # type: ignore[misc]  # a coroutine
        await send({"type": "http.response.pathsend", "path": str(tmp_path)})  # type: ignore[misc]  # as above

    async def nothing(*_: object) -> None:
        return

    Client(answering(b"12345"), seen, limit=4).ask()
    Client(answering(b"1"), seen, limit=4).ask(b"123", b"45")
    Client(answering(b"1", headers={"Content-Encoding": "gzip"}), seen).ask()
    Client(file, seen).ask()
    Client(nothing, seen).ask()
    Client(answering(b"1"), seen, where=lambda request: request.path == "/").ask()
    Client(answering(b"1"), seen, where=lambda _: bool(1 / 0)).ask()
    with unscored("a rehearsal"):
        Client(answering(b"1"), seen).ask()
    assert dict(seen.counts().reasons) == {
        "filtered: the response has more than 4 bytes": 1,
        "filtered: the request has more than 4 bytes": 1,
        "filtered: the response is encoded: gzip": 1,
        "filtered: the response is a file that was not seen": 1,
        "filtered: the response was not finished": 1,
        "filtered: where= said no": 1,
        "filtered: where= raised ZeroDivisionError": 1,
        "filtered: a rehearsal": 1,
    }
    assert seen.counts().triggered == 8


def test_an_extractor_that_raises_is_a_failure(seen: Seen) -> None:
    """The client does not hear of it."""
    sent = Client(answering(b"1"), seen, input=question).ask(b"no json")
    assert sent[-1] == {"type": "http.response.body"}
    assert dict(seen.counts().reasons) == {"failed: JSONDecodeError": 1}


@pytest.mark.parametrize("header", ["traceparent", "x-request-id"])
def test_the_sample_is_by_the_trace_else_by_the_request(seen: Seen, header: str) -> None:
    """The headers of the request say so."""
    client = Client(answering(b"please"), seen, sample=ratio(0.5))
    inside, outside = TRACE, "0" * 31 + "1"  # of the share of 50 % and not
    for id in (inside, outside):
        client.ask(headers={header: f"00-{id}-00f067aa0ba902b7-01" if header == "traceparent" else id})
    assert (seen.counts().scored, seen.counts().sampled_out) == (1, 1)
    assert [score.origin.trace_id for score in seen.scores] == [inside]


def test_what_runs_in_a_request_is_not_drawn_again(seen: Seen) -> None:
    """Where its sample left the request out; the client gets what it would."""

    @scored(polite, live=seen.live, sample=ratio(0.5))
    def inner(said: str) -> str:
        return said

    answers = answering(b"please")

    async def app(scope: Message, receive: Callable[..., object], send: Callable[..., object]) -> None:
        inner("please")
        await answers(scope, receive, send)  # type: ignore[misc]  # a coroutine

    client = Client(app, seen, sample=ratio(0.5))
    for at in range(50):
        assert client.ask(str(at).encode())[-2]["body"] == b"please"
    counts = seen.counts()
    assert 0 < counts.scored < 50
    assert (counts.filtered, counts.sampled_out) == (counts.scored, 2 * (50 - counts.scored))
    assert {score.run.input for score in seen.scores}.isdisjoint({"please"})


@pytest.mark.parametrize("parent", ["", "00-" + "0" * 32 + "-00f067aa0ba902b7-01", f"ff-{TRACE}-00f067aa0ba902b7-01"])
def test_a_traceparent_that_is_none(seen: Seen, parent: str) -> None:
    """Is as if there were none."""
    Client(answering(b"please"), seen).ask(headers={"traceparent": parent})
    assert seen.values == [1.0]
    assert seen.scores[0].origin.trace_id == ""


def test_the_trace_around_counts_where_the_request_has_none(seen: Seen) -> None:
    """An outer middleware may have set it."""
    client = Client(answering(b"please"), seen, sample=ratio(0.1))
    for trace in (IN_TENTH, OUT_OF_TENTH):
        with live_context(trace_id=trace):
            client.ask()
    assert seen.counts().scored == 1


def test_inside_a_request_that_is_scored(seen: Seen) -> None:
    """The same scorer does not see the function that answers; its trace is that of the request."""
    other = create_scorer("other", input=str, output=str).generate_score(pure(lambda _: 1.0))

    @scored(polite, other, live=seen.live)
    def answer(asked: str) -> str:
        return f"please {asked}"

    async def app(scope: Message, receive: Callable[..., object], send: Callable[..., object]) -> None:
        await answering(answer("when?").encode())(scope, receive, send)  # type: ignore[misc]  # a coroutine

    Client(app, seen).ask(headers={"x-request-id": "r-1"})
    assert seen.counts().triggered == 3
    assert sorted(score.scorer for score in seen.scores) == ["other", "polite"]


def test_what_is_no_request_passes(seen: Seen) -> None:
    """Web sockets, and a lifespan; with `shut_down` its end is that of the live, and the server hears of it after."""
    gate = Gate()

    async def lifespan(scope: Message, receive: object, send: Callable[..., object]) -> None:
        for kind in ("startup", "shutdown"):
            if kind == "shutdown":
                gate.open.set()
            await send({"type": f"lifespan.{kind}.complete"})  # type: ignore[misc]  # a coroutine

    kinds = [{"type": "lifespan.startup.complete"}, {"type": "lifespan.shutdown.complete"}]
    assert Client(lifespan, seen).ask(kind="websocket") == kinds
    assert Client(lifespan, seen).ask(kind="lifespan") == kinds
    Client(answering(b"x"), seen, gate.scorer).ask()
    assert Client(lifespan, seen, shut_down=True).ask(kind="lifespan") == kinds
    assert seen.live.counts().scored == 1
    Client(answering(b"late"), seen).ask()
    assert dict(seen.live.counts().reasons) == {"dropped: shut down": 1}


def test_fastapi(seen: Seen) -> None:
    """Typed bodies, a stream, a body that does not fit, an error: the client gets what it got."""
    fastapi = pytest.importorskip("fastapi", reason="pip install -e '.[frameworks]'")
    responses = pytest.importorskip("fastapi.responses")
    testclient = pytest.importorskip("fastapi.testclient")
    app = fastapi.FastAPI()

    @app.post("/ask")
    async def ask(body: dict[str, str]) -> dict[str, str]:
        return {"answer": f"please, {body['question']}"}

    @app.post("/stream")
    async def stream() -> object:
        async def parts() -> AsyncIterator[str]:
            for word in ("Wait, ", "please."):
                yield f"data: {word}\n\n"

        return responses.StreamingResponse(parts(), media_type="text/event-stream")

    @app.post("/broken")
    async def broken() -> None:
        raise RuntimeError("out of order")

    def answer(response: HttpResponse) -> str:
        streamed = response.headers["content-type"].startswith("text/event-stream")
        return "".join(response.events) if streamed else response.json(dict[str, str])["answer"]

    app.add_middleware(ScoringMiddleware(polite, live=seen.live, input=question, output=answer, shut_down=True))
    with testclient.TestClient(app, raise_server_exceptions=False) as client:
        asked = {"question": "when?"}
        assert client.post("/ask", json=asked).json() == {"answer": "please, when?"}
        assert client.post("/stream", json=asked).text == "data: Wait, \n\ndata: please.\n\n"
        assert client.post("/ask", json={"question": 1}).status_code == 422
        assert client.post("/broken").status_code == 500
    assert sorted(score.run.output for score in seen.scores) == ["Wait, please.", "please, when?"]
    assert dict(seen.live.counts().reasons) == {
        "filtered: the call raised": 1,
        "filtered: the response had status 422": 1,
    }
    assert seen.live.counts().adds_up


def test_mistakes_are_told(seen: Seen) -> None:
    """Where they are made."""
    for wrong in ({"limit": 0}, {"shut_down": 1}, {"where": "/ask"}, {"input": None}, {"output": "text"}):
        with pytest.raises(DefinitionError, match=next(iter(wrong))):
            Client(answering(), seen, **wrong)
