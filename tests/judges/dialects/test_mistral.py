"""Mistral's chat completions on the wire."""

from __future__ import annotations

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, fault_of, once, requests_for
from fakes.openai_server import Answer, status
from fakes.providers import chat

from scorewright.faults import BadRequest, ContextTooLong, RateLimited, ServerError, Truncated, Unauthorized
from scorewright.judges import ModelSettings

MODEL = "mistral/mistral-large-latest"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)


def test_a_request_holds_exactly_these_fields() -> None:
    """The seed has another name there."""
    _, received = once(MODEL, chat(TEXT), model_settings=ModelSettings(0, 0.5, 7, 50, ("END",)))
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.json == {
        "model": "mistral-large-latest",
        "messages": [{"role": "system", "content": "Be fair."}, {"role": "user", "content": "Judge this."}],
        "temperature": 0,
        "top_p": 0.5,
        "random_seed": 7,
        "stop": ["END"],
        "max_tokens": 50,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "Verdict", "schema": SCHEMA, "strict": True},
        },
    }


def test_thoughts_are_no_part_of_the_answer() -> None:
    """Its reasoning models answer in chunks."""
    chunks = [
        {"type": "thinking", "thinking": [{"type": "text", "text": '{"score": 0}'}]},
        {"type": "text", "text": TEXT},
    ]
    assert once(MODEL, chat(chunks))[0].answer.unwrap() == TEXT


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (chat("{", "length"), Truncated("{")),
        (chat("{", "model_length"), ContextTooLong("the reply ran into the end of the context")),
        (chat("{", "error"), ServerError(200, "the model broke off")),
    ],
)
def test_every_way_to_finish_is_understood(answer: Answer, fault: object) -> None:
    """Mistral has two that OpenAI has not."""
    assert fault_of(MODEL, answer) == fault


@pytest.mark.parametrize(
    ("answer", "fault", "requests"),
    [
        (status(401, {"detail": "Unauthorized"}), Unauthorized("Unauthorized"), 1),
        (
            status(429, {"object": "error", "message": "Rate limit exceeded", "type": "rate_limited", "code": "1300"}),
            RateLimited("Rate limit exceeded"),
            2,
        ),
        (
            status(400, {"object": "error", "message": "Prompt … too large for model with 9 maximum context length"}),
            ContextTooLong("Prompt … too large for model with 9 maximum context length"),
            1,
        ),
        (
            status(400, {"object": "error", "message": "Invalid model: x", "code": "1500"}),
            BadRequest(400, "Invalid model: x"),
            1,
        ),
        (status(503, {"message": "Service unavailable"}), ServerError(503, "Service unavailable"), 2),
    ],
)
def test_every_error_is_its_fault(answer: Answer, fault: object, requests: int) -> None:
    """And only what passes by itself is asked again."""
    assert fault_of(MODEL, answer) == fault
    assert requests_for(MODEL, [answer] * requests) == requests
