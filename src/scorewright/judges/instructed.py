"""Providers that we speak no dialect of ourselves: instructor opens their client, by its own table of providers.

instructor knows which SDK and which address each of them has. The request is ours, as for any client that is handed in:
one body, sent once, with the retries of the SDK off. No template of instructor's is reached.
"""

from __future__ import annotations

from collections.abc import Awaitable
from types import TracebackType
from typing import TYPE_CHECKING, cast, final

from scorewright.core.bench import Bench
from scorewright.faults import BadRequest, JudgeFault
from scorewright.judges.clients import client_transport, method_of
from scorewright.judges.http import hidden
from scorewright.judges.kinds import beneath
from scorewright.judges.models import Client

if TYPE_CHECKING:
    from scorewright.judges.call import Transport


async def through_instructor(model: str, key: str, address: str, bench: Bench, /) -> Transport | JudgeFault:
    """A transport to "provider/name" over a client of instructor's, which the bench keeps; or why there is none.

    `address` is what the SDK reads from the environment itself: a client is opened anew where it is another.
    """
    try:
        client = await bench.keep(("instructor", model, key, address), lambda: _Client(model, key))
    except Exception as exception:  # noqa: BLE001 - an SDK that is not there, or that is misled, raises what it likes
        return BadRequest(0, hidden(str(exception), key))
    name = model.partition("/")[2]
    return bench.hold(("send", "instructor", model, key, address), lambda: client_transport(Client(client, name)))


@final
class _Client:
    """Opens a client of instructor's and closes the SDK's client under it."""

    def __init__(self, model: str, key: str) -> None:
        self._model, self._key = model, key
        self._client: object = None

    async def __aenter__(self) -> object:
        from anyio import to_thread

        self._client = await to_thread.run_sync(self._made)  # importing an SDK may take a second
        return self._client

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await cast("Awaitable[object]", method_of(beneath(self._client), "close")())

    def _made(self) -> object:
        from importlib import import_module

        open_client = method_of(import_module("instructor"), "from_provider")
        return open_client(self._model, async_client=True, api_key=self._key)
