"""Items in the order of their rows, whatever order they are done in."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Iterable, Iterator
from typing import TYPE_CHECKING, final

from scorewright.suites.engine import Emit, told
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import BrokenRow, RowItem

if TYPE_CHECKING:
    from asyncio import Event


@final
class InOrder:
    """Holds items back until all before them are emitted; broken rows pass as they are read.

    With `ahead` at most so many are held: whatever is done then waits, and nothing new is begun, until the first of
    them moves. It needs an engine that begins rows in their order and keeps the first going.
    """

    def __init__(self, emit: Emit, ahead: int | None) -> None:
        """`ahead=None` holds any number."""
        self._emit = emit
        self._ahead = ahead
        self._due: deque[int] = deque()
        self._held: dict[int, ItemRecord] = {}
        self._moved: Event | None = None
        self._failed = False

    def rows(self, rows: Iterable[tuple[int, RowItem]], /) -> Iterator[tuple[int, RowItem]]:
        """The same rows, whose order is noted as they are read."""
        for index, row in rows:
            if not isinstance(row, BrokenRow):
                self._due.append(index)
            yield index, row

    def emit(self, item: ItemRecord | BrokenRow, /) -> Awaitable[None] | None:
        """Hand an item on, or hold it."""
        if isinstance(item, BrokenRow):
            return self._emit(item)
        if not self._held and item.index == self._due[0]:  # the usual way where nothing is waited for
            self._due.popleft()
            return self._handed(item)
        self._held[item.index] = item
        return self._hand_on() if item.index == self._due[0] else self._room()

    def _handed(self, item: ItemRecord) -> Awaitable[None] | None:
        try:
            return self._emit(item)
        except BaseException:
            self._failed = True
            raise

    async def _hand_on(self) -> None:
        while self._due and self._due[0] in self._held:
            item = self._held.pop(self._due.popleft())
            waiting = self._handed(item)
            if waiting is not None:
                await waiting
        if self._moved is not None:
            self._moved.set()
            self._moved = None

    async def _room(self) -> None:
        from asyncio import Event

        while self._ahead is not None and len(self._held) >= self._ahead:
            self._moved = self._moved or Event()
            await self._moved.wait()

    async def rest(self) -> None:
        """Hand on what is done behind something that never was, as after an interrupt; not to what has failed."""
        for index in sorted(self._held):
            if not self._failed:
                await told(self._emit, self._held.pop(index))
