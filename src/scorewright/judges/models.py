"""Which model a judge means: by name, by a client, by a function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.judges.call import Call, Heard
from scorewright.judges.kinds import SUPPORTED, kind_of

PROVIDERS = ("openai", "openai-responses", "azure", "anthropic", "gemini", "mistral", "bedrock", "local")
BY_INSTRUCTOR = ("deepseek", "groq", "openrouter", "perplexity", "together")  # it opens their clients
KNOWN = (*PROVIDERS, *BY_INSTRUCTOR)


@final
@attrs.frozen
class Called:
    """A function of your own as a model: one call in, its text (or all that was heard) out.

    `identity` names everything that shapes its answers; without one, its replies cannot be cached or journaled.
    What it retries inside is outside the promise of one request an attempt.
    """

    ask: Callable[[Call], Awaitable[str | Heard]]
    identity: str = ""


@final
@attrs.frozen
class Client:
    """A client handed in, of instructor or of an SDK, with its own retries off; `name` is the model to ask."""

    client: object = attrs.field(repr=False)
    name: str

    @property
    def full_name(self) -> str:
        """The name with its provider in front: "openai/gpt-4o"."""
        kind = kind_of(self.client)
        return f"{kind.provider if kind else type(self.client).__name__}/{self.name}"


@final
@attrs.frozen
class ByContext:
    """A model chosen by the run's request context."""

    choose: Callable[[Mapping[str, object]], str | Called | Client]

    def chosen(self, context: Mapping[str, object], /) -> str | Called | Client:
        """The model for this request context."""
        given = self.choose(context)
        _expect("the function of by_context(f) gives a name, calling(…) or using(…)", given, str, Called, Client)
        return given


Model: TypeAlias = str | Called | Client | ByContext


def calling(ask: Callable[[Call], Awaitable[str | Heard]], /, *, identity: str = "") -> Called:
    """A function of your own as a model."""
    _expect("calling(f, identity=…) takes a function", ask)
    _expect("identity= is a text", identity, str)
    return Called(ask, identity)


def using(client: object, name: str, /) -> Client:
    """A client as a model, of instructor, openai, groq, anthropic, google-genai or mistralai. It is not closed."""
    if kind_of(client) is None:
        raise DefinitionError(
            f"using(client, name) takes {SUPPORTED}, not {type(client).__name__}; wrap it in calling(…)"
        )
    return Client(client, name)


def by_context(choose: Callable[[Mapping[str, object]], str | Called | Client], /) -> ByContext:
    """The model that your function chooses for a run's request context."""
    _expect("by_context(f) takes a function", choose)
    return ByContext(choose)


def _expect(wanted: str, given: object, *kinds: type) -> None:
    if not (isinstance(given, kinds) if kinds else callable(given)):
        raise DefinitionError(f"{wanted}, not {type(given).__name__}")


def as_model(given: object, /) -> Model:
    """The model, or how to write what was meant."""
    if isinstance(given, (str, Called, Client, ByContext)):
        return given
    if callable(given):
        raise DefinitionError("model= takes a function as calling(f, identity=…), or as by_context(f)")
    raise DefinitionError(f'model= takes a {type(given).__name__} as using(client, "model name")')


def named(model: Model, /) -> str:
    """How the model is called in identities and prices."""
    if isinstance(model, str):
        return model
    if isinstance(model, Client):
        return model.full_name
    return model.identity if isinstance(model, Called) else ""


def unknown_provider(model: str, /) -> str | None:
    """Why a model's name leads nowhere; None where it does, or where there is none yet."""
    provider, slash, _ = model.partition("/")
    if not model or (slash and provider in KNOWN):
        return None
    return f'model={model!r}: no such provider; write "provider/name" with one of {", ".join(KNOWN)}'
