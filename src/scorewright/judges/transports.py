"""From a judge's model to what sends its requests."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Mapping
from functools import lru_cache
from time import perf_counter_ns
from typing import TYPE_CHECKING, final

import attrs

from scorewright.core.ask import Attempt
from scorewright.core.bench import Bench
from scorewright.faults import BadRequest, JudgeFault, NoJudge, Unauthorized, Unreachable
from scorewright.judges.aws import SECRETS, region, signing
from scorewright.judges.call import Call, Heard, Signals, Transport
from scorewright.judges.delivery import natively
from scorewright.judges.dialects.anthropic import ANTHROPIC
from scorewright.judges.dialects.bedrock import BEDROCK
from scorewright.judges.dialects.gemini import GEMINI
from scorewright.judges.dialects.openai_chat import AZURE, COMPATIBLE, MISTRAL, OPENAI
from scorewright.judges.dialects.openai_responses import RESPONSES
from scorewright.judges.http import Dialect, Sign, over_http
from scorewright.judges.local import served
from scorewright.judges.models import BY_INSTRUCTOR, Called, Client, unknown_provider
from scorewright.judges.raised import fallen, has_answer
from scorewright.judges.settings import is_a
from scorewright.results import err, ok

if TYPE_CHECKING:
    from scorewright.judges.judge import Judge

DIALECTS: Mapping[str, Dialect] = {
    "openai": OPENAI,
    "openai-responses": RESPONSES,
    "azure": AZURE,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "mistral": MISTRAL,
    "bedrock": BEDROCK,
}
OPENED: Mapping[str, str] = {provider: f"{provider.upper()}_API_KEY" for provider in BY_INSTRUCTOR}  # their keys
KEY_VARIABLES = frozenset({*(dialect.key_env for dialect in DIALECTS.values()), *OPENED.values(), *SECRETS})


@final
@attrs.frozen
class Opened:
    """A model that can be asked: its name on the wire and with its provider, and the address that limits count by."""

    send: Transport
    name: str
    full_name: str
    address: str


async def opened(judge: Judge, bench: Bench, /) -> Opened | JudgeFault:
    """The judge's model, or why it cannot be asked."""
    model = judge.model
    if isinstance(model, Called):
        return Opened(called(model), model.identity or "a function", model.identity, f"function {id(model.ask)}")
    if isinstance(model, Client):
        from scorewright.judges.clients import client_transport

        send = client_transport(model)
        return Opened(send, model.name, model.full_name, f"client {id(model.client)}")
    if isinstance(model, str):
        return await _by_name(judge, model, bench)
    return NoJudge()


async def _by_name(judge: Judge, model: str, bench: Bench) -> Opened | JudgeFault:
    provider, slash, name = model.partition("/")
    if slash and provider == "local":
        return await _local(name, bench)
    if slash and provider in BY_INSTRUCTOR and not judge.base_url:
        return await _by_instructor(judge, model, bench)
    way = _way_to(model, judge.base_url, judge.api_key_env)
    if isinstance(way, JudgeFault):
        return way
    key = os.environ.get(way.key_env, "").strip()
    base_url = way.base_url
    sign: Sign | None = None
    if way.dialect is BEDROCK:
        base_url = judge.base_url or base_url.format(region=region())
        signed = None if key else await signing("bedrock", bench)
        if isinstance(signed, JudgeFault):
            return signed
        sign = signed
    if not (key or sign or judge.base_url):
        return Unauthorized(f"no key: set the environment variable {way.key_env}")
    send = await over_http(way.dialect, base_url, key, bench, sign)
    return Opened(send, way.name, way.full_name, f"{base_url} {way.name}")


@final
@attrs.frozen
class Way:
    """What a model's name leads to, before a key is read."""

    dialect: Dialect
    base_url: str  # with {region} in it, of Bedrock
    key_env: str
    name: str
    full_name: str


@lru_cache(maxsize=256)  # it is asked for with every request
def _way_to(model: str, base_url: str, api_key_env: str) -> Way | BadRequest:
    provider, slash, name = model.partition("/")
    dialect = DIALECTS.get(provider) if slash else None
    if dialect is None and base_url:
        dialect, name = COMPATIBLE, model
    if dialect is None and not model:
        return BadRequest(0, 'the judge names no model: write Judge("provider/name")')
    if dialect is None:
        return BadRequest(0, unknown_provider(model) or f"model={model!r}: no such provider")
    if dialect is OPENAI and base_url and not natively(model):
        dialect = COMPATIBLE  # a name that OpenAI does not have
    if not (base_url or dialect.base_url):
        return BadRequest(0, f"model={model!r} needs base_url=, as https://RESOURCE.openai.azure.com/openai/v1")
    full_name = model if dialect is not COMPATIBLE else f"compatible/{name}"
    return Way(dialect, base_url or dialect.base_url, api_key_env or dialect.key_env, name, full_name)


async def _by_instructor(judge: Judge, model: str, bench: Bench) -> Opened | JudgeFault:
    from scorewright.judges.instructed import through_instructor

    provider, _, name = model.partition("/")
    key_env = judge.api_key_env or OPENED[provider]
    key = os.environ.get(key_env, "").strip()
    if not key:
        return Unauthorized(f"no key: set the environment variable {key_env}")
    address = os.environ.get(f"{provider.upper()}_BASE_URL", "")  # which some SDKs read when they are opened
    send = await through_instructor(model, key, address, bench)
    return send if isinstance(send, JudgeFault) else Opened(send, name, model, f"instructor {model} {address}")


async def _local(name: str, bench: Bench) -> Opened | JudgeFault:
    address = await served(name, bench)
    if isinstance(address, JudgeFault):
        return address
    send = await over_http(COMPATIBLE, f"{address}/v1", "", bench)
    return Opened(send, name, f"local/{name}", address)


def called(model: Called, /) -> Transport:
    """A function of the user's as a transport: its text is the answer, what it raises is a fault."""

    async def send(call: Call, /) -> Heard:
        began = perf_counter_ns()
        try:
            said = await _answered(model.ask(call))
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            if has_answer(exception):  # of an SDK that it uses: a limit is a limit, whoever met it
                return fallen(exception, call, "", began)
            why = f"the function raised {type(exception).__name__}: {exception}"
            fault = BadRequest(0, str(exception)) if isinstance(exception, _Misused) else Unreachable(why)
            attempt = Attempt(fault, model=model.identity, nanoseconds=perf_counter_ns() - began)
            return Heard(err(fault), attempt, Signals(message=str(exception), exception=exception))
        if isinstance(said, Heard):
            return said
        return Heard(ok(said), Attempt(model=model.identity, nanoseconds=perf_counter_ns() - began))

    return send


class _Misused(TypeError):
    """A function that is none of those that `calling` takes."""


async def _answered(waiting: Awaitable[str | Heard]) -> str | Heard:
    """What the function gave, where that is an answer."""
    if not is_a(waiting, Awaitable):
        raise _Misused(f"the function gave {type(waiting).__name__} at once: write `async def`")
    said = await waiting
    if not is_a(said, str, Heard):
        raise _Misused(f"the function gave {type(said).__name__}: give the text of the answer, or a Heard")
    return said
