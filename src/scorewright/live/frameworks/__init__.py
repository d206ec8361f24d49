"""What hands the runs of frameworks over to the scorers of a `Live`. No framework is imported before its use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from scorewright.live.frameworks.exchange import ErrorResponse, HttpRequest, HttpResponse

if TYPE_CHECKING:
    from scorewright.live.frameworks.asgi import ScoringMiddleware
    from scorewright.live.frameworks.langchain import ScoringCallback
    from scorewright.live.frameworks.openai_agents import ScoringTraceProcessor
    from scorewright.live.frameworks.pydantic_ai import ScoringCapability

__all__ = [
    "ErrorResponse",
    "HttpRequest",
    "HttpResponse",
    "ScoringCallback",
    "ScoringCapability",
    "ScoringMiddleware",
    "ScoringTraceProcessor",
]

_LATER = {
    "ScoringCallback": "scorewright.live.frameworks.langchain",
    "ScoringCapability": "scorewright.live.frameworks.pydantic_ai",
    "ScoringMiddleware": "scorewright.live.frameworks.asgi",
    "ScoringTraceProcessor": "scorewright.live.frameworks.openai_agents",
}


def __getattr__(name: str) -> object:
    """What needs a framework is loaded when it is first used."""
    if name in _LATER:
        found: object = getattr(import_module(_LATER[name]), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
