"""Scores of every kind for the tests of exporting."""

from __future__ import annotations

from datetime import UTC, datetime

from scorewright.live.exporting import Patience, Score

AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
QUICK = Patience(wait=0.0)


def trace(number: int) -> str:
    return f"{number + 1:032x}"


def span(number: int) -> str:
    return f"{number + 1:016x}"


def score(number: int = 0, value: float = 0.5, why: str | None = "it is so", *, scorer: str = "polite") -> Score:
    return Score(
        "exp1",
        f"row-{number}",
        scorer,
        AT,
        "scored",
        value,
        why,
        "",
        "hash1",
        trace(number),
        span(number),
        position=number,
    )


def failed(number: int = 0) -> Score:
    return Score(
        "exp1",
        f"row-{number}",
        "polite",
        AT,
        "failed",
        None,
        "too many",
        "RateLimited",
        "hash1",
        trace(number),
        span(number),
    )


def not_scorable(number: int = 0) -> Score:
    return Score(
        "exp1",
        f"row-{number}",
        "polite",
        AT,
        "not_scorable",
        None,
        "no output",
        "",
        "hash1",
        trace(number),
        span(number),
    )


def scores(count: int) -> list[Score]:
    return [score(number, number % 11 / 10) for number in range(count)]
