"""`Receiver` over real HTTP: what it takes, what it refuses, and what is scored."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import ParamSpec, cast

import aiohttp
import pytest
from live.watching import PATIENCE, Seen

pytest.importorskip("opentelemetry.proto")

from live.otel.test_bodies import in_protobuf
from live.otel.tracing import Clock, answered, message, until

from scorewright import DefinitionError, create_scorer, pure
from scorewright.live import ratio
from scorewright.live.otel import HttpLimits, Receiver, RequestCounts, SpanLimits

JSON = {"Content-Type": "application/json"}
PROTOBUF = {"Content-Type": "application/x-protobuf"}
P = ParamSpec("P")


def on_a_loop(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """The test, on a loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


class Posting:
    """A receiver that listens, and a client of it."""

    def __init__(self, **settings: object) -> None:
        make = cast("Callable[..., Receiver]", Receiver)
        self.clock = Clock()
        self.seen = Seen()
        self.receiver = make(answered, live=self.seen.live, port=0, clock=self.clock, **settings)
        self.client: aiohttp.ClientSession

    async def post(
        self, body: object, path: str = "/v1/traces", **headers: str
    ) -> tuple[int, dict[str, object], aiohttp.ClientResponse]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.receiver.port}{path}"
        async with self.client.post(url, data=data, headers=JSON | headers) as response:
            raw = await response.read()
            return response.status, json.loads(raw) if raw[:1] == b"{" else {}, response

    @property
    def values(self) -> list[float | None]:
        return self.seen.values


@asynccontextmanager
async def posting(**settings: object) -> AsyncIterator[Posting]:
    made = Posting(**settings)
    async with aiohttp.ClientSession() as made.client, made.receiver:
        yield made
    assert made.seen.live.shutdown(PATIENCE)
    assert made.receiver.counts().adds_up


def pair(key: str, text: str) -> dict[str, object]:
    return {"key": key, "value": {"stringValue": text}}


def span(id: int, parent: int = 0, trace: int = 1, **attributes: str) -> dict[str, object]:
    return {
        "traceId": f"{trace:032x}",
        "spanId": f"{id:016x}",
        "parentSpanId": f"{parent:016x}" if parent else "",
        "name": f"span {id}",
        "startTimeUnixNano": str(10**18 + id),
        "endTimeUnixNano": str(10**18 + 1000 - id),
        "attributes": [pair(key.replace("__", "."), each) for key, each in attributes.items()],
    }


def agent(id: int, parent: int = 0, trace: int = 1) -> dict[str, object]:
    return span(id, parent, trace, gen_ai__operation__name="invoke_agent", gen_ai__agent__name=f"agent {id}")


def chat(id: int, parent: int, answer: str = "1", trace: int = 1) -> dict[str, object]:
    said = {"gen_ai__input__messages": message("user", "how much?")}
    said["gen_ai__output__messages"] = message("assistant", answer)
    return span(id, parent, trace, gen_ai__operation__name="chat", **said)


def request(*spans: dict[str, object]) -> dict[str, object]:
    return {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "app"}, "spans": list(spans)}]}]}


async def held(made: Posting, spans: int) -> None:
    await asyncio.to_thread(until, lambda: made.receiver.counts().spans >= spans)


async def triggered(made: Posting, runs: int) -> None:
    live = made.seen.live
    await asyncio.to_thread(until, lambda: live.counts().triggered >= runs and not live.counts().pending)


async def posted(made: Posting, body: object, expected: int) -> aiohttp.ClientResponse:
    """Post until it is answered so."""
    for _ in range(int(PATIENCE / 0.01)):
        status, _, response = await made.post(body)
        if status == expected:
            return response
        await asyncio.sleep(0.01)
    raise AssertionError(f"it never answered {expected}")


