"""A program that is traced by the real SDK and scored, with a clock that is put forward by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import cast

from live.watching import PATIENCE, Seen
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Tracer

from scorewright import create_scorer, pure
from scorewright.live.otel import ScoringSpanProcessor, SpanLimits

# the score is the answer, as a number; one that is none fails
answered = create_scorer("answered", input=str, output=str).generate_score(pure(lambda s: float(s.run.output)))
polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda s: "please" in s.run.input))


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about."""
    pause, end = Event(), monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end, "it never came about"
        pause.wait(0.005)


class Traced:
    """A provider whose agents are scored, and all that they were given."""

    def __init__(self, *scorers: object, live: dict[str, object] | None = None, **settings: object) -> None:
        self.clock = Clock()
        self.seen = Seen(**(live or {}))
        make = cast("Callable[..., ScoringSpanProcessor]", ScoringSpanProcessor)
        given = scorers or (answered,)
        self.processor = make(*given, live=self.seen.live, clock=self.clock, **settings)
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(self.processor)
        self.tracer: Tracer = self.provider.get_tracer("app")

    def looked(self, spans: int) -> None:
        """Wait until so many spans have been taken in."""
        until(lambda: self.processor.counts().spans >= spans)

    @property
    def values(self) -> list[float | None]:
        """The scores, when all that has ended is scored."""
        assert self.provider.force_flush(int(PATIENCE * 1000))
        return self.seen.values

    def end(self) -> None:
        """Shut it all down."""
        self.provider.shutdown()
        self.seen.live.shutdown(1)
        assert self.processor.counts().adds_up
        assert self.seen.live.counts().adds_up


def message(role: str, text: str) -> str:
    """One message by the GenAI conventions."""
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def chat(tracer: Tracer, answer: str = "1", asked: str = "how much, please?") -> None:
    """A model call, with its content."""
    with tracer.start_as_current_span("chat m", attributes={"gen_ai.operation.name": "chat"}) as span:
        span.set_attribute("gen_ai.input.messages", message("user", asked))
        span.set_attribute("gen_ai.output.messages", message("assistant", answer))


def agent(tracer: Tracer, answer: str = "1", *, inner: Callable[[], object] = lambda: None, name: str = "main") -> None:
    """An agent that asks a model once; `inner` runs inside a tool that it calls before."""
    told = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    with tracer.start_as_current_span(f"invoke_agent {name}", attributes=told):
        tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": "c1"}
        with tracer.start_as_current_span("execute_tool look", attributes=tool):
            inner()
        chat(tracer, answer)


SPANS = 3  # of an agent without anything inside
LIMITS = SpanLimits(grace=2, ttl=60)
