"""Several scorers as one score, or as one decision."""

from __future__ import annotations

import asyncio
import gc

import pytest
from algebra.leaves import GRID, RUN, Answers, Leaf, Panel, asking, failing, fixed, unscorable

from scorewright import DefinitionError, NotScorable, Run, Scale, create_scorer, ok, pure, replay, score_prompt, then
from scorewright.algebra import (
    Coverage,
    PartsFailed,
    Tally,
    all_of,
    any_of,
    at_least,
    maximum,
    mean,
    minimum,
    renormalise,
    scorable_only,
    weighted,
)
from scorewright.core import Ask, JudgeReply, JudgeRequest, transcript_of
from scorewright.faults import InvalidScore, Unreachable
from scorewright.results import err


def score(scorer: object) -> float:
    return scorer.run_sync(RUN, answer=Answers()).unwrap().score


def test_the_four_ways() -> None:
    """Weighted, mean, lowest, highest."""
    a, b = fixed("a", 0.25), fixed("b", 0.75)
    assert score(weighted((3, a), (1, b))) == 0.375
    assert (score(mean(a, b)), score(minimum(a, b)), score(maximum(a, b))) == (0.5, 0.25, 0.75)


@pytest.mark.parametrize("weights", [(-1, 2), (float("nan"), 1), (float("inf"), 1), (0, 0), (1e308, 1e308)])
def test_wrong_weights_are_found_at_the_definition(weights: tuple[float, float]) -> None:
    """No run is needed to find them."""
    with pytest.raises(DefinitionError, match="weight"):
        weighted((weights[0], fixed("a", 1)), (weights[1], fixed("b", 1)))


def test_weights_that_are_all_nothing_say_so() -> None:
    """And what is no pair, and whose weight is none."""
    with pytest.raises(
        DefinitionError, match=r"^weighted\(…\) needs at least one weight above 0, and a finite sum, not 0$"
    ):
        weighted((0, fixed("a", 1)), (0, fixed("b", 1)))
    with pytest.raises(DefinitionError, match=r"^weighted\(…\) takes pairs of a weight and a scorer, .*, not 5$"):
        weighted(5)
    with pytest.raises(DefinitionError, match=r"^weighted\(…\) takes finished scorers"):
        weighted(("x", 5))


def test_what_cannot_be_combined_says_how_to_mend_it() -> None:
    """Scales, directions, types, and things that are no scorers."""
    stars = create_scorer("stars", input=str, output=str, scale=Scale(1, 5)).generate_score(pure(lambda _: 3))
    with pytest.raises(DefinitionError, match=r"'stars' from 1 to 5: .*rescale"):
        mean(fixed("a", 1), stars)
    assert score(mean(fixed("a", 1), stars.rescale())) == 0.75
    with pytest.raises(DefinitionError, match="invert"):
        mean(fixed("a", 1), fixed("b", 1).invert())
    number = create_scorer("number", input=int, output=str).generate_score(pure(lambda _: 1))
    with pytest.raises(DefinitionError, match=r"no input fits all of 'a' str, 'number' int: .*contramap_input"):
        mean(fixed("a", 1), number)
    with pytest.raises(DefinitionError, match="at least one scorer"):
        mean()
    with pytest.raises(DefinitionError, match="not Draft"):
        mean(create_scorer("d", input=str, output=str))


def test_rows_are_read_as_what_every_part_takes() -> None:
    """The narrowest of the parts' types."""
    wide = create_scorer("w", input=str | int, output=object).generate_score(pure(lambda _: 1))
    needy = create_scorer("n", input=bool, output=str, expected=list[str]).generate_score(pure(lambda _: 1))
    both = mean(
        create_scorer("i", input=int, output=str).generate_score(pure(lambda _: 1)), wide.contramap_input(int, int)
    )
    assert mean(both, needy).about.input is bool
    assert (mean(both, needy).about.output, mean(both, needy).about.expected) == (str, list[str])
    lost = mean(both, needy).run_sync(Run(True, "x")).failure()
    assert isinstance(lost.cause, NotScorable)