@on_a_loop
async def test_agents_are_scored_whatever_order_their_spans_come_in() -> None:
    """Children come first, over several requests, and some twice."""
    async with posting() as made:
        status, said, response = await made.post(request(chat(3, 2, "0.5")))
        assert (status, said, response.content_type) == (200, {}, "application/json")
        assert (await made.post(request(chat(3, 2, "0.5"), agent(2, 1))))[0] == 200
        assert (await made.post(request(span(1))))[0] == 200
    assert made.values == [0.5]
    counts = made.receiver.counts()
    assert (counts.used, counts.repeated, counts.runs) == (2, 1, 1)
    assert made.receiver.requests().accepted == 3


@on_a_loop
async def test_gzip_and_protobuf_are_taken() -> None:
    """With the content type of the request in the answer."""
    async with posting() as made:
        body = gzip.compress(json.dumps(request(agent(1), chat(2, 1, "0.5"))).encode())
        assert (await made.post(body, **{"Content-Encoding": "gzip"}))[0] == 200
        status, _, response = await made.post(in_protobuf(), **PROTOBUF)
        assert (status, response.content_type) == (200, "application/x-protobuf")
    assert made.values == [0.5]


@on_a_loop
async def test_an_agent_is_waited_with_while_its_parent_may_be_an_agent() -> None:
    """The called one ends long before its caller, and is a part of it."""
    async with posting(limits=SpanLimits(grace=1, parent=30)) as made:
        await made.post(request(chat(4, 3, "0"), agent(3, 2)))
        await held(made, 2)
        made.clock.now += 20
        await made.post(request(span(9, trace=9)))  # so that it looks again
        await held(made, 3)
        assert made.seen.live.counts().triggered == 0
        await made.post(request(span(2, 1), chat(5, 1, "0.75"), agent(1)))
        await held(made, 6)
        made.clock.now += 2
        await triggered(made, 1)
    assert made.values == [0.75]
    assert made.receiver.counts().late == 0


@on_a_loop
async def test_an_agent_whose_parent_never_comes_is_scored_in_the_end() -> None:
    """The caller may be a browser, or not traced here."""
    async with posting(limits=SpanLimits(grace=1, parent=30)) as made:
        await made.post(request(chat(4, 3, "0.5"), agent(3, 2)))
        await held(made, 2)
        made.clock.now += 31
        await triggered(made, 1)
    assert made.values == [0.5]


@on_a_loop
async def test_what_is_not_sampled_is_counted_and_not_held() -> None:
    """By the outermost agent, as what is sampled."""
    async with posting(sample=ratio(0.5)) as made:
        for trace in range(1, 41):
            await made.post(request(chat(3, 2, "1", trace), agent(2, 1, trace), agent(1, 0, trace)))
    counts = made.seen.counts()
    assert (counts.triggered, counts.sampled_out + counts.scored) == (40, 40)
    assert 0 < counts.scored < 40
    assert made.receiver.counts().spans == 3 * counts.scored


@on_a_loop
async def test_content_in_log_records_is_read() -> None:
    """The older conventions log a message a record."""
    records = [
        {
            "traceId": f"{1:032x}",
            "spanId": f"{2:016x}",
            "timeUnixNano": str(10**18 + at),
            "attributes": [pair("event.name", name)],
            "body": {"kvlistValue": {"values": body}},
        }
        for at, (name, body) in enumerate(
            [
                ("gen_ai.user.message", [pair("content", "how much?")]),
                ("gen_ai.choice", [{"key": "message", "value": {"kvlistValue": {"values": [pair("content", "0.5")]}}}]),
            ]
        )
    ]
    async with posting() as made:
        assert (await made.post({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}, "/v1/logs"))[0] == 200
        await made.post(request(agent(1), span(2, 1, gen_ai__operation__name="chat")))
    assert made.values == [0.5]


@on_a_loop
async def test_spans_without_proper_ids_are_rejected_each() -> None:
    """The rest is taken: a partial success."""
    async with posting() as made:
        wrong = agent(7) | {"traceId": "xyz"}
        status, said, _ = await made.post(request(wrong, agent(1), chat(2, 1, "0.5")))
        why = "a span's traceId is not 32 hexadecimal digits, or all of them are 0"
        assert (status, said) == (200, {"partialSuccess": {"rejectedSpans": "1", "errorMessage": why}})
    assert made.values == [0.5]
    assert made.receiver.requests().rejected_spans == 1


