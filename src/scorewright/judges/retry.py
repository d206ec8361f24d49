"""Whether a failed request is tried again, and after how long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime
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
from scorewright.judges.settings import is_amount, is_count, listed


def causes_of(raised: BaseException | None, /) -> Iterator[BaseException]:
    """What was raised, and what caused it, each once."""
    seen: set[int] = set()
    while raised is not None and id(raised) not in seen:
        seen.add(id(raised))
        yield raised
        raised = raised.__cause__ or raised.__context__


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
        return causes_of(self.signals.exception)


@final
@attrs.frozen
class Retry:
    """Try again after so many seconds."""

    wait: float = 0.0

    def __attrs_post_init__(self) -> None:
        if not (is_amount(self.wait) and self.wait >= 0):
            raise DefinitionError(f"a wait is a number of seconds, 0 or more, not {self.wait!r}")


TERMINAL = (Unauthorized, QuotaExhausted, BadRequest, ContextTooLong, ContentFiltered, Refused, Truncated, NoJudge,
            Aborted, BudgetExhausted)  # fmt: skip

Delay: TypeAlias = float | Callable[[int], float]
Predicate: TypeAlias = Callable[[Trouble], bool]


def backoff(retries: int, /) -> float:
    """Seconds before a retry: half a second, doubled each time up to eight, and jittered by a quarter."""
    return float(min(8.0, 0.5 * 2 ** min(retries, 4)) * uniform(0.75, 1.25))  # noqa: S311 - jitter, not a secret


@final
@attrs.frozen
class Match:
    """Failures that `when` names are retried by these limits; what is None is the processor's own."""

    when: Predicate
    max_retries: int | None = None
    delay: Delay | None = None

    def __attrs_post_init__(self) -> None:
        if not callable(self.when):
            raise DefinitionError(f"Match takes a predicate on the trouble, not {self.when!r}")
        _check(0 if self.max_retries is None else self.max_retries, 0.0 if self.delay is None else self.delay)


def _check(max_retries: int, delay: Delay) -> None:
    if not is_count(max_retries, 0):
        raise DefinitionError(f"max_retries= is a whole number of retries, 0 or more, not {max_retries!r}")
    if not callable(delay) and not (is_amount(delay) and delay >= 0):
        raise DefinitionError(f"delay= is a number of seconds, 0 or more, or a function of the retries, not {delay!r}")


CONFLICT = 409
OVERLOADED = ("rate_limit", "overloaded", "server_error", "internal_error", "timeout", "temporarily_unavailable",
              "service_unavailable", "throttling")  # fmt: skip  # parts of codes, whatever the status
CONNECTION = ("Connect", "Timeout", "Disconnect", "Payload", "Network", "Protocol", "ReadError", "WriteError")


def _matchers(given: Iterable[Match | Predicate]) -> tuple[Match | Predicate, ...]:
    return listed(given)


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
    matchers: tuple[Match | Predicate, ...] = attrs.field(default=(), converter=_matchers)
    retry_unknown_errors: bool = False

    def __attrs_post_init__(self) -> None:
        _check(self.max_retries, self.delay)
        if not (is_amount(self.max_retry_after) and self.max_retry_after >= 0):
            raise DefinitionError(f"max_retry_after= is a number of seconds, 0 or more, not {self.max_retry_after!r}")
        for matcher in self.matchers:
            if not isinstance(matcher, Match) and not callable(matcher):
                raise DefinitionError(f"a matcher is a predicate on the trouble or a Match(…), not {matcher!r}")

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
    wait = delay if isinstance(delay, (int, float)) else delay(retries)
    return float(Retry(wait).wait)  # what a function gives is checked as a number is


def passes(trouble: Trouble, /) -> bool:
    """Whether the failure is of a kind that passes by itself. The server's own word, `x-should-retry`, comes first."""
    if is_final(trouble):
        return False
    word = header(trouble.signals, "x-should-retry").lower()
    if word in {"true", "false"}:
        return word == "true"
    if trouble.status == CONFLICT or is_overload(trouble.signals.code):
        return True
    if isinstance(trouble.fault, Unreachable):
        return trouble.signals.exception is None or any(map(_of_connection, trouble.causes()))
    return isinstance(trouble.fault, (RateLimited, ServerError, TimedOut))


def is_overload(code: str, /) -> bool:
    """Whether a server's code says that it has too much to do, or broke, whatever the status beside it."""
    return any(part in code.lower() for part in OVERLOADED)


def is_final(trouble: Trouble, /) -> bool:
    """Whether asking again would come to the same; a conflict (409) is the one bad request that passes."""
    return isinstance(trouble.fault, TERMINAL) and trouble.status != CONFLICT


def unknown(trouble: Trouble, /) -> bool:
    """Whether nothing is known of the failure: no status, no code, no kind that says it is final."""
    return trouble.status is None and not trouble.signals.code and not is_final(trouble)


def _of_connection(raised: BaseException) -> bool:
    names = (kind.__name__ for kind in type(raised).__mro__)
    return isinstance(raised, (OSError, EOFError)) or any(part in name for name in names for part in CONNECTION)


def header(signals: Signals, name: str, /) -> str:
    """The header of this name, in whichever case it was written; empty where there is none."""
    return next((value.strip() for key, value in signals.headers.items() if key.lower() == name), "")


def retry_after(signals: Signals, /) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, else `retry-after` as seconds or as a date (RFC 9110)."""
    milliseconds = _number(header(signals, "retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    said = header(signals, "retry-after")
    seconds = _number(said)
    if seconds is not None or not said:
        return seconds
    try:
        date = parsedate_to_datetime(said)
        until = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time()
    except (ValueError, TypeError, IndexError, OverflowError):  # what the parser raises depends on what it met
        return None
    return until if until > 0 else None


def _number(said: str) -> float | None:
    return float(said) if re.fullmatch(r"[0-9]{1,300}(\.[0-9]{1,300})?", said) else None
