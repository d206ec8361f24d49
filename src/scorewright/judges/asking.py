"""One ask: as many requests as its budget allows, each counted, none wasted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from time import monotonic, perf_counter_ns
from typing import TYPE_CHECKING

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core.ask import Attempt, JudgeReply, JudgeRequest, Token
from scorewright.core.bench import Bench
from scorewright.faults import Aborted, JudgeFault
from scorewright.judges.call import Call
from scorewright.judges.delivery import Delivery, call_of, delivery
from scorewright.judges.lessons import Learnt
from scorewright.judges.processors import as_decision, name_of
from scorewright.judges.retry import Retry, Trouble
from scorewright.judges.sending import line_of
from scorewright.judges.spans import noted, spanned
from scorewright.judges.transports import Opened, opened
from scorewright.results import err

if TYPE_CHECKING:
    from scorewright.judges.judge import Judge, Patience


@spanned
async def ask(judge: Judge, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
    """Ask until there is an answer, a fault that stays, or no attempt left."""
    began = perf_counter_ns()
    model = await opened(judge, bench)
    if isinstance(model, JudgeFault):
        return JudgeReply(err(model))
    learnt = bench.hold(("learnt", model.address, model.name), Learnt)
    line, patience = line_of(judge, model, bench, request.took), judge.patience()
    attempts: list[Attempt] = []

    def reply(answer: Result[str, JudgeFault], left: int = 0, tokens: tuple[Token, ...] = ()) -> JudgeReply:
        return JudgeReply(answer, tuple(attempts), left, perf_counter_ns() - began, tokens=tokens)

    while True:
        way = _way(judge, request, model, learnt)
        call = _call(judge, request, model, learnt, way)
        if request.known_as:
            call = attrs.evolve(call, idempotency_key=f"{request.known_as}-{request.spent + len(attempts)}")
        heard = await line.send(call)
        if isinstance(heard, JudgeFault):  # nothing was sent
            return reply(err(heard))
        attempts.append(_delivered(heard.attempt, way) if request.schema else heard.attempt)
        noted(heard.attempt)
        retries = request.spent + len(attempts) - 1  # those of the question before a feedback count too
        left = max(0, patience.own - retries)
        if is_successful(heard.answer):
            return reply(heard.answer, left, heard.tokens)
        fault = heard.answer.failure()
        forced = judge.json_prompt_injection is False
        if learnt.learn(fault, heard.signals, call, request.schema, forced=forced) and left:
            continue
        decision = await decided(patience, Trouble(fault, heard.attempt.status, heard.signals, retries))
        if isinstance(decision, Aborted):
            return reply(err(decision))
        if decision is None or monotonic() + decision.wait >= line.until:
            return reply(heard.answer, left)
        await asyncio.sleep(decision.wait)


def _delivered(made: Attempt, way: Delivery) -> Attempt:
    """The attempt with how its schema was sent; `attrs.evolve` takes four times as long, and every request is here."""
    said = (made.fault, made.status, made.usage, made.model, made.request_id, made.finish_reason, made.raw)
    return Attempt(*said, made.nanoseconds, delivery=way)


def _way(judge: Judge, request: JudgeRequest, model: Opened, learnt: Learnt) -> Delivery:
    refused = learnt.refuses(request.schema)
    return delivery(judge.json_prompt_injection, model.full_name, request.schema, refused=refused)


def _call(judge: Judge, request: JudgeRequest, model: Opened, learnt: Learnt, way: Delivery) -> Call:
    call = call_of(request, model.name, judge.instructions, judge.model_settings, way)
    return attrs.evolve(call, without=frozenset(learnt.settings)) if learnt.settings else call


async def decided(patience: Patience, trouble: Trouble, /) -> Retry | Aborted | None:
    """What the first processor that has something to say decides, within the cap of the ask."""
    if trouble.retries >= patience.cap:
        return None
    for processor in patience.processors:
        try:
            said = processor(trouble)
            decision = as_decision(await said if isinstance(said, Awaitable) else said)
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            why = f"raised {type(exception).__name__}: {exception}"
            return Aborted(name_of(processor), f"{why}, on {type(trouble.fault).__name__}")
        if decision is not None:
            return decision
    return None