@on_a_loop
async def test_bad_requests_are_told_so() -> None:
    """With a message that says what is wrong, in the spelling of the request."""
    async with posting() as made:
        for body, headers, expected, why in (
            (b"{", {}, 400, "not JSON"),
            (b"{}", {"Content-Encoding": "gzip"}, 400, "not gzip"),
            (b"{}", {"Content-Encoding": "zstd"}, 415, "content encoding"),
            (b"<a/>", {"Content-Type": "text/xml"}, 415, "content type"),
        ):
            status, said, response = await made.post(body, **headers)
            assert status == expected
            if headers.get("Content-Type") is None:
                assert why in str(said["message"])
            assert "Retry-After" not in response.headers
        status, _, response = await made.post(b"no", **PROTOBUF)
        assert (status, response.content_type) == (400, "application/x-protobuf")
        assert (await made.post(b"{}", "/v1/metrics"))[0] == 404
        assert (await made.post(request(agent(1), chat(2, 1, "0.5"))))[0] == 200
    assert made.receiver.requests().bad == 5
    assert made.values == [0.5]


@on_a_loop
async def test_hostile_bodies_break_nothing() -> None:
    """Nested deeply, with values of the wrong kind everywhere; it goes on taking the others."""
    async with posting() as made:
        for levels in (50, 400, 3_000):
            deep = '{"arrayValue": {"values": [' * levels + "]}}" * levels
            body = f'{{"resourceSpans": [{{"scopeSpans": [{{"spans": [{json.dumps(agent(9))[:-1]}, "attributes": '
            body += f'[{{"key": "a", "value": {deep}}}]}}]}}]}}]}}'
            assert (await made.post(body.encode()))[0] in {200, 400}
        for wrong in (3, None, "x", [], {}, [3], [{"key": 3}], {"key": []}):
            for key in ("attributes", "events", "status", "name", "parentSpanId", "startTimeUnixNano"):
                assert (await made.post(request(agent(8, trace=7) | {key: wrong})))[0] == 200
        assert (await made.post(request(agent(1), chat(2, 1, "0.5"))))[0] == 200
    assert 0.5 in made.values
    assert made.receiver.requests().accepted >= 50


@on_a_loop
async def test_a_client_that_goes_away_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    """In the middle of its body: it is a bad request, and no error of ours."""
    async with posting() as made:
        _, writer = await asyncio.open_connection("127.0.0.1", made.receiver.port)
        head = "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
        writer.write(head.encode())
        await writer.drain()
        await asyncio.sleep(0)
        writer.close()
        await writer.wait_closed()
        await asyncio.to_thread(until, lambda: made.receiver.requests().bad > 0)
    assert made.receiver.requests() == RequestCounts(bad=1)
    assert "Traceback" not in caplog.text


@on_a_loop
async def test_log_records_of_other_kinds_are_not_held() -> None:
    """A program logs much that tells nothing of its agents."""
    async with posting() as made:
        records = [{"traceId": f"{at:032x}", "body": {"stringValue": "GET /"}} for at in range(1, 50)]
        assert (await made.post({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}, "/v1/logs"))[0] == 200
        await made.post(request(span(1)))
        await held(made, 1)
        assert made.receiver.counts().traces == 1


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@on_a_loop
async def test_a_body_beyond_the_bound_is_413(encoding: str) -> None:
    """Also when it is small and inflates, and when its length is not told."""
    async with posting(http=HttpLimits(body=2_000, inflated=3_000)) as made:
        big = json.dumps(request(agent(1))).encode() + b" " * 5_000
        body = gzip.compress(big) if encoding == "gzip" else big
        status, said, _ = await made.post(body, **{"Content-Encoding": encoding})
        assert status == 413
        assert "bytes" in str(said["message"])

        async def parts() -> AsyncIterator[bytes]:
            for at in range(0, len(big), 500):
                yield big[at : at + 500]

        url = f"http://127.0.0.1:{made.receiver.port}/v1/traces"
        async with made.client.post(url, data=parts(), headers=JSON) as response:
            assert response.status == 413
    assert made.receiver.requests().too_large == 2
    assert made.seen.counts().triggered == 0


