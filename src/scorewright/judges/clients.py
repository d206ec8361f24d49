"""Clients handed in: of instructor, or of an SDK. Each is used as it is, with its own retries off for our requests."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import perf_counter_ns
from typing import cast

from scorewright.judges.call import Call, Heard, Transport
from scorewright.judges.dialects.anthropic import ANTHROPIC
from scorewright.judges.dialects.gemini import GEMINI
from scorewright.judges.dialects.openai_chat import COMPATIBLE, MISTRAL, OPENAI
from scorewright.judges.http import Dialect, heard_of, hidden
from scorewright.judges.kinds import Kind, beneath, kind_of
from scorewright.judges.models import Client
from scorewright.judges.raised import fallen

DIALECTS: Mapping[str, Dialect] = {
    "openai": OPENAI,
    "azure": OPENAI,
    "compatible": COMPATIBLE,
    "litellm": COMPATIBLE,
    "anthropic": ANTHROPIC,
    "bedrock": ANTHROPIC,  # Anthropic's own client for it
    "gemini": GEMINI,
    "mistral": MISTRAL,
    "groq": COMPATIBLE,
}
PATHS = {"openai": "/chat/completions", "anthropic": "/v1/messages", "groq": "/openai/v1/chat/completions"}
KEYS = ("api_key", "auth_token", "_api_client.api_key", "sdk_configuration.security.api_key")


def client_transport(model: Client, /) -> Transport:
    """The client as a transport: one call is one request; what the SDK raises is a fault.

    The request of a client that is not async goes on in its thread when the wait for it ends.
    """
    kind = kind_of(model.client)
    if kind is None:
        raise TypeError(type(model.client).__name__)  # `using` has refused it already
    dialect = DIALECTS[kind.provider]
    post = _post(kind, beneath(model.client) or model.client)
    defaults = _defaults(model.client)
    key = _key(beneath(model.client))

    async def send(call: Call, /) -> Heard:
        began = perf_counter_ns()
        try:
            reply = await _awaited(partial(post, call.model, {**defaults, **dialect.body(call)}), kind)
        except Exception as exception:  # noqa: BLE001 - an SDK may raise anything
            return fallen(exception, call, key, began)
        text = reply if isinstance(reply, str) else json.dumps(_plain(reply), ensure_ascii=False)
        return heard_of(dialect, 200, {}, hidden(text, key), began)

    return send


async def _awaited(ask: Callable[[], object], kind: Kind) -> object:
    if kind.is_async:
        return await cast("Awaitable[object]", ask())
    from anyio import CapacityLimiter, to_thread

    # a limiter of its own: how many there are at once is the judge's setting
    return await to_thread.run_sync(ask, abandon_on_cancel=True, limiter=CapacityLimiter(1))


def _post(kind: Kind, client: object) -> Callable[[str, Mapping[str, object]], object]:
    """How this kind of client sends a body exactly once."""
    if path := PATHS.get(kind.package):
        post = partial(method_of(client, "post"), path, cast_to=object, options={"max_retries": 0})
        return lambda _, body: post(body=body)
    if kind.package == "google":
        generate = method_of(getattr(client, "aio", client), "models.generate_content")
        return lambda name, body: generate(model=name, contents=body["contents"], config=_config(body))
    if kind.package == "mistralai":
        complete = method_of(client, "chat.complete_async")
        return lambda _, body: complete(**body, retries=None)
    create = method_of(client, "create")
    return lambda _, body: create(response_model=None, max_retries=0, **body)


def _config(body: Mapping[str, object]) -> Mapping[str, object]:
    """The REST fields of Gemini as the SDK wants them: all but the contents are one configuration."""
    config = cast("Mapping[str, object]", body.get("generationConfig", {}))
    others = {name: value for name, value in body.items() if name not in {"contents", "generationConfig"}}
    return {**config, **others, "httpOptions": {"retryOptions": {"attempts": 1}}}


def _defaults(client: object) -> Mapping[str, object]:
    """What a client of instructor adds to each request."""
    if beneath(client) is client:
        return {}
    given = cast("Mapping[str, object]", getattr(client, "kwargs", None) or {})
    return {name: value for name, value in given.items() if name not in {"max_retries", "strict"}}


def _plain(reply: object) -> object:
    dump: object = getattr(reply, "model_dump", None)
    return dump(mode="json", by_alias=True) if callable(dump) else reply


def method_of(owner: object, path: str, /) -> Callable[..., object]:
    """A function of a package that is known here by its names only."""
    for name in path.split("."):
        owner = getattr(owner, name)
    return cast("Callable[..., object]", owner)  # of a package that we know by name only


def _key(client: object) -> str:
    for path in KEYS:
        found = client
        for name in path.split("."):
            found = getattr(found, name, None)
        if isinstance(found, str) and found:
            return found
    return ""
