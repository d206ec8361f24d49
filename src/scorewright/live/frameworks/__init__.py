"""What hands the runs of frameworks over to the scorers of a `Live`. No framework is imported before its use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorewright.live.frameworks.exchange import ErrorResponse, HttpRequest, HttpResponse
from scorewright.live.later import loading as _loading

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

# What needs a framework is loaded when it is first used.
__getattr__: Callable[[str], object] = _loading(
    __name__,
    {
        "ScoringCallback": "langchain",
        "ScoringCapability": "pydantic_ai",
        "ScoringMiddleware": "asgi",
        "ScoringTraceProcessor": "openai_agents",
    },
)
