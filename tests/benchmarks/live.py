"""What scoring costs the caller: `python tests/benchmarks/live.py [--json] [--rounds N] [--scale F]`.

First of a function that is `scored`, then of spans that a `ScoringSpanProcessor` sees. Each side is a fresh process.
What is shown is the CPU time of the calling thread, as µs over the plain side and as ratios to it: the fastest of many
small batches, the median of the rounds in which the sides take turns. What the worker does beside it is not in it; its
queue is emptied between the batches.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from run import Command, Line, as_json, rounds, table

BATCH = 200
SIDES = ("plain", "sampled out", "sampled in", "sampled in, two scorers", "switched off", "coroutine", "coroutine in")
SIDE = """
import asyncio, sys
from time import thread_time_ns
from scorewright import create_scorer, pure
from scorewright.live import Live, ratio, scored, unscored

side, batch, batches = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
one, two = (create_scorer(id, input=str, output=str).generate_score(pure(lambda _: 1.0)) for id in ("one", "two"))
live = Live(queue=10 * batch, metrics=False)

def plain(question: str) -> str:
    return question

async def later(question: str) -> str:
    return question

call = {
    "plain": plain,
    "sampled out": scored(one, live=live, sample=ratio(1e-12))(plain),
    "sampled in": scored(one, live=live)(plain),
    "sampled in, two scorers": scored(one, two, live=live)(plain),
    "switched off": scored(one, live=live)(plain),
    "coroutine": later,
    "coroutine in": scored(one, live=live)(later),
}[side]

def many():
    began = thread_time_ns()
    for _ in range(batch):
        call("question")
    return thread_time_ns() - began

async def many_later():
    began = thread_time_ns()
    for _ in range(batch):
        await call("question")
    return thread_time_ns() - began

def once():
    took = asyncio.run(many_later()) if side.startswith("coroutine") else many()
    assert live.flush()
    return took

if side == "switched off":
    with unscored():
        took = [once() for _ in range(batches)]
else:
    took = [once() for _ in range(batches)]
assert live.counts().adds_up and not live.counts().dropped
live.shutdown()
print(min(took[1:]) / batch / 1000)
"""


SPAN_SIDES = ("spans", "spans sampled out", "spans sampled in")
SPANS = """
import sys
from time import thread_time_ns
from opentelemetry.sdk.trace import TracerProvider
from scorewright import create_scorer, pure
from scorewright.live import Live, ratio
from scorewright.live.otel import ScoringSpanProcessor

side, batch, batches = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
one = create_scorer("one", input=str, output=str).generate_score(pure(lambda _: 1.0))
live = Live(queue=10 * batch, metrics=False)
provider = TracerProvider(shutdown_on_exit=False)
if side != "spans":
    sample = ratio(1e-12 if side == "spans sampled out" else 1)
    provider.add_span_processor(ScoringSpanProcessor(one, live=live, sample=sample))
tracer = provider.get_tracer("app")
agent, chat = ({"gen_ai.operation.name": name, "gen_ai.agent.name": "a"} for name in ("invoke_agent", "chat"))

def once():
    began = thread_time_ns()
    for _ in range(batch // 10):
        with tracer.start_as_current_span("agent", attributes=agent):
            for _ in range(9):
                with tracer.start_as_current_span("chat", attributes=chat):
                    pass
    took = thread_time_ns() - began
    assert provider.force_flush()
    return took

took = [once() for _ in range(batches)]
assert live.counts().adds_up and not live.counts().dropped
provider.shutdown()
live.shutdown()
print(min(took[1:]) / batch / 1000)
"""


def side(name: str, batches: int) -> Command:
    """One side, in a process of its own."""
    return ("-c", SPANS if name in SPAN_SIDES else SIDE, name, str(BATCH), str(batches))


def lines(times: int, scale: float) -> list[Line]:
    """Measure everything."""
    m = rounds({name: side(name, max(2, round(50 * scale))) for name in (*SIDES, *SPAN_SIDES)}, times)
    plain, later = m["plain"], m["coroutine"]
    return [
        Line("a plain call", plain, "µs"),
        Line("sampled out, over the plain call", m["sampled out"] - plain, "µs", 10),
        Line("  against the plain call", m["sampled out"] / plain, "x"),
        Line("sampled in, over the plain call", m["sampled in"] - plain, "µs", 30),
        Line("  against the plain call", m["sampled in"] / plain, "x"),
        Line("sampled in by two scorers, over the plain call", m["sampled in, two scorers"] - plain, "µs", 45),
        Line("switched off, over the plain call", m["switched off"] - plain, "µs", 5),
        Line("a coroutine that is sampled in, over a plain one", m["coroutine in"] - later, "µs", 30),
        Line("a span of the SDK, with nobody to see it", m["spans"], "µs"),
        Line("a span that is sampled out, over that", m["spans sampled out"] - m["spans"], "µs", 10),
        Line("a span that is sampled in, over that", m["spans sampled in"] - m["spans"], "µs", 10),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=3, help="how often the sides take turns")
    parser.add_argument("--scale", type=float, default=1.0, help="a fraction of the usual calls, for a quick look")
    given = parser.parse_args(arguments)
    print((as_json if given.json else table)(lines(given.rounds, given.scale)))


if __name__ == "__main__":
    sys.exit(main())
