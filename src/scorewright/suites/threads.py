"""Threads for plain targets. They are daemons: one that never comes back does not keep the process from ending."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias, final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future

Came: TypeAlias = tuple[object, BaseException | None]
_Order: TypeAlias = "tuple[Callable[[], object], AbstractEventLoop, Future[Came]]"

_IDLE = 5.0  # seconds after which a thread with nothing to do ends


@final
class Threads:
    """As many threads as calls are under way; one that is free takes the next call, with all that it keeps."""

    def __init__(self) -> None:
        self._free: deque[SimpleQueue[_Order]] = deque()

    async def call(self, function: Callable[[object], object], given: object, /) -> object:
        """What the function returns or raises, in the caller's context. Cancelled, its thread is left to itself."""
        from asyncio import get_running_loop

        loop, context = get_running_loop(), copy_context()
        done: Future[Came] = loop.create_future()
        try:
            orders = self._free.pop()
        except IndexError:
            orders = SimpleQueue[_Order]()
            Thread(target=self._work, args=(orders,), name="scorewright-target", daemon=True).start()
        orders.put((lambda: context.run(function, given), loop, done))
        value, raised = await done
        if raised is not None:
            raise raised
        return value

    def _work(self, orders: SimpleQueue[_Order]) -> None:
        while True:
            try:
                call, loop, done = orders.get(timeout=_IDLE)
            except Empty:
                try:
                    self._free.remove(orders)
                except ValueError:  # it was taken just now
                    continue
                return
            came = _came(call)
            self._free.append(orders)
            with suppress(RuntimeError):  # the loop was closed, and nobody waits any more
                loop.call_soon_threadsafe(_tell, done, came)
            del call, loop, done, came  # not kept while it waits


def _came(call: Callable[[], object]) -> Came:
    try:
        return call(), None
    except BaseException as raised:  # noqa: BLE001 - for whoever waits, and for nobody else
        return None, raised


def _tell(done: Future[Came], came: Came) -> None:
    if not done.done():  # cancelled
        done.set_result(came)
