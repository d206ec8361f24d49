"""Providers that we speak no dialect of: instructor opens their client, and one ask is still one request."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

import pytest
from fakes.openai_server import FakeOpenAI, said, status
from judges.asking import AT_ONCE, GOOD, MODES, Mode, came, fault_of, faults, scorer
from returns.pipeline import is_successful

from scorewright import Bench, Run
from scorewright.faults import BadRequest, Unauthorized
from scorewright.judges import Judge, ModelSettings, using

groq = pytest.importorskip("groq")
modes = pytest.mark.parametrize("mode", MODES)
KEY = "gsk_0123456789abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeOpenAI], None]:
    """Makes Groq's SDK ask this server."""

    def set_up(server: FakeOpenAI) -> None:
        monkeypatch.setenv("GROQ_BASE_URL", server.base_url.removesuffix("/v1"))
        monkeypatch.setenv("GROQ_API_KEY", KEY)

    return set_up


def judge(**more: object) -> Judge:
    """A judge of a provider that only instructor knows."""
    return Judge("groq/llama-3.3-70b", **{"error_processors": [AT_ONCE], **more})  # type: ignore[arg-type]  # as above


@modes
def test_a_provider_that_instructor_knows_is_asked_by_its_name(mode: Mode, at: Callable[[FakeOpenAI], None]) -> None:
    """The body is ours: braces and templates of the judged text stay as they are, the key is in the header alone."""
    evil = "{{ 7*7 }} {% if %} {# gone #}"
    with FakeOpenAI(lambda *_: said(GOOD, tokens=(20, 10))) as server:
        at(server)
        result = came(mode, scorer(judge(model_settings=ModelSettings(temperature=0.0, extra={"top_k": 3}))), evil)
    assert result.unwrap().score == 0.5
    (request,) = server.requests
    assert request.path.endswith("/chat/completions")
    assert evil in request.prompt
    assert (request.json["model"], request.json["temperature"], request.json["top_k"]) == ("llama-3.3-70b", 0.0, 3)
    assert request.headers["authorization"] == f"Bearer {KEY}"
    (exchange,) = result.unwrap().exchanges
    (attempt,) = exchange.reply.attempts
    assert attempt.usage is not None
    assert (attempt.usage.input_tokens, attempt.usage.output_tokens) == (20, 10)
    assert KEY not in repr(result)


@modes
def test_the_sdk_below_instructor_does_not_retry(mode: Mode, at: Callable[[FakeOpenAI], None]) -> None:
    """Three requests for three attempts, and none where retries are off."""
    with FakeOpenAI(lambda *_: status(500)) as server:
        at(server)
        assert faults(came(mode, scorer(judge()))) == ["ServerError"] * 3
        assert faults(came(mode, scorer(judge(error_processors=[])))) == ["ServerError"]
    assert len(server.requests) == 4


@modes
def test_a_wrong_answer_is_told_as_to_any_judge(mode: Mode, at: Callable[[FakeOpenAI], None]) -> None:
    """One second question, with what was wrong."""
    with FakeOpenAI([said("no idea"), said(GOOD)]) as server:
        at(server)
        assert came(mode, scorer(judge())).unwrap().score == 0.5
    assert "Your last answer could not be used" in server.prompts[1]


def test_the_client_is_opened_once_and_closed_with_the_bench(at: Callable[[FakeOpenAI], None]) -> None:
    """All asks go over its connections."""

    async def several(server: FakeOpenAI) -> bool:
        at(server)
        async with Bench() as bench:
            asked = [scorer(judge()).run(Run("q", str(n)), answer=bench.answer) for n in range(8)]
            results = await asyncio.gather(*asked)
            at_server = ("instructor", "groq/llama-3.3-70b", KEY, server.base_url.removesuffix("/v1"))
            opened = await bench.keep(at_server, lambda: pytest.fail("opened again"))
        assert all(map(is_successful, results))
        return bool(opened.client.is_closed())

    with FakeOpenAI(lambda *_: said(GOOD, delay=0.01)) as server:
        assert asyncio.run(several(server))
    assert len(server.requests) == 8


@modes
def test_a_missing_key_is_said_before_anything_is_sent(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name of the variable that is missing."""
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    for asked, variable in ((judge(), "GROQ_API_KEY"), (judge(api_key_env="MY_KEY"), "MY_KEY")):
        fault = fault_of(came(mode, scorer(asked)))
        assert isinstance(fault, Unauthorized)
        assert variable in fault.why


@modes
def test_a_missing_sdk_says_what_to_install(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    """As instructor says it."""
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "groq", None)
    fault = fault_of(came(mode, scorer(Judge("groq/another"))))
    assert isinstance(fault, BadRequest)
    assert "pip install groq" in fault.why


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_client_of_the_sdk_may_be_handed_in(wrapped: bool) -> None:
    """Bare, or under instructor's; blocking, or not."""
    import instructor

    wrap = instructor.from_groq if wrapped else lambda client: client

    async def asked(server: FakeOpenAI) -> list[str]:
        at = {"api_key": KEY, "base_url": server.base_url.removesuffix("/v1")}
        async with Bench() as bench, groq.AsyncGroq(**at) as later:
            with groq.Groq(**at) as now:
                models = [using(wrap(each), "m") for each in (later, now)]
                for model in models:
                    result = await scorer(Judge(model)).run(Run("q", "a"), answer=bench.answer)
                    assert result.unwrap().score == 0.5
                return [model.full_name for model in models]

    with FakeOpenAI(lambda *_: said(GOOD)) as server:
        assert asyncio.run(asked(server)) == ["groq/m", "groq/m"]
    assert len(server.requests) == 2
