"""What an evaluation took: its attempts, its tokens, its price."""

from __future__ import annotations

from http import HTTPStatus
from typing import final

import attrs

from scorewright.core.ask import Attempt, Exchange, Usage
from scorewright.core.evaluation import Evidence
from scorewright.judges.judge import Judge
from scorewright.judges.models import named
from scorewright.judges.prices import cost_of as cost_of_attempts

_NO_TOKENS = Usage()


@final
@attrs.frozen
class Spent:
    """Everything that was asked for one evaluation or failure, failed attempts and second questions too.

    `uncounted` are the attempts that were answered, or may have been, without a count of tokens: where there are any,
    `usage` is a lower bound. `dollars` is None where a price, or a count, is not known. `avoided` are the tokens that
    a cache saved: they were paid for once, and are no part of `usage`.
    """

    attempts: int
    usage: Usage
    uncounted: int
    dollars: float | None
    avoided: Usage


def attempts_of(evidence: Evidence, /) -> tuple[Attempt, ...]:
    """Every request that was sent, in the order of the program."""
    return tuple(attempt for exchange in evidence.exchanges for attempt in exchange.reply.attempts)


def usage_of(evidence: Evidence, /) -> Usage:
    """The tokens of all attempts, as far as the servers counted them."""
    return sum((attempt.usage for attempt in attempts_of(evidence) if attempt.usage), Usage())


def cost_of(evidence: Evidence, /) -> float | None:
    """US dollars for all attempts; None where a price, or a count, is not known."""
    costs = [_cost(exchange) for exchange in evidence.exchanges]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def spent(evidence: Evidence, /) -> Spent:
    """Attempts, tokens and price in one value."""
    attempts = uncounted = 0
    usage = avoided = _NO_TOKENS
    dollars: float | None = 0.0
    for exchange in evidence.exchanges:  # once through all: this is asked of every row
        attempts += len(exchange.reply.attempts)
        for attempt in exchange.reply.attempts:
            if attempt.usage is not None:
                usage = attempt.usage if usage is _NO_TOKENS else usage + attempt.usage
            uncounted += _is_uncounted(attempt)
        if exchange.reply.avoided != _NO_TOKENS:
            avoided += exchange.reply.avoided
        cost = None if dollars is None else _cost(exchange)
        dollars = None if dollars is None or cost is None else dollars + cost
    return Spent(attempts, usage, uncounted, dollars, avoided)


def _is_uncounted(attempt: Attempt) -> bool:
    return attempt.usage is None and (attempt.status is None or attempt.status < HTTPStatus.MULTIPLE_CHOICES)


def _cost(exchange: Exchange) -> float | None:
    attempts, judge = exchange.reply.attempts, exchange.request.judge
    if any(map(_is_uncounted, attempts)):
        return None
    return cost_of_attempts(attempts, named(judge.model) if isinstance(judge, Judge) else "")
