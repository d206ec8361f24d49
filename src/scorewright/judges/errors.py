"""Which fault a server's refusal is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
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
from scorewright.judges.details import detailed
from scorewright.judges.retry import is_overload, retry_after

BEYOND = 600  # all statuses
LONGEST_WHY = 2000  # characters of a message; the whole body stays in the attempt
QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_error", "credit_balance_too_low",
                   "quota_per_day", "contract_spend_limit_reached", "enforced_spend_limit_reached",
                   "linked_organization_spend_limit_reached"})  # fmt: skip
QUOTA_WORDS = ("credit balance is too low",)
TOO_LONG = frozenset({"context_length_exceeded", "request_too_large", "string_above_max_length",
                      "exceed_context_size_error"})  # fmt: skip
FILTERED = frozenset({"content_filter", "content_policy_violation"})
DENIED = frozenset({"invalid_api_key", "authentication_error", "permission_error", "permission_denied", "access_denied",
                    "api_key_invalid", "unauthenticated"})  # fmt: skip
TOO_LONG_WORDS = ("maximum context length", "prompt is too long", "too many tokens", "exceeds the context",
                  "exceed context limit", "available context size", "maximum number of tokens",
                  "input is too long")  # fmt: skip
BROKE_OFF = frozenset({"ModelErrorException"})  # Bedrock's 424: the model failed, not the request


def refusal(status: int, body: str, headers: Mapping[str, str], /) -> tuple[JudgeFault, Signals]:
    """The fault of an HTTP status with its body, and what they say of a retry."""
    code, message, param = _told(body)
    exact, headers = detailed(body, headers)
    code = exact or code
    signals = Signals(code, message[:LONGEST_WHY], param, headers)
    return _fault(status, code, signals.message or f"HTTP {status}", signals), signals


def refusal_in_success(body: str, headers: Mapping[str, str], /) -> tuple[JudgeFault, Signals]:
    """The fault of an error that came with status 200: the error may hold the status that was meant."""
    code, _, _ = _told(body)
    return refusal(
        _meant(json.loads(body))
        or (HTTPStatus.BAD_REQUEST if code == "invalid_request_error" else HTTPStatus.INTERNAL_SERVER_ERROR).value,
        body,
        headers,
    )


def _meant(body: Mapping[str, object]) -> int:
    error = body.get("error")
    inner = cast("dict[str, object]", error) if isinstance(error, dict) else body
    codes = [value for value in (inner.get("code"), inner.get("status")) if isinstance(value, int)]
    return next((code for code in codes if HTTPStatus.BAD_REQUEST <= code < BEYOND), 0)


def _fault(status: int, code: str, why: str, signals: Signals) -> JudgeFault:
    said = why.lower()
    if code in QUOTA or status == HTTPStatus.PAYMENT_REQUIRED or any(word in said for word in QUOTA_WORDS):
        return QuotaExhausted(why)
    if (
        code in TOO_LONG
        or status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        or (status == HTTPStatus.BAD_REQUEST and any(word in said for word in TOO_LONG_WORDS))
    ):
        return ContextTooLong(why)
    if code in FILTERED:
        return ContentFiltered(why)
    if status in {401, 403} or code.lower() in DENIED:
        return Unauthorized(why)
    if status == HTTPStatus.REQUEST_TIMEOUT:
        return TimedOut(why)
    if status == HTTPStatus.TOO_MANY_REQUESTS or code == "ThrottlingException":
        return RateLimited(why, retry_after(signals))
    passing = status >= HTTPStatus.INTERNAL_SERVER_ERROR or code in BROKE_OFF or is_overload(code)
    return ServerError(status, why) if passing else BadRequest(status, why)  # a redirect is not followed


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
            return str(outer.get("code") or outer.get("type") or ""), inner, ""
        if isinstance(inner, dict):
            error = cast("dict[str, object]", inner)
            code = error.get("code") or error.get("type") or error.get("status") or error.get("__type") or ""
            if not isinstance(code, str):
                code = error.get("type") or error.get("status") or ""
            message = error.get("message") or error.get("detail") or ""
            return str(code), str(message), str(error.get("param") or "")
    return "", body[:500], ""
