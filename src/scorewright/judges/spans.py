"""OpenTelemetry spans of asks, after the semantic conventions for generative AI (v1.37): only where tracing is set up.

One client span an ask, with an event for each of its requests. Prompts, answers and keys are in none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from returns.pipeline import is_successful

from scorewright.core.ask import Attempt, JudgeReply, JudgeRequest, Usage
from scorewright.core.bench import Bench
from scorewright.judges.models import Called, named

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer
    from opentelemetry.util.types import AttributeValue

    from scorewright.judges.judge import Judge

Asks: TypeAlias = "Callable[[Judge, JudgeRequest, Bench], Awaitable[JudgeReply]]"
Attributes: TypeAlias = "dict[str, AttributeValue]"

PROVIDERS: Mapping[str, str] = MappingProxyType(  # by their names in the conventions
    {
        "openai": "openai",
        "openai-responses": "openai",
        "azure": "azure.ai.openai",
        "anthropic": "anthropic",
        "gemini": "gcp.gemini",
        "mistral": "mistral_ai",
        "bedrock": "aws.bedrock",
        "local": "llama.cpp",
        "litellm": "litellm",
        "groq": "groq",
        "deepseek": "deepseek",
        "perplexity": "perplexity",
        "openrouter": "openrouter",
        "together": "together_ai",
    }
)


def spanned(ask: Asks, /) -> Asks:
    """The same ask, in a span where the user traces."""

    @wraps(ask)
    def traced(judge: Judge, request: JudgeRequest, bench: Bench, /) -> Awaitable[JudgeReply]:
        tracer = _tracer()
        return ask(judge, request, bench) if tracer is None else _in_span(tracer, ask, judge, request, bench)

    return traced


async def _in_span(tracer: Tracer, ask: Asks, judge: Judge, request: JudgeRequest, bench: Bench) -> JudgeReply:
    from opentelemetry.trace import SpanKind

    begun = asked(judge, request)
    with tracer.start_as_current_span(
        f"chat {begun['gen_ai.request.model']!s}", kind=SpanKind.CLIENT, attributes=begun, record_exception=False
    ) as span:
        reply = await ask(judge, request, bench)
        _end(span, reply)
        return reply


def noted(attempt: Attempt, /) -> None:
    """Add a request that was made to the span of its ask."""
    if "opentelemetry.trace" in sys.modules:
        from opentelemetry.trace import get_current_span

        get_current_span().add_event("scorewright.attempt", attempted(attempt))


def _tracer() -> Tracer | None:
    """Who makes spans; nobody, where the user has not even imported OpenTelemetry, or not set it up."""
    if "opentelemetry.trace" not in sys.modules:
        return None
    from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider

    provider = get_tracer_provider()
    return None if isinstance(provider, ProxyTracerProvider) else provider.get_tracer("scorewright")


def asked(judge: Judge, request: JudgeRequest, /) -> Attributes:
    """What is known of an ask before it is sent."""
    provider, _, name = named(judge.model).partition("/")
    if provider not in PROVIDERS:  # a name alone, of a server that speaks as OpenAI does
        provider, name = "openai", named(judge.model)
    if isinstance(judge.model, Called):
        provider = "function"
    settings, where = judge.model_settings, urlsplit(judge.base_url)
    said: dict[str, AttributeValue | None] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDERS.get(provider, provider),
        "gen_ai.request.model": name or "unknown",
        "gen_ai.output.type": "json" if request.schema else "text",
        "gen_ai.request.temperature": settings.temperature,
        "gen_ai.request.top_p": settings.top_p,
        "gen_ai.request.seed": settings.seed,
        "gen_ai.request.max_tokens": settings.max_tokens,
        "gen_ai.request.stop_sequences": settings.stop,
        "server.address": where.hostname,
        "server.port": where.port if where.hostname else None,
    }
    return {key: value for key, value in said.items() if value is not None}


def attempted(attempt: Attempt, /) -> Attributes:
    """What is known of a request that was made."""
    said: dict[str, AttributeValue | None] = {
        "http.response.status_code": attempt.status,
        "error.type": type(attempt.fault).__name__ if attempt.fault else None,
        "gen_ai.response.model": attempt.model or None,
        "gen_ai.response.id": attempt.request_id or None,
        "gen_ai.response.finish_reasons": (attempt.finish_reason,) if attempt.finish_reason else None,
        "scorewright.attempt.seconds": attempt.nanoseconds / 1e9,
    }
    return {key: value for key, value in said.items() if value is not None} | _used(attempt.usage)


def _used(usage: Usage | None) -> Attributes:
    if usage is None:
        return {}
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_input_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
    }


def _end(span: Span, reply: JudgeReply) -> None:
    from opentelemetry.trace import StatusCode

    if reply.attempts:
        last = attempted(reply.attempts[-1])
        span.set_attributes({key: last[key] for key in last if key.startswith("gen_ai.response.")})
    counted = [attempt.usage for attempt in reply.attempts if attempt.usage is not None]
    span.set_attributes(_used(sum(counted, Usage()) if counted else None))
    if not is_successful(reply.answer):
        kind = type(reply.answer.failure()).__name__
        span.set_attribute("error.type", kind)
        span.set_status(StatusCode.ERROR, kind)
