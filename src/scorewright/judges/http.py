"""One HTTP request, sent by aiohttp: what came back, or which fault it was."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from io import BytesIO
from time import perf_counter_ns
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, cast, final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core.ask import Attempt, Token, Usage
from scorewright.core.bench import Bench
from scorewright.faults import BadRequest, EmptyReply, JudgeFault, NotJson, Unauthorized, Unreachable
from scorewright.judges.addresses import told
from scorewright.judges.call import NO_SIGNALS, Call, Heard, Signals, Transport
from scorewright.judges.errors import refusal, refusal_in_success
from scorewright.results import err
from scorewright.shapes.json_text import json_bytes, json_of

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

REQUEST_IDS = ("x-request-id", "request-id", "x-amzn-requestid", "apim-request-id")
SHORTEST_KEY = 8
LONG_KEY = 20  # a shorter one may be a placeholder ("not-needed"), which must not be taken out of an answer
LARGE = 256 * 1024  # bytes of a request
_NOT_THERE = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
_REFUSED = HTTPStatus.BAD_REQUEST  # below it: a redirect, which is not followed
LONGEST = 16 * 1024 * 1024  # bytes of a reply; more than any model writes


_NOTHING: Mapping[str, str] = MappingProxyType({})

Post: TypeAlias = "Callable[[str, Mapping[str, str], bytes], Awaitable[Posted | Exception]]"
Sign: TypeAlias = Callable[
    [str, bytes, Mapping[str, str]], Awaitable[Mapping[str, str] | JudgeFault]
]  # of address, body and headers


@final
@attrs.frozen
class Said:
    """What a reply holds, read from a provider's dialect."""

    answer: Result[str, JudgeFault]
    usage: Usage | None = None
    model: str = ""
    request_id: str = ""
    finish_reason: str = ""
    tokens: tuple[Token, ...] = ()


@final
@attrs.frozen(eq=False)
class Dialect:
    """How a provider is spoken to: where, with which headers and body, and how its reply is read."""

    name: str
    base_url: str
    key_env: str
    path: Callable[[Call], str]
    headers: Callable[[str], Mapping[str, str]]  # of the key
    body: Callable[[Call], Mapping[str, object]]
    read: Callable[[Mapping[str, object]], Said]


async def over_http(dialect: Dialect, base_url: str, key: str, bench: Bench, /, sign: Sign | None = None) -> Transport:
    """A transport that speaks the dialect to a server, over connections that the bench keeps.

    `base_url` may end in a query, which every request then carries. `sign` gives the headers that vouch for a request.
    """
    session = await bench.keep("http", _session)
    return bench.hold(("send", dialect, base_url, key, sign), lambda: _sender(dialect, base_url, key, session, sign))


def _sender(dialect: Dialect, base_url: str, key: str, session: ClientSession, sign: Sign | None) -> Transport:
    root, _, query = base_url.partition("?")
    root = root.rstrip("/")
    key = key.strip()  # one that is read from a file often ends with a line break
    headers = {"content-type": "application/json", **dialect.headers(key)}
    sound = all(value.isprintable() for value in headers.values())
    post = _poster(session, proxy_of(root), as_it_is=sign is not None)
    may_repeat = len(key) >= LONG_KEY

    async def send(call: Call, /) -> Heard:
        began = perf_counter_ns()
        if not sound:
            fault = Unauthorized("the key holds a character that no header can hold")
            return Heard(err(fault), Attempt(fault, model=call.model))
        body = json_bytes(dialect.body(call))
        url = f"{root}{dialect.path(call)}{'?' if query else ''}{query}"
        vouched = _NOTHING if sign is None else await sign(url, body, headers)
        if isinstance(vouched, JudgeFault):  # nothing was sent
            return Heard(err(vouched), Attempt(vouched, model=call.model, nanoseconds=perf_counter_ns() - began))
        once = {"idempotency-key": call.idempotency_key} if call.idempotency_key else _NOTHING
        posted = await post(url, {**headers, **once, **vouched}, body)
        if isinstance(posted, Exception):
            return _lost(posted, key, call, began)
        text, wrong = posted.text()
        if may_repeat or posted.status != HTTPStatus.OK:
            text = hidden(text, key)
        for secret in vouched.values():  # a service says what it expected to be signed: a session's token is in there
            text = hidden(text, secret) if len(secret) >= LONG_KEY else text
        heard = heard_of(dialect, posted.status, without_key(posted.headers, key), text, began, wrong)
        return _located(heard, f"asked as {dialect.name} at {told(url)}")

    return send


def _located(heard: Heard, where: str) -> Heard:
    """The same; a fault that a wrong address or dialect may have made says what was asked, and how."""
    fault: JudgeFault
    match heard.attempt.fault:
        case EmptyReply():
            fault = EmptyReply(where)
        case NotJson(text, why):
            fault = NotJson(text, f"{why} ({where})")
        case BadRequest(status, why) if not heard.signals.code and (status in _NOT_THERE or status < _REFUSED):
            fault = BadRequest(status, f"{why} ({where})")
        case _:
            return heard
    return attrs.evolve(heard, answer=err(fault), attempt=attrs.evolve(heard.attempt, fault=fault))


def hidden(text: str, key: str, /) -> str:
    """The text without the key, which a server may repeat; a placeholder such as "none" is no secret."""
    return text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text


