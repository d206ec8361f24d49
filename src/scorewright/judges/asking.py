"""One ask: as many requests as its budget allows, each counted, none wasted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from math import inf
from time import monotonic, perf_counter_ns
from typing import TYPE_CHECKING, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core.ask import Attempt, JudgeReply, JudgeRequest
from scorewright.core.bench import Bench
from scorewright.faults import Aborted, BadRequest, BudgetExhausted, JudgeFault, TimedOut
from scorewright.judges.call import Call, Heard, Signals, Transport
from scorewright.judges.delivery import call_of, delivery
from scorewright.judges.ledger import Expected, Ledger, Reserved, ledgers
from scorewright.judges.limits import is_limited, permitted
from scorewright.judges.processors import as_decision, estimated_tokens, name_of
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
    schemas: set[str | None] = attrs.field(factory=set[str | None])  # refused one by one
    settings: set[str] = attrs.field(factory=set[str])


async def ask(judge: Judge, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
    """Ask until there is an answer, a fault that stays, or no attempt left."""
    model = await opened(judge, bench)
    if isinstance(model, JudgeFault):
        return JudgeReply(err(model))
    began = perf_counter_ns()
    learnt = bench.hold(("learnt", model.address, model.name), Learnt)
    books = ledgers(bench, judge.budget)
    patience = judge.patience()
    until = inf if judge.deadline is None else monotonic() + judge.deadline - request.took / 1e9
    until = min([until, *(monotonic() + book.seconds_left() for book in books)])
    attempts: list[Attempt] = []

    def reply(answer: Result[str, JudgeFault], left: int = 0) -> JudgeReply:
        return JudgeReply(answer, tuple(attempts), left, perf_counter_ns() - began)

    while True:
        call = _call(judge, request, model, learnt)
        heard = await _once(judge, call, model, bench, books, until)
        if isinstance(heard, JudgeFault):  # nothing was sent
            return reply(err(heard))
        attempts.append(heard.attempt)
        retries = request.spent + len(attempts) - 1  # those of the question before a feedback count too
        left = max(0, patience.own - retries)
        if is_successful(heard.answer):
            return reply(heard.answer, left)
        fault = heard.answer.failure()
        if lesson(judge, request, fault, heard.signals, call, learnt) and left:
            continue
        decision = await decided(patience, Trouble(fault, heard.attempt.status, heard.signals, retries))
        if isinstance(decision, Aborted):
            return reply(err(decision))
        if decision is None or monotonic() + decision.wait >= until:
            return reply(heard.answer, left)
        await asyncio.sleep(decision.wait)


def _call(judge: Judge, request: JudgeRequest, model: Opened, learnt: Learnt) -> Call:
    refused = learnt.native or request.schema in learnt.schemas
    way = delivery(judge.json_prompt_injection, model.full_name, request.schema, refused=refused)
    call = call_of(request, model.name, judge.instructions, judge.model_settings, way)
    return attrs.evolve(call, without=frozenset(learnt.settings)) if learnt.settings else call


async def _once(
    judge: Judge, call: Call, model: Opened, bench: Bench, books: tuple[Ledger, ...], until: float
) -> Heard | BudgetExhausted | TimedOut:
    """One request: a place among the others first, then the budget, then the wire; a fault where nothing was sent."""
    timeout = judge.timeout or TIMEOUT
    if not books and not is_limited(judge):
        return _late(books) if until <= monotonic() else await _timed(model.send, call, timeout, until)
    said = estimated_tokens(call.system + call.user) + (len(str(call.schema)) // 4 if call.schema else 0)
    expected = Expected(model.full_name, model.name, said, call.settings.max_tokens)
    try:
        async with permitted(judge, bench, model.address, said + (call.settings.max_tokens or 0), until):
            return await _booked(books, expected, model.send, call, timeout, until)
    except TimeoutError:  # while it waited for a place
        return _late(books)


async def _booked(
    books: tuple[Ledger, ...], expected: Expected, send: Transport, call: Call, timeout: float, until: float
) -> Heard | BudgetExhausted | TimedOut:
    """One request with its price set aside in every ledger first, and settled at the end whatever happens."""
    if until <= monotonic():
        return _late(books)
    aside: list[tuple[Ledger, Reserved]] = []
    for book in books:
        reserved = book.reserve(expected)
        if isinstance(reserved, BudgetExhausted):
            for earlier, held in aside:
                earlier.cancel(held)
            return reserved
        aside.append((book, reserved))
    attempt: Attempt | None = None  # what is booked when the wait is cancelled
    try:
        heard = await _timed(send, call, timeout, until)
        attempt = heard.attempt
        return heard
    finally:
        for book, reserved in aside:
            book.settle(reserved, expected, attempt)


async def _timed(send: Transport, call: Call, timeout: float, until: float) -> Heard:
    seconds = min(timeout, until - monotonic())
    began = perf_counter_ns()
    try:
        async with asyncio.timeout(seconds):
            return await send(call)
    except TimeoutError:
        fault = TimedOut(f"no answer within {seconds:.3g} s")
        return Heard(err(fault), Attempt(fault, model=call.model, nanoseconds=perf_counter_ns() - began))


def _late(books: tuple[Ledger, ...]) -> BudgetExhausted | TimedOut:
    late = TimedOut("the time for this ask was over before the request could be sent")
    return next((over for book in books if (over := book.time_is_up())), late)


REFUSING = re.compile(r"unsupported|not support|unrecogni|unknown|unexpected|not allowed|not permitted|deprecated|only the default")
NATIVE_WORDS = ("response_format", "response format", "json_schema", "text.format", "schema", "structured output", "tool")


def lesson(judge: Judge, request: JudgeRequest, fault: JudgeFault, signals: Signals, call: Call, learnt: Learnt, /) -> bool:
    """Whether a refusal teaches how to ask this model: without a native schema, without a setting that it lacks.

    A model that was told by name to take the schema natively is not asked otherwise.
    """
    if not isinstance(fault, BadRequest) or fault.status not in {400, 422}:
        return False
    said = f"{signals.param} {signals.code} {signals.message}".lower()
    if call.schema is not None and any(word in said for word in NATIVE_WORDS):
        if judge.json_prompt_injection is False:
            return False
        if "invalid schema" in said or "invalid_json_schema" in said:
            learnt.schemas.add(request.schema)
        else:
            learnt.native = True
        return True
    if not REFUSING.search(said):
        return False
    for name in ("temperature", "top_p", "seed", "max_tokens", "stop"):
        asked = getattr(call.settings, name) is not None and name not in call.without
        if asked and re.search(rf"\b{name}\b", said):
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
            decision = as_decision(await said if isinstance(said, Awaitable) else said)
        except Exception as exception:  # a user's function may raise anything
            why = f"raised {type(exception).__name__}: {exception}"
            return Aborted(name_of(processor), f"{why}, on {type(trouble.fault).__name__}")
        if decision is not None:
            return decision
    return None
