"""OpenAI chat completions on the wire, and those who speak the same language."""

from __future__ import annotations

import json

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, ask, fault_of, once, requests_for
from fakes.openai_server import Answer, FakeOpenAI, raw, status
from fakes.providers import chat

from scorewright.core import Usage
from scorewright.faults import (
    BadRequest,
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    QuotaExhausted,
    RateLimited,
    Refused,
    ServerError,
    Truncated,
    Unauthorized,
)
from scorewright.judges import Judge, ModelSettings

MODEL = "openai/gpt-4o"
ALL = ModelSettings(temperature=0, top_p=0.5, seed=7, max_tokens=50, stop=("END",), extra={"user": "u"})


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "MISTRAL_API_KEY"):
        monkeypatch.setenv(name, f" {KEY}\n")


def test_a_request_holds_exactly_these_fields() -> None:
    """The schema goes natively and strictly; what strict decoding refuses is told in words."""
    reply, received = once(MODEL, chat(TEXT), model_settings=ALL)
    score, why = {"type": "number", "minimum": 0}, {"type": "string", "description": "maxLength: 9"}
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.json == {
        "model": "gpt-4o",
        "messages": [{"role": "system", "content": "Be fair."}, {"role": "user", "content": "Judge this."}],
        "temperature": 0,
        "top_p": 0.5,
        "seed": 7,
        "stop": ["END"],
        "max_completion_tokens": 50,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "Verdict",
                "strict": True,
                "schema": {**SCHEMA, "properties": {"score": score, "why": why}},
            },
        },
        "user": "u",
    }
    assert reply.answer.unwrap() == TEXT


def test_usage_counts_what_was_cached_and_thought() -> None:
    """Both are parts of the sums."""
    [attempt] = once(MODEL, chat(TEXT))[0].attempts
    assert attempt.usage == Usage(100, 20, 64, 8)
    assert (attempt.model, attempt.request_id, attempt.finish_reason) == ("gpt-4o-2024-08-06", "req_openai", "stop")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (chat('{"sco', "length"), Truncated('{"sco')),
        (chat(None, "content_filter"), ContentFiltered("the provider's filter stopped the reply")),
        (chat(None, "tool_calls"), EmptyReply()),
        (chat(None, "stop", refusal="I will not."), Refused("I will not.")),
        (chat("", "stop"), EmptyReply()),
    ],
)
def test_every_way_to_finish_is_understood(answer: Answer, fault: object) -> None:
    """Only a reply that came to its end is an answer, and its text is kept with the fault."""
    reply, _ = once(MODEL, answer)
    assert reply.answer.failure() == fault
    assert reply.attempts[0].fault == fault
    assert reply.attempts[0].raw == answer.body.decode()


def error(
    message: str, code: object = None, kind: str = "invalid_request_error", param: object = None
) -> dict[str, object]:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


@pytest.mark.parametrize(
    ("answer", "fault", "requests"),
    [
        (status(401, error("Incorrect API key", "invalid_api_key")), Unauthorized("Incorrect API key"), 1),
        (status(429, error("Quota", "insufficient_quota", "insufficient_quota")), QuotaExhausted("Quota"), 1),
        (
            status(429, error("Slow down", "rate_limit_exceeded", "requests"), {"retry-after-ms": "20"}),
            RateLimited("Slow down", 0.02),
            2,
        ),
        (status(400, error("Too long", "context_length_exceeded")), ContextTooLong("Too long"), 1),
        (status(400, error("No", "content_policy_violation")), ContentFiltered("No"), 1),
        (status(404, error("No such model", "model_not_found")), BadRequest(404, "No such model"), 1),
        (status(500, error("Oops", kind="server_error")), ServerError(500, "Oops"), 2),
        (status(503, error("Busy", kind="server_error")), ServerError(503, "Busy"), 2),
        (status(200, error("Oops", kind="server_error")), ServerError(500, "Oops"), 2),
    ],
)
def test_every_error_is_its_fault(answer: Answer, fault: object, requests: int) -> None:
    """And only what passes by itself is asked again."""
    assert fault_of(MODEL, answer) == fault
    assert requests_for(MODEL, [answer] * 2 if requests == 2 else [answer]) == requests


def test_the_key_is_nowhere() -> None:
    """Even where the server repeats it."""
    reply, _ = once(MODEL, status(401, error(f"Incorrect API key provided: {KEY}", "invalid_api_key")))
    assert reply.answer.failure() == Unauthorized("Incorrect API key provided: [key]")
    assert "[key]" in reply.attempts[0].raw
    assert KEY not in repr(reply) + reply.attempts[0].raw


