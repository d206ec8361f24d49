"""Bedrock's converse on the wire, with a key and with AWS credentials."""

from __future__ import annotations

import json
import sys

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, ask, fault_of, once, requests_for
from fakes.openai_server import Answer, Body, FakeOpenAI, status
from fakes.providers import converse

from scorewright.core import Usage
from scorewright.faults import (
    BadRequest,
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    RateLimited,
    ServerError,
    TimedOut,
    Truncated,
    Unauthorized,
)
from scorewright.judges import Judge, ModelSettings

MODEL = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"
SAID: Body = {"text": TEXT}
SECRET = "secret-that-nobody-may-see"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", KEY)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")


def test_a_request_holds_exactly_these_fields() -> None:
    """The schema is text inside the JSON, as the service wants it."""
    reply, received = once(MODEL, converse(SAID), model_settings=ModelSettings(0, 0.5, 7, 50, ("END",)))
    shape = received.json.pop("outputConfig")["textFormat"]
    assert received.path in {
        "/v1/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse",
        "/v1/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse",
    }
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.json == {
        "system": [{"text": "Be fair."}],
        "messages": [{"role": "user", "content": [{"text": "Judge this."}]}],
        "inferenceConfig": {"temperature": 0, "topP": 0.5, "maxTokens": 50, "stopSequences": ["END"]},
    }
    assert shape["type"] == "json_schema"
    assert shape["structure"]["jsonSchema"]["name"] == "Verdict"
    schema = json.loads(shape["structure"]["jsonSchema"]["schema"])
    assert schema["properties"]["score"] == {"type": "number", "description": "minimum: 0"}
    assert schema["additionalProperties"] is False
    assert reply.answer.unwrap() == TEXT


@pytest.mark.parametrize("model", ["amazon.nova-pro-v1:0", "anthropic.claude-3-5-sonnet-20241022-v2:0"])
def test_models_without_a_format_are_made_to_call_a_tool(model: str) -> None:
    """The input of the tool is the answer."""
    used: Body = {"toolUse": {"toolUseId": "t", "name": "Verdict", "input": json.loads(TEXT)}}
    reply, received = once(f"bedrock/{model}", converse(used, stop="tool_use"))
    tool = {"name": "Verdict", "description": "Give the answer.", "inputSchema": {"json": SCHEMA}}
    assert received.json["toolConfig"] == {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": "Verdict"}}}
    assert json.loads(reply.answer.unwrap()) == json.loads(TEXT)


def test_usage_counts_what_was_cached() -> None:
    """Bedrock counts cached tokens apart: here they are a part of the sum, as everywhere."""
    thought: Body = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": ""}}}
    reply, _ = once(MODEL, converse(thought, SAID))
    assert reply.answer.unwrap() == TEXT
    assert (reply.attempts[0].usage, reply.attempts[0].request_id) == (Usage(100, 20, 64), "aws-1")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (converse({"text": "{"}, stop="max_tokens"), Truncated("{")),
        (
            converse(stop="guardrail_intervened"),
            ContentFiltered("the provider's filter stopped it: guardrail_intervened"),
        ),
        (converse(stop="content_filtered"), ContentFiltered("the provider's filter stopped it: content_filtered")),
        (
            converse(SAID, stop="malformed_model_output"),
            ServerError(200, "the model broke off: malformed_model_output"),
        ),
        (converse(SAID, stop="malformed_tool_use"), ServerError(200, "the model broke off: malformed_tool_use")),
        (
            converse(SAID, stop="model_context_window_exceeded"),
            ContextTooLong("the reply ran into the end of the context"),
        ),
        (converse(), EmptyReply()),
    ],
)
def test_every_way_to_finish_is_understood(answer: Answer, fault: object) -> None:
    """Only a reply that came to its end is an answer."""
    assert fault_of(MODEL, answer) == fault


def error(code: int, kind: str, said: str) -> Answer:
    return status(code, {"message": said}, {"x-amzn-errortype": f"{kind}:http://internal.amazon.com/coral/x/"})


@pytest.mark.parametrize(
    ("answer", "fault", "requests"),
    [
        (error(429, "ThrottlingException", "Too many requests"), RateLimited("Too many requests"), 2),
        (error(429, "ModelNotReadyException", "not ready"), RateLimited("not ready"), 2),
        (
            error(400, "ValidationException", "Input is too long for requested model."),
            ContextTooLong("Input is too long for requested model."),
            1,
        ),
        (error(400, "ValidationException", "bad"), BadRequest(400, "bad"), 1),
        (error(403, "AccessDeniedException", "no"), Unauthorized("no"), 1),
        (error(403, "ExpiredTokenException", "old"), Unauthorized("old"), 1),
        (error(404, "ResourceNotFoundException", "no model"), BadRequest(404, "no model"), 1),
        (error(408, "ModelTimeoutException", "late"), TimedOut("late"), 2),
        (error(424, "ModelErrorException", "Oops"), ServerError(424, "Oops"), 2),
        (error(500, "InternalServerException", "Oops"), ServerError(500, "Oops"), 2),
        (error(503, "ServiceUnavailableException", "busy"), ServerError(503, "busy"), 2),
        (
            status(400, {"__type": "com.amazon.coral.service#ThrottlingException", "message": "slow"}),
            RateLimited("slow"),
            2,
        ),
    ],
)
def test_every_error_is_its_fault(answer: Answer, fault: object, requests: int) -> None:
    """Its kind stands in a header; only what passes by itself is asked again."""
    assert fault_of(MODEL, answer) == fault
    assert requests_for(MODEL, [answer] * requests) == requests


def with_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_SESSION_TOKEN", "session")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")


def test_a_request_is_signed_with_aws_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signature is right for the bytes, the headers and the path that the server received."""
    auth = pytest.importorskip("botocore.auth")
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    with_credentials(monkeypatch)
    with FakeOpenAI([converse(SAID)]) as server:
        host = server.base_url.removesuffix("/v1")
        reply = ask(Judge(MODEL, base_url=host))
    [received] = server.requests
    assert reply.answer.unwrap() == TEXT
    assert received.path == "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse"
    assert received.headers["x-amz-security-token"] == "session"
    claimed = received.headers["authorization"]
    assert (
        "/eu-west-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token," in claimed
    )

    again = AWSRequest("POST", host + received.path, {"content-type": "application/json"}, received.raw)
    again.headers["X-Amz-Date"] = received.headers["x-amz-date"]
    again.headers["X-Amz-Security-Token"] = "session"
    again.context["timestamp"] = received.headers["x-amz-date"]
    signer = auth.SigV4Auth(Credentials("AKIAEXAMPLE", SECRET, "session"), "bedrock", "eu-west-1")
    right = signer.signature(signer.string_to_sign(again, signer.canonical_request(again)), again)
    assert claimed.endswith(f"Signature={right}")
    assert SECRET not in repr(reply)


def test_without_any_key_the_ways_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent."""
    pytest.importorskip("botocore")
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK")
    fault = ask(Judge(MODEL)).answer.failure()
    assert isinstance(fault, Unauthorized)
    assert "AWS_BEARER_TOKEN_BEDROCK" in fault.why


def test_without_botocore_the_fault_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its extra, by name."""
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK")
    monkeypatch.setitem(sys.modules, "botocore.session", None)
    fault = ask(Judge(MODEL)).answer.failure()
    assert isinstance(fault, Unauthorized)
    assert "pip install 'scorewright[bedrock]'" in fault.why
