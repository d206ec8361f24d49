"""What a scorer would ask, before anything is sent."""

from __future__ import annotations

import asyncio

import pytest
from core.canned import CANNED, Canned

from scorewright import (
    NotScorable,
    Outcome,
    Run,
    Scorer,
    create_scorer,
    err,
    ok,
    plan,
    prompt,
    pure,
    pure_async,
    reason_prompt,
    score_prompt,
    then,
)
from scorewright.core import Ask, JudgeReply, JudgeRequest, Plan, gather
from scorewright.faults import JudgeFault

RUN = Run("in", "out")


class Silent(Canned):
    """A judge that must not be asked."""

    async def answer(self, _request: JudgeRequest, _bench: object, /) -> JudgeReply:
        pytest.fail("a plan sends nothing")


SILENT = Silent()


def asking(text: str) -> Outcome[str, JudgeFault]:
    return Ask(JudgeRequest(text), lambda said: said.answer)


def draft() -> object:
    return create_scorer("p", input=str, output=str, judge=SILENT)


def prompts_of(scorer: Scorer[str, str]) -> list[str]:
    return [request.prompt for request in plan(scorer, RUN).first]


def test_a_scorer_without_prompts_plans_nothing() -> None:
    """No request, and none later."""
    assert plan(draft().generate_score(pure(lambda _: 1)), RUN) == Plan((), 0)


def test_the_first_prompt_is_planned_exactly() -> None:
    """The request is the one that would be sent, bound to its judge and place; the later ones are counted."""
    scorer = (
        draft()
        .preprocess(pure(lambda step: step.run.output.upper()))
        .analyze(prompt(bool, lambda step: f"Is {step.pre} right?"))
        .generate_score(score_prompt(lambda _: "q"))
        .generate_reason(reason_prompt(lambda _: "q"))
    )
    planned = plan(scorer, RUN)
    assert [request.prompt for request in planned.first] == ["Is OUT right?"]
    assert planned.later_at_most == 2
    assert planned.first[0].judge == SILENT
    sent = scorer.run_sync(RUN, answer=refused).failure().exchanges[0].request
    assert sent == planned.first[0]
    assert sent.content == planned.first[0].content


async def refused(_: JudgeRequest) -> JudgeReply:
    return JudgeReply(err(JudgeFault()))


def test_a_last_prompt_has_nothing_after_it() -> None:
    """A single prompt is all that is asked at most."""
    assert plan(draft().generate_score(score_prompt(lambda _: "q")), RUN).later_at_most == 0


def test_parts_that_ask_at_once_are_not_counted_again() -> None:
    """A wave of several parts is counted from the last of them."""
    parts = [
        create_scorer(id, input=str, output=str, judge=SILENT).generate_score(score_prompt(lambda _, id=id: id))
        for id in ("a", "b", "c")
    ]
    a, b, c = parts
    both = a.zip(b).generate_score(lambda one, other: one.score * other.score, id="both")
    planned = plan(both, RUN)
    assert ([asked.prompt for asked in planned.first], planned.later_at_most) == (["a", "b"], 0)
    assert plan(a.or_else(c), RUN).later_at_most == 1


def test_the_first_wave_holds_every_part_of_a_fork() -> None:
    """Also of nested forks, and of parts that wait first."""

    async def waiting() -> Outcome[str, JudgeFault]:
        await asyncio.sleep(0)
        return asking("c")

    def step(_: object) -> Outcome[object, object]:
        return gather(
            lambda: then(asking("a"), lambda _: asking("later")),
            lambda: gather(lambda: asking("b"), waiting),
            lambda: ok("d"),
        )

    assert prompts_of(draft().preprocess(step).generate_score(pure(lambda _: 1))) == ["a", "b", "c"]


def test_functions_make_the_rest_unknown() -> None:
    """A function step may ask as often as it likes, so nothing is promised."""
    asked_in_function = draft().preprocess(lambda _: asking("a")).generate_score(pure(lambda _: 1))
    assert plan(asked_in_function, RUN).later_at_most is None
    function_after = draft().preprocess(prompt(bool, lambda _: "q")).generate_score(lambda _: ok(1))
    assert plan(function_after, RUN).later_at_most is None


def test_async_steps_are_awaited() -> None:
    """Plain steps run as they would, up to the first ask."""

    async def later(_: object) -> int:
        return 7

    scorer = draft().preprocess(pure_async(later)).generate_score(score_prompt(lambda step: f"q {step.pre}"))
    assert prompts_of(scorer) == ["q 7"]


@pytest.mark.parametrize("ending", [err(NotScorable("empty")), err("fault")])
def test_a_run_that_ends_before_its_first_ask_plans_nothing(ending: object) -> None:
    """What is not scorable costs nothing."""
    assert plan(draft().preprocess(lambda _: ending).generate_score(score_prompt(lambda _: "q")), RUN) == Plan((), 0)


def test_what_waits_and_asks_nothing_plans_nothing() -> None:
    """Neither now nor later, though only a run could tell."""

    async def later(_: object) -> float:
        return 0.5

    assert plan(draft().generate_score(pure_async(later)), RUN) == Plan((), 0)
    assert plan(draft().preprocess(lambda _: gather()).generate_score(pure(lambda _: 1)), RUN) == Plan((), 0)


def test_steps_before_the_first_question_are_not_counted() -> None:
    """Whatever they are: what follows the questions of the first wave is."""
    scorer = (
        draft()
        .preprocess(lambda _: ok(1))
        .analyze(prompt(bool, lambda _: "q"))
        .generate_score(pure(lambda _: 1))
        .generate_reason(reason_prompt(lambda _: "q"))
    )
    assert (prompts_of(scorer), plan(scorer, RUN).later_at_most) == (["q"], 1)


def test_a_fork_that_asks_nothing_is_passed() -> None:
    """The wave is that of the first step that asks."""
    scorer = (
        draft()
        .preprocess(lambda _: gather(lambda: ok(1)))
        .generate_score(score_prompt(lambda step: f"q {len(step.pre)}"))
    )
    assert prompts_of(scorer) == ["q 1"]


def test_a_plan_works_inside_a_running_loop() -> None:
    """A notebook may plan too."""

    async def inside() -> Plan:
        return plan(draft().generate_score(score_prompt(lambda _: "q")), RUN)

    assert len(asyncio.run(inside()).first) == 1


def test_a_plan_is_made_again_from_the_same_scorer() -> None:
    """Planning uses nothing up, and a run after it is as without it."""
    scorer = create_scorer("p", input=str, output=str, judge=CANNED).generate_score(score_prompt(lambda _: "q"))
    assert plan(scorer, RUN) == plan(scorer, RUN)
    assert scorer.run_sync(RUN).unwrap().score == 0.5