def without_key(headers: Mapping[str, str], key: str, /) -> Mapping[str, str]:
    """The headers without the key, which a server may repeat there too; then their names are in lower case."""
    if len(key) < SHORTEST_KEY or not any(key in value for value in headers.values()):
        return headers
    return {name.lower(): hidden(value, key) for name, value in headers.items()}


def proxy_of(base_url: str, /) -> str | None:
    """The proxy that the environment names for an address; aiohttp would look for it in a thread at every request."""
    try:
        parts = urlsplit(base_url)
        host = parts.hostname
    except ValueError:  # no address at all, as the first request will say
        return None
    near = host in {None, "127.0.0.1", "::1", "localhost"} or proxy_bypass(parts.netloc)
    return None if near else getproxies().get(parts.scheme)


def _session() -> ClientSession:
    from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

    connector = TCPConnector(limit=0)  # how many at once is the judge's setting
    timeout = ClientTimeout(total=None)  # and so is how long
    return ClientSession(connector=connector, timeout=timeout, cookie_jar=DummyCookieJar())


@final
@attrs.frozen
class Posted:
    """What came back for one request."""

    status: int
    headers: Mapping[str, str]  # names in any case
    raw: bytes

    def text(self) -> tuple[str, str]:
        """The body, and why it cannot be read as it is; nothing where it can."""
        long = f"the server's reply is longer than {LONGEST} bytes" if len(self.raw) > LONGEST else ""
        try:
            return self.raw.decode().removeprefix("\ufeff"), long
        except UnicodeDecodeError:
            return self.raw.decode(errors="replace").removeprefix("\ufeff"), long or "the server's reply is not UTF-8"


def _poster(session: ClientSession, proxy: str | None, *, as_it_is: bool) -> Post:
    from aiohttp import ClientError
    from yarl import URL

    async def post(url: str, headers: Mapping[str, str], body: bytes, /) -> Posted | Exception:
        sent = body if len(body) < LARGE else BytesIO(body)  # aiohttp sends a file in pieces, so that others can go on
        try:
            address = URL(url, encoded=as_it_is)  # else it would be spelled in another way than it was signed
            async with session.post(
                address, data=sent, headers=headers, allow_redirects=False, proxy=proxy
            ) as response:
                return Posted(response.status, response.headers, await _whole(response))
        except (ClientError, OSError, ValueError) as exception:  # a bad URL is a ValueError
            return exception

    return post


async def _whole(response: ClientResponse) -> bytes:
    """The body, or its beginning where it is longer than any reply: what its length is when unpacked, nobody says."""
    told = response.content_length
    if told is not None and told <= LONGEST and "content-encoding" not in response.headers:
        return await response.read()
    raw = bytearray()
    async for chunk in response.content.iter_any():
        raw += chunk
        if len(raw) > LONGEST:
            response.close()
            break
    return bytes(raw)


def _lost(exception: Exception, key: str, call: Call, began: int) -> Heard:
    why = hidden(f"{type(exception).__name__}: {exception}", key)
    no_address = isinstance(exception, ValueError) or type(exception).__name__ == "NonHttpUrlClientError"
    fault = BadRequest(0, why) if no_address else Unreachable(why)
    attempt = Attempt(fault, model=call.model, nanoseconds=perf_counter_ns() - began)
    shown = None if hasattr(exception, "request_info") else exception  # it shows the request's headers, and so the key
    return Heard(err(fault), attempt, Signals(message=why, exception=shown))


def heard_of(  # noqa: PLR0917 - what an answer consists of, in its order
    dialect: Dialect, status: int, headers: Mapping[str, str], text: str, began: int, wrong: str = "", /
) -> Heard:
    """What an answer came to; `began` is the time of the request in nanoseconds (`perf_counter_ns`).

    `wrong` says why the text is no answer, where that is known before it is read.
    """
    request_id = next((headers[name] for name in REQUEST_IDS if headers.get(name)), "")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        fault, signals = refusal(status, text, _in_lower_case(headers))
        took = perf_counter_ns() - began
        return Heard(err(fault), Attempt(fault, status, request_id=request_id, raw=text, nanoseconds=took), signals)
    said, of_error = _read(dialect, text, headers, wrong)
    failed = not is_successful(said.answer)
    attempt = Attempt(
        said.answer.failure() if failed else None,
        status,
        said.usage,
        said.model,
        request_id or said.request_id,
        said.finish_reason,
        text if failed else "",
        perf_counter_ns() - began,
    )
    signals = of_error or (Signals(headers=_in_lower_case(headers)) if failed else NO_SIGNALS)
    return Heard(said.answer, attempt, signals, said.tokens)


def _in_lower_case(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _read(dialect: Dialect, text: str, headers: Mapping[str, str], wrong: str) -> tuple[Said, Signals | None]:
    """What the reply says; with signals, where it says that the request failed."""
    if wrong:
        return Said(err(NotJson(text, wrong))), None
    try:
        body = json_of(text)
    except (ValueError, RecursionError) as mistake:
        return Said(err(NotJson(text, f"the server's reply is not JSON: {mistake}"))), None
    if not isinstance(body, dict):
        return Said(err(NotJson(text, "the server's reply is not a JSON object"))), None
    reply = cast("dict[str, object]", body)
    said = dialect.read(reply)
    if reply.get("error"):
        fault, signals = refusal_in_success(text, _in_lower_case(headers))
        return attrs.evolve(said, answer=err(fault)), signals  # what it used is in there all the same
    return said, None
