"""Clients that are handed in: each real SDK asks the scripted endpoint, exactly once a call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from importlib import import_module
from inspect import isawaitable
from typing import TypeAlias

import attrs
import pytest
from fakes import judging
from fakes.judging import KEY, SCHEMA, TEXT
from fakes.logprobs import candidate_telling, chat_telling
from fakes.openai_server import Answer, FakeOpenAI, closed, html, raw, status, truncated
from fakes.providers import candidate, chat, message

from scorewright.core import Bench, JudgeReply, JudgeRequest, Usage
from scorewright.faults import (
    BadRequest,
    DefinitionError,
    NotJson,
    RateLimited,
    ServerError,
    TimedOut,
    Unauthorized,
    Unreachable,
)
from scorewright.judges import ErrorRetryProcessor, Judge, ModelSettings, Trouble, using
from scorewright.judges.kinds import beneath
from scorewright.judges.models import Client

Make: TypeAlias = Callable[[str], object]


def sdk(package: str, name: str, **more: object) -> Make:
    """A client of this class for a root address; skipped where the SDK is not installed."""

    def made(root: str) -> object:
        return getattr(pytest.importorskip(package), name)(api_key=KEY, base_url=root, **more)

    return made


def genai(root: str) -> object:
    types = pytest.importorskip("google.genai.types")
    again = types.HttpRetryOptions(attempts=4, initial_delay=0.01)
    options = types.HttpOptions(base_url=root.removesuffix("/v1"), retry_options=again)
    return pytest.importorskip("google.genai").Client(api_key=KEY, http_options=options)


def mistral(root: str) -> object:
    utils = pytest.importorskip("mistralai.client.utils")
    again = utils.RetryConfig("backoff", utils.BackoffStrategy(10, 20, 1.5, 2000), retry_connection_errors=True)
    made = pytest.importorskip("mistralai.client").Mistral
    return made(api_key=KEY, server_url=root.removesuffix("/v1"), retry_config=again)


def instructed(make: Make, factory: str = "from_openai", **more: object) -> Make:
    return lambda root: getattr(import_module("instructor"), factory)(make(root), **more)


def anthropic(name: str) -> Make:
    return lambda root: sdk("anthropic", name)(root.removesuffix("/v1"))


CHAT, MESSAGE, CANDIDATE = chat(TEXT), message({"type": "text", "text": TEXT}), candidate({"text": TEXT})
CLIENTS: dict[str, tuple[Make, Answer, str]] = {
    "openai": (sdk("openai", "OpenAI"), CHAT, "/v1/chat/completions"),
    "openai-async": (sdk("openai", "AsyncOpenAI", max_retries=5), CHAT, "/v1/chat/completions"),
    "anthropic": (anthropic("Anthropic"), MESSAGE, "/v1/messages"),
    "anthropic-async": (anthropic("AsyncAnthropic"), MESSAGE, "/v1/messages"),
    "google-genai": (genai, CANDIDATE, "/v1/models/some-model:generateContent"),
    "mistralai": (mistral, CHAT, "/v1/chat/completions"),
    "instructor": (instructed(sdk("openai", "OpenAI")), CHAT, "/v1/chat/completions"),
    "instructor-async": (instructed(sdk("openai", "AsyncOpenAI")), CHAT, "/v1/chat/completions"),
    "instructor-anthropic": (instructed(anthropic("AsyncAnthropic"), "from_anthropic"), MESSAGE, "/v1/messages"),
    "instructor-mistral": (instructed(mistral, "from_mistral", use_async=True), CHAT, "/v1/chat/completions"),
}
every_client = pytest.mark.parametrize("kind", CLIENTS)

# google-genai's own
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")


async def shut(client: object) -> None:
    """Close a client as its user would, in the loop that used it."""
    inner = beneath(client) or client
    configured = getattr(inner, "sdk_configuration", None)  # mistralai's
    for owner, name in (
        (getattr(inner, "aio", None), "aclose"),
        (inner, "close"),
        (configured, "async_client.aclose"),
        (configured, "client.close"),
    ):
        found = owner
        for part in name.split("."):
            found = getattr(found, part, None)
        done = found() if callable(found) else None
        if isawaitable(done):
            await done


def ask(judge: Judge) -> JudgeReply:
    """The reply to one question; then the judge's client is closed."""
    model = judge.model
    assert isinstance(model, Client)
    return judging.ask(judge, at_end=partial(shut, model.client))


def judge_with(client: object, **more: object) -> Judge:
    return Judge(using(client, "some-model"), "Be fair.", error_processors=[], **more)  # type: ignore[arg-type]  # tests give what Judge takes


