"""`Receiver`: OTLP over HTTP, so that agents are scored beside the program and not in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from ipaddress import ip_address
from math import ceil
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, cast, final

import attrs

from scorewright.core import Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_count, expect_flag, expect_function, expect_text
from scorewright.faults import DefinitionError
from scorewright.live.agent_runs import WhichRuns, agent_watch
from scorewright.live.live import Live
from scorewright.live.otel.anchors import Anchor, is_agent, unraising
from scorewright.live.otel.assembly import Assembly, SpanCounts
from scorewright.live.otel.bodies import (
    CONTENT_TYPES,
    EXHAUSTED,
    UNIMPLEMENTED,
    Body,
    Kind,
    Signal,
    TooLarge,
    inflated,
    read,
    refused_answer,
    taken_answer,
)
from scorewright.live.otel.connections import Connections, server_log
from scorewright.live.otel.limits import SpanLimits
from scorewright.live.otel.pieces import Piece, Told
from scorewright.live.otel.protobuf import check_installed
from scorewright.live.otel.received import Sorting
from scorewright.live.otel.requests import HttpLimits, Refusal, RequestCounts
from scorewright.live.sampling import ALWAYS, Bucket, Limit
from scorewright.live.scored import Samples

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.typedefs import Handler

PORT: Final = 4318
"""Where OTLP over HTTP is sent to by default."""

_PATIENCE = 5.0  # seconds that requests under way have left when it is stopped


@final
class Receiver:
    """Takes `/v1/traces` and `/v1/logs`, in protobuf or JSON, and scores every run of an agent that has ended.

    An agent whose parent has not come is waited with for `limits.parent` seconds, since that may be an agent too. It
    listens on the loopback only, unless `allow_remote`: whoever reaches it can have judges asked. Port 0 is any that is
    free. The rest is as in `ScoringSpanProcessor`. It is used as an `async with` block, or by `start` and `stop`; the
    `Live` is shut down by itself.
    """

    def __init__(
        self,
        *scorers: SomeScorer | str,
        live: Live,
        among: Scorers | None = None,
        sample: Samples = ALWAYS,
        where: WhichRuns | None = None,
        nested: bool = False,
        anchor: Anchor = is_agent,
        limits: SpanLimits | None = None,
        http: HttpLimits | None = None,
        host: str = "127.0.0.1",
        port: int = PORT,
        allow_remote: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        expect_function(anchor, "anchor=", "is_agent")
        expect_text(host, "Receiver(host=…)")
        expect_count(port, "Receiver(port=…)", 0, 65535)
        expect_flag(allow_remote, "Receiver(allow_remote=…)")
        if not allow_remote and not is_loopback(host):
            raise DefinitionError(
                f"Receiver(host={host!r}) can be reached from elsewhere, and whoever reaches it can have judges asked:"
                " say allow_remote=True, or leave it at 127.0.0.1"
            )
        check_installed()
        watch = agent_watch(*scorers, live=live, among=among, sample=sample, where=where, nested=nested)
        self._limits = limits or SpanLimits(grace=10)  # exporters send every five seconds or so
        self._http = http or HttpLimits()
        self._sorting = Sorting(watch, unraising(anchor))
        self._assembly: Assembly[Piece | Told] = Assembly(watch, self._limits, clock, lambda item: (item,))
        self._rate = Bucket(
            Limit(max(1, ceil(self._http.rate)), max(1, ceil(self._http.rate)) / self._http.rate), clock
        )
        self._host, self._port = host, port
        self._runner: web.AppRunner | None = None
        self._stops = False
        self._connections = Connections(tuple, self._http.seconds)
        self._reading = asyncio.Lock()  # Python reads one at a time in any case; so the memory is that of one body
        self._counts = dict.fromkeys((field.name for field in attrs.fields(RequestCounts)), 0)

    def __repr__(self) -> str:
        return f"Receiver({self._host}:{self._port}: {self.counts()})"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._port

    def counts(self) -> SpanCounts:
        """What became of the spans; what became of the runs is `live.counts()`."""
        return self._assembly.counts

    def requests(self) -> RequestCounts:
        """What became of the requests."""
        return RequestCounts(**self._counts)

    async def start(self) -> None:
        """Listen. A port that is taken raises `OSError`."""
        from aiohttp import web

        @web.middleware
        async def hearing(request: web.Request, handler: Handler) -> web.StreamResponse:
            """Whatever a client asks for, and whatever it is told, it was not silent."""
            self._connections.begin(request.protocol)
            try:
                return await handler(request)
            finally:
                self._connections.end(request.protocol)

        app = web.Application(middlewares=[hearing])
        app.router.add_post("/v1/traces", self._traces)
        app.router.add_post("/v1/logs", self._logs)
        app.router.add_get("/healthz", self._health)
        app.router.add_post("/{elsewhere:.*}", self._elsewhere)
        self._reading = asyncio.Lock()
        runner = web.AppRunner(
            app, access_log=None, handle_signals=False, shutdown_timeout=1, auto_decompress=False, logger=server_log()
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except BaseException:
            await runner.cleanup()
            raise
        self._runner, self._stops = runner, False
        self._connections = Connections(lambda: runner.server.connections if runner.server else (), self._http.seconds)
        self._connections.start()
        _, self._port, *_ = cast("tuple[str, int]", runner.addresses[0])  # an address of IP, of either version

    async def stop(self, timeout: float = 10.0) -> bool:  # noqa: ASYNC109 - it is that of `Live.shutdown`
        """Take no more, hand all agents that have ended to the scorers, and wait until they are scored and kept.

        Requests that are under way are taken yet, where they come in a few seconds.
        """
        until = monotonic() + timeout
        runner, self._runner = self._runner, None
        if runner is not None:
            self._stops = True
            for site in runner.sites:
                await site.stop()
            await self._connections.stop(min(_PATIENCE, timeout / 2))
            await runner.cleanup()
        return await asyncio.to_thread(self._end, until)

    def _end(self, until: float) -> bool:
        flushed = self._assembly.flush(max(0.1, until - monotonic()))
        return self._assembly.stop(max(0.1, until - monotonic())) and flushed

    async def _health(self, _: web.Request) -> web.Response:
        from aiohttp import web

        return web.Response(text="ok\n")

    async def _elsewhere(self, request: web.Request) -> web.Response:
        why = "scores are made of traces: send metrics elsewhere, as by OTEL_METRICS_EXPORTER=none"
        if not request.path.endswith("/metrics"):
            why = f"traces go to /v1/traces and logs to /v1/logs, not to {request.path[:100]}"
        return self._refused(Refusal("elsewhere", 404, why, UNIMPLEMENTED), _kind_of(request))

    async def _traces(self, request: web.Request) -> web.Response:
        return await self._answer(request, "traces")

    async def _logs(self, request: web.Request) -> web.Response:
        return await self._answer(request, "logs")

    async def _answer(self, request: web.Request, signal: Signal) -> web.Response:
        from aiohttp import web

        kind = _kind_of(request)
        try:
            rejected, why = await self._take(request, signal, kind)
        except Refusal as refusal:
            return self._refused(refusal, kind)
        self._counts["accepted"] += 1
        self._counts["rejected_spans"] += rejected
        return web.Response(body=taken_answer(kind, signal, rejected, why), content_type=CONTENT_TYPES[kind])

    def _refused(self, refusal: Refusal, kind: Kind) -> web.Response:
        from aiohttp import web

        self._counts[refusal.count] += 1
        return web.Response(
            status=refusal.status,
            body=refused_answer(kind, refusal.code, refusal.why),
            headers={"Retry-After": str(refusal.retry)} if refusal.retry else {},
            content_type=CONTENT_TYPES[kind],
        )

    async def _take(self, request: web.Request, signal: Signal, kind: Kind) -> tuple[int, str]:
        if request.content_type not in CONTENT_TYPES.values():
            types = " or ".join(CONTENT_TYPES.values())
            raise Refusal("bad", 415, f"the content type is {types}, not {request.content_type}")
        if not self._rate.take():
            retry = max(1, ceil(1 / self._http.rate))
            raise Refusal("too_many", 429, f"more than {self._http.rate:g} requests a second", EXHAUSTED, retry)
        if self._stops or self._connections.busy > self._http.at_once:  # this one is counted, too
            why = "it is being stopped" if self._stops else f"more than {self._http.at_once} requests at once"
            raise Refusal("busy", 503, why, EXHAUSTED, 1)
        try:
            raw = await self._body(request)
            encoding = request.headers.get("Content-Encoding", "identity").lower()
            async with self._reading:
                body, pieces = await asyncio.to_thread(self._read, signal, kind, raw, encoding)
        except TooLarge as large:
            raise Refusal("too_large", 413, str(large), EXHAUSTED) from large
        except (ValueError, RecursionError) as wrong:
            why = "the body is nested too deeply" if isinstance(wrong, RecursionError) else str(wrong)
            raise Refusal("bad", 400, why) from wrong
        if len(pieces) > self._assembly.room:
            raise Refusal("busy", 429, "spans wait to be looked at", EXHAUSTED, 1)
        for piece in pieces:
            self._assembly.put(piece)
        return body.rejected, body.why

    async def _body(self, request: web.Request) -> bytes:
        from aiohttp import web

        most = self._http.body
        large = TooLarge(f"the body is more than {most} bytes")
        if (request.content_length or 0) > most:
            raise large
        body = bytearray()
        try:
            async with asyncio.timeout(self._http.seconds):
                async for chunk in request.content.iter_any():
                    body += chunk
                    if len(body) > most:
                        raise large
        except (ConnectionError, web.RequestPayloadError) as cut:
            raise Refusal("bad", 400, "the body ended before its end") from cut
        except TimeoutError as slow:
            raise Refusal("bad", 408, f"the body took longer than {self._http.seconds:g} s") from slow
        return bytes(body)

    def _read(self, signal: Signal, kind: Kind, raw: bytes, encoding: str) -> tuple[Body, list[Piece | Told]]:
        if encoding not in {"gzip", "identity", ""}:
            raise Refusal("bad", 415, f"the content encoding is gzip or none, not {encoding}")
        whole = inflated(raw, self._http.inflated) if encoding == "gzip" else raw
        body = read(signal, kind, whole, self._limits.waiting, self._http.parts)
        return body, self._sorting(body)


def _kind_of(request: web.Request) -> Kind:
    return "json" if request.content_type == CONTENT_TYPES["json"] else "protobuf"


def is_loopback(host: str, /) -> bool:
    """Whether only this machine can reach it."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