def test_strict_collects_every_part_without_a_score() -> None:
    """Not only the first; and the scores of the others are kept."""
    lost = mean(failing("a", "x"), fixed("b", 1), failing("c", "y"), unscorable("d")).run_sync(RUN).failure()
    assert isinstance(lost.cause, PartsFailed)
    assert [label for label, _ in lost.cause.failures] == ["a", "c", "d"]
    assert lost.record("b").value.score == 1.0
    assert lost.step == "mean"


def test_strict_without_a_failure_is_not_scorable() -> None:
    """A run that lacks what one part needs lacks what the whole needs."""
    lost = mean(fixed("a", 1), unscorable("b", "no claims")).run_sync(RUN).failure()
    assert lost.cause == NotScorable("b: no claims")


def test_renormalise_weighs_what_was_scored_and_says_how_much() -> None:
    """The coverage stands beside the score."""
    parts = ((1, fixed("a", 0.0)), (3, fixed("b", 1.0)), (4, failing("c")), (2, unscorable("d")))
    end = weighted(*parts, policy=renormalise).run_sync(RUN).unwrap()
    assert (end.score, end.record("weighted").value) == (0.75, Coverage(2, 1, 1))
    assert not end.record("weighted").value.is_full
    lost = mean(failing("a"), unscorable("b"), policy=renormalise).run_sync(RUN).failure()
    assert isinstance(lost.cause, PartsFailed)


def test_scorable_only_leaves_out_but_does_not_forgive() -> None:
    """Not scorable is left out, a failure is not."""
    assert score(mean(fixed("a", 1), unscorable("b"), policy=scorable_only)) == 1.0
    assert not_scored(mean(fixed("a", 1), failing("b"), policy=scorable_only))


def not_scored(scorer: object) -> bool:
    return isinstance(scorer.run_sync(RUN).failure().cause, PartsFailed)


def test_reasons_of_parts_are_told_together() -> None:
    """A line for each that gave one."""
    end = mean(fixed("a", 1, "good"), fixed("b", 0.5), fixed("c", 0, "bad")).run_sync(RUN).unwrap()
    assert end.reason == "a 1: good\nc 0: bad"


def test_parts_of_one_name_are_told_apart() -> None:
    """In the evidence and in the places of asks."""
    end = mean(asking("a", "x"), asking("a", "y")).run_sync(RUN, answer=Answers()).unwrap()
    assert [step.step for step in end.steps] == ["a", "a #2", "mean"]
    assert [said.request.place for said in end.exchanges] == ["a[0]/generate_score[0]", "a #2[0]/generate_score[0]"]


def test_parts_run_side_by_side() -> None:
    """The second asks before the first is answered."""
    waiting: list[str] = []
    both = asyncio.Event()

    async def answer(request: JudgeRequest) -> JudgeReply:
        waiting.append(request.prompt)
        await (both.wait() if len(waiting) < 2 else asyncio.sleep(0))
        both.set()
        return JudgeReply(ok('{"score": 1}'))

    assert mean(asking("a", "x"), asking("b", "y")).run_sync(RUN, answer=answer).unwrap().score == 1.0


def test_what_is_asked_alike_is_sent_and_paid_once() -> None:
    """Also when one part asks after the other was answered, and however deep they are."""
    answers = Answers()
    slow = Leaf("asks late", 1.0, "slow").scorer()
    end = mean(Leaf("asks", 1.0).scorer(), mean(slow, slow.named("b"))).run_sync(RUN, answer=answers).unwrap()
    assert len(answers.requests) == 1
    assert sum(len(said.reply.attempts) for said in end.exchanges) == 1
    assert len(end.exchanges) == 3


def test_a_deliberate_triple_ask_is_not_collapsed() -> None:
    """Inside one step, what is asked three times is sent three times."""
    answers = Answers()

    def ask(_: object) -> object:
        return Ask(JudgeRequest("again", judge=Panel()), lambda reply: reply.answer)

    step = create_scorer("t", input=str, output=str).preprocess(lambda s: then(then(ask(s), ask), ask))
    mean(step.generate_score(pure(lambda _: 1)), fixed("f", 1)).run_sync(RUN, answer=answers)
    assert len(answers.requests) == 3


