"""The same scorer several times, and before several judges."""

from __future__ import annotations

import pytest
from algebra.leaves import RUN, Answers, Leaf, Panel, asking, fixed, unscorable

from scorewright import DefinitionError, NotScorable, Run, create_scorer, replay, score_prompt, transcript_of
from scorewright.algebra import (
    Disagreed,
    NoQuorum,
    Pair,
    PartsFailed,
    Policy,
    Tied,
    jury,
    pairwise,
    renormalise,
    repeat,
    scorable_only,
    self_consistent,
    strict,
)
from scorewright.core import JudgeReply, JudgeRequest
from scorewright.faults import Unreachable
from scorewright.results import err, ok
from scorewright.wording import listed


def by_sample(*scores: float) -> Answers:
    return Answers(say=lambda request: f'{{"score": {scores[request.sample]}}}')


def by_judge(**scores: float) -> Answers:
    return Answers(say=lambda request: f'{{"score": {scores[request.judge.identity]}}}')


@pytest.mark.parametrize(
    ("reduce", "score"),
    [("median", 0.25), ("mean", 0.5), ("minimum", 0.25), ("maximum", 1.0), ("majority", 0.25), (lambda s: s[1], 1.0)],
)
def test_the_ways_to_reduce(reduce: object, score: float) -> None:
    """By name or by function."""
    end = repeat(asking("a"), 3, reduce=reduce).run_sync(RUN, answer=by_sample(0.25, 1.0, 0.25)).unwrap()
    assert end.score == score


def test_samples_are_told_apart_also_when_repeats_nest() -> None:
    """No two requests have one identity."""
    answers = Answers()
    end = repeat(repeat(asking("a"), 2), 3, reduce="mean").run_sync(RUN, answer=answers).unwrap()
    assert sorted(request.sample for request in answers.requests) == list(range(6))
    assert len({request.content for request in answers.requests}) == 6
    inner = end.record("sample 2").value
    assert [said.request.sample for said in inner.exchanges] == [1, 4]
    assert [said.request.sample for said in inner.record("sample 2").value.exchanges] == [4]


def test_the_spread_is_kept() -> None:
    """How far apart the samples lie."""
    end = repeat(asking("a"), 4).run_sync(RUN, answer=by_sample(0.0, 1.0, 1.0, 0.0)).unwrap()
    spread = end.record("repeat").value
    assert (end.score, spread.scores, spread.low, spread.high) == (0.5, (0.0, 1.0, 1.0, 0.0), 0.0, 1.0)
    assert (spread.deviation, spread.agreement) == (0.5, 0.5)


def test_no_majority_is_an_outcome() -> None:
    """And not whichever came first."""
    lost = repeat(asking("a"), 2, reduce="majority").run_sync(RUN, answer=by_sample(1.0, 0.0)).failure()
    assert lost.cause == Tied((0.0, 1.0))
    assert len(lost.exchanges) == 2


def test_repeats_go_by_the_policy() -> None:
    """Strict unless told otherwise."""

    async def answer(request: JudgeRequest) -> JudgeReply:
        return JudgeReply(err(Unreachable("down")) if request.sample == 1 else ok('{"score": 1}'))

    lost = repeat(asking("a"), 3).run_sync(RUN, answer=answer).failure()
    assert isinstance(lost.cause, PartsFailed)
    assert lost.cause.causes == (Unreachable("down"),)
    end = repeat(asking("a"), 3, policy=renormalise).run_sync(RUN, answer=answer).unwrap()
    assert end.record("repeat").value.scores == (1.0, None, 1.0)
    assert isinstance(repeat(unscorable("u"), 3).run_sync(RUN).failure().cause, NotScorable)


@pytest.mark.parametrize(
    ("scores", "taken"),
    [((1, 1, 1, 0, 0), 3), ((1, 0, 1, 1, 0), 4), ((1, 0, 1, 0, 1), 5), ((0, 0, 1, 1, 1), 5)],
)
def test_sampling_stops_when_the_answer_cannot_change(scores: tuple[float, ...], taken: int) -> None:
    """Not one sample more."""
    answers = by_sample(*scores)
    end = self_consistent(asking("a"), 5).run_sync(RUN, answer=answers).unwrap()
    assert (len(answers.requests), end.score) == (taken, float(sum(scores) > 2))
    assert replay(self_consistent(asking("a"), 5), RUN, transcript_of(end)).unwrap() == end


