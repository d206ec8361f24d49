"""The work that every side does: normalise two texts, count the words they share, a ratio, a reason. About 8 µs."""

from __future__ import annotations

import re

QUESTION = (
    "Where is the parcel that I ordered on Monday? The tracking page says that it left your warehouse on Tuesday."
)
ANSWER = "Your parcel left our warehouse on Tuesday, and the tracking page says that it will be with you on Thursday!"

_PUNCTUATION = re.compile(r"[^\w\s]")


def normalised(text: str) -> list[str]:
    return _PUNCTUATION.sub("", text.lower()).split()


def shared(wanted: list[str], said: list[str]) -> int:
    there = set(said)
    return sum([word in there for word in wanted])


def reason(score: float, common: int) -> str:
    return f"{common} words are shared: {score:.2f}"


def by_hand(question: str, answer: str) -> tuple[float, str]:
    wanted, said = normalised(question), normalised(answer)
    common = shared(wanted, said)
    score = common / len(wanted)
    return score, reason(score, common)


def with_values(question: str, answer: str) -> tuple[tuple[list[str], list[str]], int, float, str]:
    """The same, handing on what was found on the way."""
    wanted, said = normalised(question), normalised(answer)
    common = shared(wanted, said)
    score = common / len(wanted)
    return (wanted, said), common, score, reason(score, common)
