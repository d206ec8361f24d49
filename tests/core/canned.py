"""Judges that answer without a network: a coroutine for `answer=`, and a value for `judge=`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from scorewright.core import Answerer, Attempt, Bench, JudgeReply, JudgeRequest
from scorewright.faults import JudgeFault
from scorewright.results import err, ok

Said: TypeAlias = str | JudgeFault


def reply(said: Said) -> JudgeReply:
    """A reply that holds this text, or this fault."""
    return JudgeReply(err(said) if isinstance(said, JudgeFault) else ok(said), (Attempt(),))


class Told:
    """Answers as told: with one text, or with a function of the prompt. Keeps every request that reached it."""

    def __init__(self, say: Said | Callable[[str], Said]) -> None:
        self.say = say
        self.requests: list[JudgeRequest] = []

    @property
    def prompts(self) -> list[str]:
        return [request.prompt for request in self.requests]

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        self.requests.append(request)
        return reply(self.say(request.prompt) if callable(self.say) else self.say)


@attrs.frozen
class Canned(Answerer):
    """A judge as data that always says the same; `name` and `tone` are filled from the scorer's, field by field."""

    said: Said = '{"score": 0.5}'
    name: str = "canned"
    tone: str = ""

    @property
    def identity(self) -> str:
        return f"{self.name} {self.tone}"

    def filled(self, outer: Answerer, /) -> Answerer:
        if not isinstance(outer, Canned):
            return self
        return Canned(self.said, self.name or outer.name, self.tone or outer.tone)

    async def answer(self, _request: JudgeRequest, _bench: Bench, /) -> JudgeReply:
        return reply(self.said)


CANNED = Canned()
