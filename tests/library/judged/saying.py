"""Judges for these tests: they answer by the shape that is asked for, and keep every request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Attempt, Evaluation, JudgeReply, JudgeRequest, ScoringFailure
from scorewright.judges import Judge
from scorewright.results import ok

JUDGE = Judge("openai/gpt-4o-mini")

Reply: TypeAlias = "Mapping[str, object] | Callable[[JudgeRequest], Mapping[str, object]]"


class Answers:
    """Answers each shape, by its name, as told: always the same, or what a function makes of the request."""

    def __init__(self, *, attempts_left: int = 0, **replies: Reply) -> None:
        self.replies = replies
        self.attempts_left = attempts_left
        self.requests: list[JudgeRequest] = []

    @property
    def asked(self) -> list[str]:
        """The shapes that were asked for, in order."""
        return [request.schema_name for request in self.requests]

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        self.requests.append(request)
        told = self.replies[request.schema_name]
        said = told(request) if callable(told) else told
        return JudgeReply(ok(json.dumps(said)), (Attempt(),), self.attempts_left)


class Nobody:
    """Whom nobody should ask."""

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        raise AssertionError(f"asked: {request.prompt}")


NOBODY = Nobody()


def verdicts(*words: str, **more: object) -> dict[str, object]:
    """A reply with a verdict of each word, in order."""
    return {"verdicts": [{"reason": f"it is {word}", "verdict": word, **more} for word in words]}


def claims(number: int) -> dict[str, object]:
    """A reply with so many claims."""
    return {"claims": [f"claim {at}" for at in range(1, number + 1)]}


def fault(end: Result[Evaluation, ScoringFailure[object]]) -> str:
    """The name of the fault; the score in words, where there is none."""
    return f"scored {end.unwrap().score}" if is_successful(end) else type(end.failure().cause).__name__
