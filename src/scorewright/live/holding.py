"""Telling of `async` steps that block: all of them share one loop, so that one which does holds the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from inspect import iscoroutine
from time import perf_counter
from typing import Final, Generic, TypeVar, final

from typing_extensions import TypeIs

from scorewright.live.settings import LOG

T = TypeVar("T")

HOLDS: Final = 0.5  # seconds between two awaits that are told of


@final
class Holding:
    """Which scorers have held the loop; each is told of once."""

    def __init__(self, most: float = HOLDS) -> None:
        self._most = most
        self._told: set[str] = set()

    def watched(self, waiting: Awaitable[T], of: str, /) -> Awaitable[T]:
        """The same, and it is told when it holds the loop for too long."""
        return _Timed(waiting, partial(self._tell, of)) if _is_coroutine(waiting) else waiting

    def _tell(self, of: str, seconds: float) -> None:
        if seconds > self._most and of not in self._told:
            self._told.add(of)
            LOG.warning(
                "an async step of the scorer %s blocked for %.1f s, and held the async steps of all others:"
                " what blocks belongs into a plain step, without async",
                of,
                seconds,
            )


@final
class _Timed(Generic[T]):
    def __init__(self, waiting: Coroutine[object, object, T], took: Callable[[float], object]) -> None:
        self._waiting = waiting
        self._took = took

    def __await__(self) -> Generator[object, object, T]:
        inner = self._waiting.__await__()
        step: Callable[[], object] = partial(inner.send, None)
        while True:
            began = perf_counter()
            try:
                got = step()
            except StopIteration as ended:
                value: T = ended.value
                return value
            finally:
                self._took(perf_counter() - began)
            try:
                sent = yield got
            except GeneratorExit:
                inner.close()
                raise
            except BaseException as thrown:  # noqa: BLE001 - cancelled: it is the step's to hear of it
                step = partial(inner.throw, thrown)
            else:
                step = partial(inner.send, sent)


def _is_coroutine(given: Awaitable[T]) -> TypeIs[Coroutine[object, object, T]]:
    return iscoroutine(given)
