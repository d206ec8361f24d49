"""What providers say of an error outside its code and message: Google's details, Anthropic's, Amazon's header."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

from scorewright.judges.fields import items, mapping, text


def detailed(body: str, headers: Mapping[str, str], /) -> tuple[str, Mapping[str, str]]:
    """The more exact code, empty where there is none, and the headers, with the wait that Google puts into the body."""
    amazon = headers.get("x-amzn-errortype", "").partition(":")[0]
    error = _error(body)
    kind = text(error, "__type").rpartition("#")[2]  # Amazon's, where a proxy has dropped the header
    anthropic = text(mapping(error, "details"), "error_code")
    google = items(error, "details")
    reasons = [text(detail, "reason") for detail in google if text(detail, "reason") == "API_KEY_INVALID"]
    quotas = [text(violation, "quotaId") for detail in google for violation in items(detail, "violations")]
    daily = ["quota_per_day" for quota in quotas if "PerDay" in quota]  # comes back in hours: no rate, but an end
    waits = [match[1] for detail in google if (match := re.fullmatch(r"([\d.]+)s", text(detail, "retryDelay")))]
    if waits and "retry-after" not in headers:
        headers = {**headers, "retry-after": waits[0]}
    return next(iter([*daily, *reasons]), amazon or kind or anthropic), headers


def _error(body: str) -> Mapping[str, object]:
    try:
        said: object = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    # Gemini puts the errors of some of its endpoints into a list
    first: object = next(iter(cast("list[object]", said)), None) if isinstance(said, list) else said
    return mapping(first, "error") or mapping(first)
