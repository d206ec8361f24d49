"""What a batch will ask, take and cost, from its plans and before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

import attrs

from scorewright.core.ask import JudgeRequest, Usage
from scorewright.core.plan import Plan
from scorewright.judges.delivery import natively
from scorewright.judges.judge import Judge
from scorewright.judges.models import named
from scorewright.judges.prices import dollars_of
from scorewright.judges.processors import estimated_tokens
from scorewright.judges.retry import ErrorRetryProcessor, Match


@final
@attrs.frozen
class Bounds:
    """From `low` to `high`; None where it is unknown."""

    low: float | None
    high: float | None

    def __add__(self, other: Bounds, /) -> Bounds:
        return Bounds(_sum(self.low, other.low), _sum(self.high, other.high))

    def __str__(self) -> str:
        if self.low == self.high:
            return _shown(self.low)
        return f"{_shown(self.low)} to {_shown(self.high)}"


@final
@attrs.frozen
class Estimate:
    """Questions to judges, the requests that they may take, tokens in and out, and US dollars for a number of runs.

    `low` is the first wave of each run, every request answered at once; `high` counts what may follow, and every retry
    that a judge allows. Asks and calls are counted; tokens are estimated at four characters each, and priced.
    """

    asks: Bounds
    calls: Bounds
    input_tokens: Bounds
    output_tokens: Bounds
    dollars: Bounds

    def __add__(self, other: Estimate, /) -> Estimate:
        return Estimate(
            self.asks + other.asks,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.dollars + other.dollars,
        )

    def __str__(self) -> str:
        return (
            f"asks: {self.asks}; requests: {self.calls}; tokens in: about {self.input_tokens}; "
            f"tokens out: {self.output_tokens}; US dollars: {self.dollars}"
        )


_NONE = Bounds(0, 0)
_UNKNOWN = Bounds(None, None)
NOTHING = Estimate(_NONE, _NONE, _NONE, _NONE, _NONE)


def estimate(plans: Iterable[Plan], /) -> Estimate:
    """What runs with these plans will ask: `estimate(plan(scorer, run) for run in runs)`."""
    total = NOTHING
    for plan in plans:
        for request in plan.first:
            total += _first(request)
        total += _later(plan)
    return total


def _first(request: JudgeRequest) -> Estimate:
    judge = request.judge
    if not isinstance(judge, Judge):
        return Estimate(Bounds(1, 1), Bounds(1, None), _UNKNOWN, _UNKNOWN, _UNKNOWN)
    tokens = estimated_tokens(judge.instructions + request.prompt + (request.schema or ""))
    longest = judge.model_settings.max_tokens
    most = most_requests(judge)
    calls = Bounds(1, most)
    inputs, outputs = Bounds(tokens, tokens * most), Bounds(1, None if longest is None else longest * most)
    return Estimate(Bounds(1, 1), calls, inputs, outputs, _dollars(judge, inputs, outputs))


def _later(plan: Plan) -> Estimate:
    """What may follow: how often is known from prompt steps, by whom and with which prompts is not."""
    if plan.later_at_most == 0:
        return NOTHING
    unknown = Bounds(0, None)
    return Estimate(Bounds(0, plan.later_at_most), unknown, unknown, unknown, unknown)


def most_requests(judge: Judge, /) -> int:
    """The most requests that one ask of this judge can make: the first, and every retry."""
    patience = judge.patience()
    retries = [patience.own]
    for processor in patience.processors:
        if isinstance(processor, ErrorRetryProcessor):
            matches = (matcher for matcher in processor.matchers if isinstance(matcher, Match))
            retries += [match.max_retries for match in matches if match.max_retries is not None]
    return 1 + min(patience.cap, max(retries))


def _dollars(judge: Judge, inputs: Bounds, outputs: Bounds) -> Bounds:
    low = _cost(judge, inputs.low, outputs.low)
    return Bounds(low, _cost(judge, inputs.high, outputs.high))


def _cost(judge: Judge, tokens_in: float | None, tokens_out: float | None) -> float | None:
    if tokens_in is None or tokens_out is None:
        return None
    return dollars_of(Usage(int(tokens_in), int(tokens_out)), "", _priced(judge))


def _priced(judge: Judge) -> str:
    """The model as the price table knows it; a name that only a server of one's own has is not in it."""
    from scorewright.judges.transports import DIALECTS

    name = named(judge.model)
    provider = name.partition("/")[0]
    own = judge.base_url and (provider not in DIALECTS or (provider == "openai" and not natively(name)))
    return f"compatible/{name}" if own else name


def _sum(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else one + two


def _shown(bound: float | None) -> str:
    if bound is None:
        return "unknown"
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:.2g}"
