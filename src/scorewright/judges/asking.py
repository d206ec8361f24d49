"""One ask: as many requests as its budget allows, each counted, none wasted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, final

import attrs
from returns.pipeline import is_successful

from scorewright.core.ask import Attempt, JudgeReply, JudgeRequest
from scorewright.core.bench import Bench
from scorewright.faults import Aborted, BadRequest, BudgetExhausted, JudgeFault, TimedOut
from scorewright.judges.call import Call, Heard, Signals, Transport
from scorewright.judges.delivery import call_of, delivery
from scorewright.judges.ledger import ledgers
from scorewright.judges.limits import permitted
from scorewright.judges.processors import estimated_tokens, name_of
from scorewright.judges.retry import Retry, Trouble
from scorewright.judges.transports import Opened, opened
from scorewright.results import err

if TYPE_CHECKING:
    from scorewright.judges.judge import Judge, Patience

TIMEOUT = 120.0  # seconds for one request, unless the judge says otherwise


@final
@attrs.define
class Learnt:
    """What a server has refused, so that it is not asked for twice: native schemas, settings by their names."""

    native: bool = False
    settings: set[str] = attrs.field(factory=set[str])


async def ask(judge: Judge, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
    """Ask until there is an answer, a fault that stays, or no attempt left."""
    model = await opened(judge, bench)
    if isinstance(model, JudgeFault):
        return JudgeReply(err(model))
    learnt = bench.hold(("learnt", model.address, model.name), Learnt)
    patience = judge.patience()
    until = inf if judge.deadline is None else monotonic() + judge.deadline
    attempts: list[Attempt] = []
    while True:
        call = _call(judge, request, model, learnt)
        heard = await _once(judge, call, model, bench, until)
        if isinstance(heard, BudgetExhausted):
            return JudgeReply(err(heard), tuple(attempts))
        attempts.append(heard.attempt)
        retries = request.spent + len(attempts) - 1  # those of the question before a feedback count too
        left = max(0, patience.own - retries)
        if is_successful(heard.answer):
            return JudgeReply(heard.answer, tuple(attempts), left)
        fault = heard.answer.failure()
        if left and lesson(fault, heard.signals, call, learnt):
            continue
        decision = await decided(patience, Trouble(fault, heard.attempt.status, heard.signals, retries))
        if isinstance(decision, Aborted):
            return JudgeReply(err(decision), tuple(attempts))
        if decision is None or monotonic() + decision.wait >= until:
            return JudgeReply(heard.answer, tuple(attempts), left)
        await asyncio.sleep(decision.wait)


def _call(judge: Judge, request: JudgeRequest, model: Opened, learnt: Learnt) -> Call:
    way = delivery(judge.json_prompt_injection, model.full_name, request.schema, refused=learnt.native)
    call = call_of(request, model.name, judge.instructions, judge.model_settings, way)
    return attrs.evolve(call, without=frozenset(learnt.settings))


async def _once(
    judge: Judge, call: Call, model: Opened, bench: Bench, until: float
) -> Heard | BudgetExhausted:
    """One request: a place among the others first, then the budget, then the wire."""
    tokens = estimated_tokens(call.system + call.user) + (call.settings.max_tokens or 0)
    async with permitted(judge, bench, model.address, tokens):
        books = ledgers(bench, judge.budget)
        for at, book in enumerate(books):
            exhausted = book.reserve(tokens)
            if exhausted:
                for earlier in books[:at]:
                    earlier.cancel(tokens)
                return exhausted
        attempt = Attempt()  # what is booked when the wait is cancelled
        try:
            heard = await _timed(model.send, call, judge.timeout or TIMEOUT, until)
            attempt = heard.attempt
            return heard
        finally:
            for book in books:
                book.settle(tokens, attempt, model.full_name)


async def _timed(send: Transport, call: Call, timeout: float, until: float) -> Heard:
    seconds = min(timeout, until - monotonic())
    try:
        async with asyncio.timeout(seconds):
            return await send(call)
    except TimeoutError:
        fault = TimedOut(f"no answer within {max(seconds, 0):g} s")
        return Heard(err(fault), Attempt(fault, model=call.model))


def lesson(fault: JudgeFault, signals: Signals, call: Call, learnt: Learnt, /) -> bool:
    """Whether a refusal teaches how to ask this model: without a native schema, without a setting that it lacks."""
    if not isinstance(fault, BadRequest) or fault.status not in {400, 422}:
        return False
    said = f"{signals.param} {signals.code} {signals.message}".lower()
    if call.schema is not None and any(word in said for word in ("response_format", "json_schema", "text.format", "schema")):
        learnt.native = True
        return True
    if not any(word in said for word in ("unsupported", "not support", "unrecognized", "unknown", "not allowed")):
        return False
    for name in ("temperature", "top_p", "seed", "max_tokens", "stop"):
        if getattr(call.settings, name) is not None and name not in learnt.settings and name in said:
            learnt.settings.add(name)
            return True
    return False


async def decided(patience: Patience, trouble: Trouble, /) -> Retry | Aborted | None:
    """What the first processor that has something to say decides, within the cap of the ask."""
    if trouble.retries >= patience.cap:
        return None
    for processor in patience.processors:
        try:
            said = processor(trouble)
            decision = await said if isinstance(said, Awaitable) else said
        except Exception as exception:  # a user's function may raise anything
            return Aborted(name_of(processor), f"raised {type(exception).__name__}: {exception}")
        if decision is not None:
            return decision
    return None
