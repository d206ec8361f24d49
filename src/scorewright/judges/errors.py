"""Which fault a server's refusal is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from scorewright.faults import (
    BadRequest,
    ContentFiltered,
    ContextTooLong,
    JudgeFault,
    QuotaExhausted,
    RateLimited,
    ServerError,
    TimedOut,
    Unauthorized,
)
from scorewright.judges.call import Signals
from scorewright.judges.retry import retry_after

QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_error", "credit_balance_too_low"})
TOO_LONG = frozenset({"context_length_exceeded", "request_too_large", "string_above_max_length"})
FILTERED = frozenset({"content_filter", "content_policy_violation"})
DENIED = frozenset({"invalid_api_key", "authentication_error", "permission_error", "permission_denied", "access_denied"})
TOO_LONG_WORDS = ("maximum context length", "prompt is too long", "too many tokens", "exceeds the context")


def refusal(status: int, body: str, headers: Mapping[str, str], /) -> tuple[JudgeFault, Signals]:
    """The fault of an HTTP status with its body, and what they say of a retry."""
    code, message, param = _told(body)
    signals = Signals(code, message, param, headers)
    return _fault(status, code, message or f"HTTP {status}", signals), signals


def _fault(status: int, code: str, why: str, signals: Signals) -> JudgeFault:
    if code in QUOTA:
        return QuotaExhausted(why)
    if code in TOO_LONG or status == 413 or (status == 400 and any(word in why.lower() for word in TOO_LONG_WORDS)):
        return ContextTooLong(why)
    if code in FILTERED:
        return ContentFiltered(why)
    if status in {401, 403} or code in DENIED:
        return Unauthorized(why)
    if status == 408:
        return TimedOut(why)
    if status == 429:
        return RateLimited(why, retry_after(signals))
    return BadRequest(status, why) if 400 <= status < 500 else ServerError(status, why)


def _told(body: str) -> tuple[str, str, str]:
    """Code, message and parameter of an error body, in whichever of the providers' forms it is."""
    try:
        said: object = json.loads(body)
    except (ValueError, RecursionError):
        return "", body[:500].strip(), ""
    if isinstance(said, list) and said:
        said = cast("list[object]", said)[0]
    if isinstance(said, dict):
        outer = cast("dict[str, object]", said)
        inner = outer.get("error", outer)
        if isinstance(inner, str):
            return "", inner, ""
        if isinstance(inner, dict):
            error = cast("dict[str, object]", inner)
            code = error.get("code") or error.get("type") or error.get("status") or error.get("__type") or ""
            if not isinstance(code, str):
                code = error.get("type") or error.get("status") or ""
            message = error.get("message") or error.get("detail") or ""
            return str(code), str(message), str(error.get("param") or "")
    return "", body[:500], ""
