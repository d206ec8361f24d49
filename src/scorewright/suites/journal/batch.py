"""What goes into one commit, sorted by what is done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from scorewright.suites.journal import calls
from scorewright.suites.journal.orders import Claim, Flush, Lines, Order, Release, Reply, Stale
from scorewright.suites.journal.putting import Values
from scorewright.suites.journal.records import StoreError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future


@final
class Waiter:
    """Whoever waits on a loop for an order to be committed."""

    __slots__ = ("claimed", "done", "failed", "loop")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.loop: AbstractEventLoop = loop
        self.done: Future[calls.Claimed] = loop.create_future()
        self.claimed: calls.Claimed = calls.MINE
        self.failed: StoreError | None = None

    def tell(self) -> None:
        """What came of the order; whoever was cancelled meanwhile is left alone."""
        if self.done.done():
            return
        if self.failed is None:
            self.done.set_result(self.claimed)
        else:
            self.done.set_exception(self.failed)


@final
class Batch:
    """The orders of one commit."""

    __slots__ = (
        "claims", "flushes", "items", "released", "replies", "scores", "size", "stale", "told", "unclaimed", "waiters",
    )  # fmt: skip

    def __init__(self) -> None:
        self.size: int = 0  # orders, each line for itself
        self.told: int = 0  # of these, what is stale and what is a line
        self.stale: list[Stale] = []
        self.items: list[Values] = []
        self.scores: list[Values] = []
        self.replies: list[Reply] = []
        self.released: list[str] = []  # what was claimed in an earlier commit
        self.claims: dict[str, list[Waiter]] = {}
        self.unclaimed: list[str] = []  # what is claimed in this one, and given back in it
        self.waiters: list[Waiter] = []
        self.flushes: list[Flush] = []

    def add(self, order: Order, waiter: Waiter | None, /) -> None:
        """One order more, after all that are in it."""
        self.size += 1
        if waiter is not None:
            self.waiters.append(waiter)
        if isinstance(order, Claim):
            self.claims.setdefault(order.key, []).extend(() if waiter is None else (waiter,))
        elif isinstance(order, Reply):
            self.replies.append(order)
        elif isinstance(order, Lines):
            self.size += len(order) - 1
            self.told += len(order)
            self.items += order.items
            self.scores += order.scores
        elif isinstance(order, Release):
            (self.unclaimed if order.key in self.claims else self.released).append(order.key)
        elif isinstance(order, Stale):
            self.told += 1
            self.stale.append(order)
        else:
            self.flushes.append(order)

    def answer(self, claimed: calls.Claims, /) -> None:
        """Tell those who claim what came of it; of several who claim the same question the first has it."""
        for key, outcome in claimed.items():
            for at, waiter in enumerate(self.claims[key]):
                waiter.claimed = calls.THEIRS if at and outcome is calls.MINE else outcome

    def by_loop(self, failed: StoreError | None, /) -> dict[AbstractEventLoop, list[Waiter]]:
        """Those who wait, by the loop on which they do, with what went wrong."""
        found: dict[AbstractEventLoop, list[Waiter]] = {}
        for waiter in self.waiters:
            waiter.failed = failed
            found.setdefault(waiter.loop, []).append(waiter)
        return found
