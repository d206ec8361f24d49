"""Moments as nanoseconds since 1970, whatever they were written as."""

from __future__ import annotations

from datetime import UTC, datetime

from scorewright.traces.json_view import is_list, is_number

_SECONDS, _MILLIS, _MICROS = 1e11, 1e14, 1e17  # a number below is of this unit, up to the year 5138


def moment(value: object, /) -> int | None:
    """The moment that ISO 8601, a number of seconds to nanoseconds, or a pair of seconds and nanoseconds names.

    A time without a zone is UTC.

    >>> moment("2026-01-05T12:00:00+02:00") == moment("2026-01-05T10:00:00Z") == moment(1767607200)
    True
    """
    if isinstance(value, str):
        if len(value) == NANOS and value.isdecimal():  # as OTLP has it
            return int(value)
        return moment(int(value)) if value.isdecimal() and len(value) < _LONGEST else _of_text(value)
    if is_list(value):
        seconds, rest = (value[0], value[1]) if len(value) == 2 else (None, None)  # noqa: PLR2004 - a pair
        if not is_number(seconds) or not is_number(rest) or not (0 <= seconds < _SECONDS and 0 <= rest < _SECONDS):
            return None
        return int(seconds) * 10**9 + int(rest)
    if not is_number(value) or not 0 <= value < 10**20:
        return None
    if value < _SECONDS:
        return int(value * 1e9) if isinstance(value, float) else value * 10**9
    if value < _MILLIS:
        return int(value * 10**6)
    return int(value * 10**3) if value < _MICROS else int(value)


_LONGEST = 30
NANOS = 19
"""Digits of a number of nanoseconds, from 2001 to 2286."""


def _of_text(text: str) -> int | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    since = when - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000
