"""Trace files of any size: agents that search, read and answer, recorded with GenAI or OpenInference attributes.

A trace is eight spans: the agent, three model calls that repeat the conversation so far, two tools, each with a web
request inside.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

Attributes: TypeAlias = dict[str, object]
Spans: TypeAlias = Callable[[int], Iterator[dict[str, object]]]

PER_TRACE = 8
BEGUN = 1_760_000_000_000_000_000
SYSTEM = (
    "You are the assistant of a parcel service. Look parcels up before you say where they are, and never promise a "
    "day that the tracking does not show. Answer in the language of the customer, in at most three sentences."
)
ASKED = "Where is parcel {0}? I ordered it on Monday, and the page says that it left your warehouse on Tuesday."
FOUND = "Parcel {0} left the warehouse in Graz on Tuesday at 17:40 and is in the sorting centre in Linz since 02:15."
ANSWER = "Your parcel {0} has left our warehouse and is in the sorting centre in Linz. The tracking names no day yet."
TOOL = {
    "type": "function",
    "name": "find_parcel",
    "description": "Where a parcel is",
    "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
}


def _any(value: object) -> dict[str, object]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return (
        {"arrayValue": {"values": [_any(each) for each in value]}}
        if isinstance(value, list)
        else {"stringValue": value}
    )


def _span(  # noqa: PLR0917 - the columns of a span
    trace: int, at: int, parent: int | None, name: str, kind: int, attributes: Attributes
) -> dict[str, object]:
    begun = BEGUN + trace * 10**10 + at * 10**8
    told: dict[str, object] = {
        "traceId": f"{trace + 1:032x}",
        "spanId": f"{trace * PER_TRACE + at + 1:016x}",
        "flags": 256,
        "name": name,
        "kind": kind,
        "startTimeUnixNano": str(begun),
        "endTimeUnixNano": str(begun + (10**10 - 1 if at == 0 else 9 * 10**7)),
        "attributes": [{"key": key, "value": _any(value)} for key, value in attributes.items()],
        "status": {},
    }
    return told if parent is None else told | {"parentSpanId": f"{trace * PER_TRACE + parent + 1:016x}"}


def _request(trace: int, at: int, parent: int) -> dict[str, object]:
    attributes: Attributes = {
        "http.request.method": "GET",
        "server.address": "parcels.example.com",
        "server.port": 443,
        "url.full": f"https://parcels.example.com/v1/parcels/{trace}?lang=en",
        "network.protocol.version": "1.1",
        "network.peer.address": "10.42.0.37",
        "user_agent.original": "python-httpx/0.28.1",
        "http.response.status_code": 200,
    }
    return _span(trace, at, parent, "GET", 3, attributes)


def genai(trace: int) -> Iterator[dict[str, object]]:
    """One trace as OpenTelemetry's own instrumentations write it."""
    told: list[object] = [{"role": "user", "parts": [{"type": "text", "content": ASKED.format(trace)}]}]
    common: Attributes = {"gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5"}
    answer = [
        {"role": "assistant", "parts": [{"type": "text", "content": ANSWER.format(trace)}], "finish_reason": "stop"}
    ]
    system = json.dumps([{"type": "text", "content": SYSTEM}])
    agent = {
        "gen_ai.operation.name": "invoke_agent",
        **common,
        "gen_ai.agent.name": "parcels",
        "gen_ai.conversation.id": f"conversation-{trace}",
        "gen_ai.input.messages": json.dumps(told),
        "gen_ai.output.messages": json.dumps(answer),
    }
    yield _span(trace, 0, None, "invoke_agent parcels", 1, agent)
    for step in range(3):
        id = f"call_{trace}_{step}"
        call = {"type": "tool_call", "id": id, "name": "find_parcel", "arguments": {"number": trace}}
        said = answer if step == 2 else [{"role": "assistant", "parts": [call], "finish_reason": "tool_call"}]
        chat = {
            "gen_ai.operation.name": "chat",
            **common,
            "gen_ai.response.model": "gpt-5-2026-08-07",
            "gen_ai.response.id": f"resp_{trace}_{step}",
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.request.temperature": 1,
            "gen_ai.usage.input_tokens": 200 + step,
            "gen_ai.usage.output_tokens": 30,
            "gen_ai.system_instructions": system,
            "gen_ai.input.messages": json.dumps(told),
            "gen_ai.output.messages": json.dumps(said),
            "gen_ai.tool.definitions": json.dumps([TOOL]),
        }
        yield _span(trace, 3 * step + 1, 0, "chat gpt-5", 3, chat)
        if step == 2:
            return
        found = FOUND.format(trace)
        tool = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "find_parcel",
            "gen_ai.tool.call.id": id,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.arguments": json.dumps({"number": trace}),
            "gen_ai.tool.call.result": found,
        }
        yield _span(trace, 3 * step + 2, 0, "execute_tool find_parcel", 1, tool)
        yield _request(trace, 3 * step + 3, 3 * step + 2)
        told += [*said, {"role": "tool", "parts": [{"type": "tool_call_response", "id": id, "response": found}]}]


