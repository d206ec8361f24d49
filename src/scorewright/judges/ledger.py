"""What a budget has left: reserved before a request, settled after it."""

from __future__ import annotations

from functools import partial
from time import monotonic

from scorewright.core.ask import Attempt
from scorewright.core.bench import Bench
from scorewright.core.budget import Budget
from scorewright.faults import BudgetExhausted
from scorewright.judges.prices import dollars_of


class Ledger:
    """The live side of one budget. Time runs from the first request."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self.dollars = 0.0
        self.unpriced = 0  # requests whose price is not known
        self._reserved = 0
        self._began: float | None = None

    def reserve(self, tokens: int, /) -> BudgetExhausted | None:
        """Set one request of about so many tokens aside, or say what is used up."""
        budget = self.budget
        now = monotonic()
        self._began = began = now if self._began is None else self._began
        if budget.seconds is not None and now - began >= budget.seconds:
            return BudgetExhausted(f"the time budget of {budget.seconds:g} s is used up")
        if budget.calls is not None and self.calls >= budget.calls:
            return BudgetExhausted(f"all {budget.calls} requests of the budget are made")
        if budget.tokens is not None and self.tokens + self._reserved + tokens > budget.tokens:
            return BudgetExhausted(
                f"{self.tokens} of {budget.tokens} tokens are used and {self._reserved} set aside: {tokens} more do not fit"
            )
        if budget.dollars is not None and self.dollars >= budget.dollars:
            return BudgetExhausted(f"the budget of ${budget.dollars:g} is used up")
        if budget.dollars is not None and self.unpriced:
            return BudgetExhausted("the price of a request is not known, so the money budget cannot be held")
        self.calls += 1
        self._reserved += tokens
        return None

    def cancel(self, tokens: int, /) -> None:
        """Give back what was set aside for a request that was not sent."""
        self.calls -= 1
        self._reserved -= tokens

    def settle(self, tokens: int, attempt: Attempt, model: str, /) -> None:
        """Book what a request really took in place of what was set aside."""
        self._reserved -= tokens
        if attempt.usage is not None:
            self.tokens += attempt.usage.input_tokens + attempt.usage.output_tokens
            cost = dollars_of(attempt.usage, attempt.model, model)
            self.dollars += cost or 0.0
            self.unpriced += cost is None


def ledgers(bench: Bench, own: Budget | None, /) -> tuple[Ledger, ...]:
    """The ledgers that a request is booked in: the bench's and the judge's own."""
    budgets = [budget for budget in (bench.budget, own) if budget is not None]
    return tuple(bench.hold(("ledger", budget), partial(Ledger, budget)) for budget in budgets)
