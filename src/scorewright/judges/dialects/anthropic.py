"""Anthropic messages. A schema is the format of the reply; for models before 4.5, the one tool that must be called."""

from __future__ import annotations

import json
from collections.abc import Mapping

from returns.result import Result

from scorewright.core.ask import Usage
from scorewright.faults import ContextTooLong, EmptyReply, JudgeFault, Refused, Truncated
from scorewright.judges.call import Call
from scorewright.judges.dialects.claude import LACKING, only_tools
from scorewright.judges.dialects.keywords import without
from scorewright.judges.fields import items, mapping, number, text
from scorewright.judges.http import Dialect, Said
from scorewright.judges.settings import thawed
from scorewright.results import err, ok

MOST_TOKENS = 4096  # the limit must be given; this one, unless the settings say another


def _headers(key: str) -> Mapping[str, str]:
    return {"x-api-key": key, "anthropic-version": "2023-06-01"}


def _body(call: Call) -> Mapping[str, object]:
    settings = call.settings
    body: dict[str, object] = {
        "model": call.model,
        "max_tokens": settings.max_tokens or MOST_TOKENS,
        "messages": [{"role": "user", "content": call.user}],
    }
    if call.system:
        body["system"] = call.system
    wished = (
        ("temperature", "temperature", settings.temperature),
        ("top_p", "top_p", settings.top_p),
        ("stop", "stop_sequences", None if settings.stop is None else list(settings.stop)),
    )
    body |= {theirs: value for ours, theirs, value in wished if value is not None and ours not in call.without}
    if call.schema is not None and only_tools(call.model):
        body["tools"] = [{"name": call.schema_name, "description": "Give the answer.", "input_schema": call.schema}]
        body["tool_choice"] = {"type": "tool", "name": call.schema_name}
    elif call.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": without(call.schema, LACKING)}}
    return {**body, **thawed(settings.extra)}


def _read(reply: Mapping[str, object]) -> Said:
    usage = mapping(reply, "usage")
    cached, written = number(usage, "cache_read_input_tokens"), number(usage, "cache_creation_input_tokens")
    counted = Usage(
        number(usage, "input_tokens") + cached + written,
        number(usage, "output_tokens"),
        cached,
        number(mapping(usage, "output_tokens_details"), "thinking_tokens"),
        cache_write_tokens=written,
    )
    finish = text(reply, "stop_reason")
    return Said(_answer(reply, finish), counted if usage else None, text(reply, "model"), text(reply, "id"), finish)


def _answer(reply: Mapping[str, object], finish: str) -> Result[str, JudgeFault]:
    blocks = items(reply, "content")
    called = [mapping(block, "input") for block in blocks if text(block, "type") == "tool_use"]
    said = "".join(text(block, "text") for block in blocks if text(block, "type") == "text")
    if finish == "refusal":
        return err(Refused(said or text(mapping(reply, "stop_details"), "explanation")))
    if finish == "model_context_window_exceeded":
        return err(ContextTooLong("the reply ran into the end of the context"))
    if finish in {"max_tokens", "pause_turn"}:
        return err(Truncated(said or json.dumps(called, ensure_ascii=False)))
    if called:
        return ok(json.dumps(called[0], ensure_ascii=False))
    return ok(said) if said.strip() else err(EmptyReply())


ANTHROPIC = Dialect(
    "anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", lambda _: "/messages", _headers, _body, _read
)
