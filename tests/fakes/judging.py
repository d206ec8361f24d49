"""Asking a judge one question, as the driver would, without a scorer around it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping

import attrs

from fakes.openai_server import Answer, FakeOpenAI, Received, Script
from scorewright.core import Bench, JudgeReply, JudgeRequest
from scorewright.faults import JudgeFault
from scorewright.judges import ErrorRetryProcessor, Judge

KEY = "key-that-nobody-may-see"
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"score": {"type": "number", "minimum": 0}, "why": {"type": "string", "maxLength": 9}},
    "required": ["score", "why"],
    "additionalProperties": False,
}
TEXT = '{"score": 1, "why": "so"}'


async def nothing() -> None:
    """What is done at the end, where there is nothing to do."""


def ask(
    judge: Judge,
    *,
    schema: Mapping[str, object] | None = SCHEMA,
    times: int = 1,
    at_end: Callable[[], Awaitable[None]] = nothing,
) -> JudgeReply:
    """The last reply of this judge to a question on a bench of its own; `at_end` is done in the same event loop."""
    request = JudgeRequest("Judge this.", None if schema is None else json.dumps(schema), "Verdict", judge)

    async def asked() -> JudgeReply:
        async with Bench() as bench:
            try:
                for _ in range(times - 1):
                    await bench.answer(request)
                return await bench.answer(request)
            finally:
                await at_end()

    return asyncio.run(asked())


def once(model: str, answer: Answer, **settings: object) -> tuple[JudgeReply, Received]:
    """The reply to one question that the server answers so, and the request that it saw. There is no retry."""
    with FakeOpenAI([answer]) as server:
        judge = attrs.evolve(Judge(model, "Be fair.", base_url=server.base_url, error_processors=[]), **settings)
        reply = ask(judge)
    [received] = server.requests
    return reply, received


def fault_of(model: str, answer: Answer, **settings: object) -> JudgeFault:
    """The fault of a question that the server answers so."""
    return once(model, answer, **settings)[0].answer.failure()


def requests_for(model: str, script: Script, retries: int = 1, **settings: object) -> int:
    """How many requests the server gets for one question when there may be so many retries, each at once."""
    with FakeOpenAI(script) as server:
        judge = Judge(
            model,
            base_url=server.base_url,
            error_processors=[ErrorRetryProcessor(retries, delay=0, max_retry_after=0)],
        )
        ask(attrs.evolve(judge, **settings))
    return len(server.requests)