@on_a_loop
async def test_more_requests_than_the_rate_are_429() -> None:
    """With when to come again, and as soon as time has passed they are taken."""
    async with posting(http=HttpLimits(rate=2)) as made:
        answers = [await made.post({}) for _ in range(4)]
        assert [status for status, _, _ in answers] == [200, 200, 429, 429]
        assert answers[-1][2].headers["Retry-After"] == "1"
        made.clock.now += 1
        assert (await made.post({}))[0] == 200
    assert made.receiver.requests().too_many == 2


@on_a_loop
async def test_a_slow_rate_says_how_long() -> None:
    """One request in ten seconds."""
    async with posting(http=HttpLimits(rate=0.1)) as made:
        assert (await made.post({}))[0] == 200
        status, _, response = await made.post({})
        assert (status, response.headers["Retry-After"]) == (429, "10")


@on_a_loop
async def test_more_requests_at_once_than_may_be_are_503() -> None:
    """One that is slow to come holds a place; then it is let go."""
    async with posting(http=HttpLimits(at_once=1, seconds=0.3)) as made:
        _, writer = await asyncio.open_connection("127.0.0.1", made.receiver.port)
        head = "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
        writer.write(head.encode())
        await writer.drain()
        response = await posted(made, {}, 503)
        assert response.headers["Retry-After"] == "1"
        await posted(made, {}, 200)
        writer.close()
    assert made.receiver.requests().bad == 1


@on_a_loop
async def test_spans_that_find_no_room_are_sent_again() -> None:
    """429, so that the exporter keeps them; more than there can ever be room for is 413."""
    async with posting(limits=SpanLimits(waiting=2)) as made:
        status, _, _ = await made.post(request(*(span(each) for each in range(1, 4))))
        assert status == 413
        await posted(made, request(agent(1), chat(2, 1, "0.5")), 200)
    assert made.values == [0.5]


@pytest.mark.parametrize("headers", [JSON, PROTOBUF])
@on_a_loop
async def test_what_is_sent_elsewhere_is_told_where_it_goes(headers: dict[str, str]) -> None:
    """In the spelling of the request; metrics are not taken at all."""
    async with posting() as made:
        for path, told in (
            ("/v1/metrics", "OTEL_METRICS_EXPORTER"),
            ("/", "/v1/traces"),
            ("/v1/trace", "/v1/traces"),
            ("/v1/traces/", "/v1/traces"),
            ("/api/v2/spans", "/v1/traces"),
        ):
            url = f"http://127.0.0.1:{made.receiver.port}{path}"
            async with made.client.post(url, data=b"{}", headers=headers) as response:
                assert (response.status, response.content_type) == (404, headers["Content-Type"])
                assert told in await response.text()
    assert made.receiver.requests() == RequestCounts(elsewhere=5)


@on_a_loop
async def test_a_request_that_is_under_way_is_taken_before_it_stops() -> None:
    """What comes after that is to be sent again, to whoever listens then."""
    async with posting() as made:
        body = json.dumps(request(agent(1), chat(2, 1))).encode()
        head = f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        streams = [await asyncio.open_connection("127.0.0.1", made.receiver.port) for _ in range(2)]
        (reader, writer), (late_reader, late) = streams
        writer.write(head.encode() + b"\r\n\r\n" + body[:9])
        await writer.drain()
        await posted(made, {}, 200)  # so the one before it is read
        stopping = asyncio.create_task(made.receiver.stop())
        await asyncio.sleep(0.01)
        late.write(head.encode() + b"\r\n\r\n" + body)
        assert b" 503 " in await late_reader.readuntil(b"\r\n")
        assert b"Retry-After: 1" in await late_reader.readuntil(b"\r\n\r\n")
        writer.write(body[9:])
        assert b" 200 " in await reader.readuntil(b"\r\n")
        assert await stopping
        assert await made.receiver.stop()  # nothing is left to wait for
        for _, each in streams:
            each.close()
    assert made.values == [1.0]


