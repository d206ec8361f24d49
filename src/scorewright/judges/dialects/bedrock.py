"""Amazon Bedrock: converse, with an API key of Bedrock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote

from returns.result import Result

from scorewright.core.ask import Usage
from scorewright.faults import ContentFiltered, EmptyReply, JudgeFault, Truncated
from scorewright.judges.call import Call
from scorewright.judges.dialects.openai_chat import bearer
from scorewright.judges.fields import items, mapping, number, text
from scorewright.judges.http import Dialect, Said
from scorewright.results import err, ok


def _body(call: Call) -> Mapping[str, object]:
    settings = call.settings
    wished: dict[str, object | None] = {
        "temperature": settings.temperature,
        "topP": settings.top_p,
        "maxTokens": settings.max_tokens,
        "stopSequences": None if settings.stop is None else list(settings.stop),
    }
    refused = {"topP" if name == "top_p" else name for name in call.without}
    config = {name: value for name, value in wished.items() if value is not None and name not in refused}
    body: dict[str, object] = {"messages": [{"role": "user", "content": [{"text": call.user}]}]}
    if call.system:
        body["system"] = [{"text": call.system}]
    if config:
        body["inferenceConfig"] = config
    if call.schema is not None:
        tool = {"name": call.schema_name, "description": "Give the answer.", "inputSchema": {"json": call.schema}}
        body["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": call.schema_name}}}
    return {**body, **settings.extra}


def _read(reply: Mapping[str, object]) -> Said:
    usage = mapping(reply, "usage")
    counted = Usage(
        number(usage, "inputTokens"), number(usage, "outputTokens"), number(usage, "cacheReadInputTokens")
    )
    finish = text(reply, "stopReason")
    return Said(_answer(reply, finish), counted if usage else None, "", "", finish)


def _answer(reply: Mapping[str, object], finish: str) -> Result[str, JudgeFault]:
    blocks = items(mapping(reply, "output", "message"), "content")
    called = [mapping(block, "toolUse", "input") for block in blocks if "toolUse" in block]
    said = "".join(text(block, "text") for block in blocks)
    if finish in {"guardrail_intervened", "content_filtered"}:
        return err(ContentFiltered(f"the provider's filter stopped it: {finish}"))
    if finish == "max_tokens":
        return err(Truncated(said))
    if called:
        return ok(json.dumps(called[0], ensure_ascii=False))
    return ok(said) if said.strip() else err(EmptyReply())


BEDROCK = Dialect(
    "https://bedrock-runtime.us-east-1.amazonaws.com",
    "AWS_BEARER_TOKEN_BEDROCK",
    lambda call: f"/model/{quote(call.model, safe='')}/converse",
    bearer,
    _body,
    _read,
)