def test_sampling_stops_at_so_many_equal_answers() -> None:
    """Or when told that fewer are enough."""
    answers = by_sample(0, 1, 1, 0, 0, 0, 0)
    assert self_consistent(asking("a"), 7, until=2).run_sync(RUN, answer=answers).unwrap().score == 1.0
    assert len(answers.requests) == 3


def test_wrong_repeats_are_found_at_the_definition() -> None:
    """Before anything is paid."""
    for wrong in (
        lambda: repeat(fixed("a", 1), 0),
        lambda: repeat(fixed("a", 1), 2, reduce="middle"),
        lambda: self_consistent(fixed("a", 1), 3, until=4),
        lambda: jury(asking("a"), []),
        lambda: jury(asking("a"), [Panel()], quorum=2),
        lambda: jury(asking("a"), [Panel()], most_apart=float("nan")),
        lambda: jury(fixed("a", 1), [Panel()]),
    ):
        with pytest.raises(DefinitionError):
            wrong()


def test_every_juror_is_asked_in_place_of_the_scorers_judges() -> None:
    """Also where a step has a judge of its own; the evidence says who was asked."""
    draft = create_scorer("a", input=str, output=str, judge=Panel("outer"))
    scorer = draft.generate_score(score_prompt(lambda _: "rate", judge=Panel("own")))
    end = jury(scorer, [Panel("x"), Panel("y")]).run_sync(RUN, answer=by_judge(x=0.5, y=1.0)).unwrap()
    assert end.score == 0.75
    assert [said.request.judge for said in end.exchanges] == [Panel("x"), Panel("y")]
    assert [said.request.judge for said in end.record("juror 2").value.exchanges] == [Panel("y")]
    assert replay(jury(scorer, [Panel("x"), Panel("y")]), RUN, transcript_of(end)).unwrap() == end


def test_equal_jurors_are_several() -> None:
    """Their positions are part of what is asked; who sits alone asks the same anywhere."""
    answers = Answers()
    jury(asking("a"), [Panel("x"), Panel("y"), Panel("x")]).run_sync(RUN, answer=answers)
    assert sorted((request.judge.identity, request.sample) for request in answers.requests) == [
        ("x", 0),
        ("x", 1),
        ("y", 0),
    ]


def outage(*down: str) -> object:
    async def answer(request: JudgeRequest) -> JudgeReply:
        return JudgeReply(err(Unreachable("down")) if request.judge.identity in down else ok('{"score": 1}'))

    return answer


def test_an_outage_loses_nobody_else() -> None:
    """The rest decide, while they are a quorum."""
    judges = [Panel("x"), Panel("y"), Panel("z")]
    end = jury(asking("a"), judges).run_sync(RUN, answer=outage("y")).unwrap()
    assert (end.score, end.record("jury").value.coverage.n_failed) == (1.0, 1)
    lost = jury(asking("a"), judges).run_sync(RUN, answer=outage("x", "y")).failure()
    assert isinstance(lost.cause, NoQuorum)
    assert (lost.cause.needed, lost.cause.scores, [label for label, _ in lost.cause.failures]) == (
        2,
        (1.0,),
        ["juror 1", "juror 2"],
    )


def test_jurors_who_are_too_far_apart_disagree() -> None:
    """No mean hides it."""
    lost = (
        jury(asking("a"), [Panel("x"), Panel("y")], most_apart=0.25).run_sync(RUN, answer=by_judge(x=0, y=1)).failure()
    )
    assert lost.cause == Disagreed((0.0, 1.0), 0.25)
    tie = (
        jury(asking("a"), [Panel("x"), Panel("y")], reduce="majority")
        .run_sync(RUN, answer=by_judge(x=0, y=1))
        .failure()
    )
    assert tie.cause == Tied((0.0, 1.0))


def test_no_juror_can_score_what_is_not_scorable() -> None:
    """Then the run is not scorable either."""
    scorer = asking("a").when(lambda _: False, why="no")
    lost = jury(scorer, [Panel("x"), Panel("y")]).run_sync(RUN).failure()
    assert lost.cause == NotScorable("juror 1: no; juror 2: no")


