"""A scorer is a value with two ways to run it."""

from __future__ import annotations

import asyncio
import inspect

import pytest
from core.canned import CANNED, Told

from scorewright import Bench, Run, Scorer, create_scorer, ok, prompt, pure, score_prompt
from scorewright.core import Answer

RUN = Run("in", "out")


def judged() -> Scorer[str, str]:
    return create_scorer("judged", input=str, output=str, judge=CANNED).generate_score(score_prompt(lambda _: "q"))


def plain() -> Scorer[str, str]:
    return create_scorer("plain", input=str, output=str).generate_score(pure(lambda _: 1))


@pytest.mark.parametrize("scorer", [judged, plain])
def test_both_ways_come_to_the_same(scorer: object) -> None:
    """`run` and `run_sync` give equal results."""
    assert asyncio.run(scorer().run(RUN)) == scorer().run_sync(RUN)
    assert inspect.iscoroutinefunction(scorer().run)


@pytest.mark.parametrize("answer", [Told('{"score": 1}'), Bench().answer], ids=["told", "bench"])
def test_who_answers_can_be_said(answer: Answer) -> None:
    """`answer=` takes the place of the judges; a bench asks them."""
    expected = 1.0 if isinstance(answer, Told) else 0.5
    assert judged().run_sync(RUN, answer=answer).unwrap().score == expected
    assert asyncio.run(judged().run(RUN, answer=answer)).unwrap().score == expected


def test_a_scorer_is_frozen() -> None:
    """Nothing of it can be rebound."""
    for name in ("about", "steps", "program", "id", "new"):
        with pytest.raises(AttributeError):
            setattr(plain(), name, None)


def test_one_scorer_runs_many_runs_at_once() -> None:
    """Runs of one scorer are independent of each other."""
    scorer = (
        create_scorer("many", input=int, output=int, judge=CANNED)
        .analyze(prompt(int, lambda step: f"{step.run.input}"))
        .generate_score(pure(lambda step: step.ana == step.run.input))
    )

    async def all_of_them() -> list[object]:
        told = Told(lambda asked: asked)
        return await asyncio.gather(*(scorer.run(Run(n, n), answer=told) for n in range(200)))

    assert {result.unwrap().score for result in asyncio.run(all_of_them())} == {1.0}


def test_a_repr_shows_what_a_scorer_is() -> None:
    """Its id and steps; no function, and nothing of a judge's key."""
    shown = repr(judged())
    assert "judged" in shown
    assert "<function" not in shown


def test_program_begins_without_being_driven() -> None:
    """A program of one run is a value that nobody has asked anything of yet."""
    outcome = judged().program(RUN)
    assert outcome.request.prompt == "q"
    assert plain().program(RUN) == ok(plain().run_sync(RUN).unwrap())
