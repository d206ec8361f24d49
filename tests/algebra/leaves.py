"""Small scorers of every temper, and a judge whose answers follow from what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Literal, TypeAlias

import attrs
from hypothesis import strategies as st

from scorewright import NotScorable, Run, Scorer, create_scorer, err, ok, pure, score_prompt
from scorewright.core import Answerer, Attempt, Bench, JudgeReply, JudgeRequest
from scorewright.faults import Unreachable

Temper: TypeAlias = Literal["fixed", "reasoned", "long", "asks", "asks late", "fails", "unscorable", "raises"]
Any: TypeAlias = Scorer[str, str, object, object]
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)


@attrs.frozen
class Panel(Answerer):
    """A judge that is only a name."""

    name: str = "panel"

    @property
    def identity(self) -> str:
        return self.name

    async def answer(self, _: JudgeRequest, __: Bench, /) -> JudgeReply:
        raise AssertionError("answered through answer=")


class Answers:
    """Answers for `answer=`: a score of the grid out of the content, now and then a fault; keeps what was asked."""

    def __init__(self, seed: int = 0, trouble: float = 0.0, say: Callable[[JudgeRequest], str] | None = None) -> None:
        self.seed, self.trouble, self.say = seed, trouble, say
        self.requests: list[JudgeRequest] = []

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        self.requests.append(request)
        await asyncio.sleep(0)
        if self.say is not None:
            return JudgeReply(ok(self.say(request)), (Attempt(),))
        judge = request.judge.identity if request.judge else ""
        drawn = sha256(f"{self.seed} {request.prompt} {judge} {request.sample}".encode()).digest()
        if drawn[0] < 256 * self.trouble:
            return JudgeReply(err(Unreachable("drawn")), (Attempt(),))
        return JudgeReply(ok(f'{{"score": {GRID[drawn[1] % len(GRID)]}}}'), (Attempt(),))


@attrs.frozen
class Empty:
    """A step's own fault."""

    why: str


@attrs.frozen
class Leaf:
    """A scorer that is described by its temper and one number."""

    temper: Temper
    value: float
    id: str = "leaf"

    def scorer(self) -> Any:
        draft = create_scorer(self.id, input=str, output=str, judge=Panel())
        match self.temper:
            case "fixed":
                return draft.generate_score(pure(lambda _: self.value))
            case "reasoned":
                scored = draft.generate_score(pure(lambda _: self.value))
                return scored.generate_reason(pure(lambda s: f"gave {s.score}"))
            case "long":
                return draft.generate_score(
                    pure(lambda s: min(1.0, (len(s.run.output) + sum(map(ord, s.run.input)) % 7) / 20))
                )
            case "asks":
                return draft.generate_score(score_prompt(lambda s: f"{self.value} {s.run.output}"))
            case "asks late":
                return draft.preprocess(_slowly).generate_score(score_prompt(lambda s: f"{self.value} {s.run.output}"))
            case "fails":
                return draft.generate_score(lambda _: err(Empty(f"{self.value}")))
            case "unscorable":
                return draft.generate_score(lambda _: err(NotScorable(f"{self.value}")))
            case "raises":
                return draft.generate_score(pure(lambda _: 1 / int(self.value > 2)))


async def _slowly(_: object) -> object:
    await asyncio.sleep(0)
    return ok(None)


def fixed(id: str, score: float, reason: str = "") -> Any:
    scored = create_scorer(id, input=str, output=str).generate_score(pure(lambda _: score))
    return scored.generate_reason(pure(lambda _: reason)) if reason else scored


def failing(id: str, why: str = "empty") -> Any:
    return create_scorer(id, input=str, output=str).generate_score(lambda _: err(Empty(why)))


def unscorable(id: str, why: str = "nothing there") -> Any:
    return create_scorer(id, input=str, output=str).generate_score(lambda _: err(NotScorable(why)))


def asking(id: str, text: str = "rate") -> Any:
    draft = create_scorer(id, input=str, output=str, judge=Panel())
    return draft.generate_score(score_prompt(lambda s: f"{text} {s.run.output}"))


RUN = Run("Where is my parcel?", "On its way.")

TEMPERS: tuple[Temper, ...] = ("fixed", "reasoned", "long", "asks", "asks late", "fails", "unscorable", "raises")


def leaves(*tempers: Temper) -> st.SearchStrategy[Leaf]:
    """Leaves of these tempers, or of all."""
    return st.builds(
        Leaf,
        st.sampled_from(tempers or (*TEMPERS, "fixed", "long", "long")),
        st.sampled_from(GRID),
        st.sampled_from(("a", "b", "c")),
    )
