"""What kind of client was handed in, told by its class and without importing its package."""

from __future__ import annotations

from typing import final
from urllib.parse import urlsplit

import attrs

SUPPORTED = "a client of instructor, openai, groq, anthropic, google-genai or mistralai"


@final
@attrs.frozen
class Kind:
    """Whose client it is, which service it asks, and whether its methods are to be awaited."""

    package: str
    provider: str
    is_async: bool


def kind_of(client: object, /) -> Kind | None:
    """The kind of a client; None for one that we do not know how to call."""
    if _is(client, "instructor", "Instructor"):
        inner = beneath(client)
        if inner is None:  # made from a function, as for LiteLLM
            return Kind("instructor", "litellm", _is(client, "instructor", "AsyncInstructor"))
        return kind_of(inner)
    for package in ("openai", "anthropic", "groq"):
        for base in ("SyncAPIClient", "AsyncAPIClient"):
            if _is(client, package, base):
                return Kind(package, _service(client, package), base == "AsyncAPIClient")
    if _is(client, "google.genai", "Client") or _is(client, "google.genai", "AsyncClient"):
        return Kind("google", "gemini", is_async=True)
    return Kind("mistralai", "mistral", is_async=True) if _is(client, "mistralai", "Mistral") else None


def beneath(client: object, /) -> object:
    """The SDK's client under one of instructor; the client itself where there is nothing under it."""
    inner: object = getattr(client, "client", None)
    return inner if _is(client, "instructor", "Instructor") else client


def _is(client: object, package: str, name: str) -> bool:
    """Whether its class, or one that it inherits from, has this name in this package."""
    return any(
        kind.__name__ == name and f"{kind.__module__}.".startswith(f"{package}.") for kind in type(client).__mro__
    )


def _service(client: object, package: str) -> str:
    """The provider's name; a server that only speaks OpenAI's language is no more than compatible."""
    name = type(client).__name__
    if package == "groq":
        return "groq"
    if package == "anthropic":
        return "bedrock" if "Bedrock" in name else "anthropic"
    if "Azure" in name:
        return "azure"
    host = urlsplit(str(getattr(client, "base_url", ""))).hostname
    return "openai" if host == "api.openai.com" else "compatible"
