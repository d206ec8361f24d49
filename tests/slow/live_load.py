"""A traced program under load, with and without scoring: `python live_load.py SECONDS [SPANS A SECOND] [SHARE]`.

Agents of ten spans begin at an even pace on one loop, and wait for models as agents do. The two sides take turns in one
process, segment by segment and with the same waits, so that whatever else the machine does falls on both. It prints
JSON: latencies in milliseconds, memory in MiB, the counts.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import resource
import sys
from time import perf_counter, process_time

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Tracer

from scorewright import create_scorer, pure
from scorewright.live import Callback, Live, ratio
from scorewright.live.counting import NUMBERS
from scorewright.live.otel import ScoringSpanProcessor

SPANS = 10
SEGMENT = 3.0  # seconds
MESSAGES = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "how much is it? " * 20}]}])
ANSWER = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "1"}]}])


async def run(tracer: Tracer, waits: list[float]) -> float:
    """One agent: four model calls and five tools; how long it took."""
    began = perf_counter()
    with tracer.start_as_current_span("invoke_agent", attributes={"gen_ai.operation.name": "invoke_agent"}):
        for _ in range(SPANS - 1 - len(waits)):
            tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"}
            with tracer.start_as_current_span("execute_tool look", attributes=tool):
                pass
        for wait in waits:
            with tracer.start_as_current_span("chat", attributes={"gen_ai.operation.name": "chat"}) as span:
                span.set_attribute("gen_ai.input.messages", MESSAGES)
                await asyncio.sleep(wait)
                span.set_attribute("gen_ai.output.messages", ANSWER)
    return perf_counter() - began


async def segment(tracer: Tracer, seconds: float, pace: float, seed: int) -> tuple[list[float], float]:
    """Latencies of the agents that began in so many seconds, and the CPU time that it all took."""
    draw = random.Random(seed)
    began, cpu = perf_counter(), process_time()
    tasks: list[asyncio.Task[float]] = []
    while (now := perf_counter() - began) < seconds:
        while len(tasks) < now * pace:
            tasks.append(asyncio.create_task(run(tracer, [draw.uniform(0.05, 0.15) for _ in range(4)])))
        await asyncio.sleep(0.002)
    return list(await asyncio.gather(*tasks)), process_time() - cpu


def percentile(values: list[float], share: float) -> float:
    """The value below which this share lies, in milliseconds."""
    return sorted(values)[int(len(values) * share)] * 1000


def memory() -> float:
    """The most that the process has held so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def main(seconds: float, spans: float, share: float) -> None:
    """Take turns, plain first and last, and print what came of it."""
    scorer = create_scorer("length", input=str, output=str).generate_score(pure(lambda s: float(s.run.output)))
    live = Live(Callback(lambda _: None), queue=1000, metrics=False)
    processor = ScoringSpanProcessor(scorer, live=live, sample=ratio(share))
    plain, scored = TracerProvider(shutdown_on_exit=False), TracerProvider(shutdown_on_exit=False)
    scored.add_span_processor(processor)
    sides = {"plain": plain.get_tracer("app"), "scored": scored.get_tracer("app")}
    latencies: dict[str, list[float]] = {side: [] for side in sides}
    cpu = dict.fromkeys(sides, 0.0)
    n, pace, grown = max(1, round(seconds / SEGMENT)), spans / SPANS, []
    for tracer in sides.values():  # to warm up
        await segment(tracer, 1.0, pace, 0)
    for at in range(n):
        for side in ("plain", "scored") if at % 2 else ("scored", "plain"):
            gc.collect()
            found, took = await segment(sides[side], SEGMENT, pace, at)
            latencies[side] += found
            cpu[side] += took
        grown.append(memory())
    runs = len(latencies["scored"])
    flushed = await asyncio.to_thread(scored.force_flush, 60_000)
    counts, looked = live.counts(), processor.counts()
    print(
        json.dumps(
            {
                "flushed": flushed,
                "runs": runs,
                "seconds": n * SEGMENT,
                "p50": {side: percentile(each, 0.5) for side, each in latencies.items()},
                "p99": {side: percentile(each, 0.99) for side, each in latencies.items()},
                "cpu": cpu,
                "memory": grown,
                "counts": {name: getattr(counts, name) for name in NUMBERS} | {"reasons": dict(counts.reasons)},
                "adds_up": counts.adds_up and looked.adds_up,
                "lost": looked.lost + looked.late + looked.overflown,
            }
        )
    )
    scored.shutdown()
    plain.shutdown()
    live.shutdown()


if __name__ == "__main__":
    given = [*map(float, sys.argv[1:])]
    asyncio.run(main(*given, *(60.0, 10_000.0, 0.1)[len(given) :]))
