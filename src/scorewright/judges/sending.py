"""One request of an ask: a place among the others first, then the budget, then the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from math import inf
from time import monotonic, perf_counter_ns
from typing import TYPE_CHECKING, final

import attrs

from scorewright.core.ask import Attempt
from scorewright.core.bench import Bench
from scorewright.faults import BudgetExhausted, TimedOut
from scorewright.judges.call import Call, Heard
from scorewright.judges.ledger import Expected, Ledger, Reserved, ledgers
from scorewright.judges.limits import is_limited, permitted
from scorewright.judges.processors import estimated_tokens
from scorewright.judges.transports import Opened
from scorewright.results import err

if TYPE_CHECKING:
    from scorewright.judges.judge import Judge

TIMEOUT = 120.0  # seconds for one request, unless the judge says otherwise


@final
@attrs.frozen
class Line:
    """What the requests of one ask go through, until its time is over (`until`, by the monotonic clock)."""

    judge: Judge
    model: Opened
    bench: Bench
    books: tuple[Ledger, ...]
    until: float

    def send(self, call: Call, /) -> Awaitable[Heard | BudgetExhausted | TimedOut]:
        """What came back; a fault where nothing was sent."""
        return self._placed(call) if self.books or is_limited(self.judge) else self._timed(call)

    async def _placed(self, call: Call) -> Heard | BudgetExhausted | TimedOut:
        said = estimated_tokens(call.system + call.user) + (len(str(call.schema)) // 4 if call.schema else 0)
        expected = Expected(self.model.full_name, self.model.name, said, call.settings.max_tokens)
        tokens = said + (call.settings.max_tokens or 0)
        try:
            async with permitted(self.judge, self.bench, self.model.address, tokens, self.until):
                return await self._booked(call, expected)
        except TimeoutError:  # while it waited for a place
            return self._late()

    async def _booked(self, call: Call, expected: Expected) -> Heard | BudgetExhausted | TimedOut:
        """The request with its price set aside in every ledger first, and settled at the end whatever happens."""
        aside = await self._set_aside(expected)
        if not isinstance(aside, tuple):
            return aside
        attempt: Attempt | None = None  # what is booked when the wait is cancelled
        sent = True
        try:
            heard = await self._timed(call)
            if isinstance(heard, Heard):
                attempt = heard.attempt
            else:
                sent = False
            return heard
        finally:
            for book, reserved in aside:
                if sent:
                    book.settle(reserved, expected, attempt)
                else:
                    book.cancel(reserved)

    async def _set_aside(self, expected: Expected) -> tuple[tuple[Ledger, Reserved], ...] | BudgetExhausted | TimedOut:
        """What each ledger has set aside; those under way may settle first, where that can make room."""
        while self.until > monotonic():
            aside: list[tuple[Ledger, Reserved]] = []
            for book in self.books:
                reserved = book.reserve(expected)
                if isinstance(reserved, Reserved):
                    aside.append((book, reserved))
                    continue
                _given_back(aside)
                if isinstance(reserved, BudgetExhausted):
                    return reserved
                try:
                    await book.settled(self.until)
                except TimeoutError:
                    return reserved.fault
                break
            else:
                return tuple(aside)
        return self._late()

    async def _timed(self, call: Call) -> Heard | BudgetExhausted | TimedOut:
        seconds = self.judge.timeout or TIMEOUT
        if self.until != inf:
            seconds = min(seconds, self.until - monotonic())
            if seconds <= 0:
                return self._late()
        began = perf_counter_ns()
        try:
            async with asyncio.timeout(seconds):
                return await self.model.send(call)
        except TimeoutError:
            fault = TimedOut(f"no answer within {seconds:.3g} s")
            return Heard(err(fault), Attempt(fault, model=call.model, nanoseconds=perf_counter_ns() - began))

    def _late(self) -> BudgetExhausted | TimedOut:
        late = TimedOut("the time for this ask was over before the request could be sent")
        return next((over for book in self.books if (over := book.time_is_up())), late)


def _given_back(aside: Iterable[tuple[Ledger, Reserved]]) -> None:
    for book, reserved in aside:
        book.cancel(reserved)


def line_of(judge: Judge, model: Opened, bench: Bench, took: int, /) -> Line:
    """The line of an ask that has taken so many nanoseconds already."""
    books = ledgers(bench, judge.budget)
    if judge.deadline is None and not books:
        return Line(judge, model, bench, books, inf)
    now = monotonic()
    deadline = inf if judge.deadline is None else now + judge.deadline - took / 1e9
    return Line(judge, model, bench, books, min([deadline, *(now + book.seconds_left() for book in books)]))
