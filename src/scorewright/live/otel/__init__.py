"""Scores out of spans: a span processor in the program, and a receiver of OTLP beside it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from scorewright.live.otel.anchors import Anchor, is_agent, is_agent_or_root
from scorewright.live.otel.assembly import SpanCounts
from scorewright.live.otel.limits import SpanLimits

if TYPE_CHECKING:
    from scorewright.live.otel.processor import ScoringSpanProcessor
    from scorewright.live.otel.receiver import Receiver
    from scorewright.live.otel.requests import HttpLimits, RequestCounts

__all__ = [
    "Anchor",
    "HttpLimits",
    "Receiver",
    "RequestCounts",
    "ScoringSpanProcessor",
    "SpanCounts",
    "SpanLimits",
    "is_agent",
    "is_agent_or_root",
]

_LATER = {
    "HttpLimits": "scorewright.live.otel.requests",
    "Receiver": "scorewright.live.otel.receiver",
    "RequestCounts": "scorewright.live.otel.requests",
    "ScoringSpanProcessor": "scorewright.live.otel.processor",
}


def __getattr__(name: str) -> object:
    """What needs OpenTelemetry's SDK or a server is loaded when it is first used."""
    if name in _LATER:
        found: object = getattr(import_module(_LATER[name]), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
