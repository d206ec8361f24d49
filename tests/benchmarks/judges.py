"""Judge calls a second, and the client's CPU time a call, against a loopback server that takes 50 ms.

python judges.py               every side that is installed, each in a process of its own; ratios to raw aiohttp
python judges.py CALLS REPEAT  so many calls a side, the sides in turn so many times
python judges.py side NAME PORT CALLS      one side; prints calls a second and CPU milliseconds a call
python judges.py server                    the server; prints its port and serves until its input ends
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable
from time import perf_counter, process_time
from typing import TypeAlias

LATENCY, AT_ONCE = 0.05, 64
Call: TypeAlias = Callable[[int], Awaitable[object]]

PROMPT = "How well does the answer fit the question?\n\nQ: Where is the parcel?\nA: It left the warehouse on Tuesday."
VERDICT = json.dumps({"score": 0.7, "reason": "It says where the parcel is."})


class Served(asyncio.Protocol):
    """Answers every request with one verdict, in the form it was asked for, after 50 ms."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.received = bytearray()

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.received[:end]).lower()
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
            if len(self.received) < end + 4 + length:
                return
            body = bytes(self.received[end + 4 : end + 4 + length])
            del self.received[: end + 4 + length]
            asyncio.get_running_loop().call_later(LATENCY, self.transport.write, answer_to(body))


def answer_to(body: bytes) -> bytes:
    tools = json.loads(body).get("tools")
    message: dict[str, object] = {"role": "assistant", "content": None if tools else VERDICT}
    if tools:
        name = tools[0]["function"]["name"]
        arguments = (
            json.dumps({"reason": "It fits.", "pass": True, "score": 0.7}) if name == "final_result" else VERDICT
        )
        if name == "select_choice":
            arguments = json.dumps({"choice": "A", "reasons": "It fits."})
        message["tool_calls"] = [{"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}]
    told = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "gpt-4o",
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if tools else "stop"}],
            "usage": {"prompt_tokens": 90, "completion_tokens": 20, "total_tokens": 110},
        }
    ).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(told), told)


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Served, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def raw(url: str) -> Call:
    """The limit: aiohttp, and the two parsings."""
    import aiohttp

    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def call(number: int) -> object:
        body = {"model": "m", "messages": [{"role": "user", "content": f"{PROMPT} {number}"}]}
        async with session.post(f"{url}/chat/completions", json=body) as response:
            said = await response.json()
        return float(json.loads(said["choices"][0]["message"]["content"])["score"])

    return call


async def ours(url: str) -> Call:
    """A whole scorer: prompt, judge, score, reason, evidence."""
    from scorewright import Bench, Judge, Run, create_scorer, verdict_prompt

    judge = Judge("m", base_url=url)
    scorer = create_scorer("fits", input=str, output=str, judge=judge).generate_verdict(
        verdict_prompt(lambda step: f"{PROMPT} {step.run.output}")
    )
    bench = Bench()

    async def call(number: int) -> object:
        return (await scorer.run(Run("q", str(number)), answer=bench.answer)).unwrap().score

    return call


async def ours_limited(url: str) -> Call:
    """The same with a budget and a concurrency limit."""
    from scorewright import Bench, Judge, Run, create_scorer, verdict_prompt
    from scorewright.core.budget import Budget

    judge = Judge("m", base_url=url, concurrency=AT_ONCE, budget=Budget(calls=10**9, tokens=10**12))
    scorer = create_scorer("fits", input=str, output=str, judge=judge).generate_verdict(
        verdict_prompt(lambda step: f"{PROMPT} {step.run.output}")
    )
    bench = Bench()

    async def call(number: int) -> object:
        return (await scorer.run(Run("q", str(number)), answer=bench.answer)).unwrap().score

    return call


async def instructor_schema(url: str) -> Call:
    """instructor, JSON_SCHEMA, with the SDK's client."""
    import instructor
    from openai import AsyncOpenAI
    from pydantic import BaseModel

    class Verdict(BaseModel):
        score: float
        reason: str

    client = instructor.from_openai(
        AsyncOpenAI(base_url=url, api_key="k", max_retries=0), mode=instructor.Mode.JSON_SCHEMA
    )

    async def call(number: int) -> object:
        messages = [{"role": "user", "content": f"{PROMPT} {number}"}]
        return (await client.create(model="m", response_model=Verdict, messages=messages, max_retries=0)).score

    return call


async def pydantic_judge(url: str) -> Call:
    """pydantic-evals' LLMJudge, by itself on a context that exists."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_evals.evaluators.llm_as_a_judge import judge_output

    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(base_url=url, api_key="k"))

    async def call(number: int) -> object:
        return (await judge_output(f"{PROMPT} {number}", "It fits.", model)).score

    return call


async def autoevals_classifier(url: str) -> Call:
    """autoevals' LLMClassifier."""
    from autoevals import LLMClassifier
    from openai import AsyncOpenAI

    scorer = LLMClassifier(
        "fits", PROMPT + " {{output}}", {"A": 1, "B": 0}, model="m", client=AsyncOpenAI(base_url=url, api_key="k")
    )

    async def call(number: int) -> object:
        return (await scorer.eval_async(output=str(number))).score

    return call


SIDES = {
    side.__name__: side for side in (raw, ours, ours_limited, instructor_schema, pydantic_judge, autoevals_classifier)
}


async def measured(side: Callable[[str], Awaitable[Call]], url: str, calls: int) -> tuple[float, float]:
    call = await side(url)
    numbers = iter(range(calls + AT_ONCE))

    async def worker(times: int | None) -> None:
        for number in numbers:
            await call(number)
            if times is not None:
                return

    await asyncio.gather(*(worker(1) for _ in range(AT_ONCE)))  # connections, caches, imports
    began, cpu = perf_counter(), process_time()
    await asyncio.gather(*(worker(None) for _ in range(AT_ONCE)))
    return calls / (perf_counter() - began), (process_time() - cpu) / calls * 1000


def one(name: str, port: str, calls: int) -> None:
    async def told() -> None:
        try:
            print(*await measured(SIDES[name], f"http://127.0.0.1:{port}/v1", calls), flush=True)
        except ImportError as missing:
            print("skipped:", missing, flush=True)
        os._exit(0)  # clients that were not closed have nothing to add

    asyncio.run(told())


def compared(calls: int, repeat: int) -> None:
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in SIDES}
    with subprocess.Popen(
        [sys.executable, __file__, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        for _ in range(repeat):
            for name in SIDES:
                done = subprocess.run(
                    [sys.executable, __file__, "side", name, port, str(calls)],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                told = done.stdout.strip() or done.stderr.strip().splitlines()[-1]
                try:
                    rate, cpu = map(float, told.split())
                except ValueError:
                    print(f"{name:22} {told}")
                else:
                    seen[name].append((rate, cpu))
        server.communicate()
    limit = statistics.median(rate for rate, _ in seen["raw"])
    for name, measures in seen.items():
        if measures:
            rate = statistics.median(rate for rate, _ in measures)
            cpu = statistics.median(cpu for _, cpu in measures)
            print(f"{name:22} {rate:7.0f} calls/s  {rate / limit:5.2f} of raw  {cpu:6.3f} ms CPU a call")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["server"]:
            asyncio.run(serve())
        case ["side", name, port, calls]:
            one(name, port, int(calls))
        case [calls, repeat]:
            compared(int(calls), int(repeat))
        case _:
            compared(2000, 3)
