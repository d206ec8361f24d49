"""Judges: who is asked, and how a request becomes a reply."""

from scorewright.judges.estimate import Bounds, Estimate, estimate
from scorewright.judges.judge import Judge
from scorewright.judges.models import by_context, calling, using
from scorewright.judges.processors import CapTokens, Moderate, Redact, abort
from scorewright.judges.retry import ErrorRetryProcessor, Match, Retry, Trouble
from scorewright.judges.settings import ModelSettings
from scorewright.judges.transcripts import Tape, caching, recording, replaying
from scorewright.judges.usage import cost_of, spent, usage_of

__all__ = [
    "Bounds",
    "CapTokens",
    "ErrorRetryProcessor",
    "Estimate",
    "Judge",
    "Match",
    "ModelSettings",
    "Moderate",
    "Redact",
    "Retry",
    "Tape",
    "Trouble",
    "abort",
    "by_context",
    "caching",
    "calling",
    "cost_of",
    "estimate",
    "recording",
    "replaying",
    "spent",
    "usage_of",
    "using",
]
