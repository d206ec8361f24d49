"""Replies that were recorded answer again, by place and content."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from core.canned import CANNED, Canned, Told, reply
from hypothesis import given
from hypothesis import strategies as st

from scorewright import (
    Outcome,
    Run,
    Scorer,
    create_scorer,
    err,
    ok,
    prompt,
    pure,
    reason_prompt,
    replay,
    then,
    transcript_of,
)
from scorewright.core import Again, Ask, Done, JudgeReply, JudgeRequest, Transcript, gather, iterate
from scorewright.faults import EmptyReply, JudgeFault, NotRecorded

RUN = Run("in", "out")


def asking(text: str) -> Outcome[str, JudgeFault]:
    return Ask(JudgeRequest(text), lambda said: said.answer)


async def asking_later(text: str) -> Outcome[str, JudgeFault]:
    await asyncio.sleep(0)
    return asking(text)


# A text to ask, a list of parts, or ("later", text), (tree, "then", tree), ("again", n), ("fails",), ("raises",).
Tree = object

trees = st.recursive(
    st.sampled_from(["a", "b", "c"])
    | st.tuples(st.just("later"), st.sampled_from(["a", "b"]))
    | st.tuples(st.just("again"), st.integers(0, 3))
    | st.just(("fails",))
    | st.just(("raises",)),
    lambda deeper: st.lists(deeper, max_size=3) | st.tuples(deeper, st.just("then"), deeper),
    max_leaves=8,
)


def program(tree: Tree) -> Outcome[object, object]:
    if isinstance(tree, str):
        return asking(tree)
    if isinstance(tree, list):
        return gather(*(lambda part=part: program(part) for part in tree))
    match tree:
        case ("later", str(text)):
            return asking_later(text)
        case ("again", int(rounds)):
            return iterate(
                rounds, lambda n: then(asking(f"round {n}"), lambda _: ok(Again(n - 1) if n else Done("over")))
            )
        case (first, "then", second):
            return then(program(first), lambda _: program(second))
        case ("fails",):
            return err("failed")
    raise ValueError("raises")


def scorer_of(tree: Tree) -> Scorer[str, str]:
    return (
        create_scorer("tree", input=str, output=str, judge=CANNED)
        .preprocess(lambda _: program(tree))
        .generate_score(pure(lambda _: 1))
        .generate_reason(reason_prompt(lambda _: "why"))
    )


async def unlike(request: JudgeRequest) -> JudgeReply:
    """Answers by the place, so that a mixed-up replay shows, and out of order; every fourth is a fault."""
    number = sum(request.place.encode()) + len(request.prompt)
    await asyncio.sleep(0.0001 * (number % 3))
    return reply(EmptyReply() if number % 4 == 0 else f"{request.prompt} at {request.place}")


@given(trees)
def test_sync_async_and_replay_are_equal(tree: Tree) -> None:
    """The same replies give equal results in every interpreter, with forks, loops, async steps, faults and raising."""
    scorer = scorer_of(tree)
    sync = scorer.run_sync(RUN, answer=unlike)
    assert asyncio.run(scorer.run(RUN, answer=unlike)) == sync
    evidence = sync.unwrap() if isinstance(sync, type(ok(1))) else sync.failure()
    transcript = transcript_of(evidence)
    assert replay(scorer, RUN, transcript) == sync
    assert asyncio.run(scorer.run(RUN, answer=transcript.answer)) == sync
    again = replay(scorer, RUN, pickle.loads(pickle.dumps(transcript)))
    assert again == sync


@given(trees)
def test_every_ask_has_a_place_of_its_own(tree: Tree) -> None:
    """So that a transcript holds every reply."""
    result = scorer_of(tree).run_sync(RUN, answer=unlike)
    evidence = result.unwrap() if isinstance(result, type(ok(1))) else result.failure()
    places = [said.request.place for said in evidence.exchanges]
    assert len(set(places)) == len(places)


def test_the_same_question_at_two_places_is_answered_twice() -> None:
    """Replies belong to their places, even when the questions are alike."""
    count = iter(["first", "second"])
    scorer = scorer_of(("a", "then", "a"))
    done = scorer.run_sync(RUN, answer=Told(lambda asked: next(count) if asked == "a" else "why")).unwrap()
    assert replay(scorer, RUN, transcript_of(done)).unwrap() == done
    assert done.steps[0].value == "second"


def test_a_request_that_was_never_recorded_is_a_fault() -> None:
    """`NotRecorded` names the place and the prompt; no judge is asked in its stead."""
    scorer = scorer_of("a")
    done = scorer.run_sync(RUN, answer=Told("yes")).unwrap()
    failure = replay(scorer_of("b"), RUN, transcript_of(done)).failure()
    assert failure.cause == NotRecorded("preprocess[0]", "b")
    assert replay(scorer, RUN, Transcript({})).failure().cause == NotRecorded("preprocess[0]", "a")


def test_another_judge_is_another_request() -> None:
    """What one judge said is no answer of another."""

    def by(judge: Canned) -> Scorer[str, str]:
        return (
            create_scorer("j", input=str, output=str, judge=judge)
            .analyze(prompt(bool, lambda _: "q"))
            .generate_score(pure(lambda _: 1))
        )

    done = by(Canned("true", "one")).run_sync(RUN).unwrap()
    assert isinstance(replay(by(Canned("true", "two")), RUN, transcript_of(done)).failure().cause, NotRecorded)


def test_a_failure_has_a_transcript_too() -> None:
    """What was answered before it failed need not be paid again."""
    scorer = scorer_of("a")
    failure = scorer.run_sync(RUN, answer=Told(lambda asked: EmptyReply() if asked == "why" else "yes")).failure()
    assert replay(scorer, RUN, transcript_of(failure)) == err(failure)
    rest = Told("because")

    async def answer(request: JudgeRequest) -> JudgeReply:
        recorded = await transcript_of(failure).answer(request)
        return recorded if isinstance(recorded.answer, type(ok(1))) else await rest(request)

    assert scorer.run_sync(RUN, answer=answer).unwrap().reason == "because"
    assert rest.prompts == ["why"]


def test_replay_repeats_plain_steps() -> None:
    """Only judges are not asked; a step that is not pure runs again."""
    seen: list[int] = []

    def step(_: object) -> Outcome[str, JudgeFault]:
        seen.append(1)
        return asking("a")

    scorer = create_scorer("p", input=str, output=str, judge=CANNED).preprocess(step).generate_score(pure(lambda _: 1))
    done = scorer.run_sync(RUN).unwrap()
    replay(scorer, RUN, transcript_of(done))
    assert len(seen) == 2


@pytest.mark.parametrize("tree", ["a", ["a", "b", ("later", "c")], (["a"], "then", "b")])
def test_a_scorer_that_asks_nothing_new_replays_without_a_judge(tree: Tree) -> None:
    """A transcript is all that a replay needs, also for a judge that is gone."""
    scorer = scorer_of(tree)
    done = scorer.run_sync(RUN, answer=Told("x")).unwrap()
    assert replay(scorer, RUN, transcript_of(done)) == ok(done)
