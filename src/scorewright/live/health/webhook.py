"""Events as signed JSON over HTTP."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from time import time
from typing import TYPE_CHECKING, Final, final
from urllib.parse import urlsplit

from scorewright.core.definition import expect_count, number_of, shown
from scorewright.faults import DefinitionError

if TYPE_CHECKING:
    from aiohttp import ClientSession

    from scorewright.live.health.events import Event

_PREFIX: Final = "whsec_"
_AGAIN: Final = frozenset({408, 425, 429})
_SERVER: Final = 500
_LEAST, _FINE = 200, 300


class WebhookFailed(Exception):
    """An event was not taken. The message says neither where nor with what it was sent."""


@final
class Webhook:
    """Posts each event as JSON; to be given to a `Health` as `notify=`.

    It is tried `attempts` times at most, where there is no answer, or one that says "later" (408, 425, 429 or 5xx),
    with waits that double from `wait` seconds on, each attempt within `timeout` seconds. Redirects are not followed.
    With a `secret` it is signed by the Standard Webhooks specification: `webhook-id`, `webhook-timestamp`, and in
    `webhook-signature` the HMAC-SHA256 of `id.timestamp.body`, base64 after `v1,`. A secret that begins with `whsec_`
    is base64. Attempts of one event have one id, so that the receiver can tell that it has it already.
    """

    def __init__(
        self,
        url: str,
        /,
        *,
        secret: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 5.0,
        attempts: int = 4,
        wait: float = 0.5,
    ) -> None:
        parts = _parts(url)
        expect_count(attempts, "Webhook(attempts=…)", 1, 20)
        for name, number in (("timeout", timeout), ("wait", wait)):
            if not 0 < number_of(number) < float("inf"):
                raise DefinitionError(f"Webhook({name}=…) takes seconds above 0, not {shown(number)}")
        self.place: str = parts
        self._url = url
        self._key = None if secret is None else _key(secret)
        self._headers = dict(headers or {})
        self._timeout, self._attempts, self._wait = timeout, attempts, wait

    def __repr__(self) -> str:
        return f"Webhook({self.place!r})"  # a path or a query may be a secret

    def __call__(self, event: Event, /) -> None:
        """Post it, on this thread; what is not taken raises `WebhookFailed`."""
        asyncio.run(self._post(event.id, json.dumps(event.form, ensure_ascii=False).encode("utf-8", "replace")))

    async def _post(self, id: str, body: bytes) -> None:
        from aiohttp import ClientSession, ClientTimeout

        said = ""
        async with ClientSession(timeout=ClientTimeout(total=self._timeout)) as session:
            for attempt in range(self._attempts):
                if attempt:
                    await asyncio.sleep(self._wait * 2 ** (attempt - 1))
                said, later = await self._once(session, id, body)
                if not said:
                    return
                if not later:
                    break
        raise WebhookFailed(said)

    async def _once(self, session: ClientSession, id: str, body: bytes) -> tuple[str, bool]:
        """What went wrong, and whether it is worth another attempt."""
        from aiohttp import ClientError

        headers = {"content-type": "application/json", **self._headers, **self._signed(id, body)}
        try:
            async with session.post(self._url, data=body, headers=headers, allow_redirects=False) as answer:
                status = answer.status
        except TimeoutError:
            return f"no answer within {self._timeout:g} s", True
        except (ClientError, OSError) as failed:
            return type(failed).__name__, True
        if _LEAST <= status < _FINE:
            return "", False
        return f"HTTP {status}", status in _AGAIN or status >= _SERVER

    def _signed(self, id: str, body: bytes) -> dict[str, str]:
        moment = str(int(time()))  # the receiver compares it with its own
        headers = {"webhook-id": id, "webhook-timestamp": moment}
        if self._key is not None:
            digest = hmac.digest(self._key, f"{id}.{moment}.".encode() + body, hashlib.sha256)
            headers["webhook-signature"] = f"v1,{base64.b64encode(digest).decode()}"
        return headers


def _parts(url: object) -> str:
    """Scheme and host."""
    if not isinstance(url, str):
        raise DefinitionError(f"Webhook(…) takes an address, such as https://example.com/hook, not {shown(url)}")
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    else:
        if host and parts.scheme in {"http", "https"}:
            return f"{parts.scheme}://{host}"
    raise DefinitionError("Webhook(…) takes an address that begins with https:// or http:// and names a host")


def _key(secret: object) -> bytes:
    if not isinstance(secret, str) or not secret.removeprefix(_PREFIX):
        raise DefinitionError("Webhook(secret=…) takes a text that is not empty")
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise DefinitionError("Webhook(secret=…): what follows whsec_ is base64, and this is none") from None