def test_a_quorum_is_more_than_half_unless_said_otherwise() -> None:
    """Of four judges three, and two where two are enough."""
    judges = [Panel(name) for name in "wxyz"]
    lost = jury(asking("a"), judges).run_sync(RUN, answer=outage("w", "x")).failure()
    assert (lost.step, lost.cause.needed, lost.cause.scores) == ("jury", 3, (1.0, 1.0))
    causes = [(label, failure.cause) for label, failure in lost.cause.failures]
    assert lost.cause.described() == f"Too few jurors gave a score, 2 of the 3 that were needed: {listed(causes)}"
    assert jury(asking("a"), judges, quorum=2).run_sync(RUN, answer=outage("w", "x")).unwrap().score == 1.0
    assert NoQuorum(1, (), ()).described() == "Too few jurors gave a score, 0 of the 1 that were needed"


def test_a_juror_that_cannot_score_is_no_failure_of_the_others() -> None:
    """Some scored, too few: no quorum, though no judge failed."""
    scorer = asking("a")

    async def answer(request: JudgeRequest) -> JudgeReply:
        return JudgeReply(ok('{"score": 1}' if request.judge.identity == "x" else '{"score": 7}'))

    lost = jury(scorer, [Panel("x"), Panel("y")]).run_sync(RUN, answer=answer).failure()
    assert (lost.cause.scores, [label for label, _ in lost.cause.failures]) == ((1.0,), ["juror 2"])


def test_scores_may_be_just_so_far_apart() -> None:
    """The bound itself is allowed, and 0 asks for one score of all."""
    judges = [Panel("x"), Panel("y")]
    half = by_judge(x=0.5, y=0.75)
    assert jury(asking("a"), judges, most_apart=0.25).run_sync(RUN, answer=half).unwrap().score == 0.625
    assert jury(asking("a"), judges, most_apart=0).run_sync(RUN, answer=by_judge(x=1, y=1)).unwrap().score == 1.0
    lost = jury(asking("a"), judges, most_apart=0).run_sync(RUN, answer=half).failure()
    assert lost.cause.described() == "The jurors' scores lie more than 0 apart: 0.5, 0.75"


def test_a_tie_names_its_scores() -> None:
    """From low to high, whichever came first; those that were given less often are not among them."""
    lost = repeat(asking("a"), 5, reduce="majority").run_sync(RUN, answer=by_sample(1, 0, 0.5, 1, 0)).failure()
    assert lost.cause.described() == "No score was given more often than every other: 0, 1"


def test_the_reason_is_that_of_a_juror_with_the_score() -> None:
    """The first of them; where the score is nobody's, there is none."""
    draft = create_scorer("a", input=str, output=str, judge=Panel("own"))
    scorer = draft.generate_score(score_prompt(lambda _: "rate")).generate_reason(
        lambda step: ok(f"I gave {step.score:g}")
    )
    judges = [Panel("x"), Panel("y"), Panel("z")]
    end = jury(scorer, judges).run_sync(RUN, answer=by_judge(x=0, y=0.5, z=1)).unwrap()
    assert (end.score, end.reason) == (0.5, "I gave 0.5")
    assert jury(scorer, judges[:2]).run_sync(RUN, answer=by_judge(x=0, y=0.5)).unwrap().reason is None


def test_jurors_that_are_equal_once_filled_in_are_told_apart() -> None:
    """What they leave open is the scorer's: then two are one, asked twice."""

    class Open(Panel):
        def filled(self, base: Panel, /) -> Panel:
            return base if self.name == "open" else self

    draft = create_scorer("a", input=str, output=str, judge=Panel("x"))
    answers = Answers()
    jury(draft.generate_score(score_prompt(lambda _: "rate")), [Open("open"), Panel("x")]).run_sync(RUN, answer=answers)
    assert sorted((request.judge.identity, request.sample) for request in answers.requests) == [("x", 0), ("x", 1)]


@pytest.mark.parametrize(("until", "taken"), [(0, 2), (1, 1), (2, 2), (3, 3)])
def test_so_many_equal_answers_are_enough(until: int, taken: int) -> None:
    """Up to all of them; never more than can change something, unless more are asked for."""
    answers = by_sample(1, 1, 1)
    end = self_consistent(asking("a"), 3, until=until).run_sync(RUN, answer=answers).unwrap()
    assert (len(answers.requests), end.record("self_consistent").value.scores) == (
        min(taken, 2),
        (1.0,) * min(taken, 2),
    )