@every_client
def test_a_client_is_asked_once_and_understood(kind: str) -> None:
    """The text, the usage and the model are those of the reply; the request holds what the dialect writes."""
    make, answer, path = CLIENTS[kind]
    with FakeOpenAI([answer]) as server:
        reply = ask(judge_with(make(server.base_url), model_settings=ModelSettings(temperature=0, max_tokens=50)))
    [received] = server.requests
    assert reply.answer.unwrap() == TEXT
    assert received.path == path
    written = 6 if "anthropic" in kind else 0
    assert reply.attempts[0].usage == Usage(100, 20, 64, 8, cache_write_tokens=written)
    assert reply.attempts[0].model != ""
    sent = json.dumps(received.json)
    assert '"temperature": 0' in sent
    assert "Judge this." in sent
    assert "Be fair." in sent


@every_client
def test_no_template_engine_sees_what_is_judged(kind: str) -> None:
    """inspect_ai#3649: through instructor and the SDKs too, letter for letter."""
    text = "{{7*7}} {% if x %} {# gone #}\n    {rubric} ${HOME} <|im_start|>"
    make, answer, _ = CLIENTS[kind]
    with FakeOpenAI([answer]) as server:
        ask(attrs.evolve(judge_with(make(server.base_url)), instructions=text))
    [received] = server.requests
    written = json.dumps(text, ensure_ascii=False)[1:-1]
    assert json.dumps(received.json, ensure_ascii=False).count(written) == 1


@every_client
def test_a_schema_goes_natively_through_a_client(kind: str) -> None:
    """As the SDK spells the same fields."""
    make, answer, _ = CLIENTS[kind]
    with FakeOpenAI([answer]) as server:
        ask(judge_with(make(server.base_url), json_prompt_injection=False))
    body = server.requests[0].json
    places = (
        body.get("response_format", {}).get("json_schema", {}).get("schema"),
        body.get("output_config", {}).get("format", {}).get("schema"),
        body.get("generationConfig", {}).get("responseJsonSchema"),
    )
    [schema] = [place for place in places if place]
    assert schema["required"] == SCHEMA["required"]
    assert schema["additionalProperties"] is False


@every_client
@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (status(429, {"error": {"message": "slow", "type": "x"}}, {"retry-after": "3"}), RateLimited("slow", 3.0)),
        (status(500, {"error": {"message": "Oops", "type": "x"}}), ServerError(500, "Oops")),
        (status(401, {"error": {"message": f"no {KEY}", "type": "x"}}), Unauthorized("no [key]")),
        (status(404, {"error": {"message": "no such", "type": "x"}}), BadRequest(404, "no such")),
    ],
)
def test_an_error_is_the_same_fault_as_without_a_client(kind: str, answer: Answer, fault: object) -> None:
    """One request, whatever the client's own retries are; the exception is kept for matchers, the key is not."""
    make, _, _ = CLIENTS[kind]
    with FakeOpenAI([answer]) as server:
        reply = ask(judge_with(make(server.base_url)))
    assert len(server.requests) == 1
    assert reply.answer.failure() == fault
    assert KEY not in repr(reply) + reply.attempts[0].raw
    assert reply.attempts[0].status == answer.status


@every_client
@pytest.mark.parametrize("answer", [closed(), truncated(CHAT), html()], ids=["closed", "truncated", "html"])
def test_a_broken_answer_is_a_fault(kind: str, answer: Answer) -> None:
    """Whatever the SDK makes of it: one request, no exception."""
    make, _, _ = CLIENTS[kind]
    with FakeOpenAI([answer]) as server:
        fault = ask(judge_with(make(server.base_url))).answer.failure()
    assert len(server.requests) == 1
    assert isinstance(fault, (Unreachable, NotJson))


@every_client
@pytest.mark.parametrize(
    "answer",
    [raw(f'{{"half": "{KEY}'), status(500, "Oops", {"x-request-id": f"of {KEY}", "request-id": KEY})],
    ids=["half", "as an id"],
)
def test_a_key_that_a_server_repeats_is_hidden(kind: str, answer: Answer) -> None:
    """Wherever it does so."""
    make, _, _ = CLIENTS[kind]
    shown: list[str] = []

    def spy(trouble: Trouble) -> None:
        shown.append(f"{trouble!r} {dict(trouble.signals.headers)}")

    with FakeOpenAI([answer]) as server:
        judge = judge_with(make(server.base_url))
        reply = ask(attrs.evolve(judge, error_processors=[spy]))
    (attempt,) = reply.attempts
    assert len(server.requests) == len(shown) == 1
    assert KEY not in f"{reply!r} {attempt!r} {attempt.raw} {shown}"


@every_client
def test_the_judge_retries_in_the_place_of_the_client(kind: str) -> None:
    """As often as its own processors say."""
    make, answer, _ = CLIENTS[kind]
    with FakeOpenAI([status(503), status(503), answer]) as server:
        judge = Judge(using(make(server.base_url), "some-model"), error_processors=[ErrorRetryProcessor(2, delay=0)])
        reply = ask(judge)
    assert reply.answer.unwrap() == TEXT
    assert len(server.requests) == 3


