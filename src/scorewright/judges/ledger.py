"""What a budget has left: reserved before a request, settled after it."""

from __future__ import annotations

import asyncio
from functools import partial
from http import HTTPStatus
from math import ceil, inf
from time import monotonic
from typing import final

import attrs

from scorewright.core.ask import Attempt, Usage
from scorewright.core.bench import Bench
from scorewright.core.budget import Budget
from scorewright.faults import BudgetExhausted
from scorewright.judges.prices import dollars_of

FIRST_REPLY = 256  # tokens set aside for a reply whose length nothing bounds, before any was seen


@final
@attrs.frozen
class Expected:
    """What a request may take: its model, tokens in as estimated, tokens out where the settings bound them."""

    model: str  # with its provider in front
    name: str
    input_tokens: int
    max_tokens: int | None = None


@final
@attrs.frozen
class Reserved:
    """What was set aside for one request."""

    tokens: int
    dollars: float


@final
@attrs.frozen
class Crowded:
    """There is room for a request, if those under way take less than was set aside for them; `fault` where not."""

    fault: BudgetExhausted


class Ledger:
    """The live side of one budget. Time runs from the first request."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.calls: int = 0
        self.tokens: int = 0
        self.dollars: float = 0.0
        self._tokens_aside = 0
        self._dollars_aside = 0.0
        self._under_way = 0
        self._longest_reply = FIRST_REPLY
        self._density = 1.0  # tokens that the provider counted for one that we estimated, at most so far
        self._began: float | None = None
        self._waiting: list[asyncio.Future[None]] = []

    def seconds_left(self) -> float:
        """Of the time budget; it begins with the first call of this."""
        now = monotonic()
        self._began = began = now if self._began is None else self._began
        return inf if self.budget.seconds is None else self.budget.seconds - (now - began)

    def time_is_up(self) -> BudgetExhausted | None:
        """The fault, when no time is left."""
        if self.seconds_left() > 0:
            return None
        return BudgetExhausted(f"the time budget of {self.budget.seconds:g} s is used up")

    def reserve(self, expected: Expected, /) -> Reserved | Crowded | BudgetExhausted:
        """Set aside what one request may take, or say what is used up, or what those under way may give back."""
        budget = self.budget
        if over := self.time_is_up():
            return over
        if budget.calls is not None and self.calls >= budget.calls:
            return BudgetExhausted(f"all {budget.calls} requests of the budget are made")
        usage = Usage(
            ceil(expected.input_tokens * self._density),
            self._longest_reply if expected.max_tokens is None else expected.max_tokens,
        )
        tokens, dollars = usage.input_tokens + usage.output_tokens, 0.0
        if budget.tokens is not None and self.tokens + self._tokens_aside + tokens > budget.tokens:
            over = BudgetExhausted(
                f"{self.tokens} of {budget.tokens} tokens are used and {self._tokens_aside} set aside: "
                f"{tokens} more do not fit"
            )
            return Crowded(over) if self.tokens + tokens <= budget.tokens else over
        if budget.dollars is not None:
            price = _price(usage, expected.name, expected.model)
            if price is None:
                return BudgetExhausted(
                    f"the price of {expected.model} is not known, so no money budget can be held: "
                    "bound its requests or tokens, with Budget(calls=…, tokens=…) or --budget-calls, or give it a price"
                )
            dollars = price
            if self.dollars + self._dollars_aside + dollars > budget.dollars:
                over = BudgetExhausted(
                    f"${self.dollars:g} of ${budget.dollars:g} are used and ${self._dollars_aside:g} set aside: "
                    f"${dollars:g} more do not fit"
                )
                return Crowded(over) if self._under_way and self.dollars + dollars <= budget.dollars else over
        self.calls += 1
        self._tokens_aside += tokens
        self._dollars_aside += dollars
        self._under_way += 1
        return Reserved(tokens, dollars)

    async def settled(self, until: float, /) -> None:
        """Wait for the next request under way to be settled; `TimeoutError` when that is too late.

        Each of them is settled in the end, for it waits for nobody that waits here: there is no ring to be stuck in.
        """
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            async with asyncio.timeout(None if until == inf else until - monotonic()):
                await waiter
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)

    def cancel(self, reserved: Reserved, /) -> None:
        """Give back what was set aside for a request that was not sent, in the same step of the loop."""
        self.calls -= 1
        self._under_way -= 1
        self._tokens_aside -= reserved.tokens
        self._dollars_aside -= reserved.dollars

    def settle(self, reserved: Reserved, expected: Expected, attempt: Attempt | None, /) -> None:
        """Book what a request really took in place of what was set aside.

        A request that was refused took nothing. One that was cancelled, timed out, or answered without a count may
        have been charged for, and so takes what was set aside.
        """
        self._under_way -= 1
        self._tokens_aside -= reserved.tokens
        self._dollars_aside -= reserved.dollars
        if not self._under_way:
            self._dollars_aside = 0.0  # what adding and taking away has left over
        self._wake()
        usage = attempt and attempt.usage
        if usage:
            self.tokens += usage.input_tokens + usage.output_tokens
            self._longest_reply = max(self._longest_reply, usage.output_tokens)
            self._density = max(self._density, usage.input_tokens / max(1, expected.input_tokens))
            if self.budget.dollars is not None and attempt:
                cost = _price(usage, attempt.model, expected.model)
                self.dollars += reserved.dollars if cost is None else cost
        elif attempt is None or attempt.status is None or attempt.status < HTTPStatus.MULTIPLE_CHOICES:
            self.tokens += reserved.tokens
            self.dollars += reserved.dollars

    def _wake(self) -> None:
        """Let those try again that wait; they do so when all of this request is booked."""
        waiting = self._waiting
        self._waiting = list[asyncio.Future[None]]()
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)


def _price(usage: Usage, answered: str, asked: str) -> float | None:
    """What the tokens cost; a price that raises is not known, so that whatever is set aside is settled all the same."""
    try:
        return dollars_of(usage, answered, asked)
    except Exception:  # noqa: BLE001 - a table of the user's own may hold prices with arithmetic of their own
        return None


def ledgers(bench: Bench, own: Budget | None, /) -> tuple[Ledger, ...]:
    """The ledgers that a request is booked in: the bench's and the judge's own, each once."""
    if own is None and bench.budget is None:
        return ()
    budgets = dict.fromkeys(budget for budget in (bench.budget, own) if budget is not None)
    return tuple(bench.hold(("ledger", budget), partial(Ledger, budget)) for budget in budgets)
