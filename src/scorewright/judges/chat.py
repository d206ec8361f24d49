"""One ask as one HTTP request to an OpenAI-compatible chat endpoint, through instructor."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import perf_counter_ns
from typing import TYPE_CHECKING

from scorewright.core.ask import Attempt, JudgeReply, JudgeRequest, Usage
from scorewright.core.bench import Bench
from scorewright.faults import JudgeFault, NotJson, Unauthorized
from scorewright.judges.reading import fault_of, text_of
from scorewright.results import err

if TYPE_CHECKING:
    from instructor import AsyncInstructor
    from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

    from scorewright.judges.judge import Judge


async def ask_chat(judge: Judge, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
    """Ask once; neither the client nor instructor retries."""
    from openai import OpenAIError
    from openai.types.chat import ChatCompletion

    key_env = judge.api_key_env or "OPENAI_API_KEY"
    key = os.environ.get(key_env, "") or ("unused" if judge.base_url else "")
    if not key:
        return JudgeReply(err(Unauthorized(f"no key: set the environment variable {key_env}")))
    client = await bench.keep(("chat", judge.base_url, key), lambda: _client(judge.base_url, key))
    began = perf_counter_ns()
    try:
        completion = await client.create(
            response_model=None,
            messages=_messages(judge, request),
            model=judge.model.removeprefix("openai/"),
            max_retries=0,
            timeout=judge.timeout or 600.0,
        )
    except OpenAIError as exception:
        status, fault = fault_of(exception, key)
        return _failed(fault, status, began)
    except ValueError as exception:  # a body that is announced as JSON and is none
        return _failed(NotJson("", f"the server's reply is not JSON: {exception}"), 200, began)
    if not isinstance(completion, ChatCompletion):  # another content type comes through as it is
        return _failed(NotJson(str(completion), "the server's reply is not JSON"), 200, began)
    answer = text_of(completion)
    return JudgeReply(answer, (_attempt(completion, began),))


def _messages(judge: Judge, request: JudgeRequest) -> list[ChatCompletionMessageParam]:
    messages: list[ChatCompletionMessageParam] = []
    if judge.instructions:
        messages.append({"role": "system", "content": judge.instructions})
    shape = f"\n\nAnswer with JSON alone, of this JSON Schema:\n{request.schema}" if request.schema else ""
    messages.append({"role": "user", "content": request.prompt + shape})
    return messages


@asynccontextmanager
async def _client(base_url: str, key: str) -> AsyncGenerator[AsyncInstructor]:
    import instructor
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=base_url or None, api_key=key, max_retries=0) as sdk:
        yield instructor.from_openai(sdk)


def _failed(fault: JudgeFault, status: int | None, began: int) -> JudgeReply:
    return JudgeReply(err(fault), (Attempt(fault, status, nanoseconds=perf_counter_ns() - began),))


def _attempt(completion: ChatCompletion, began: int) -> Attempt:
    usage = completion.usage
    choice = completion.choices[0] if completion.choices else None
    return Attempt(
        None,
        200,
        Usage(usage.prompt_tokens, usage.completion_tokens) if usage else None,
        completion.model,
        completion.id,
        choice.finish_reason if choice else "",
        perf_counter_ns() - began,
    )
