"""Late spans, agents that never end, clocks that jump, and more than is held: each run still has one fate."""

from __future__ import annotations

import pytest

pytest.importorskip("opentelemetry.sdk")

from live.otel.tracing import LIMITS, SPANS, Traced, agent, chat, until
from opentelemetry import trace
from opentelemetry.trace import Span

from scorewright.live import ratio
from scorewright.live.otel import SpanLimits

AGENT = {"gen_ai.operation.name": "invoke_agent"}


def begun(traced: Traced, name: str = "invoke_agent") -> Span:
    """An agent that goes on."""
    return traced.tracer.start_span(name, attributes=AGENT)


def test_an_agent_is_scored_after_its_grace_and_not_before() -> None:
    """langfuse#9062: not so long after it began, but when it has ended."""
    traced = Traced(limits=LIMITS)
    span = begun(traced)
    with trace.use_span(span):
        chat(traced.tracer)
    traced.clock.now += 50  # it takes long
    traced.looked(1)
    span.end()
    traced.looked(2)
    assert traced.seen.live.counts().triggered == 0
    traced.clock.now += 1.9
    agent(traced.tracer)  # so that it looks again
    traced.looked(2 + SPANS)
    assert traced.seen.live.counts().triggered == 0
    traced.clock.now += 0.2
    until(lambda: traced.seen.live.counts().scored == 1)
    traced.end()


def test_a_child_that_ends_in_the_grace_is_of_the_run() -> None:
    """And one that ends after it is late, and counted so."""
    traced = Traced(limits=LIMITS)
    span = begun(traced)
    with trace.use_span(span):
        children = [traced.tracer.start_span("chat", attributes={"gen_ai.operation.name": "chat"}) for _ in range(2)]
        chat(traced.tracer, "0.5")
    span.end()
    children[0].end()
    traced.looked(3)
    traced.clock.now += 3
    until(lambda: traced.seen.live.counts().scored == 1)
    children[1].end()
    traced.looked(4)
    counts = traced.processor.counts()
    assert (counts.used, counts.late) == (3, 1)
    assert traced.values == [0.5]
    traced.end()


def test_an_agent_that_never_ends_is_dropped() -> None:
    """langfuse#9062: after the limit it is no longer waited for, and never scored, even if it ends after all."""
    traced = Traced(limits=LIMITS)
    span = begun(traced)
    with trace.use_span(span):
        chat(traced.tracer)
    traced.looked(1)
    traced.clock.now += 61
    until(lambda: traced.seen.live.counts().dropped == 1)
    span.end()
    assert traced.values == []
    assert dict(traced.seen.counts().reasons) == {"dropped: it did not end within 60 s": 1}
    until(lambda: traced.processor.counts().held == 0)
    traced.end()


def test_an_agent_is_not_waited_for_though_nothing_else_happens() -> None:
    """No span of its trace has ended, and none of another comes."""
    traced = Traced(limits=LIMITS)
    span = begun(traced)
    traced.clock.now += 61
    until(lambda: traced.seen.live.counts().dropped == 1)
    span.end()
    traced.end()


def test_an_agent_that_never_ends_and_was_not_sampled_is_sampled_out() -> None:
    """It would not have been scored either way."""
    traced = Traced(limits=LIMITS, sample=ratio(0))
    span = begun(traced)
    traced.processor.force_flush()
    traced.clock.now += 61
    assert traced.processor.force_flush()
    assert (traced.seen.counts().sampled_out, traced.seen.counts().triggered) == (1, 1)
    span.end()
    traced.end()


@pytest.mark.parametrize("leap", [-500.0, 10**9])
def test_a_clock_that_jumps_loses_no_run(leap: float) -> None:
    """Back or forward, between an agent's end and its score."""
    traced = Traced(limits=LIMITS)
    agent(traced.tracer, "0.5")
    traced.looked(SPANS)
    traced.clock.now += leap
    agent(traced.tracer, "0.5")
    traced.looked(2 * SPANS)
    traced.clock.now += 3
    until(lambda: traced.seen.live.counts().scored == 2)
    assert traced.values == [0.5, 0.5]
    assert traced.seen.counts().triggered == 2
    traced.end()


def test_the_programs_own_clock_may_be_set() -> None:
    """Spans that end before they began, or in another year, are scored like any other."""
    seconds: list[float] = []
    traced = Traced(sample=ratio(0).always_when(lambda ended: bool(seconds.append(ended.seconds)) or True))
    for began, ended in ((2_000, 1_000), (1, 10**18)):
        span = traced.tracer.start_span("invoke_agent", attributes=AGENT, start_time=began)
        with trace.use_span(span, end_on_exit=False):
            chat(traced.tracer)
        span.end(ended)
    assert traced.values == [1.0, 1.0]
    assert seconds[0] == 0.0
    traced.end()


def dropped(traced: Traced) -> dict[str, int]:
    """Why runs were dropped, when all is looked at."""
    assert traced.provider.force_flush()
    counts = traced.seen.counts()
    assert counts.triggered == counts.scored + counts.dropped
    return dict(counts.reasons)


def test_more_spans_than_a_trace_may_have() -> None:
    """The run is dropped when its agent ends; what came is not held."""
    traced = Traced(limits=SpanLimits(trace_spans=10))
    span = begun(traced)
    with trace.use_span(span):
        for _ in range(20):
            chat(traced.tracer)
    traced.looked(20)
    assert traced.processor.counts().held == 0
    span.end()
    agent(traced.tracer)
    assert dropped(traced) == {"dropped: more than 10 spans in its trace": 1}
    assert traced.processor.counts().lost == 21
    traced.end()


def test_more_bytes_than_a_trace_may_have() -> None:
    """Counted by what its attributes hold."""
    traced = Traced(limits=SpanLimits(trace_bytes=10_000))
    agent(traced.tracer, "1" * 20_000)
    agent(traced.tracer)
    assert dropped(traced) == {"dropped: more than 10000 bytes in its trace": 1}
    assert traced.processor.counts().bytes == 0
    traced.end()


def test_more_traces_than_are_held() -> None:
    """The one that was silent longest goes; the others are scored."""
    traced = Traced(limits=SpanLimits(traces=3))
    spans = [begun(traced) for _ in range(5)]
    for at, span in enumerate(spans, 1):
        with trace.use_span(span):
            chat(traced.tracer)
        traced.looked(at)
    assert traced.processor.counts().traces == 3
    for span in spans:
        span.end()
    assert dropped(traced) == {"dropped: more than 3 traces were held": 2}
    assert traced.seen.counts().scored == 3
    traced.end()


def test_more_bytes_than_are_held() -> None:
    """Over all traces."""
    traced = Traced(limits=SpanLimits(bytes=30_000))
    spans = [begun(traced) for _ in range(4)]
    for at, span in enumerate(spans, 1):
        with trace.use_span(span):
            chat(traced.tracer, "0" * 9_000)
        traced.looked(at)
    assert traced.processor.counts().bytes <= 30_000
    for span in spans:
        span.end()
    assert sum(dropped(traced).values()) == len(spans) - traced.seen.counts().scored > 0
    traced.end()


def test_more_spans_than_can_wait() -> None:
    """What finds no room is not waited for: its run is dropped, to the unit."""
    traced = Traced(limits=SpanLimits(waiting=1))
    for _ in range(50):
        agent(traced.tracer)
    reasons = dropped(traced)
    assert set(reasons) <= {"dropped: too many spans ended at once"}
    assert traced.seen.counts().triggered == 50
    traced.end()
