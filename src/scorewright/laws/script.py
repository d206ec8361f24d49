"""A judge that needs no network: what it says follows from its seed and the request, never from the order of asks."""

from __future__ import annotations

from json import dumps, loads
from random import Random
from typing import final

import attrs
from returns.result import Result

from scorewright.core import Answerer, Bench, JudgeReply, JudgeRequest
from scorewright.faults import JudgeFault, RateLimited, Refused, TimedOut, Unreachable
from scorewright.laws.fitting import fitting
from scorewright.results import err, ok


@final
@attrs.frozen
class Script:
    """Who answers while laws are tried: pass `script.answer` to an interpreter.

    `trouble` is the share of asks that meet a fault or get a text of another shape. `pace` says how long each answer
    takes, in turns of the event loop, and changes nothing else.
    """

    seed: int = 0
    pace: int = 0
    trouble: float = 0.25

    async def answer(self, request: JudgeRequest, /) -> JudgeReply:
        """What this script says to the request, after its turns."""
        from asyncio import sleep

        for _ in range(self._drawn(self.pace, request).randrange(4)):
            await sleep(0)
        return JudgeReply(self.said(request))

    def said(self, request: JudgeRequest, /) -> Result[str, JudgeFault]:
        """What this script says to the request."""
        draw = self._drawn(self.seed, request)
        if draw.random() >= self.trouble:
            return ok(_answer(request, draw))
        faults = (Unreachable("scripted"), TimedOut("scripted"), RateLimited("scripted"), Refused("I would rather not"))
        return draw.choice((*map(err, faults), ok("no JSON"), ok("{}"), ok('{"value": {"value": []}}'), ok(" ")))

    def _drawn(self, seed: int, request: JudgeRequest) -> Random:
        said = f"{seed} {request.prompt} {request.schema} {request.sample} {request.feedback}"
        return Random(said)  # noqa: S311  # drawn to be repeatable, not to be secret


def _answer(request: JudgeRequest, draw: Random) -> str:
    if request.schema is None:
        return " ".join(draw.choices(("fine", "short", "wrong", "as asked"), k=draw.randint(1, 3)))
    return dumps(fitting(loads(request.schema), draw))


@final
@attrs.frozen
class Nobody(Answerer):
    """The judge of generated pipelines: a name only, since a script answers in its place."""

    @property
    def identity(self) -> str:
        """The same for all."""
        return "nobody"

    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        """A fault: whoever gets here was not given a script."""
        del request, bench
        return JudgeReply(err(Unreachable("laws are tried with a script")))
