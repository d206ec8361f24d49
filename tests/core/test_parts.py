"""Parts of a whole: whatever a part's own program does, its end is one, under its label and the run's id."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from algebra.leaves import Answers, Any, Empty, asking, failing, fixed
from core.canned import CANNED, Canned, Told, reply
from returns.pipeline import is_successful

from scorewright import Run, Scale, Scorer, create_scorer, err, ok, prompt, pure, score_from, then
from scorewright.algebra import mean, renormalise
from scorewright.core import Ask, Fork, JudgeRequest, StepInfo, gather
from scorewright.core.parts import PartsFailed, labels_of
from scorewright.faults import NotScorable, StepRaised

GIVEN = Run("in", "out", run_id="given")


def boom(*_: object) -> object:
    raise ValueError("boom")


async def boom_later() -> object:
    await asyncio.sleep(0)
    return boom()


PROGRAMS: dict[str, Callable[[object], object]] = {
    "in a resume": lambda _: Ask(JudgeRequest("q", judge=CANNED), boom),
    "in an await": lambda _: boom_later(),
    "in a join": lambda _: Fork((lambda: ok(1),), boom),
    "in a part of a fork": lambda _: then(gather(boom), lambda results: err(results[0].failure())),
}


def written(program: Callable[[object], object], id: str = "mine") -> Scorer[str, str]:
    """A scorer with a program of one's own, without the walk that keeps what a step raises."""
    known = fixed(id, 0.5)
    return Scorer(known.about, known.steps, program)


@pytest.mark.parametrize("where", PROGRAMS)
@pytest.mark.parametrize(
    ("make", "label"),
    [
        (lambda mine: mean(mine, fixed("b", 1)), "mine"),
        (lambda mine: mean(fixed("b", 1), mine, asking("c")), "mine"),
        (lambda mine: mean(mine, mine), "mine"),
        (lambda mine: mine.zip(fixed("b", 1)).generate_score(lambda x, _: x.score), "mine"),
    ],
    ids=["mean", "among asks", "twice", "zip"],
)
def test_a_part_whose_program_raises_has_failed(where: str, make: Callable[[Any], Any], label: str) -> None:
    """Under its label and the run's id, with what was raised; the others are as they are."""
    lost = make(written(PROGRAMS[where])).run_sync(GIVEN, answer=Answers()).failure()
    assert isinstance(lost.cause, PartsFailed)
    told, failure = lost.cause.failures[0]
    assert (told, failure.step, failure.run_id, failure.score) == (label, label, "given", None)
    assert isinstance(failure.cause, StepRaised)
    assert (failure.cause.raised.kind, failure.cause.raised.message) == ("ValueError", "boom")
    assert (failure.steps, failure.names, failure.trail) == ((), (), ())
    assert lost.run_id == "given"


@pytest.mark.parametrize("where", PROGRAMS)
def test_a_fallback_for_a_program_that_raises(where: str) -> None:
    """It is begun, and the exception is in the evidence; where both raise, the whole has failed in the second."""
    mine = written(PROGRAMS[where])
    end = mine.or_else(fixed("b", 0.25)).run_sync(GIVEN, answer=Told("yes")).unwrap()
    first = end.record("mine").value
    assert (end.score, end.run_id, first.step, first.run_id) == (0.25, "given", "mine", "given")
    assert first.cause.raised.message == "boom"
    lost = mine.or_else(written(PROGRAMS[where], "other")).run_sync(GIVEN, answer=Told("yes")).failure()
    assert (lost.step, lost.cause.raised.message) == ("other", "boom")
    assert len(lost.exchanges) == (2 if where == "in a resume" else 0)


def test_parts_that_another_driver_ended_are_taken_as_they_are() -> None:
    """Without evidence of asks: whoever drives a fork by hand may hand its results over."""
    parts = (asking("a", "one"), asking("b", "two"))
    outcome = mean(*parts).program(GIVEN)
    assert isinstance(outcome, Fork)
    ends = tuple(part.run_sync(GIVEN, answer=Answers()) for part in parts)
    whole = outcome.join(ends).unwrap()
    assert whole.score == sum(end.unwrap().score for end in ends) / 2
    assert [record.value for record in whole.steps[:2]] == [end.unwrap() for end in ends]
    assert [record.exchanges for record in whole.steps[:2]] == [(), ()]
    lost = outcome.join((ends[0], failing("x").run_sync(GIVEN))).failure()
    assert lost.cause.causes == (Empty("empty"),)


def test_a_fork_of_a_step_may_be_ended_by_hand() -> None:
    """The step's own join sees the plain results, successes and failures."""
    seen: list[object] = []

    def step(_: object) -> object:
        return then(gather(lambda: ok(1), lambda: err("no")), lambda results: ok(seen.append(results)))

    scorer = create_scorer("s", input=str, output=str).preprocess(step).generate_score(pure(lambda _: 0.5))
    outcome = scorer.program(GIVEN)
    assert isinstance(outcome, Fork)
    assert outcome.join((ok(7), err("by hand"))).unwrap().score == 0.5
    assert scorer.run_sync(GIVEN).unwrap().score == 0.5
    assert seen == [(ok(7), err("by hand")), (ok(1), err("no"))]


