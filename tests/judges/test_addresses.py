"""Addresses of servers: a wrong one is found where the judge is written, or told by the fault that it makes."""

from __future__ import annotations

import pytest
from fakes.openai_server import Answer, FakeOpenAI, html, raw, said, status
from judges.asking import GOOD, ask, fault_of
from returns.pipeline import is_successful

from scorewright import DefinitionError, Judge
from scorewright.faults import BadRequest, EmptyReply, NotJson
from scorewright.judges.addresses import told
from scorewright.wording import describe

# what is written before a name, and where its dialect asks
DIALECTS = {
    "openai/gpt-oss-20b": ("compatible", "/v1/chat/completions"),
    "openai/gpt-4o": ("openai", "/v1/chat/completions"),
    "openai-responses/m": ("openai-responses", "/v1/responses"),
    "azure/m": ("azure", "/v1/chat/completions"),
    "anthropic/m": ("anthropic", "/v1/messages"),
    "gemini/m": ("gemini", "/v1/models/m:generateContent"),
    "mistral/m": ("mistral", "/v1/chat/completions"),
    "bedrock/m": ("bedrock", "/v1/model/m/converse"),
    "llama3.2": ("compatible", "/v1/chat/completions"),
    "meta-llama/Llama-3.1-8B": ("compatible", "/v1/chat/completions"),
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that Bedrock needs no credentials."""
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "none")


@pytest.mark.parametrize("model", DIALECTS)
@pytest.mark.parametrize(
    ("answer", "kind"),
    [(raw("{}"), EmptyReply), (html(), NotJson), (status(404, {"detail": "Not Found"}), BadRequest),
     (raw("", 405), BadRequest), (raw("", 307, {"location": "/v2"}), BadRequest)],
    ids=["of another dialect", "a page", "not there", "not so", "elsewhere"],
)  # fmt: skip
def test_a_fault_that_an_address_may_have_made_tells_it(model: str, answer: Answer, kind: type) -> None:
    """In which dialect what was asked, in the fault and in its attempt; a query is not told."""
    spoken, path = DIALECTS[model]
    with FakeOpenAI(lambda *_: answer) as server:
        result = ask(server, model=model, base_url=f"{server.base_url}?api-version=2024-10-21", max_processor_retries=0)
        where = f"asked as {spoken} at {server.base_url.removesuffix('/v1')}{path}"
    fault = fault_of(result)
    assert isinstance(fault, kind)
    assert f"({where})" in describe(fault)
    assert "2024-10-21" not in describe(fault)
    assert describe(result.failure().exchanges[0].reply.attempts[0].fault) == describe(fault)


def test_a_server_that_says_what_is_wrong_is_not_talked_over() -> None:
    """Its error with a code is of the model, not of the address."""
    body = {"error": {"message": "No such model", "code": "model_not_found"}}
    with FakeOpenAI([status(404, body)]) as server:
        assert fault_of(ask(server)) == BadRequest(404, "No such model")


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("llama3.2", "llama3.2"),
        ("meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B"),
        ("openai/openai/gpt-oss-20b", "openai/gpt-oss-20b"),
        ("openai/anthropic/claude-3.5-sonnet", "anthropic/claude-3.5-sonnet"),
        ("openai/gemini/flash", "gemini/flash"),
        ("openai/groq/llama", "groq/llama"),
        ("groq/llama", "groq/llama"),
    ],
)
def test_a_name_is_sent_as_it_is(model: str, sent: str) -> None:
    """Behind `openai/`, whatever it begins with; and where it begins with no provider's dialect."""
    with FakeOpenAI([said(GOOD)]) as server:
        assert is_successful(ask(server, model=model))
        [request] = server.requests
    assert (request.path, request.json["model"]) == ("/v1/chat/completions", sent)


@pytest.mark.parametrize(
    "wrong",
    ["127.0.0.1:8377/v1", "localhost/v1", "not a url", "http://", "http:///v1", "ftp://127.0.0.1/", "//host/v1",
     "http://[::1", "http://127.0.0.1:99999/", "http://host:port/v1", " http://host/v1", "http://host/v1\n"],
)  # fmt: skip
def test_an_address_that_is_none_is_found_at_the_definition(wrong: str) -> None:
    """No request is needed."""
    with pytest.raises(DefinitionError, match=r"^base_url= is an address with http:// or https://"):
        Judge("m", base_url=wrong)


@pytest.mark.parametrize("end", ["/chat/completions", "/completions", "/messages", "/responses", "/chat/completions/"])
@pytest.mark.parametrize("query", ["", "?api-version=2024-10-21"])
def test_an_address_of_an_endpoint_says_where_it_should_end(end: str, query: str) -> None:
    """It would be asked there twice; what is to be written is said, and can be."""
    with pytest.raises(DefinitionError, match=r"^base_url= ends before") as raised:
        Judge("m", base_url=f"https://host/v1{end}{query}")
    right = f"https://host/v1{query}"
    assert str(raised.value).endswith(f"write {right!r}")
    assert Judge("m", base_url=right).base_url == right


@pytest.mark.parametrize(
    "right",
    ["", "http://127.0.0.1:11434/v1", "https://RESOURCE.openai.azure.com/openai/v1", "http://[::1]:8000/v1/",
     "HTTPS://host", "http://host/messages/v1", "http://host/v1?x=/chat/completions"],
)  # fmt: skip
def test_an_address_that_is_one_is_taken(right: str) -> None:
    """As it was given."""
    assert Judge("m", base_url=right).base_url == right


def test_no_secret_is_told() -> None:
    """Neither of a user nor of a query."""
    assert told("https://user:password@host:8080/v1/messages?key=secret#part") == "https://host:8080/v1/messages"
