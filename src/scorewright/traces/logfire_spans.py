"""Spans of Logfire that have no GenAI operation, read as nodes: agents and tools that it names by its templates."""

from __future__ import annotations

from scorewright.agents.run import Gap
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.files import lean
from scorewright.traces.genai import error_of
from scorewright.traces.json_view import mapping_at, parsed, structured, text_at, text_in
from scorewright.traces.nodes import Node
from scorewright.traces.spans import Span

_TEMPLATE = "logfire.msg_template"
_AGENT, _TOOL = "Agent run: {name!r}", "Function: {name}"


def logfire(span: Span, /) -> Node | None:
    """The node of an agent or a function that OpenAI Agents ran under Logfire; None for any other span."""
    template = span.attributes.get(_TEMPLATE)
    if template not in (_AGENT, _TOOL):
        return None
    name = text_in(span.attributes, "name")
    at = (span.parent, span.trace_id, name, span.start, span.end)
    if template == _AGENT:
        return Node(span.id, "agent", *at, error=error_of(span), framework=span.scope)
    notes: list[Gap] = []
    args, raw = arguments(_said(span, "input"), span.id, notes)
    output = _said(span, "output")
    error = error_of(span)
    mcp = mapping_at(_said(span, "mcp_data"))
    call = ToolInvocation(
        name,
        args,
        lean(structured(output)),
        "output" in span.attributes,
        "error" if error else "result",
        args_raw=raw,
        error=error,
        kind="mcp" if mcp else "function",
        server=text_at(mcp, "server"),
    )
    return Node(span.id, "tool", *at, call=call, error=error, framework=span.scope, gaps=tuple(notes))


def _said(span: Span, name: str) -> object:
    """An attribute, where "null" is null; text stays text."""
    held = span.attributes.get(name)
    value = parsed(held)
    return value if value is None or not isinstance(held, str) or not isinstance(value, (int, float)) else held