def test_samples_are_taken_while_they_can_matter_and_a_failure_ends_it() -> None:
    """Strictly; a policy that goes without goes on."""

    async def answer(request: JudgeRequest) -> JudgeReply:
        asked.append(request.sample)
        return JudgeReply(err(Unreachable("down")) if request.sample == 0 else ok('{"score": 1}'))

    asked: list[int] = []
    lost = self_consistent(asking("a"), 5).run_sync(RUN, answer=answer).failure()
    assert (lost.cause.causes, sorted(asked)) == ((Unreachable("down"),), [0, 1, 2])
    asked.clear()
    end = self_consistent(asking("a"), 5, policy=renormalise).run_sync(RUN, answer=answer).unwrap()
    assert (end.score, len(asked), end.record("self_consistent").value.coverage.n_failed) == (1.0, 4, 1)
    none = self_consistent(unscorable("u"), 3, policy=renormalise).run_sync(RUN).failure()
    assert isinstance(none.cause, NotScorable)


def test_one_sample_is_the_scorer() -> None:
    """With its identity, so that what was recorded without a repeat is found."""
    answers, alone = Answers(), Answers()
    repeat(asking("a"), 1).run_sync(RUN, answer=answers)
    asking("a").run_sync(RUN, answer=alone)
    assert [request.content for request in answers.requests] == [request.content for request in alone.requests]


def test_a_jury_of_a_jury_would_ask_one_judge_in_the_place_of_several() -> None:
    """So it is refused, however deep the inner one is."""
    inner = jury(asking("q"), [Panel("x"), Panel("y")])
    for made in (inner, inner.invert(), repeat(inner, 2), inner.or_else(asking("r"))):
        with pytest.raises(DefinitionError, match=r"asks a jury already, .*: name them in one$"):
            jury(made, [Panel("z")])
    assert repeat(inner, 2).run_sync(RUN, answer=Answers()).unwrap()


def test_a_jury_of_a_pair_asks_each_juror_both_ways() -> None:
    """Two requests a juror; equal jurors in samples of their own."""
    answers = Answers(say=lambda _: '{"reason": "r", "better": "A"}')
    pair = pairwise("p", "The nicer one.", input=str, output=str, judge=Panel("own"))
    judges = [Panel("x"), Panel("y"), Panel("x")]
    assert jury(pair, judges).run_sync(Run("q", Pair("a", "b")), answer=answers).unwrap().score == 0.5
    told = sorted((request.judge.identity, request.sample) for request in answers.requests)
    assert told == sorted([("x", 0), ("x", 1), ("y", 0)] * 2)


@pytest.mark.parametrize("policy", [strict, scorable_only])
def test_a_failure_that_the_policy_does_not_forgive_ends_the_sampling(policy: Policy) -> None:
    """What cannot be mended by more samples is not paid for."""
    answers = Answers(trouble=1.0)
    lost = self_consistent(asking("a"), 5, policy=policy).run_sync(RUN, answer=answers).failure()
    assert (len(answers.requests), len(lost.cause.failures)) == (3, 3)


def test_async_steps_are_repeated_too() -> None:
    """Each sample waits for its own, and is asked as itself."""
    answers = Answers()
    end = repeat(Leaf("asks late", 0.5, "late").scorer(), 3, reduce="mean").run_sync(RUN, answer=answers).unwrap()
    assert sorted(request.sample for request in answers.requests) == [0, 1, 2]
    assert [said.request.sample for said in end.exchanges] == [0, 1, 2]
    assert len({said.reply.answer.unwrap() for said in end.exchanges}) > 1


def test_where_every_juror_is_lost_it_is_for_want_of_a_quorum() -> None:
    """Not scorable is only what no juror failed at; also one juror is a jury."""
    lost = jury(asking("a"), [Panel("x"), Panel("y")]).run_sync(RUN, answer=outage("x", "y")).failure()
    assert (type(lost.cause), lost.cause.scores, len(lost.cause.failures)) == (NoQuorum, (), 2)
    with pytest.raises(DefinitionError, match="asks a jury already"):
        jury(jury(asking("q"), [Panel("x")]), [Panel("z")])
    with pytest.raises(DefinitionError, match=r"^most_apart= is a distance on the scale, .*, not '1'$"):
        jury(asking("q"), [Panel("x")], most_apart="1")
