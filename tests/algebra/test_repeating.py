"""The same scorer several times, and before several judges."""

from __future__ import annotations

import pytest
from algebra.leaves import RUN, Answers, Panel, asking, fixed, unscorable

from scorewright import DefinitionError, NotScorable, create_scorer, replay, score_prompt, transcript_of
from scorewright.algebra import Disagreed, NoQuorum, PartsFailed, Tied, jury, renormalise, repeat, self_consistent
from scorewright.core import JudgeReply, JudgeRequest
from scorewright.faults import Unreachable
from scorewright.results import err, ok


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
