"""Traces of spans: what they come in is the dialect, and each span is read by the convention that it follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from scorewright.agents.run import AgentRun, TraceSource
from scorewright.traces.adot import adot
from scorewright.traces.ai_sdk import ai_sdk, linked
from scorewright.traces.containers import is_jaeger, is_otlp, is_plain, jaeger_spans, otlp_spans, plain_spans
from scorewright.traces.dialect import Dialect, Lines, Quick
from scorewright.traces.genai import Convention, genai, may_say
from scorewright.traces.json_view import is_list
from scorewright.traces.logfire_spans import logfire
from scorewright.traces.nodes import Node
from scorewright.traces.openinference import openinference
from scorewright.traces.recorded import recorded_document, recorded_lines, recorded_spans
from scorewright.traces.spans import Span
from scorewright.traces.streaming import Ends, Piece, whole_traces
from scorewright.traces.telling import runs_of

CONVENTIONS: tuple[Convention, ...] = (openinference, ai_sdk, logfire, genai, adot)


def node_of(span: Span, /) -> Node:
    """The node of a span, by the first convention that it follows; others only hold what is below them."""
    attributes = span.attributes
    if span.events or span.kind or not attributes.keys().isdisjoint(_MARKS):
        known = CONVENTIONS
    else:  # most spans: those that say what they did, and those of other libraries
        known = _GENAI if "gen_ai.operation.name" in attributes or _may_say(tuple(attributes)) else ()
    for convention in known:
        node = convention(span)
        if node is not None:
            return node
    return Node(span.id, "other", span.parent, span.trace_id, span.name, span.start, span.end)


_MARKS = ("openinference.span.kind", "ai.operationId", "logfire.msg_template")
"""Attributes without which a span follows none of the other conventions, unless it has events or a kind."""
_GENAI: tuple[Convention, ...] = (genai,)
_may_say = lru_cache(256)(may_say)


def dialect(
    name: str,
    looks_for: str,
    detect: Callable[[object], bool],
    spans_of: Callable[[object, int], Iterable[Span]],
    /,
    quick: Quick | None = None,
) -> Dialect:
    """The dialect of a container: how the traces in it are read, whole or as they come."""
    source = TraceSource(name)

    def read(value: object, /) -> Iterator[AgentRun]:
        yield from runs_of([node_of(span) for span in linked(list(spans_of(value, 0)))], source)

    def stream(pieces: Iterable[Piece], ends: Ends, /) -> Iterator[AgentRun]:
        if ends.never:
            yield from _at_once(pieces)
            return
        for trace in whole_traces(_nodes(pieces), ends):
            yield from runs_of(trace, source)

    def _nodes(pieces: Iterable[Piece]) -> Iterator[tuple[int, list[tuple[str, Node]]]]:
        begun = 0
        for piece in pieces:
            nodes = list(map(node_of, list(spans_of(piece.document, begun))))
            begun += len(nodes)
            yield piece.end, [(node.trace_id, node) for node in nodes]

    def _at_once(pieces: Iterable[Piece]) -> Iterator[AgentRun]:
        documents = [piece.document for piece in pieces]
        gathered = [each for document in documents for each in (document if is_list(document) else [document])]
        yield from read(gathered)

    lines: Lines = "each" if name == "jaeger" else "together"
    return Dialect(name, looks_for, detect, read, lines=lines, stream=stream, quick=quick)


OTLP = dialect(
    "otlp",
    '{"resourceSpans": […]}, Tempo\'s {"batches": […]} or {"trace": …}, or lines of them',
    is_otlp,
    otlp_spans,
    Quick(recorded_document, recorded_spans, recorded_lines),
)
JAEGER = dialect("jaeger", '{"data": [{"spans": [{"operationName"}]}]}', is_jaeger, jaeger_spans)
SPANS = dialect(
    "spans",
    'a list of {"span_id", "attributes"}, or the attributes of one span ("gen_ai.…", "openinference.…")',
    is_plain,
    plain_spans,
)
