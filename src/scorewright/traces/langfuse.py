"""Langfuse exports: a trace with its observations, whatever they were recorded by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    is_number,
    list_at,
    mapping_at,
    parsed,
    structured,
    text_at,
    text_in,
    value_at,
    whole_at,
)
from scorewright.traces.langfuse_io import given_messages, instructed, said_messages
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.openinference import spoken
from scorewright.traces.opening import Opening, opening_of
from scorewright.traces.telling import runs_of
from scorewright.traces.times import moment

_TYPES: dict[str, NodeKind] = {
    "GENERATION": "model",
    "AGENT": "agent",
    "TOOL": "tool",
    "EVALUATOR": "aside",
    "GUARDRAIL": "aside",
    "SPAN": "other",
    "EVENT": "other",
    "CHAIN": "other",
    "RETRIEVER": "other",
    "EMBEDDING": "other",
}
_KINDS: dict[str, NodeKind] = {"AGENT": "agent", "TOOL": "tool", "LLM": "model", "EVALUATOR": "aside"}
_TOOL_NAMES = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name")
_OPERATIONS: dict[str, NodeKind] = {
    "invoke_agent": "agent",
    "execute_tool": "tool",
    "chat": "model",
    "create_agent": "other",
}


def detect(value: object, /) -> bool:
    """A list of observations, alone, beside their trace, or in it; each with Langfuse's type."""
    observed = _observations(value)
    return any(map(_is_observation, observed[:3])) or any(map(_is_trace, observed[:1])) or _is_trace(value)


def _observations(value: object) -> Sequence[object]:
    """The observations with input and output; a trace lists them once more without."""
    if is_list(value):
        return value
    return list_at(value, "observations") or list_at(value, "trace", "observations") or list_at(value, "data")


def _is_observation(value: object) -> bool:
    return bool(first_text(value, "traceId", "trace_id")) and text_at(value, "type") in _TYPES


def _is_trace(value: object) -> bool:
    """Is it a trace of a list of traces, which have no observations, or the ids of these?"""
    fields = mapping_at(value)
    ours = bool({"htmlPath", "projectId"} & fields.keys()) or fields.keys() >= {"sessionId", "tags", "userId"}
    return ours and fields.keys() >= {"id", "input", "output", "timestamp"}


def read(value: object, /) -> Iterator[AgentRun]:
    """The runs of all traces."""
    observed = [each for each in _observations(value) if is_mapping(each)]
    if any(map(_is_trace, observed[:1])):
        for trace in observed:
            yield from read(trace)
        return
    runs = runs_of([_node(each, at) for at, each in enumerate(observed)], TraceSource("langfuse"))
    first = next(runs, None)
    if first is None:  # what was said may stand on the trace alone
        trace = mapping_at(value, "trace") or mapping_at(value)
        runs = runs_of([_node({**trace, "type": "AGENT", "traceId": trace.get("id")}, 0)], TraceSource("langfuse"))
    else:
        yield first
    yield from runs


def _node(each: dict[str, object], at: int) -> Node:
    metadata = _metadata(each)
    attributes = mapping_at(metadata, "attributes")
    kind = _kind(each, attributes)
    notes: list[Gap] = []
    id = text_at(each, "id") or f"#{at}"
    error = _error(each)
    call = _call(each, attributes, error, notes) if kind == "tool" else None
    opening, output = _io(each, attributes, kind, id, notes)
    return Node(
        id,
        kind,
        first_text(each, "parentObservationId", "parent_observation_id"),
        first_text(each, "traceId", "trace_id"),
        call.name
        if call is not None
        else text_in(attributes, "gen_ai.agent.name", "agent_name") or text_at(each, "name"),
        moment(first_value(each, "startTime", "start_time")),
        moment(first_value(each, "endTime", "end_time")),
        opening,
        tuple(output),
        call,
        _final(attributes) if kind == "agent" else None,
        error,
        text_at(each, "model"),
        text_at(metadata, "scope", "name") or text_at(metadata, "scope"),
        text_at(each, "sessionId") or text_in(attributes, "session.id"),
        _usage(each) if kind == "model" else None,
        gaps=tuple(notes),
    )


