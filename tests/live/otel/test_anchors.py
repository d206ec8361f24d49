"""Agents are known by the same marks as the readers of traces know them by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from returns.pipeline import is_successful
from traces.manifest import FOLDER, rows

from scorewright.live.otel import is_agent, is_agent_or_root
from scorewright.traces.containers import is_jaeger, is_otlp, is_plain, jaeger_spans, otlp_spans, plain_spans
from scorewright.traces.loading import opened
from scorewright.traces.span_traces import node_of
from scorewright.traces.spans import Span


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, False),
        ({"http.method": "GET"}, False),
        ({"gen_ai.operation.name": "invoke_agent"}, True),
        ({"gen_ai.operation.name": "chat"}, False),
        ({"gen_ai.operation.name": "invoke_workflow"}, False),
        ({"openinference.span.kind": "AGENT"}, True),
        ({"openinference.span.kind": "LLM", "gen_ai.operation.name": "invoke_agent"}, False),
        ({"openinference.span.kind": "AGENT", "metadata": '{"langgraph_step": 3}'}, False),
        ({"traceloop.span.kind": "agent"}, True),
        ({"traceloop.span.kind": "workflow"}, False),
        ({"ai.operationId": "ai.generateText"}, True),
        ({"ai.operationId": "ai.generateText.doGenerate"}, False),
        ({"logfire.msg_template": "Agent run: {name!r}"}, True),
        ({"pydantic_ai.all_messages": "[]"}, True),
    ],
)
def test_an_agent_is_known_by_its_attributes(attributes: Mapping[str, object], expected: bool) -> None:
    """By every convention that is read, and as the reader says."""
    assert is_agent("any", attributes, False) is expected
    assert is_agent_or_root("any", attributes, True)
    assert (node_of(Span("s", attributes=attributes)).kind == "agent") is expected


def spans() -> Iterator[Span]:
    """Every span of the real traces."""
    for row in rows():
        loaded = opened(row.file).document
        if loaded is None or not is_successful(loaded):
            continue
        document = loaded.unwrap()
        for detect, read in ((is_otlp, otlp_spans), (is_jaeger, jaeger_spans), (is_plain, plain_spans)):
            if detect(document):
                yield from read(document, 0)
                break


@pytest.mark.skipif(not FOLDER.exists(), reason="the real traces are not here")
def test_real_spans_are_agents_where_the_reader_says_so() -> None:
    """But for those whose content is in log records, which no span tells."""
    found = [(span, node_of(span).kind == "agent") for span in spans() if not any(each.body for each in span.events)]
    wrong = [span.name for span, expected in found if is_agent(span.name, span.attributes, False) is not expected]
    assert sum(expected for _, expected in found) > 10
    assert wrong == []
