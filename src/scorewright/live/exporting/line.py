"""HTTP to a target: one session, one budget of retries, and faults that are texts without keys in them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, final

import attrs

from scorewright.core.definition import expect_count, number_of
from scorewright.faults import DefinitionError
from scorewright.judges.call import Signals
from scorewright.judges.http import hidden, proxy_of
from scorewright.judges.retry import backoff, retry_after
from scorewright.shapes.values import is_object

if TYPE_CHECKING:
    from aiohttp import ClientSession

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_UNTOUCHED = frozenset({425, 429})  # the server has not looked at the request
_MOST_TOLD = 300
_LONGEST = 16 * 1024 * 1024  # bytes of an answer


@final
@attrs.frozen
class Patience:
    """How long an export bears with a server: retries of the whole export, of one request, and seconds of a wait.

    `wait` is the first wait; it is doubled each time, up to 16 times as much. A Retry-After counts where it is longer;
    a server that asks for more than `most` seconds is not waited for.
    """

    retries: int = 40
    in_a_row: int = 5
    wait: float = 0.5
    most: float = 60.0
    timeout: float = 30.0

    def __attrs_post_init__(self) -> None:
        expect_count(self.retries, "Patience(retries=…)", 0)
        expect_count(self.in_a_row, "Patience(in_a_row=…)", 0)
        for name, given in (("wait", self.wait), ("most", self.most), ("timeout", self.timeout)):
            if not number_of(given) >= 0:
                raise DefinitionError(f"Patience({name}=…) takes seconds, 0 or more")


@final
@attrs.frozen
class Reply:
    """An answer of the server that trying again would not change."""

    status: int
    text: str

    @property
    def is_fine(self) -> bool:
        """Whether the server took the request."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def json(self) -> Mapping[str, object]:
        """The body, where it is a JSON object; else nothing."""
        try:
            read: object = json.loads(self.text)
        except (ValueError, RecursionError):
            return {}
        return read if is_object(read) else {}

    @property
    def why(self) -> str:
        """The status, and what the server says."""
        said = " ".join(self.text.split())[:_MOST_TOLD]
        return f"the server answers {self.status}{': ' + said if said else ''}"


@final
@attrs.frozen
class Trouble:
    """No answer that counts: why. Where it is `unsure`, the server may have done what it was asked."""

    why: str
    unsure: bool = False


Heard: TypeAlias = Reply | Trouble


@final
class Line:
    """An open connection to a target. After a refused key, or when patience is exhausted, nothing more is sent."""

    def __init__(self, root: str, headers: Mapping[str, str], secrets: tuple[str, ...], patience: Patience, /) -> None:
        self._root = root
        self._headers = {"content-type": "application/json", **headers}
        self._secrets = secrets
        self._patience = patience
        self._left = patience.retries
        self._until = 0.0  # the server asked all to wait until then, on the loop's clock
        self._session: ClientSession | None = None
        self.stopped: str = ""

    def __repr__(self) -> str:
        return f"Line({self._root!r})"

    async def __aenter__(self) -> Self:
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar

        self._session = ClientSession(
            timeout=ClientTimeout(total=self._patience.timeout or None), cookie_jar=DummyCookieJar()
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def call(self, method: str, path: str, body: bytes | None = None, /, *, once: bool = False) -> Heard:
        """Send a request until it is answered. `once` does not repeat what the server may have done already."""
        tried = 0
        while True:
            if self.stopped:
                return Trouble(self.stopped)
            await self._held()
            heard, asked = await self._send(method, path, body)
            passing = isinstance(heard, Trouble) or heard.status in PASSING
            if isinstance(heard, Reply) and heard.status == HTTPStatus.UNAUTHORIZED:
                self.stopped = f"{heard.why}; nothing more was sent"
            if not passing:
                return heard
            if asked is not None and asked > self._patience.most:
                self.stopped = f"{heard.why}; it asks to wait {asked:.0f} s, so that nothing more was sent"
            unsure = isinstance(heard, Trouble) or heard.status not in _UNTOUCHED
            if (once and unsure) or not await self.wait(tried, asked):
                return Trouble(self.stopped or heard.why, unsure)
            tried += 1

    async def wait(self, tried: int, asked: float | None = None, /) -> bool:
        """Wait before the next try; False where patience is exhausted. `asked` is what a server's Retry-After says."""
        patience = self._patience
        if self.stopped or tried >= patience.in_a_row:
            return False
        if self._left <= 0:
            self.stopped = f"{patience.retries} retries are exhausted; nothing more was sent"
            return False
        self._left -= 1
        seconds = max(patience.wait * backoff(tried) * 2, asked or 0.0)
        loop = asyncio.get_running_loop()
        if asked:
            self._until = max(self._until, loop.time() + asked)
        await asyncio.sleep(seconds)
        return True

    async def _held(self) -> None:
        left = self._until - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)

    async def _send(self, method: str, path: str, body: bytes | None) -> tuple[Heard, float | None]:
        from aiohttp import ClientError

        if self._session is None:
            raise RuntimeError("a Line is used in its `async with` block")
        url = f"{self._root}{path}"
        proxy = proxy_of(self._root)
        try:
            async with self._session.request(
                method, url, data=body, headers=self._headers, allow_redirects=False, proxy=proxy
            ) as answer:
                raw = await answer.content.read(_LONGEST)
                while len(raw) < _LONGEST and (more := await answer.content.read(_LONGEST - len(raw))):
                    raw += more
                signals = Signals(headers={name.lower(): value for name, value in answer.headers.items()})
                reply = Reply(answer.status, self._hidden(raw.decode("utf-8", "replace")))
                return reply, retry_after(signals)
        except (ClientError, OSError, ValueError) as lost:
            said = self._hidden(f"{type(lost).__name__}: {lost}".removesuffix(": "))[:_MOST_TOLD]
            return Trouble(f"the server was not reached: {said}", unsure=True), None

    def _hidden(self, text: str) -> str:
        for key in self._secrets:
            text = hidden(text, key)
        return text


def body_of(form: object, /) -> bytes:
    """Compact JSON in UTF-8; NaN has none, and is never in a form."""
    return json.dumps(form, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
