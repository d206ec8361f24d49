"""Running a coroutine so that Ctrl-C ends it, also while a plain step keeps the loop to itself."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Coroutine
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

_PATIENCE = 2.0  # seconds in which a loop that turns has heard of the interrupt


def run(work: Coroutine[object, object, T], /) -> T:
    """`asyncio.run`, which cancels `work` at the first interrupt and raises `KeyboardInterrupt` when it has ended.

    A step that does not give the loop back never hears of being cancelled: it is interrupted where it stands.
    """
    import asyncio

    return asyncio.run(_interruptible(work))


async def _interruptible(work: Coroutine[object, object, T]) -> T:
    from asyncio import get_running_loop

    theirs = signal.getsignal(signal.SIGINT)  # asyncio's own: the first cancels, the second raises where it comes
    if not callable(theirs) or threading.current_thread() is not threading.main_thread():
        return await work
    cancels, loop = theirs, get_running_loop()

    def interrupted(number: int, frame: FrameType | None) -> None:
        heard = threading.Event()
        loop.call_soon_threadsafe(heard.set)
        threading.Thread(target=_insist, args=(heard,), daemon=True).start()
        cancels(number, frame)

    signal.signal(signal.SIGINT, interrupted)
    try:
        return await work
    finally:
        signal.signal(signal.SIGINT, theirs)


def _insist(heard: threading.Event) -> None:
    if not heard.wait(_PATIENCE):
        os.kill(os.getpid(), signal.SIGINT)
