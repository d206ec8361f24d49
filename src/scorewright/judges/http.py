"""One HTTP request, sent by aiohttp: what came back, or which fault it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from time import perf_counter_ns
from typing import TYPE_CHECKING, cast, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core.ask import Attempt, Usage
from scorewright.core.bench import Bench
from scorewright.faults import JudgeFault, NotJson, Unreachable
from scorewright.judges.call import Call, Heard, Signals, Transport
from scorewright.judges.errors import refusal
from scorewright.results import err

if TYPE_CHECKING:
    from aiohttp import ClientSession

LONGEST = 16 * 1024 * 1024  # bytes of a reply; more than any model writes


@final
@attrs.frozen
class Said:
    """What a reply holds, read from a provider's dialect."""

    answer: Result[str, JudgeFault]
    usage: Usage | None = None
    model: str = ""
    request_id: str = ""
    finish_reason: str = ""


@final
@attrs.frozen
class Dialect:
    """How a provider is spoken to: where, with which headers and body, and how its reply is read."""

    base_url: str
    key_env: str
    path: Callable[[Call], str]
    headers: Callable[[str], Mapping[str, str]]  # of the key
    body: Callable[[Call], Mapping[str, object]]
    read: Callable[[Mapping[str, object]], Said]


async def over_http(dialect: Dialect, base_url: str, key: str, bench: Bench, /) -> Transport:
    """A transport that speaks the dialect to a server, over connections that the bench keeps."""
    session = await bench.keep("http", _session)
    root = base_url.rstrip("/")
    headers = {"content-type": "application/json", **dialect.headers(key)}

    async def send(call: Call, /) -> Heard:
        began = perf_counter_ns()
        body = json.dumps(dialect.body(call), ensure_ascii=False).encode("utf-8", "replace")
        status, answered, text = await _posted(session, root + dialect.path(call), headers, body)
        if status is None:
            return _lost(text, call, began)
        if key:
            text = text.replace(key, "[key]")
        return _heard(dialect, status, answered, text, began)

    return send


def _session() -> ClientSession:
    from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

    connector = TCPConnector(limit=0)  # how many at once is the judge's setting
    timeout = ClientTimeout(total=None)  # and so is how long
    return ClientSession(connector=connector, timeout=timeout, cookie_jar=DummyCookieJar(), trust_env=True)


async def _posted(
    session: ClientSession, url: str, headers: Mapping[str, str], body: bytes
) -> tuple[int | None, Mapping[str, str], str]:
    from aiohttp import ClientError

    try:
        async with session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            raw = bytearray()
            async for chunk in response.content.iter_any():
                raw += chunk
                if len(raw) > LONGEST:
                    response.close()
                    break
            named = {name.lower(): value for name, value in response.headers.items()}
            return response.status, named, raw.decode("utf-8", "replace")
    except (ClientError, OSError, ValueError) as exception:  # a bad URL is a ValueError
        return None, {}, f"{type(exception).__name__}: {exception}"


def _lost(why: str, call: Call, began: int) -> Heard:
    fault = Unreachable(why)
    attempt = Attempt(fault, model=call.model, nanoseconds=perf_counter_ns() - began)
    return Heard(err(fault), attempt, Signals(message=why))


def _heard(dialect: Dialect, status: int, headers: Mapping[str, str], text: str, began: int) -> Heard:
    request_id = headers.get("x-request-id", "") or headers.get("request-id", "")
    if not 200 <= status < 300:
        fault, signals = refusal(status, text, headers)
        took = perf_counter_ns() - began
        return Heard(err(fault), Attempt(fault, status, request_id=request_id, raw=text, nanoseconds=took), signals)
    said = _read(dialect, text)
    attempt = Attempt(
        None,
        status,
        said.usage,
        said.model,
        said.request_id or request_id,
        said.finish_reason,
        nanoseconds=perf_counter_ns() - began,
    )
    if not is_successful(said.answer):
        attempt = attrs.evolve(attempt, fault=said.answer.failure(), raw=text)
    return Heard(said.answer, attempt, Signals(headers=headers))


def _read(dialect: Dialect, text: str) -> Said:
    try:
        body: object = json.loads(text)
    except (ValueError, RecursionError) as mistake:
        return Said(err(NotJson(text, f"the server's reply is not JSON: {mistake}")))
    if not isinstance(body, dict):
        return Said(err(NotJson(text, "the server's reply is not a JSON object")))
    reply = cast("dict[str, object]", body)
    if reply.get("error"):
        fault, _ = refusal(500, text, {})
        return Said(err(fault))
    return dialect.read(reply)
