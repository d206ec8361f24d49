"""Anthropic messages on the wire."""

from __future__ import annotations

import json

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, fault_of, once, requests_for
from fakes.openai_server import Answer, Body, status
from fakes.providers import message

from scorewright.core import Usage
from scorewright.faults import (
    BadRequest,
    ContextTooLong,
    EmptyReply,
    QuotaExhausted,
    RateLimited,
    Refused,
    ServerError,
    Truncated,
    Unauthorized,
)
from scorewright.judges import ModelSettings

MODEL = "anthropic/claude-sonnet-4-5"
SAID: Body = {"type": "text", "text": TEXT}
USED: Body = {"type": "tool_use", "id": "t", "name": "Verdict", "input": json.loads(TEXT)}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def test_a_request_holds_exactly_these_fields() -> None:
    """The schema is the format of the reply; what its grammar lacks is told in words. There is no seed."""
    reply, received = once(MODEL, message(SAID), model_settings=ModelSettings(0, 0.5, 7, 50, ("END",)))
    score, why = {"type": "number", "description": "minimum: 0"}, {"type": "string", "description": "maxLength: 9"}
    assert received.path == "/v1/messages"
    assert (received.headers["x-api-key"], received.headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert "authorization" not in received.headers
    assert received.json == {
        "model": "claude-sonnet-4-5",
        "system": "Be fair.",
        "messages": [{"role": "user", "content": "Judge this."}],
        "max_tokens": 50,
        "temperature": 0,
        "top_p": 0.5,
        "stop_sequences": ["END"],
        "output_config": {
            "format": {"type": "json_schema", "schema": {**SCHEMA, "properties": {"score": score, "why": why}}}
        },
    }
    assert reply.answer.unwrap() == TEXT


def test_older_models_are_made_to_call_a_tool() -> None:
    """They have no format; the input of the tool is the answer."""
    reply, received = once("anthropic/claude-3-7-sonnet-latest", message(USED, stop="tool_use"))
    assert received.json["tools"] == [{"name": "Verdict", "description": "Give the answer.", "input_schema": SCHEMA}]
    assert received.json["tool_choice"] == {"type": "tool", "name": "Verdict"}
    assert "output_config" not in received.json
    assert json.loads(reply.answer.unwrap()) == json.loads(TEXT)


def test_usage_counts_what_was_cached_and_thought() -> None:
    """Anthropic counts cached tokens apart: here they are a part of the sum, as everywhere."""
    [attempt] = once(MODEL, message({"type": "thinking", "thinking": "hm", "signature": ""}, SAID))[0].attempts
    assert attempt.usage == Usage(100, 20, 64, 8, cache_write_tokens=6)
    assert (attempt.model, attempt.request_id) == ("claude-sonnet-4-5-20250929", "req_anthropic")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (message({"type": "text", "text": "{"}, stop="max_tokens"), Truncated("{")),
        (message(SAID, stop="pause_turn"), Truncated(TEXT)),
        (message(stop="refusal", stop_details={"type": "refusal", "explanation": "Harm."}), Refused("Harm.")),
        (
            message(SAID, stop="model_context_window_exceeded"),
            ContextTooLong("the reply ran into the end of the context"),
        ),
        (message(), EmptyReply()),
        (message({"type": "text", "text": "{}"}, stop="stop_sequence"), None),
    ],
)
def test_every_way_to_finish_is_understood(answer: Answer, fault: object) -> None:
    """Only a reply that came to its end is an answer."""
    reply, _ = once(MODEL, answer)
    assert (reply.answer.failure() if fault else None) == fault


def error(kind: str, said: str, **more: object) -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": said, **more}, "request_id": "req_1"}


@pytest.mark.parametrize(
    ("answer", "fault", "requests"),
    [
        (status(401, error("authentication_error", "invalid x-api-key")), Unauthorized("invalid x-api-key"), 1),
        (status(403, error("permission_error", "no")), Unauthorized("no"), 1),
        (status(402, error("billing_error", "pay")), QuotaExhausted("pay"), 1),
        (
            status(400, error("invalid_request_error", "Your credit balance is too low to access the API")),
            QuotaExhausted("Your credit balance is too low to access the API"),
            1,
        ),
        (
            status(429, error("rate_limit_error", "spent", details={"error_code": "enforced_spend_limit_reached"})),
            QuotaExhausted("spent"),
            1,
        ),
        (status(429, error("rate_limit_error", "slow"), {"retry-after": "7"}), RateLimited("slow", 7.0), 2),
        (
            status(400, error("invalid_request_error", "prompt is too long: 9 tokens > 5 maximum")),
            ContextTooLong("prompt is too long: 9 tokens > 5 maximum"),
            1,
        ),
        (status(413, error("request_too_large", "big")), ContextTooLong("big"), 1),
        (status(404, error("not_found_error", "model: x")), BadRequest(404, "model: x"), 1),
        (status(500, error("api_error", "Oops")), ServerError(500, "Oops"), 2),
        (status(504, error("timeout_error", "late")), ServerError(504, "late"), 2),
        (status(529, error("overloaded_error", "Overloaded")), ServerError(529, "Overloaded"), 2),
    ],
)
def test_every_error_is_its_fault(answer: Answer, fault: object, requests: int) -> None:
    """And only what passes by itself is asked again."""
    assert fault_of(MODEL, answer) == fault
    assert requests_for(MODEL, [answer] * requests) == requests


def test_the_key_is_nowhere() -> None:
    """Even where the server repeats it."""
    reply, _ = once(MODEL, status(401, error("authentication_error", f"invalid x-api-key {KEY}")))
    assert reply.answer.failure() == Unauthorized("invalid x-api-key [key]")
    assert KEY not in repr(reply) + reply.attempts[0].raw
