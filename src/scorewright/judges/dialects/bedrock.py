"""Amazon Bedrock: converse, with an API key of Bedrock, or with AWS credentials (`scorewright.judges.aws`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote

from returns.result import Result

from scorewright.core.ask import Usage
from scorewright.faults import ContentFiltered, ContextTooLong, EmptyReply, JudgeFault, ServerError, Truncated
from scorewright.judges.call import Call
from scorewright.judges.dialects.claude import LACKING, only_tools
from scorewright.judges.dialects.keywords import without
from scorewright.judges.dialects.openai_chat import bearer
from scorewright.judges.fields import items, mapping, number, text
from scorewright.judges.http import Dialect, Said
from scorewright.judges.settings import thawed
from scorewright.results import err, ok


def _body(call: Call) -> Mapping[str, object]:
    settings = call.settings
    wished = (
        ("temperature", "temperature", settings.temperature),
        ("top_p", "topP", settings.top_p),
        ("max_tokens", "maxTokens", settings.max_tokens),
        ("stop", "stopSequences", None if settings.stop is None else list(settings.stop)),
    )
    config = {theirs: value for ours, theirs, value in wished if value is not None and ours not in call.without}
    body: dict[str, object] = {"messages": [{"role": "user", "content": [{"text": call.user}]}]}
    if call.system:
        body["system"] = [{"text": call.system}]
    if config:
        body["inferenceConfig"] = config
    if call.schema is not None and ("amazon.nova" in call.model or only_tools(call.model)):
        tool = {"name": call.schema_name, "description": "Give the answer.", "inputSchema": {"json": call.schema}}
        body["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": call.schema_name}}}
    elif call.schema is not None:
        schema = json.dumps(without(call.schema, LACKING), ensure_ascii=False)  # as text, so the service wants it
        shape = {"jsonSchema": {"name": call.schema_name, "schema": schema}}
        body["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": shape}}
    return {**body, **thawed(settings.extra)}


def _read(reply: Mapping[str, object]) -> Said:
    usage = mapping(reply, "usage")
    cached, written = number(usage, "cacheReadInputTokens"), number(usage, "cacheWriteInputTokens")
    counted = Usage(
        number(usage, "inputTokens") + cached + written,
        number(usage, "outputTokens"),
        cached,
        cache_write_tokens=written,
    )
    finish = text(reply, "stopReason")
    return Said(_answer(reply, finish), counted if usage else None, "", "", finish)


def _answer(reply: Mapping[str, object], finish: str) -> Result[str, JudgeFault]:
    blocks = items(mapping(reply, "output", "message"), "content")
    called = [mapping(block, "toolUse", "input") for block in blocks if "toolUse" in block]
    said = "".join(text(block, "text") for block in blocks)
    if finish in {"guardrail_intervened", "content_filtered"}:
        return err(ContentFiltered(f"the provider's filter stopped it: {finish}"))
    if finish == "model_context_window_exceeded":
        return err(ContextTooLong("the reply ran into the end of the context"))
    if finish.startswith("malformed"):
        return err(ServerError(200, f"the model broke off: {finish}"))
    if finish == "max_tokens":
        return err(Truncated(said or json.dumps(called, ensure_ascii=False)))
    if called:
        return ok(json.dumps(called[0], ensure_ascii=False))
    return ok(said) if said.strip() else err(EmptyReply())


BEDROCK = Dialect(
    "bedrock",
    "https://bedrock-runtime.{region}.amazonaws.com",
    "AWS_BEARER_TOKEN_BEDROCK",
    lambda call: f"/model/{quote(call.model, safe='')}/converse",
    bearer,
    _body,
    _read,
)