@pytest.mark.parametrize("sent", [b"", b"POST /v1/traces HTTP/1.1\r\nHost: x\r\n"])
@on_a_loop
async def test_a_client_that_is_silent_is_let_go(sent: bytes) -> None:
    """Before its request, and in the middle of its head."""
    async with posting(http=HttpLimits(seconds=0.1)) as made:
        reader, writer = await asyncio.open_connection("127.0.0.1", made.receiver.port)
        writer.write(sent)
        async with asyncio.timeout(PATIENCE):
            assert await reader.read() == b""
        writer.close()
        await posted(made, {}, 200)


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b" 200 "),
        (b"POST /v1/metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", b" 404 "),
        (b"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n", b" 415 "),
    ],
)
@on_a_loop
async def test_a_client_that_asks_for_anything_is_not_silent(sent: bytes, answer: bytes) -> None:
    """Whether it is told or refused what it asks for."""
    async with posting(http=HttpLimits(seconds=1.0)) as made:
        reader, writer = await asyncio.open_connection("127.0.0.1", made.receiver.port)
        async with asyncio.timeout(PATIENCE):
            for _ in range(8):  # two seconds
                writer.write(sent)
                head = await reader.readuntil(b"\r\n\r\n")
                assert answer in head
                [size] = [line[16:] for line in head.split(b"\r\n") if line.startswith(b"Content-Length: ")]
                await reader.readexactly(int(size))
                await asyncio.sleep(0.25)
        writer.close()


@on_a_loop
async def test_another_protocol_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    """As that of an exporter for gRPC, which tries again and again."""
    async with posting() as made:
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", made.receiver.port)
            writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00$\x04" + bytes(41))
            assert b" 400 " in await reader.readuntil(b"\r\n")
            writer.close()
    assert [record.getMessage() for record in caplog.records if "gRPC" in record.getMessage()] == [
        "the client at 127.0.0.1 speaks no HTTP/1.1: an exporter for gRPC is none for this receiver"
    ]
    assert "Traceback" not in caplog.text


@on_a_loop
async def test_it_says_that_it_is_well() -> None:
    """For whatever starts it again."""
    async with posting() as made:
        async with made.client.get(f"http://127.0.0.1:{made.receiver.port}/healthz") as response:
            assert await response.text() == "ok\n"
        assert repr(made.receiver).startswith("Receiver(127.0.0.1:")


@on_a_loop
async def test_a_port_that_is_taken_raises() -> None:
    """As any server's does, and nothing is left open."""
    async with posting() as made:
        other = Receiver(answered, live=made.seen.live, port=made.receiver.port)
        with pytest.raises(OSError, match="address"):
            await other.start()
        assert await other.stop()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.com"])
def test_it_is_not_reached_from_elsewhere_unless_that_is_said(host: str) -> None:
    """Judges cost money."""
    seen = Seen()
    with pytest.raises(DefinitionError, match="allow_remote=True"):
        Receiver(answered, live=seen.live, host=host)
    assert Receiver(answered, live=seen.live, host=host, allow_remote=True)
    for near in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        assert Receiver(answered, live=seen.live, host=near)
    seen.live.shutdown()


def test_mistakes_are_told() -> None:
    """Where they are made."""
    seen = Seen()
    with pytest.raises(DefinitionError, match="port"):
        Receiver(answered, live=seen.live, port=-1)
    with pytest.raises(DefinitionError, match="rate"):
        HttpLimits(rate=0)
    with pytest.raises(DefinitionError, match="body"):
        HttpLimits(body=0)
    needs = create_scorer("needs", input=str, output=str, expected=str).generate_score(pure(lambda _: 1.0))
    with pytest.raises(DefinitionError, match="reference answer"):
        Receiver(needs, live=seen.live)
    seen.live.shutdown()
