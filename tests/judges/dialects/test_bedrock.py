"""Bedrock's converse on the wire, with a key and with AWS credentials."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from fakes.judging import KEY, SCHEMA, TEXT, ask, fault_of, once, requests_for
from fakes.openai_server import Answer, Body, FakeOpenAI, raw, status
from fakes.providers import converse

from scorewright.core import Bench, JudgeReply, JudgeRequest, Usage
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
    assert (reply.attempts[0].usage, reply.attempts[0].request_id) == (
        Usage(100, 20, 64, cache_write_tokens=6),
        "aws-1",
    )


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


def test_a_sessions_token_is_in_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that finds the signature wrong repeats all that was signed."""
    pytest.importorskip("botocore")
    with_credentials(monkeypatch)
    token = "token-that-nobody-may-see-either"
    monkeypatch.setenv("AWS_SESSION_TOKEN", token)
    said_ = f"The canonical string should have been 'x-amz-security-token:{token}'"
    with FakeOpenAI([error(403, "InvalidSignatureException", said_)]) as server:
        reply = ask(Judge(MODEL, base_url=server.base_url))
    assert server.requests[0].headers["x-amz-security-token"] == token
    assert token not in f"{reply} {reply.attempts} {reply.attempts[0].raw}"
    assert "canonical string" in reply.answer.failure().why


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


def lent(minutes: int, access_key: str = "AKIALENT") -> Answer:
    """What the credentials service of a container answers: a key for so many minutes."""
    expiration = datetime.now(UTC) + timedelta(minutes=minutes)
    return raw(
        json.dumps(
            {
                "AccessKeyId": access_key,
                "SecretAccessKey": SECRET,
                "Token": "session",
                "Expiration": expiration.strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        )
    )


def lends(monkeypatch: pytest.MonkeyPatch, service: FakeOpenAI) -> None:
    """Let the environment name the service, as that of a container does."""
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK")
    monkeypatch.delenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", raising=False)
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{service.base_url}/credentials")


async def ten_at_once(judge: Judge, bench: Bench) -> list[JudgeReply]:
    request = JudgeRequest("Judge this.", json.dumps(SCHEMA), "Verdict", judge)
    return await asyncio.gather(*(bench.answer(request) for _ in range(10)))


def test_credentials_are_renewed_once_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten asks at once find them once and renew them once, in a thread: the service waits for the loop here."""
    pytest.importorskip("botocore")
    loops: list[asyncio.AbstractEventLoop] = []
    turning, waited = threading.Event(), []

    def lending(_: Body, number: int) -> Answer:
        if number == 1:
            loops[0].call_soon_threadsafe(turning.set)
            waited.append(turning.wait(10))
        return lent(1, "AKIAFIRST") if number == 0 else lent(600, "AKIASECOND")

    async def asked(judge: Judge) -> list[JudgeReply]:
        loops.append(asyncio.get_running_loop())
        async with Bench() as bench:
            return [*await ten_at_once(judge, bench), *await ten_at_once(judge, bench)]

    with FakeOpenAI(lending) as service, FakeOpenAI(lambda *_: converse(SAID)) as server:
        lends(monkeypatch, service)
        replies = asyncio.run(asked(Judge(MODEL, base_url=server.base_url)))
    assert waited == [True]
    assert [request.path for request in service.requests] == ["/v1/credentials"] * 2
    assert {reply.answer.unwrap() for reply in replies} == {TEXT}
    assert len(server.requests) == 20
    assert all("Credential=AKIASECOND/" in request.headers["authorization"] for request in server.requests)


def test_who_gives_up_does_not_take_the_renewal_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is cancelled while it waits, the second gets its answer, and the service is asked no third time."""
    pytest.importorskip("botocore")
    renewals: list[Callable[[], object]] = []
    given_up = threading.Event()

    def lending(_: Body, number: int) -> Answer:
        if number == 1:
            renewals[0]()
            given_up.wait(10)
        return lent(1) if number == 0 else lent(600)

    async def asked(judge: Judge) -> JudgeReply:
        renewing = asyncio.Event()
        renewals.append(partial(asyncio.get_running_loop().call_soon_threadsafe, renewing.set))
        async with Bench() as bench:
            request = JudgeRequest("Judge this.", json.dumps(SCHEMA), "Verdict", judge)
            first, second = (asyncio.ensure_future(bench.answer(request)) for _ in range(2))
            await renewing.wait()
            first.cancel()
            await asyncio.wait([first])
            assert first.cancelled()
            given_up.set()
            return await second

    with FakeOpenAI(lending) as service, FakeOpenAI([converse(SAID)]) as server:
        lends(monkeypatch, service)
        reply = asyncio.run(asked(Judge(MODEL, base_url=server.base_url)))
    assert reply.answer.unwrap() == TEXT
    assert len(service.requests) == 2


def test_credentials_that_cannot_be_renewed_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said with its reason, nothing is sent, and no secret is told."""
    pytest.importorskip("botocore")
    monkeypatch.setattr("botocore.utils.ContainerMetadataFetcher.SLEEP_TIME", 0)  # between its own three tries

    def lending(_: Body, number: int) -> Answer:
        return lent(-1) if number == 0 else status(400, "gone")

    with FakeOpenAI(lending) as service, FakeOpenAI([]) as server:
        lends(monkeypatch, service)
        reply = ask(Judge(MODEL, base_url=server.base_url))
    fault = reply.answer.failure()
    assert isinstance(fault, Unauthorized)
    assert fault.why.startswith("the AWS credentials cannot be had: CredentialRetrievalError:")
    assert SECRET not in repr(reply)
    assert server.requests == []


def test_a_profile_that_is_not_there_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """As every other mistake with credentials."""
    pytest.importorskip("botocore")
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK")
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    fault = ask(Judge(MODEL)).answer.failure()
    assert isinstance(fault, Unauthorized)
    assert "nobody" in fault.why