def test_a_placeholder_for_a_key_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers at home take any: the word may stand in an answer."""
    monkeypatch.setenv("OPENAI_API_KEY", "ollama")
    reply, received = once("llama3", chat('{"score": 1, "why": "ollama"}'))
    assert received.headers["authorization"] == "Bearer ollama"
    assert reply.answer.unwrap() == '{"score": 1, "why": "ollama"}'


def test_what_a_model_refuses_is_left_out_next_time() -> None:
    """A reasoning model has no temperature: it is asked once without it, and never again with it."""
    refused = error("Unsupported value: 'temperature'", "unsupported_value", param="temperature")
    with FakeOpenAI([status(400, refused), chat(TEXT), chat(TEXT)]) as server:
        judge = Judge("openai/o3", base_url=server.base_url, model_settings=ModelSettings(temperature=0, max_tokens=9))
        assert ask(judge, times=2).answer.unwrap() == TEXT
    assert ["temperature" in request.json for request in server.requests] == [True, False, False]
    assert all(request.json["max_completion_tokens"] == 9 for request in server.requests)


def test_azure_is_told_its_key_in_its_own_header() -> None:
    """The rest is OpenAI's language; what the address asks for in its query goes with it."""
    with FakeOpenAI([chat(TEXT)]) as server:
        ask(Judge("azure/gpt-4o", base_url=f"{server.base_url}/openai/deployments/d?api-version=2024-10-21"))
    [received] = server.requests
    assert received.path == "/v1/openai/deployments/d/chat/completions?api-version=2024-10-21"
    assert received.headers["api-key"] == KEY
    assert "authorization" not in received.headers
    assert received.json["response_format"]["json_schema"]["strict"] is True


def test_azure_needs_an_address() -> None:
    """The fault shows one."""
    fault = ask(Judge("azure/gpt-4o")).answer.failure()
    assert isinstance(fault, BadRequest)
    assert "https://RESOURCE.openai.azure.com/openai/v1" in fault.why


def test_azure_filters_prompts_with_an_error() -> None:
    """As it documents it."""
    told = error("The response was filtered", "content_filter", param="prompt")
    assert fault_of("azure/gpt-4o", status(400, told)) == ContentFiltered("The response was filtered")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (
            status(400, {"object": "error", "message": "This model's maximum context length is 9", "code": 400}),
            ContextTooLong("This model's maximum context length is 9"),
        ),
        (
            status(
                400,
                {
                    "error": {
                        "code": 400,
                        "message": "request (9 tokens) …",
                        "type": "exceed_context_size_error",
                        "n_ctx": 4,
                    }
                },
            ),
            ContextTooLong("request (9 tokens) …"),
        ),
        (
            status(500, {"error": "llama runner process has terminated"}),
            ServerError(500, "llama runner process has terminated"),
        ),
        (
            status(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}),
            ServerError(503, "Loading model"),
        ),
        (chat(None, "stop", reasoning_content="hm"), EmptyReply()),
        (raw("data: {}\n\n"), None),
    ],
    ids=[
        "vllm-context",
        "llama.cpp-context",
        "ollama-crash",
        "llama.cpp-loading",
        "vllm-only-thoughts",
        "a-stream",
    ],
)
def test_compatible_servers_have_errors_of_their_own(answer: Answer, fault: object) -> None:
    """vLLM, llama.cpp and Ollama, as they write them."""
    found = fault_of("some-model", answer)
    assert found == fault or (fault is None and type(found).__name__ == "NotJson")


def test_a_model_that_a_server_does_not_have_is_told() -> None:
    """As Ollama writes it: without a code."""
    found = fault_of("some-model", status(404, {"error": "model 'x' not found"}))
    assert isinstance(found, BadRequest)
    assert found.why.startswith("model 'x' not found (asked as compatible at http://")


def test_a_compatible_server_is_asked_in_the_oldest_words() -> None:
    """What it can do is not known: the schema stands in the prompt, the limit has its old name."""
    reply, received = once("some/model", chat(TEXT), model_settings=ALL)
    assert received.json["model"] == "some/model"
    assert received.json["max_tokens"] == 50
    assert "response_format" not in received.json
    assert json.dumps(SCHEMA, separators=(", ", ": ")) in received.prompt
    assert reply.answer.unwrap() == TEXT


def test_a_schema_goes_natively_to_a_compatible_server_when_it_is_wished() -> None:
    """As vLLM and llama.cpp hold it: with every keyword."""
    _, received = once("some/model", chat(TEXT), json_prompt_injection=False)
    assert received.json["response_format"]["json_schema"] == {"name": "Verdict", "schema": SCHEMA, "strict": True}
    assert received.prompt == "Judge this."
