"""Traces of spans: what they come in is the dialect, and each span is read by the convention that it follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from scorewright.agents.run import AgentRun, TraceSource
from scorewright.traces.adot import adot
from scorewright.traces.ai_sdk import ai_sdk, linked
from scorewright.traces.containers import is_jaeger, is_otlp, is_plain, jaeger_spans, otlp_spans, plain_spans
from scorewright.traces.dialect import Dialect
from scorewright.traces.genai import Convention, genai
from scorewright.traces.nodes import Node
from scorewright.traces.openinference import openinference
from scorewright.traces.spans import Span
from scorewright.traces.telling import runs_of

CONVENTIONS: tuple[Convention, ...] = (openinference, ai_sdk, genai, adot)


def node_of(span: Span, /) -> Node:
    """The node of a span, by the first convention that it follows; others only hold what is below them."""
    for convention in CONVENTIONS:
        node = convention(span)
        if node is not None:
            return node
    return Node(span.id, "other", span.parent, span.trace_id, span.name, span.start, span.end)


def reader(name: str, spans_of: Callable[[object], Iterable[Span]], /) -> Callable[[object], Iterator[AgentRun]]:
    """How the traces in a container are read."""

    def read(value: object, /) -> Iterator[AgentRun]:
        yield from runs_of([node_of(span) for span in linked(list(spans_of(value)))], TraceSource(name))

    return read


OTLP = Dialect(
    "otlp",
    '{"resourceSpans": […]}, Tempo\'s {"batches": […]} or {"trace": …}, or lines of them',
    is_otlp,
    reader("otlp", otlp_spans),
    lines="together",
)
JAEGER = Dialect("jaeger", '{"data": [{"spans": [{"operationName"}]}]}', is_jaeger, reader("jaeger", jaeger_spans))
SPANS = Dialect(
    "spans",
    'a list of {"span_id", "attributes"}, or the attributes of one span ("gen_ai.…", "openinference.…")',
    is_plain,
    reader("spans", plain_spans),
    lines="together",
)
