"""Spans with OpenTelemetry's GenAI attributes, in every form that these have had, read as nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import TypeAlias

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentUsage, Gap
from scorewright.agents.tools import AgentError, CallKind, ToolDefinition, ToolInvocation
from scorewright.traces.adk_spans import REQUEST
from scorewright.traces.arguments import arguments
from scorewright.traces.converse import are_blocks, typed
from scorewright.traces.conversing import last_turn
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.genai_forms import Spoken, listed_events, spoken_in
from scorewright.traces.genai_parts import KEPT, LONGEST_KEPT, messages_of
from scorewright.traces.json_view import first_value, is_list, is_mapping, parsed, structured, text_in, value_in, whole
from scorewright.traces.nodes import Node, NodeKind, Offered
from scorewright.traces.openai_chat import definitions, result_of
from scorewright.traces.opening import opening_of
from scorewright.traces.spans import Span

Convention: TypeAlias = Callable[[Span], Node | None]

_KINDS: dict[str, NodeKind] = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "invoke_agent": "agent",
    "execute_tool": "tool",
}
_TRACELOOP: dict[str, NodeKind] = {"agent": "agent", "tool": "tool"}
_TOLD = (
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.prompt",
    "gen_ai.completion",
    "gen_ai.content.prompt",
)
_MERGED = "(merged tools)"  # ADK's span around parallel calls, each of which has its own
_EVENTS = "all_messages_events"  # of pydantic-ai before its format 2
_NAMES = ("gen_ai.agent.name", "agent_name", "traceloop.entity.name")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "model_name")
_TOLD_BY = ("gen_ai.choice", "gen_ai.user.message", "gen_ai.client.inf")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "gcp.vertex.agent.tool_call_args",
    "traceloop.entity.input",
    "input.value",
    "input",
)
_RESULTS = (
    "gen_ai.tool.call.result",
    "tool_response",
    "gcp.vertex.agent.tool_response",
    "traceloop.entity.output",
    "output.value",
    "output",
)


def genai(span: Span, /) -> Node | None:
    """The node of a span with GenAI attributes; None where it has none that say what it did."""
    attributes = span.attributes
    kind = kind_of(span)
    if kind is None:
        return None
    notes: list[Gap] = []
    if span.dropped:
        notes.append(gap("attributes_dropped", span.id, str(span.dropped)))
    spoken = Spoken() if kind == "tool" else spoken_in(span, notes)
    if kind == "agent" and "pydantic_ai.all_messages" in attributes:
        spoken = _whole(messages_of(attributes["pydantic_ai.all_messages"], span.id, notes))
    elif kind == "agent" and _EVENTS in attributes:
        spoken = _whole([message for _, message in listed_events(attributes[_EVENTS], span.id, notes)])
    call = _call(span, notes) if kind == "tool" else None
    return Node(
        span.id,
        kind,
        span.parent,
        span.trace_id,
        call.name if call is not None else text_in(attributes, *_NAMES) or span.name,
        span.start,
        span.end,
        spoken.opening,
        spoken.output,
        call,
        _final(attributes) if kind == "agent" else None,
        error_of(span),
        "" if call is not None else text_in(attributes, *_MODELS),
        span.scope,
        text_in(attributes, "gen_ai.conversation.id", "gen_ai.session.id"),
        _usage(attributes) if kind in {"model", "agent"} else None,
        _offered(attributes),
        tuple(notes),
    )


def kind_of(span: Span, /) -> NodeKind | None:
    """What a span did: by its operation, never by its name; older ones by what they hold."""
    attributes = span.attributes
    operation = attributes.get("gen_ai.operation.name")
    if operation and isinstance(operation, str):
        kind = _KINDS.get(operation, "other")
        return "other" if kind == "tool" and text_in(attributes, "gen_ai.tool.name") == _MERGED else kind
    if not span.events and not may_say(attributes):
        return None  # as most spans of a trace
    names = "\n".join(("", *attributes))
    traced = text_in(attributes, "traceloop.span.kind")
    if traced:
        return _TRACELOOP.get(traced, "other")
    if text_in(attributes, "gen_ai.tool.name"):
        return "tool"
    if text_in(attributes, REQUEST) not in {"", "{}"}:
        return "model"
    if _EVENTS in attributes or "pydantic_ai.all_messages" in attributes:
        return "agent"
    if "request_data" in attributes and is_mapping(parsed(attributes["request_data"])):
        return "model"
    if text_in(attributes, "llm.request.type") or any(f"\n{begin}" in names for begin in _TOLD):
        return "model"
    if span.events and any(event.name.startswith(_TOLD_BY) for event in span.events):
        return "model"
    return None


def may_say(names: Iterable[str], /) -> bool:
    """May attributes of these names say what a span did?"""
    told = "\n".join(names)
    return any(mark in told for mark in _MARKS)


_MARKS = ("gen_ai.", "llm.", "traceloop.", "gcp.vertex.", "_messages", "request_data")


def tool_name(span: Span, /) -> str:
    """The name of the tool that a span ran."""
    said = text_in(span.attributes, "gen_ai.tool.name", "traceloop.entity.name", "tool.name")
    return said or span.name.removeprefix("execute_tool ").removesuffix(".tool")


def error_of(span: Span, /) -> AgentError | None:
    """What went wrong in a span, where its status or its attributes say that something did."""
    attributes = span.attributes
    if not span.failed and "error.type" not in attributes and "exception.type" not in attributes:
        return None
    kind = text_in(attributes, "error.type", "exception.type")
    if not span.failed and not kind:
        return None
    return AgentError(span.problem or text_in(span.attributes, "exception.message") or kind or "error", kind)


def _whole(messages: list[Message]) -> Spoken:
    """An agent's whole conversation, parted where its last turn begins."""
    at = last_turn(messages)
    while at < len(messages) and messages[at].role == "user":
        at += 1
    return Spoken(opening_of(messages[:at]), tuple(messages[at:]))