@pytest.mark.parametrize("kind", ["openai", "openai-async"])
def test_the_wait_for_a_client_ends_in_time(kind: str) -> None:
    """A client that is not async waits on in its thread."""
    make, _, _ = CLIENTS[kind]
    with FakeOpenAI(lambda *_: Answer(delay=5)) as slow:
        fault = ask(judge_with(make(slow.base_url), timeout=0.3)).answer.failure()
    assert isinstance(fault, TimedOut)


def test_a_client_that_gives_up_first_has_timed_out() -> None:
    """Its own timeout is its user's wish."""
    make = sdk("openai", "OpenAI", timeout=0.2)
    with FakeOpenAI(lambda *_: Answer(delay=5)) as server:
        fault = ask(judge_with(make(server.base_url))).answer.failure()
    assert isinstance(fault, TimedOut)


def test_what_a_client_of_instructor_adds_is_kept() -> None:
    """Its default settings are its user's wish; ours win."""
    client = instructed(sdk("openai", "OpenAI"), temperature=0.7, top_p=0.5)
    with FakeOpenAI([CHAT]) as server:
        ask(judge_with(client(server.base_url), model_settings=ModelSettings(temperature=0)))
    assert (server.requests[0].json["temperature"], server.requests[0].json["top_p"]) == (0, 0.5)


def test_instructor_around_a_function_is_asked_as_it_is() -> None:
    """So LiteLLM is: what the function retries inside is outside our promise."""
    seen: list[dict[str, object]] = []

    def completion(**fields: object) -> object:
        seen.append(fields)
        return json.loads(CHAT.body)

    client = import_module("instructor").from_litellm(completion)
    assert ask(judge_with(client)).answer.unwrap() == TEXT
    assert len(seen) == 1
    assert seen[0]["model"] == "some-model"


def test_fields_that_an_sdk_lacks_are_a_bad_request() -> None:
    """And no exception."""
    with FakeOpenAI([]) as server:
        judge = judge_with(mistral(server.base_url), model_settings=ModelSettings(extra={"nonsense": 1}))
        assert isinstance(ask(judge).answer.failure(), BadRequest)


def test_the_client_is_left_as_it_was() -> None:
    """Its own retries still work for its user, and it is not closed."""
    client = sdk("openai", "OpenAI", max_retries=1)
    with FakeOpenAI([CHAT, status(503, headers={"retry-after-ms": "1"}), CHAT]) as server:
        mine = client(server.base_url)
        judging.ask(judge_with(mine))
        mine.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
        mine.close()
    assert len(server.requests) == 3


def test_a_client_has_the_name_of_its_provider() -> None:
    """Prices and the way of the schema go by it."""

    def name(client: object) -> str:
        return using(client, "gpt-4o").full_name

    openai, azure = import_module("openai").OpenAI, import_module("openai").AzureOpenAI
    assert name(openai(api_key=KEY)) == "openai/gpt-4o"
    assert name(openai(api_key=KEY, base_url="http://127.0.0.1:1/v1")) == "compatible/gpt-4o"
    assert name(azure(api_key=KEY, azure_endpoint="https://x.openai.azure.com", api_version="v")) == "azure/gpt-4o"
    assert name(CLIENTS["anthropic"][0]("http://127.0.0.1:1/v1")) == "anthropic/gpt-4o"
    assert name(genai("http://127.0.0.1:1/v1")) == "gemini/gpt-4o"
    assert name(mistral("http://127.0.0.1:1/v1")) == "mistral/gpt-4o"


@pytest.mark.parametrize("client", [object(), None, "openai"])
def test_another_client_is_refused_where_it_is_written(client: object) -> None:
    """With what is supported, and the way around."""
    with pytest.raises(
        DefinitionError, match=r"instructor, openai, groq, anthropic, google-genai or mistralai.*calling"
    ):
        using(client, "m")


def test_a_client_and_its_key_are_in_no_repr() -> None:
    """The name is enough."""
    assert repr(using(sdk("openai", "OpenAI")("http://127.0.0.1:1/v1"), "m")) == "Client(name='m')"
    assert isinstance(using(sdk("openai", "OpenAI")("http://127.0.0.1:1/v1"), "m"), Client)


@pytest.mark.parametrize("kind", ["openai", "openai-async", "google-genai", "instructor"])
def test_log_probabilities_pass_through_a_client(kind: str) -> None:
    """Asked for and told in the words of its provider."""
    telling = candidate_telling if kind == "google-genai" else chat_telling
    with FakeOpenAI([telling(["so: ", ("5", {"5": 0.75, "4": 0.25})])]) as server:
        client = CLIENTS[kind][0](server.base_url)

        async def asked() -> JudgeReply:
            async with Bench() as bench:
                try:
                    request = JudgeRequest("Judge this.", judge=Judge(using(client, "some-model")), top_logprobs=5)
                    return await bench.answer(request)
                finally:
                    await shut(client)

        first, second = asyncio.run(asked()).tokens
    assert (first.text, first.logprob, second.text) == ("so: ", 0.0, "5")
    assert [text for text, _ in second.top] == ["5", "4"]
