"""Scores out of spans: a span processor in the program, and a receiver of OTLP beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorewright.live.later import loading as _loading
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

# What needs OpenTelemetry's SDK or a server is loaded when it is first used.
__getattr__: Callable[[str], object] = _loading(
    __name__,
    {
        "HttpLimits": "requests",
        "Receiver": "receiver",
        "RequestCounts": "requests",
        "ScoringSpanProcessor": "processor",
    },
)
