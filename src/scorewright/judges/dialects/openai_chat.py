"""OpenAI chat completions, and what is compatible: Azure, vLLM, Ollama, llama.cpp, Mistral and many more."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from returns.result import Result

from scorewright.core.ask import Usage
from scorewright.faults import (
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    JudgeFault,
    Refused,
    ServerError,
    Truncated,
)
from scorewright.judges.call import Call
from scorewright.judges.dialects.keywords import LENGTHS, without
from scorewright.judges.fields import first_of, items, mapping, number, text
from scorewright.judges.http import Dialect, Said
from scorewright.judges.logprobs import tokens_in
from scorewright.judges.settings import NO_SETTINGS, thawed
from scorewright.results import err, ok


def bearer(key: str, /) -> Mapping[str, str]:
    """The usual header for a key."""
    return {"authorization": f"Bearer {key}"} if key else {}


def messages(call: Call, /) -> list[dict[str, str]]:
    """Instructions as a system message, then the prompt."""
    system = [{"role": "system", "content": call.system}] if call.system else []
    return [*system, {"role": "user", "content": call.user}]


def sampling(call: Call, /) -> dict[str, object]:
    """The settings that the model takes, by their common names."""
    settings = call.settings
    if settings is NO_SETTINGS:
        return {}
    wished = {
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "seed": settings.seed,
        "stop": None if settings.stop is None else list(settings.stop),
    }
    return {name: value for name, value in wished.items() if value is not None and name not in call.without}


def _body(call: Call, limit: str, lacking: frozenset[str] = frozenset()) -> dict[str, object]:
    body: dict[str, object] = {"model": call.model, "messages": messages(call), **sampling(call)}
    if call.settings.max_tokens is not None:
        body["max_completion_tokens" if "max_tokens" in call.without else limit] = call.settings.max_tokens
    if call.schema is not None:
        shape = {"name": call.schema_name, "schema": without(call.schema, lacking), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    if call.alternatives:
        body |= {"logprobs": True, "top_logprobs": call.alternatives}
    return {**body, **thawed(call.settings.extra)} if call.settings.extra else body


def _read(reply: Mapping[str, object]) -> Said:
    choice = first_of(reply, "choices")
    finish = text(choice, "finish_reason")
    told = tokens_in(mapping(choice, "logprobs"), "content") if choice.get("logprobs") else ()
    return Said(_answer(choice, finish), _usage(reply), text(reply, "model"), text(reply, "id"), finish, told)


def _answer(choice: Mapping[str, object], finish: str) -> Result[str, JudgeFault]:
    message = mapping(choice, "message")
    said = text(message, "content") or "".join(text(part, "text") for part in items(message, "content"))
    if refused := text(message, "refusal"):
        return err(Refused(refused))
    if finish == "content_filter":
        return err(ContentFiltered("the provider's filter stopped the reply"))
    if finish == "length":
        return err(Truncated(said))
    if finish == "model_length":
        return err(ContextTooLong("the reply ran into the end of the context"))
    if finish == "error":
        return err(ServerError(200, "the model broke off"))
    return ok(said) if said.strip() else err(EmptyReply())


def _usage(reply: Mapping[str, object]) -> Usage | None:
    usage = mapping(reply, "usage")
    if not usage:
        return None
    return Usage(
        number(usage, "prompt_tokens"),
        number(usage, "completion_tokens"),
        number(mapping(usage, "prompt_tokens_details"), "cached_tokens"),
        number(mapping(usage, "completion_tokens_details"), "reasoning_tokens"),
    )


def _openai(call: Call) -> Mapping[str, object]:
    return _body(call, "max_completion_tokens", LENGTHS)


OPENAI = Dialect(
    "openai", "https://api.openai.com/v1", "OPENAI_API_KEY", lambda _: "/chat/completions", bearer, _openai, _read
)
AZURE = Dialect(
    "azure", "", "AZURE_OPENAI_API_KEY", lambda _: "/chat/completions", lambda key: {"api-key": key}, _openai, _read
)
COMPATIBLE = Dialect(
    "compatible",
    "",
    "OPENAI_API_KEY",
    lambda _: "/chat/completions",
    bearer,
    lambda call: _body(call, "max_tokens"),
    _read,
)
MISTRAL = Dialect(
    "mistral",
    "https://api.mistral.ai/v1",
    "MISTRAL_API_KEY",
    lambda _: "/chat/completions",
    bearer,
    lambda call: _mistral(_body(attrs.evolve(call, top_logprobs=0), "max_tokens")),  # it tells no probabilities
    _read,
)


def _mistral(body: Mapping[str, object]) -> Mapping[str, object]:
    return {("random_seed" if name == "seed" else name): value for name, value in body.items()}
