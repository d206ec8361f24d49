"""Gemini's generateContent on the wire."""

from __future__ import annotations

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, fault_of, once, requests_for
from fakes.openai_server import Answer, raw, status
from fakes.providers import candidate

from scorewright.core import Usage
from scorewright.faults import (
    BadRequest,
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    QuotaExhausted,
    RateLimited,
    ServerError,
    Truncated,
    Unauthorized,
)
from scorewright.judges import ModelSettings

MODEL = "gemini/gemini-2.5-flash"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)


def test_a_request_holds_exactly_these_fields() -> None:
    """The key is in a header, never in the address."""
    reply, received = once(MODEL, candidate({"text": TEXT}), model_settings=ModelSettings(0, 0.5, 7, 50, ("END",)))
    assert received.path == "/v1/models/gemini-2.5-flash:generateContent"
    assert received.headers["x-goog-api-key"] == KEY
    assert received.json == {
        "contents": [{"role": "user", "parts": [{"text": "Judge this."}]}],
        "systemInstruction": {"parts": [{"text": "Be fair."}]},
        "generationConfig": {
            "temperature": 0,
            "topP": 0.5,
            "seed": 7,
            "maxOutputTokens": 50,
            "stopSequences": ["END"],
            "responseMimeType": "application/json",
            "responseJsonSchema": SCHEMA,
        },
    }
    assert reply.answer.unwrap() == TEXT


def test_usage_counts_what_was_cached_and_thought() -> None:
    """Gemini counts thoughts apart: here they are a part of the sum, as everywhere."""
    reply, _ = once(MODEL, candidate({"text": "hm", "thought": True}, {"text": TEXT}))
    [attempt] = reply.attempts
    assert reply.answer.unwrap() == TEXT
    assert attempt.usage == Usage(100, 20, 64, 8)
    assert (attempt.model, attempt.request_id, attempt.finish_reason) == ("gemini-2.5-flash", "gem-1", "STOP")


FILTERS = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (candidate({"text": "{"}, finish="MAX_TOKENS"), Truncated("{")),
        *[
            (candidate(finish=reason), ContentFiltered(f"the provider's filter stopped it: {reason}"))
            for reason in FILTERS
        ],
        *[
            (candidate({"text": TEXT}, finish=reason), ServerError(200, f"the model broke off: {reason}"))
            for reason in ("OTHER", "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL")
        ],
        (candidate(), EmptyReply()),
        (
            raw('{"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}}'),
            ContentFiltered("the provider's filter stopped it: SAFETY"),
        ),
    ],
)
def test_every_way_to_finish_is_understood(answer: Answer, fault: object) -> None:
    """Only a reply that came to its end is an answer."""
    assert fault_of(MODEL, answer) == fault


def error(code: int, kind: str, said: str, *details: dict[str, object]) -> Answer:
    return status(code, {"error": {"code": code, "message": said, "status": kind, "details": list(details)}})


def typed(kind: str, **fields: object) -> dict[str, object]:
    return {"@type": f"type.googleapis.com/google.rpc.{kind}", **fields}


WAIT = typed("RetryInfo", retryDelay="45.837906927s")
A_MINUTE = typed("QuotaFailure", violations=[{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}])
A_DAY = typed("QuotaFailure", violations=[{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}])


@pytest.mark.parametrize(
    ("answer", "fault", "requests"),
    [
        (error(429, "RESOURCE_EXHAUSTED", "quota", A_MINUTE, WAIT), RateLimited("quota", 45.837906927), 2),
        (error(429, "RESOURCE_EXHAUSTED", "quota", A_DAY, WAIT), QuotaExhausted("quota"), 1),
        (
            error(400, "INVALID_ARGUMENT", "API key not valid.", typed("ErrorInfo", reason="API_KEY_INVALID")),
            Unauthorized("API key not valid."),
            1,
        ),
        (error(403, "PERMISSION_DENIED", "no"), Unauthorized("no"), 1),
        (error(404, "NOT_FOUND", "models/x"), BadRequest(404, "models/x"), 1),
        (
            error(
                400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (5)."
            ),
            ContextTooLong("The input token count (9) exceeds the maximum number of tokens allowed (5)."),
            1,
        ),
        (error(500, "INTERNAL", "Oops"), ServerError(500, "Oops"), 2),
        (error(503, "UNAVAILABLE", "The model is overloaded."), ServerError(503, "The model is overloaded."), 2),
        (
            raw('[{"error": {"code": 503, "message": "in a list", "status": "UNAVAILABLE"}}]', 503),
            ServerError(503, "in a list"),
            2,
        ),
    ],
)
def test_every_error_is_its_fault(answer: Answer, fault: object, requests: int) -> None:
    """The wait stands in the body, and a quota of a day is an end; only what passes by itself is asked again."""
    assert fault_of(MODEL, answer) == fault
    assert requests_for(MODEL, [answer] * requests) == requests


def test_the_key_is_nowhere() -> None:
    """Even where the server repeats it."""
    reply, _ = once(MODEL, error(400, "INVALID_ARGUMENT", f"API key {KEY} not valid"))
    assert reply.answer.failure() == BadRequest(400, "API key [key] not valid")
    assert KEY not in repr(reply) + reply.attempts[0].raw
