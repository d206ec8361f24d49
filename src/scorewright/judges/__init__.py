"""Judges: who is asked, and how a request becomes a reply."""

from scorewright.judges.judge import Judge
from scorewright.judges.models import by_context, calling, using
from scorewright.judges.processors import CapTokens, Moderate, Redact, abort
from scorewright.judges.retry import ErrorRetryProcessor, Match, Retry, Trouble
from scorewright.judges.settings import ModelSettings

__all__ = [
    "CapTokens",
    "ErrorRetryProcessor",
    "Judge",
    "Match",
    "ModelSettings",
    "Moderate",
    "Redact",
    "Retry",
    "Trouble",
    "abort",
    "by_context",
    "calling",
    "using",
]