def _metadata(each: dict[str, object]) -> object:
    """What the instrumentation recorded; since version 4 by flat names."""
    told = parsed(each.get("metadata"))
    if not is_mapping(told) or "attributes" in told:
        return told
    flat = {key.removeprefix(_FLAT): held for key, held in told.items() if key.startswith(_FLAT)}
    return {**told, "attributes": flat, "scope": first_value(told, "scope", "scope.name")} if flat else told


_FLAT = "attributes."


def _kind(each: dict[str, object], attributes: Mapping[str, object]) -> NodeKind:
    """What the instrumentation said, then what an agent's and a tool's observation hold, then Langfuse's type."""
    said = text_in(attributes, "openinference.span.kind")
    if said in _KINDS:
        return _KINDS[said]
    operation = text_in(attributes, "gen_ai.operation.name")
    if operation in _OPERATIONS:
        return _OPERATIONS[operation]
    if text_in(attributes, *_TOOL_NAMES) or _is_tool_message(parsed(each.get("output"))):
        return "tool"
    if text_in(attributes, "agent_name") and "final_result" in attributes:
        return "agent"
    return _TYPES.get(text_at(each, "type"), "other")


def _is_tool_message(output: object) -> bool:
    return is_mapping(output) and text_at(output, "type") == "tool" and "tool_call_id" in output


def _io(
    each: dict[str, object], attributes: dict[str, object], kind: NodeKind, id: str, notes: list[Gap]
) -> tuple[Opening | None, Sequence[Message]]:
    if kind == "tool":
        return None, ()
    opening, output = (
        spoken(attributes, kind, id, notes) if "llm.input_messages.0.message.role" in attributes else (None, ())
    )
    if opening is None:
        given = given_messages(each.get("input"), f"{id} input", notes)
        opening = opening_of([*instructed(each.get("output"), given), *given])
    return opening, output or said_messages(each.get("output"), kind, f"{id} output", notes)


def _error(each: dict[str, object]) -> AgentError | None:
    if text_at(each, "level") != "ERROR":
        return None
    return AgentError(first_text(each, "statusMessage", "status_message") or "error")


def _call(
    each: dict[str, object], attributes: Mapping[str, object], error: AgentError | None, notes: list[Gap]
) -> ToolInvocation:
    given, told = parsed(each.get("input")), structured(parsed(each.get("output")))
    if (
        is_mapping(given)
        and set(given) == {"input"}
        and is_mapping(given["input"])
        and "final_result" not in attributes
    ):
        inner = given["input"]
        given = inner if text_in(attributes, "langsmith.span.kind") else given
    args, raw = arguments(given if is_mapping(given) or is_list(given) else None, text_at(each, "id"), notes)
    wrapped = _is_tool_message(told)
    answer = told if is_mapping(told) and told.keys() == {"id", "name", "response"} else {}  # of Gemini
    result = value_at(told, "content") if wrapped else answer.get("response", told)
    if error is None and (_failed(told) or (wrapped and text_at(told, "status") == "error")):
        error = AgentError(first_text(told, "message", "error") or str(result))
    return ToolInvocation(
        text_in(attributes, *_TOOL_NAMES)
        or text_at(each, "name").removeprefix("running tool: ").removeprefix("execute_tool "),
        args,
        lean(structured(result)),
        each.get("output") is not None,
        "error" if error else "result",
        text_in(attributes, "gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id")
        or (text_at(told, "tool_call_id") if wrapped else text_at(answer, "id")),
        raw,
        error,
    )


def _failed(told: object) -> bool:
    """Does the result say in a field of its own that the call failed?"""
    return first_text(told, "response_status").lower() == "error"


def _final(attributes: Mapping[str, object]) -> object:
    value = parsed(attributes.get("final_result"))
    return value if is_mapping(value) or is_list(value) else None


def _usage(each: dict[str, object]) -> AgentUsage | None:
    details = mapping_at(each, "usageDetails") or mapping_at(each, "usage")
    if not details:
        return None
    cost = first_value(each, "totalCost", "calculatedTotalCost")
    known = float(cost) if is_number(cost) else None
    return AgentUsage(whole_at(details, "input") or 0, whole_at(details, "output") or 0, known)


LANGFUSE = Dialect(
    "langfuse", '{"trace", "observations": [{"traceId", "type": "GENERATION"}]}', detect, read, lines="together"
)
