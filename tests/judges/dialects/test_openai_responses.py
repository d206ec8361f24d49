"""OpenAI responses on the wire."""

from __future__ import annotations

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, fault_of, once, requests_for
from fakes.openai_server import Answer, Body
from fakes.providers import response

from scorewright.core import Usage
from scorewright.faults import ContentFiltered, EmptyReply, RateLimited, Refused, ServerError, Truncated
from scorewright.judges import ModelSettings

MODEL = "openai-responses/gpt-5"
SAID: Body = {"type": "output_text", "text": TEXT, "annotations": []}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def test_a_request_holds_exactly_these_fields() -> None:
    """Nothing is stored at the provider; a seed and stop texts do not exist there."""
    reply, received = once(MODEL, response(SAID), model_settings=ModelSettings(0, 0.5, 7, 50, ("END",)))
    score, why = {"type": "number", "minimum": 0}, {"type": "string", "description": "maxLength: 9"}
    assert received.path == "/v1/responses"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.json == {
        "model": "gpt-5",
        "instructions": "Be fair.",
        "input": "Judge this.",
        "store": False,
        "temperature": 0,
        "top_p": 0.5,
        "max_output_tokens": 50,
        "text": {
            "format": {
                "type": "json_schema",
                "name": "Verdict",
                "strict": True,
                "schema": {**SCHEMA, "properties": {"score": score, "why": why}},
            }
        },
    }
    assert reply.answer.unwrap() == TEXT
    [attempt] = reply.attempts
    assert attempt.usage == Usage(100, 20, 64, 8)
    assert (attempt.model, attempt.request_id, attempt.finish_reason) == ("gpt-5-2025-08-07", "req_openai", "completed")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (response({"type": "refusal", "refusal": "No."}), Refused("No.")),
        (response(SAID, status="incomplete", incomplete="max_output_tokens"), Truncated(TEXT)),
        (
            response(SAID, status="incomplete", incomplete="content_filter"),
            ContentFiltered("the provider's filter stopped the reply"),
        ),
        (response(), EmptyReply()),
        (response(status="queued"), ServerError(200, "the response is not complete: queued")),
        (response(status="cancelled"), ServerError(200, "the response is not complete: cancelled")),
        (response(status="failed", error={"code": "server_error", "message": "Oops"}), ServerError(500, "Oops")),
    ],
)
def test_every_way_to_finish_is_understood(answer: Answer, fault: object) -> None:
    """What it used is known all the same."""
    reply, _ = once(MODEL, answer)
    assert reply.answer.failure() == fault
    assert reply.attempts[0].usage == Usage(100, 20, 64, 8)


def test_a_failure_that_passes_is_asked_again() -> None:
    """It comes with status 200."""
    failed = response(status="failed", error={"code": "rate_limit_exceeded", "message": "Slow down"})
    assert requests_for(MODEL, [failed, failed]) == 2
    assert not isinstance(fault_of(MODEL, failed), RateLimited)  # no status says so: a failure of the server