def test_a_failed_reply_is_shared_only_in_flight() -> None:
    """Who asks later asks anew."""
    asked: list[str] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        asked.append(request.place)
        await asyncio.sleep(0)
        return JudgeReply(err(Unreachable("down")) if len(asked) == 1 else ok('{"score": 1}'))

    twin = mean(asking("a"), asking("b"), policy=renormalise)
    end = mean(twin, policy=renormalise).or_else(asking("c")).run_sync(RUN, answer=answer).unwrap()
    assert (end.score, len(asked)) == (1.0, 2)


def test_judges_without_identity_share_nothing() -> None:
    """Nobody knows that they would say the same."""
    answers = Answers()
    a, b = (
        create_scorer(id, input=str, output=str, judge=Panel("")).generate_score(score_prompt(lambda _: "rate"))
        for id in "ab"
    )
    mean(a, b).run_sync(RUN, answer=answers)
    assert len(answers.requests) == 2


def test_a_composed_evaluation_is_replayed_from_its_transcript() -> None:
    """Evidence and all; a part can be replayed from its own evaluation."""
    scorer = weighted((1, mean(asking("a", "x"), asking("a", "y"))), (2, asking("b", "z").invert().invert()))
    end = scorer.run_sync(RUN, answer=Answers(3)).unwrap()
    assert replay(scorer, RUN, transcript_of(end)).unwrap() == end
    assert (
        replay(asking("b", "z").invert().invert(), RUN, transcript_of(end.record("b").value)).unwrap()
        == end.record("b").value
    )


def test_decisions() -> None:
    """All, any, at least so many."""
    yes, no = fixed("y", 1), fixed("n", 0)
    assert (score(all_of(yes, no)), score(any_of(yes, no)), score(all_of(yes, yes)), score(any_of(no, no))) == (
        0,
        1,
        1,
        0,
    )
    assert [score(at_least(k, yes, no, yes)) for k in (1, 2, 3)] == [1, 1, 0]
    for k in (0, 4):
        with pytest.raises(DefinitionError, match="k runs from 1"):
            at_least(k, yes, no, yes)
    with pytest.raises(DefinitionError, match="passing"):
        all_of(yes.invert())


def test_a_half_score_neither_passes_nor_fails() -> None:
    """It is a fault that says what to do, and never a 0."""
    lost = all_of(fixed("a", 0.5), fixed("b", 1)).run_sync(RUN).failure()
    assert lost.cause == InvalidScore("0.5", "a neither passed nor failed: give it .passing(threshold)")


def test_what_is_decided_already_is_not_asked() -> None:
    """Parts that ask nothing can settle it; async parts that were not needed leave nothing behind."""
    answers = Answers()
    late = Leaf("asks late", 1.0, "late").scorer().passing(0.5)
    end = all_of(asking("a").passing(0.5), fixed("b", 0), late).run_sync(RUN, answer=answers).unwrap()
    gc.collect()
    assert (end.score, answers.requests, [step.step for step in end.steps]) == (0.0, [], ["b", "all_of"])
    assert end.record("all_of").value == Tally(0, 3, 2, Coverage(1, 0, 0))


def test_nothing_is_decided_beside_a_failure() -> None:
    """A part that failed fails a strict whole, so the others are asked as well."""
    answers = Answers(say=lambda _: '{"score": 1}')
    lost = all_of(fixed("b", 0), failing("c"), asking("a").passing(0.5)).run_sync(RUN, answer=answers).failure()
    assert isinstance(lost.cause, PartsFailed)
    assert len(answers.requests) == 1


def test_decisions_may_go_without() -> None:
    """Of those that are left, so many must pass, or all of them."""
    assert score(all_of(fixed("a", 1), failing("b"), policy=renormalise)) == 1.0
    assert score(at_least(2, fixed("a", 1), fixed("b", 0), unscorable("c"), policy=renormalise)) == 0.0


