"""Spans of asks, seen by OpenTelemetry's own exporter in memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import attrs
import pytest
from fakes.judging import KEY, TEXT, ask
from fakes.openai_server import FakeOpenAI, said, status
from fakes.providers import chat

from scorewright.faults import Unauthorized
from scorewright.judges import ErrorRetryProcessor, Judge, ModelSettings, calling, spans

trace = pytest.importorskip("opentelemetry.trace")
pytest.importorskip("opentelemetry.sdk")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider  # noqa: E402 - where it is installed
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402 - the same
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402 - the same


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Tracing that is set up as a user does it, for one test."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    yield kept
    provider.shutdown()


def only(exporter: InMemorySpanExporter) -> ReadableSpan:
    [span] = exporter.get_finished_spans()
    return span


def test_an_ask_is_one_span_by_the_conventions(exporter: InMemorySpanExporter) -> None:
    """With the names that other tools look for."""
    settings = ModelSettings(temperature=0.5, max_tokens=9, stop=("END",))
    with FakeOpenAI([chat(TEXT)]) as server:
        ask(Judge("openai/gpt-4o", base_url=server.base_url, model_settings=settings))
        port = int(server.base_url.split(":")[2].removesuffix("/v1"))
    span = only(exporter)
    assert (span.name, span.kind, span.status.is_ok) == ("chat gpt-4o", trace.SpanKind.CLIENT, True)
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.output.type": "json",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.max_tokens": 9,
        "gen_ai.request.stop_sequences": ("END",),
        "server.address": "127.0.0.1",
        "server.port": port,
        "gen_ai.response.model": "gpt-4o-2024-08-06",
        "gen_ai.response.id": "req_openai",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 64,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "gen_ai.usage.reasoning.output_tokens": 8,
    }


def test_every_request_is_an_event_of_its_ask(exporter: InMemorySpanExporter) -> None:
    """Usage adds up; the times are those of the requests."""
    with FakeOpenAI([status(503), said("", tokens=(7, 0)), said(TEXT, tokens=(7, 3))]) as server:
        judge = Judge(
            "m", base_url=server.base_url, error_processors=[ErrorRetryProcessor(5, 0, retry_unknown_errors=True)]
        )
        ask(attrs.evolve(judge, error_processors=[ErrorRetryProcessor(5, 0, matchers=[lambda _: True])]))
    span = only(exporter)
    events = [dict(event.attributes or {}) for event in span.events]
    assert [event.name for event in span.events] == ["scorewright.attempt"] * 3
    assert [event.get("http.response.status_code") for event in events] == [503, 200, 200]
    assert [event.get("error.type") for event in events] == ["ServerError", "EmptyReply", None]
    assert [event.timestamp for event in span.events] == sorted(event.timestamp for event in span.events)
    assert span.attributes is not None
    assert (span.attributes["gen_ai.usage.input_tokens"], span.attributes["gen_ai.usage.output_tokens"]) == (14, 3)
    assert "error.type" not in span.attributes


def test_a_fault_is_an_error_of_its_kind_and_tells_nothing(exporter: InMemorySpanExporter) -> None:
    """Neither the prompt nor what the server said is in a span, so no key can be."""
    with FakeOpenAI([status(401, f"wrong key {KEY}")]) as server:
        reply = ask(Judge("m", "Be fair.", base_url=server.base_url))
    span = only(exporter)
    assert isinstance(reply.answer.failure(), Unauthorized)
    assert (span.status.status_code, span.status.description) == (trace.StatusCode.ERROR, "Unauthorized")
    assert (span.attributes or {})["error.type"] == "Unauthorized"
    told = span.to_json()
    assert [word for word in (KEY, "wrong key", "Judge this", "Be fair") if word in told] == []


def test_a_span_stands_under_the_one_that_is_current(exporter: InMemorySpanExporter) -> None:
    """And requests that a function makes stand under it."""

    async def model(_: object) -> str:
        with trace.get_tracer("user").start_as_current_span("inner"):
            return TEXT

    with trace.get_tracer("user").start_as_current_span("outer"):
        ask(Judge(calling(model, identity="mine")))
    inner, chatted, outer = exporter.get_finished_spans()
    assert (inner.parent.span_id, chatted.parent.span_id) == (chatted.context.span_id, outer.context.span_id)
    assert chatted.attributes["gen_ai.provider.name"] == "function"
    assert outer.events == ()


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("openai-responses/gpt-5", "openai", "gpt-5"),
        ("azure/mine", "azure.ai.openai", "mine"),
        ("gemini/gemini-2.5-flash", "gcp.gemini", "gemini-2.5-flash"),
        ("bedrock/amazon.nova-pro-v1:0", "aws.bedrock", "amazon.nova-pro-v1:0"),
        ("mistral/mistral-large", "mistral_ai", "mistral-large"),
        ("meta/llama-3", "openai", "meta/llama-3"),
        ("local/smollm2", "llama.cpp", "smollm2"),
    ],
)
def test_providers_have_the_names_of_the_conventions(model: str, provider: str, name: str) -> None:
    """A name that is no provider's is that of a server which speaks as OpenAI does."""
    told = spans.asked(Judge(model), request_of(model))
    assert (told["gen_ai.provider.name"], told["gen_ai.request.model"]) == (provider, name)


def request_of(model: str):
    from scorewright.core import JudgeRequest

    return JudgeRequest("p", judge=Judge(model))


def test_nothing_is_imported_for_those_who_do_not_trace() -> None:
    """An ask runs to its end without OpenTelemetry."""
    code = """if True:
        import asyncio, sys
        from scorewright.core import Bench, JudgeRequest
        from scorewright.judges import Judge, calling
        async def model(call): return "said"
        async def main():
            async with Bench() as bench:
                judge = Judge(calling(model, identity="m"))
                print((await bench.answer(JudgeRequest("p", judge=judge))).answer.unwrap())
        asyncio.run(main())
        print([name for name in sys.modules if name.startswith("opentelemetry")])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["said", "[]"]
