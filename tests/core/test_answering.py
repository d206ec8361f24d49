"""Scripted judges, and what becomes of an `answer=` that is none."""

from __future__ import annotations

import asyncio

import pytest

from scorewright import DefinitionError, JudgeReply, JudgeRequest, Run, answering, create_scorer, ok, prompt, pure
from scorewright.core import gather, replay, transcript_of
from scorewright.core.answering import Said
from scorewright.faults import NotRecorded, RateLimited, Unreachable
from scorewright.laws.script import Nobody

RUN = Run("in", "out")


def asking_for(*texts: str) -> object:
    """A scorer that asks these one after another, in one step, and keeps what came."""

    def step(_: object) -> object:
        return gather(*(lambda text=text: prompt(int, lambda _: text)(None) for text in texts))

    return create_scorer("x", input=str, output=str, judge=Nobody()).preprocess(step).generate_score(pure(lambda _: 1))


def said_to(texts: str, said: object) -> list[object]:
    evaluation = asking_for(*texts).run_sync(RUN, answer=answering(said)).unwrap()
    return [part.value_or(None) or part.failure() for part in evaluation.record("preprocess").value]


def test_a_text_is_said_to_everything() -> None:
    """Whatever is asked."""
    assert said_to("ab", "5") == [5, 5]
    assert said_to("ab", RateLimited("slow")) == [RateLimited("slow")] * 2


def test_several_are_said_one_after_another() -> None:
    """Each to the next question; beyond the last there is none."""
    assert said_to("ab", ["5", "6"]) == [5, 6]
    assert said_to("ab", ("5", RateLimited("slow"))) == [5, RateLimited("slow")]
    assert said_to("ab", ["5"])[1] == NotRecorded("preprocess[0].1[0]", "b")


def test_a_run_can_be_repeated() -> None:
    """The same question at the same place is told the same."""
    scorer, answer = asking_for("a", "b"), answering(["5", "6"])
    first = scorer.run_sync(RUN, answer=answer)
    assert scorer.run_sync(RUN, answer=answer) == first
    assert replay(scorer, RUN, transcript_of(first.unwrap())) == first


def test_a_function_is_asked() -> None:
    """It sees the request."""

    def say(request: JudgeRequest) -> Said:
        return "5" if request.prompt == "a" else RateLimited("slow")

    assert said_to("ab", say) == [5, RateLimited("slow")]


def test_what_says_nothing_is_refused() -> None:
    """Where it is written."""
    with pytest.raises(DefinitionError, match="takes a text, a list of texts or a function, not int"):
        answering(5)


def plain(_: JudgeRequest) -> JudgeReply:
    return JudgeReply(ok("5"))


async def text(_: JudgeRequest) -> str:
    return "5"


async def nothing(_: JudgeRequest) -> None:
    return None


@pytest.mark.parametrize(("answer", "given"), [(text, "str"), (nothing, "NoneType"), ("5", "str")])
@pytest.mark.parametrize("texts", ["a", "ab"])
def test_an_answer_that_is_none_is_told_to_the_caller(answer: object, given: str, texts: str) -> None:
    """A wrong call raises, beside other parts of a fork too, and blames no step."""
    told = f"answer= is an async function from a JudgeRequest to a JudgeReply: .*, not {given}"
    with pytest.raises(TypeError, match=told):
        asking_for(*texts).run_sync(RUN, answer=answer)
    with pytest.raises(TypeError, match=told):
        asyncio.run(asking_for(*texts).run(RUN, answer=answer))


def test_a_function_that_is_not_async_is_told_to_be() -> None:
    """It answers where it is asked to give something to await."""
    with pytest.raises(TypeError, match=r"async function .*, not a plain one that gives JudgeReply: write async def$"):
        asking_for("a").run_sync(RUN, answer=plain)


def test_an_answer_that_breaks_off_is_a_fault() -> None:
    """What was answered before is kept; nothing raises after something may have been paid."""
    calls: list[JudgeRequest] = []

    async def second_is_none(request: JudgeRequest) -> object:
        calls.append(request)
        return JudgeReply(ok("5")) if len(calls) == 1 else "5"

    parts = asking_for("a", "b").run_sync(RUN, answer=second_is_none).unwrap().record("preprocess").value
    assert parts[0] == ok(5)
    assert isinstance(parts[1].failure(), Unreachable)
    assert "return JudgeReply(ok(text)), not str" in parts[1].failure().why


def test_nothing_is_asked_after_an_answer_that_is_none() -> None:
    """It would be the same."""
    calls: list[JudgeRequest] = []

    async def counting(request: JudgeRequest) -> str:
        calls.append(request)
        return "5"

    step = prompt(int, lambda _: "b")
    scorer = create_scorer("x", input=str, output=str, judge=Nobody()).generate_score(step)
    with pytest.raises(TypeError, match="answer="):
        scorer.or_else(scorer.named("y")).run_sync(RUN, answer=counting)
    assert len(calls) == 1