def _numbered(prefix: str, messages: list[dict[str, object]]) -> Attributes:
    flat: Attributes = {}
    for at, message in enumerate(messages):
        for key, value in message.items():
            flat[f"{prefix}.{at}.message.{key}"] = value
    return flat


def openinference(trace: int) -> Iterator[dict[str, object]]:
    """The same as OpenInference's instrumentations write it."""
    told: list[dict[str, object]] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": ASKED.format(trace)},
    ]
    answer = ANSWER.format(trace)
    agent = {
        "openinference.span.kind": "AGENT",
        "agent.name": "parcels",
        "session.id": f"conversation-{trace}",
        "input.value": ASKED.format(trace),
        "output.value": answer,
    }
    yield _span(trace, 0, None, "parcels", 1, agent)
    for step in range(3):
        id = f"call_{trace}_{step}"
        call: dict[str, object] = {
            "role": "assistant",
            "tool_calls.0.tool_call.id": id,
            "tool_calls.0.tool_call.function.name": "find_parcel",
            "tool_calls.0.tool_call.function.arguments": json.dumps({"number": trace}),
        }
        said = {"role": "assistant", "content": answer} if step == 2 else call
        chat = {
            "openinference.span.kind": "LLM",
            "llm.system": "openai",
            "llm.provider": "openai",
            "llm.model_name": "gpt-5-2026-08-07",
            "llm.invocation_parameters": json.dumps({"model": "gpt-5", "temperature": 1}),
            "llm.token_count.prompt": 200 + step,
            "llm.token_count.completion": 30,
            "llm.token_count.total": 230 + step,
            "input.value": json.dumps({"messages": told, "model": "gpt-5", "temperature": 1}),
            "input.mime_type": "application/json",
            "output.value": json.dumps({"choices": [{"index": 0, "message": said}], "model": "gpt-5-2026-08-07"}),
            "output.mime_type": "application/json",
            **_numbered("llm.input_messages", told),
            **_numbered("llm.output_messages", [said]),
            "llm.tools.0.tool.json_schema": json.dumps(TOOL),
        }
        yield _span(trace, 3 * step + 1, 0, "ChatCompletion", 1, chat)
        if step == 2:
            return
        found = FOUND.format(trace)
        tool = {
            "openinference.span.kind": "TOOL",
            "tool.name": "find_parcel",
            "tool_call.id": id,
            "input.value": json.dumps({"number": trace}),
            "input.mime_type": "application/json",
            "output.value": found,
        }
        yield _span(trace, 3 * step + 2, 0, "find_parcel", 1, tool)
        yield _request(trace, 3 * step + 3, 3 * step + 2)
        told += [said, {"role": "tool", "content": found, "tool_call_id": id}]


def requests(trace: int) -> Iterator[dict[str, object]]:
    """A trace that no agent is in."""
    return (_request(trace, at, 0) for at in range(PER_TRACE))


KINDS: dict[str, Spans] = {"genai": genai, "openinference": openinference, "requests": requests}


def spans(kind: str, count: int) -> Iterator[dict[str, object]]:
    """So many spans, trace after trace."""
    return islice((span for trace in range(count) for span in KINDS[kind](trace)), count)


def otlp(batch: list[dict[str, object]]) -> dict[str, object]:
    """What a collector writes on one line."""
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "parcels"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "bench"}, "spans": batch}]}]}


def lines(kind: str, count: int, batch: int = 512) -> Iterator[str]:
    """The spans as the collector's file exporter writes them: a request a line, which is a batch."""
    left = spans(kind, count)
    while some := list(islice(left, batch)):
        yield json.dumps(otlp(some), separators=(",", ":")) + "\n"


def document(kind: str, count: int) -> str:
    """The spans as one document."""
    return json.dumps(otlp(list(spans(kind, count))), separators=(",", ":"))