def test_a_step_may_go_on_without_the_part_that_raised() -> None:
    """Also where the judge of that part had answered already: its answer is in the exchanges."""
    asked = score_from(bool, lambda _: "q", boom)

    def step(given: object) -> object:
        return then(gather(lambda: asked(given), lambda: ok(1)), lambda ends: ok(sum(map(is_successful, ends))))

    draft = create_scorer("s", input=str, output=str, judge=CANNED)
    end = draft.preprocess(step).generate_score(pure(lambda s: s.pre / 2)).run_sync(GIVEN, answer=Told("true")).unwrap()
    assert (end.score, end.record("preprocess").value, end.record("preprocess").prompts) == (0.5, 1, ("q",))


def test_another_fault_than_that_of_the_part_has_no_answer_of_it() -> None:
    """The value of a failed step is the answer on which its own fault was raised, and no other's."""
    asked = score_from(bool, lambda _: "q", boom)

    def step(given: object) -> object:
        return then(gather(lambda: asked(given), lambda: ok(1)), lambda _: err("another"))

    draft = create_scorer("s", input=str, output=str, judge=CANNED)
    lost = draft.preprocess(step).generate_score(pure(lambda _: 1)).run_sync(GIVEN, answer=Told("true")).failure()
    assert (lost.cause, lost.steps[0].value, lost.steps[0].prompts) == ("another", None, ("q",))


def test_no_reasons_are_no_reason() -> None:
    """None, not an empty text; one that a part gave stands under its label, with its score."""
    assert mean(fixed("a", 1), fixed("b", 0)).run_sync(GIVEN).unwrap().reason is None
    assert mean(fixed("a", 1, "so"), fixed("b", 0)).run_sync(GIVEN).unwrap().reason == "a 1: so"
    both = mean(fixed("a", 1, "so"), fixed("b", 0.25, "or so")).run_sync(GIVEN).unwrap()
    assert both.reason == "a 1: so\nb 0.25: or so"
    some = mean(fixed("a", 1, "so"), failing("b"), policy=renormalise).run_sync(GIVEN).unwrap()
    assert some.reason is not None
    assert some.reason.startswith("a 1: so")


@pytest.mark.parametrize(
    ("ids", "labels"),
    [
        ((), ()),
        (("a",), ("a",)),
        (("a", "a", "a"), ("a", "a #2", "a #3")),
        (("a", "a #2", "a"), ("a", "a #2", "a #3")),
        (("a #2", "a", "a"), ("a #2", "a", "a #3")),
        (("a", "b", "a", "b"), ("a", "b", "a #2", "b #2")),
    ],
)
def test_every_part_has_a_label_of_its_own(ids: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Its id, or the first number that is free."""
    assert labels_of(ids) == labels


def test_what_lacks_parts_says_which() -> None:
    """Failures and what is not scorable, all by label; without a failure it is not scorable itself."""
    dropped = create_scorer("n", input=str, output=str, scale=Scale()).generate_score(lambda _: err(NotScorable("no")))
    lost = mean(failing("a", "x"), dropped, failing("a", "y")).run_sync(GIVEN).failure()
    assert [label for label, _ in lost.cause.failures] == ["a", "n", "a #2"]
    assert lost.cause.causes == (Empty("x"), NotScorable("no"), Empty("y"))
    both = mean(dropped, fixed("b", 1), dropped).run_sync(GIVEN).failure()
    assert (both.cause, both.step, both.run_id) == (NotScorable("n: no; n #2: no"), "mean", "given")


def test_a_reply_goes_to_the_part_that_asked() -> None:
    """Whatever the order in which replies come."""

    async def answer(request: JudgeRequest) -> object:
        for _ in range(3 if request.prompt.startswith("one") else 0):
            await asyncio.sleep(0)
        return reply('{"score": 1}' if request.prompt.startswith("one") else '{"score": 0.5}')

    end = mean(asking("a", "one"), asking("b", "two")).run_sync(GIVEN, answer=answer).unwrap()
    assert [record.value.score for record in end.steps[:2]] == [1.0, 0.5]
    assert [record.prompts for record in end.steps[:2]] == [("one out",), ("two out",)]


def test_a_part_is_a_step_of_the_whole() -> None:
    """As pure, as asking or as unknown as its own steps together; with its description, and whom it asks."""
    own, theirs = Canned("true", "own"), Canned("1", "theirs")

    def draft(id: str) -> Any:
        return create_scorer(id, input=str, output=str, description=f"what {id} is", judge=theirs)

    once = draft("once").analyze(prompt(bool, lambda _: "q", judge=own)).generate_score(pure(lambda _: 1))
    plain = draft("plain").preprocess(pure(lambda _: 1)).generate_score(pure(lambda _: 1))
    shared = draft("shared").analyze(prompt(bool, lambda _: "q")).generate_score(pure(lambda _: 1))
    often = (
        draft("often")
        .preprocess(prompt(bool, lambda _: "q", judge=own))
        .analyze(prompt(bool, lambda _: "q", judge=own))
        .generate_score(pure(lambda _: 1))
    )
    unknown = draft("unknown").generate_score(lambda _: ok(1))
    told = [
        StepInfo("plain", "pure", "what plain is"),
        StepInfo("once", "prompt", "what once is", own),
        StepInfo("shared", "prompt", "what shared is", theirs),
        StepInfo("often", "function", "what often is", theirs),
        StepInfo("unknown", "function", "what unknown is", theirs),
        StepInfo("mean", "pure"),
    ]
    assert list(mean(plain, once, shared, often, unknown).steps) == told
