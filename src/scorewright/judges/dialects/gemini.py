"""Google's Gemini: generateContent."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from returns.result import Result

from scorewright.core.ask import Usage
from scorewright.faults import ContentFiltered, EmptyReply, JudgeFault, ServerError, Truncated
from scorewright.judges.call import Call
from scorewright.judges.fields import first_of, items, mapping, number, text
from scorewright.judges.http import Dialect, Said
from scorewright.judges.logprobs import gemini_tokens
from scorewright.judges.settings import thawed
from scorewright.results import err, ok

FILTERED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR"})
DONE = frozenset({"", "STOP", "FINISH_REASON_UNSPECIFIED"})


def _body(call: Call) -> Mapping[str, object]:
    settings = call.settings
    wished = (
        ("temperature", "temperature", settings.temperature),
        ("top_p", "topP", settings.top_p),
        ("seed", "seed", settings.seed),
        ("max_tokens", "maxOutputTokens", settings.max_tokens),
        ("stop", "stopSequences", None if settings.stop is None else list(settings.stop)),
    )
    config: dict[str, object] = {
        theirs: value for ours, theirs, value in wished if value is not None and ours not in call.without
    }
    if call.schema is not None:
        config |= {"responseMimeType": "application/json", "responseJsonSchema": call.schema}
    if call.alternatives:
        config |= {"responseLogprobs": True, "logprobs": call.alternatives}
    body: dict[str, object] = {"contents": [{"role": "user", "parts": [{"text": call.user}]}]}
    if call.system:
        body["systemInstruction"] = {"parts": [{"text": call.system}]}
    if config:
        body["generationConfig"] = config
    return {**body, **thawed(settings.extra)}


def _read(reply: Mapping[str, object]) -> Said:
    candidate = first_of(reply, "candidates")
    finish = text(candidate, "finishReason")
    usage = mapping(reply, "usageMetadata")
    thought = number(usage, "thoughtsTokenCount")
    counted = Usage(
        number(usage, "promptTokenCount"),
        number(usage, "candidatesTokenCount") + thought,
        number(usage, "cachedContentTokenCount"),
        thought,
    )
    return Said(
        _answer(reply, candidate, finish),
        counted if usage else None,
        text(reply, "modelVersion"),
        text(reply, "responseId"),
        finish,
        gemini_tokens(mapping(candidate, "logprobsResult")) if candidate.get("logprobsResult") else (),
    )


def _answer(reply: Mapping[str, object], candidate: Mapping[str, object], finish: str) -> Result[str, JudgeFault]:
    blocked = text(mapping(reply, "promptFeedback"), "blockReason")
    if blocked or finish in FILTERED:
        return err(ContentFiltered(f"the provider's filter stopped it: {blocked or finish}"))
    parts = items(mapping(candidate, "content"), "parts")
    said = "".join(text(part, "text") for part in parts if not part.get("thought"))
    if finish == "MAX_TOKENS":
        return err(Truncated(said))
    if finish not in DONE:
        return err(ServerError(200, f"the model broke off: {finish}"))
    return ok(said) if said.strip() else err(EmptyReply())


GEMINI = Dialect(
    "gemini",
    "https://generativelanguage.googleapis.com/v1beta",
    "GEMINI_API_KEY",
    lambda call: f"/models/{quote(call.model, safe='')}:generateContent",
    lambda key: {"x-goog-api-key": key},
    _body,
    _read,
)
