"""Whether a failed request is tried again, and after how long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from math import isfinite
from random import uniform
from time import time
from typing import TypeAlias, final

import attrs

from scorewright.faults import (
    Aborted,
    BadRequest,
    BudgetExhausted,
    ContentFiltered,
    ContextTooLong,
    DefinitionError,
    JudgeFault,
    NoJudge,
    QuotaExhausted,
    RateLimited,
    Refused,
    ServerError,
    TimedOut,
    Truncated,
    Unauthorized,
    Unreachable,
)
from scorewright.judges.call import Signals


@final
@attrs.frozen
class Trouble:
    """One failed request as an error processor sees it. `retries` counts the requests after the first."""

    fault: JudgeFault
    status: int | None
    signals: Signals
    retries: int

    def causes(self) -> Iterator[BaseException]:
        """What was raised, and what caused it, each once."""
        seen: set[int] = set()
        raised = self.signals.exception
        while raised is not None and id(raised) not in seen:
            seen.add(id(raised))
            yield raised
            raised = raised.__cause__ or raised.__context__


@final
@attrs.frozen
class Retry:
    """Try again after so many seconds."""

    wait: float = 0.0


TERMINAL = (Unauthorized, QuotaExhausted, BadRequest, ContextTooLong, ContentFiltered, Refused, Truncated, NoJudge, Aborted,
            BudgetExhausted)  # fmt: skip

Delay: TypeAlias = float | Callable[[int], float]
Predicate: TypeAlias = Callable[[Trouble], bool]


def backoff(retries: int, /) -> float:
    """Seconds before a retry: half a second, doubled each time up to eight, and jittered by a quarter."""
    return float(min(8.0, 0.5 * 2**retries) * uniform(0.75, 1.25))  # noqa: S311 - jitter, not a secret


@final
@attrs.frozen
class Match:
    """Failures that `when` names are retried by these limits; what is None is the processor's own."""

    when: Predicate
    max_retries: int | None = None
    delay: Delay | None = None


OVERLOADED = frozenset({"rate_limit_exceeded", "overloaded", "overloaded_error", "server_error", "internal_error", "timeout",
                        "temporarily_unavailable", "service_unavailable", "engine_overloaded"})  # fmt: skip


@final
@attrs.frozen
class ErrorRetryProcessor:
    """Retries what passes by itself: 408, 409, 429, 5xx, lost connections, timeouts, overloads.

    Authentication, bad requests, a full context and an empty account are never retried, unless a matcher names them.
    The first matcher that matches decides. `delay` is in seconds, or a function of the number of retries so far;
    the server's Retry-After counts where it is longer, capped at `max_retry_after` seconds.
    """

    max_retries: int = 2
    delay: Delay = backoff
    max_retry_after: float = 30.0
    matchers: tuple[Match | Predicate, ...] = attrs.field(default=(), converter=tuple["Match | Predicate", ...])
    retry_unknown_errors: bool = False

    def __attrs_post_init__(self) -> None:
        if self.max_retries < 0:
            raise DefinitionError(f"max_retries= is a number of retries, 0 or more, not {self.max_retries!r}")
        if not (isfinite(self.max_retry_after) and self.max_retry_after >= 0):
            raise DefinitionError(f"max_retry_after= is a number of seconds, 0 or more, not {self.max_retry_after!r}")

    def __call__(self, trouble: Trouble, /) -> Retry | None:
        """The retry, or None where there shall be none."""
        match = self._match(trouble)
        if match is None:
            return None
        limit = self.max_retries if match.max_retries is None else match.max_retries
        if trouble.retries >= limit:
            return None
        own = _waited(self.delay if match.delay is None else match.delay, trouble.retries)
        return Retry(max(own, min(retry_after(trouble.signals) or 0.0, self.max_retry_after)))

    def _match(self, trouble: Trouble) -> Match | None:
        for matcher in self.matchers:
            match = matcher if isinstance(matcher, Match) else Match(matcher)
            if match.when(trouble):
                return match
        return Match(passes) if passes(trouble) or (self.retry_unknown_errors and unknown(trouble)) else None


def _waited(delay: Delay, retries: int) -> float:
    return float(delay) if isinstance(delay, (int, float)) else delay(retries)


def passes(trouble: Trouble, /) -> bool:
    """Whether the failure is of a kind that passes by itself. The server's own word, `x-should-retry`, comes first."""
    word = trouble.signals.headers.get("x-should-retry", "").lower()
    if word in {"true", "false"} and not isinstance(trouble.fault, TERMINAL):
        return word == "true"
    if trouble.status == 409 or trouble.signals.code in OVERLOADED:
        return True
    return isinstance(trouble.fault, (RateLimited, ServerError, TimedOut, Unreachable))


def unknown(trouble: Trouble, /) -> bool:
    """Whether nothing is known of the failure: no status, no code, no kind that says it is final."""
    return trouble.status is None and not trouble.signals.code and not isinstance(trouble.fault, TERMINAL)


def retry_after(signals: Signals, /) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, else `retry-after` as seconds or as a date (RFC 9110)."""
    milliseconds = _seconds(signals.headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    said = signals.headers.get("retry-after", "").strip()
    seconds = _seconds(said)
    if seconds is not None or not said:
        return seconds
    try:
        until = parsedate_to_datetime(said).timestamp() - time()
    except (ValueError, OverflowError):
        return None
    return until if until > 0 else None


def _seconds(said: str) -> float | None:
    try:
        number = float(said)
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None