def _call(span: Span, notes: list[Gap]) -> ToolInvocation:
    attributes = span.attributes
    said = value_in(attributes, *_ARGUMENTS)
    said = _unwrapped(said) if "traceloop.entity.input" in attributes else said
    args, raw = arguments(
        said if not isinstance(said, str) or said.lstrip()[:1] in {"{", "["} else None, span.id, notes
    )
    if args == {} and raw is None and isinstance(said, str) and said.strip() not in {"", "{}"}:
        args = said
    held = next((key for key in _RESULTS if key in attributes), None)
    present = held is not None
    result = None if held is None else attributes[held]
    if span.events and said is None and held is None:
        args, present, result = _by_events(span, args)
    error = error_of(span)
    return ToolInvocation(
        tool_name(span),
        args,
        lean(_said(result) if held == "traceloop.entity.output" else structured(result)) if present else None,
        present,
        "error" if error else "result",
        text_in(attributes, "gen_ai.tool.call.id"),
        raw,
        error,
        _call_kind(attributes),
        "",
        text_in(attributes, "gen_ai.agent.name"),
        span.start,
        span.end,
        "span_only",
    )


def _unwrapped(said: object) -> object:
    """What Traceloop wraps a tool's arguments in."""
    value = parsed(said)
    inner = first_value(value, "inputs", "kwargs")
    return inner if is_mapping(inner) and is_mapping(value) and value.keys() <= _WRAPS else said


def _said(result: object) -> object:
    """A result of Traceloop's, which writes everything as JSON, texts too."""
    value = structured(result)
    if isinstance(value, str) and value[:1] == value[-1:] == '"' and len(value) > 1:
        told = parsed(value)
        return told if isinstance(told, str) else value
    return value


_WRAPS = {"input_str", "inputs", "tags", "metadata", "kwargs", "args"}


def _by_events(span: Span, args: object) -> tuple[object, bool, object]:
    """What a tool was given, and what it gave, where these are events: so Strands has it."""
    asked = next((each.attributes for each in span.events if each.name == "gen_ai.tool.message"), None)
    gave = next((each.attributes for each in span.events if each.name == "gen_ai.choice"), None)
    given = parsed(asked.get("content")) if asked is not None else None
    result = structured(gave.get("message")) if gave is not None else None
    if are_blocks(result) and is_list(result):
        result = result_of(typed(result))
    return (lean(given) if is_mapping(given) else args), gave is not None, result


def _call_kind(attributes: Mapping[str, object]) -> CallKind:
    if "gen_ai.transfer.target.name" in attributes:
        return "handoff"
    kind = text_in(attributes, "gen_ai.tool.type").lower()
    return "mcp" if "mcp" in kind else "server" if kind == "extension" else "function"


def _final(attributes: Mapping[str, object]) -> object:
    """A final result that is not text, where an agent recorded one."""
    value = parsed(attributes.get("final_result"))
    return value if is_mapping(value) or is_list(value) else None


def _usage(attributes: Mapping[str, object]) -> AgentUsage | None:
    asked = value_in(attributes, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens")
    said = value_in(attributes, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
    if asked is None and said is None:
        return None
    cost = attributes.get("operation.cost")
    return AgentUsage(whole(asked) or 0, whole(said) or 0, cost if isinstance(cost, float) else None)


def _offered(attributes: Mapping[str, object]) -> Offered | None:
    said = attributes.get("gen_ai.tool.definitions")
    return None if said is None else partial(_definitions, said)


def _definitions(said: object) -> tuple[ToolDefinition, ...]:
    if isinstance(said, str) and len(said) < LONGEST_KEPT:
        return _defined(said)
    return definitions(said) if is_list(said) else _defined.__wrapped__(said) if isinstance(said, str) else ()


@lru_cache(KEPT)
def _defined(said: str) -> tuple[ToolDefinition, ...]:
    value = parsed(said)
    return definitions(value) if is_list(value) else ()
