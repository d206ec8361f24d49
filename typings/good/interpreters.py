"""Interpreters: a run is scored now, later, again, or only planned."""

from __future__ import annotations

from typing import assert_type

import attrs
from returns.result import Result
from scorewright import (
    Bench,
    Evaluation,
    Judge,
    JudgeFault,
    Outcome,
    Run,
    Scorer,
    ScoringFailure,
    create_scorer,
    ok,
    plan,
    pure,
    replay,
    score_prompt,
    transcript_of,
)
from scorewright.core import (
    Answer,
    Answerer,
    Evidence,
    JudgeReply,
    JudgeRequest,
    Plan,
    Transcript,
    interpret,
)


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class Canned(Answerer):
    """A judge of one's own says its identity and its answer."""

    text: str

    @property
    def identity(self) -> str:
        return self.text

    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        return JudgeReply(ok(self.text))


async def answered(request: JudgeRequest) -> JudgeReply:
    return JudgeReply(ok(request.prompt))


async def bound(request: JudgeRequest, /) -> JudgeReply:
    return JudgeReply(ok(request.prompt))


judged = create_scorer("judged", input=str, output=str, judge=Judge("openai/gpt-4o-mini")).generate_score(
    score_prompt(lambda step: step.run.output)
)
canned = create_scorer("canned", input=str, output=str, judge=Canned("{}")).generate_score(
    score_prompt(lambda step: step.run.output, judge=Canned("1"))
)
exact = create_scorer("exact", input=str, output=str, expected=str).generate_score(
    pure(lambda step: step.run.output == step.run.expected)
)
answers: list[Answer] = [answered, bound, Bench().answer, Transcript({}).answer]


async def scored(run: Run[str, str], whole: Run[str, str, str], bench: Bench) -> None:
    assert_type(await judged.run(run), Result[Evaluation, ScoringFailure[JudgeFault]])
    assert_type(await judged.run(run, answer=answered), Result[Evaluation, ScoringFailure[JudgeFault]])
    assert_type(await judged.run(run, answer=bench.answer), Result[Evaluation, ScoringFailure[JudgeFault]])
    assert_type(judged.run_sync(run), Result[Evaluation, ScoringFailure[JudgeFault]])
    assert_type(judged.run_sync(run, answer=bound), Result[Evaluation, ScoringFailure[JudgeFault]])
    await exact.run(whole)
    exact.run_sync(whole)
    async with Bench() as opened:
        assert_type(opened, Bench)
        await judged.run(run, answer=opened.answer)


def again(run: Run[str, str], evaluation: Evaluation, failure: ScoringFailure[Empty], evidence: Evidence) -> None:
    assert_type(transcript_of(evaluation), Transcript)
    assert_type(transcript_of(failure), Transcript)
    assert_type(transcript_of(evidence), Transcript)
    assert_type(replay(judged, run, transcript_of(evaluation)), Result[Evaluation, ScoringFailure[JudgeFault]])


def planned(run: Run[str, str], whole: Run[str, str, str]) -> None:
    assert_type(plan(judged, run), Plan)
    assert_type(plan(exact, whole), Plan)
    assert_type(plan(judged, run).first, tuple[JudgeRequest, ...])
    assert_type(plan(judged, run).later_at_most, int | None)


async def interpreted(outcome: Outcome[int, Empty]) -> None:
    assert_type(await interpret(outcome, answered), Result[int, Empty])


def generic(scorer: Scorer[str, str], run: Run[str, str]) -> None:
    assert_type(scorer.run_sync(run), Result[Evaluation, ScoringFailure[object]])
    assert_type(plan(scorer, run), Plan)