def test_cancelling_leaves_nothing_unawaited() -> None:
    """A fork of async parts that is dropped closes them."""

    async def main() -> None:
        scorer = mean(*(Leaf("asks late", at, f"s{at}").scorer() for at in GRID))
        task = asyncio.create_task(scorer.run(RUN, answer=Answers()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())
    gc.collect()


def test_a_decision_closes_what_a_decision_inside_it_began() -> None:
    """Also where an exception that was kept holds on to everything."""
    late = Leaf("asks late", 1.0, "late").scorer()
    raising = Leaf("raises", 0.0, "raises").scorer().or_else(fixed("z", 1))
    inner = all_of(raising, late.passing(0.5).or_else(fixed("y", 1)))
    for inside in (inner, inner.passing(1), inner.or_else(fixed("x", 1)), all_of(inner)):
        end = all_of(fixed("no", 0), inside).run_sync(RUN, answer=Answers()).unwrap()
        assert end.score == 0.0
        del end
        gc.collect()


@pytest.mark.parametrize(
    ("make", "plain", "asked", "decided"),
    [
        (any_of, (1,), 2, True),
        (any_of, (0,), 2, False),
        (all_of, (0,), 2, True),
        (all_of, (1,), 2, False),
        (lambda *parts: at_least(2, *parts), (1, 1), 1, True),
        (lambda *parts: at_least(2, *parts), (1, 0), 1, False),
        (lambda *parts: at_least(2, *parts), (0, 0), 1, True),
        (lambda *parts: at_least(2, *parts), (0, 0), 2, False),
        (lambda *parts: at_least(2, *parts), (0, 0, 0), 2, False),
        (lambda *parts: at_least(3, *parts), (1, 1), 2, False),
        (lambda *parts: at_least(3, *parts), (0, 0), 2, True),
        (lambda *parts: at_least(3, *parts), (1, 0, 0), 1, True),
        (any_of, (0.5,), 1, False),
        (any_of, (0.5, 1), 1, False),
    ],
)
def test_nothing_more_is_asked_than_can_decide(make, plain: tuple[float, ...], asked: int, decided: bool) -> None:
    """And what could decide is asked."""
    answers = Answers(say=lambda _: '{"score": 1}')
    parts = [fixed(f"p{at}", value) for at, value in enumerate(plain)]
    judges = [asking(f"j{at}", f"rate {at}") for at in range(asked)]
    end = make(*judges, *parts).run_sync(RUN, answer=answers)
    assert len(answers.requests) == (0 if decided else asked)
    if decided:
        assert end.unwrap().steps[-1].value.n_not_asked == asked


def test_a_decision_tells_its_reasons() -> None:
    """Of those that gave one."""
    end = any_of(fixed("a", 1, "good"), fixed("b", 0), fixed("c", 0, "bad")).run_sync(RUN).unwrap()
    assert (end.reason, end.record("any_of").value) == ("a 1: good\nc 0: bad", Tally(1, 1, 0, Coverage(3, 0, 0)))


def test_a_decision_of_nothing_is_none() -> None:
    """Each says its name."""
    for make in (all_of, any_of):
        with pytest.raises(DefinitionError, match=rf"^{make.__name__}\(…\) decides on at least one scorer$"):
            make()
    with pytest.raises(DefinitionError, match=r"^at_least\(3, …\) of 2 scorers: k runs from 1 to their number$"):
        at_least(3, fixed("a", 1), fixed("b", 1))


def test_the_ways_to_combine_say_their_names() -> None:
    """In the evidence, and where they fail."""
    for make in (mean, minimum, maximum):
        assert make(failing("a"), policy=renormalise).run_sync(RUN).failure().step == make.__name__
        assert make(fixed("a", 1), failing("b"), policy=renormalise, id="x").run_sync(RUN).unwrap().score == 1.0
        with pytest.raises(DefinitionError, match=rf"^{make.__name__}\(…\) combines at least one scorer$"):
            make()
