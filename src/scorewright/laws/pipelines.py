"""The laws of scorers.

`scorer_laws()` hold for every scorer whose steps are functions of what they see. Those that compare pipelines which
differ in one step are in `scorewright.laws.steps`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core import (
    UNBOUNDED,
    Answer,
    Calculated,
    Evaluation,
    Evidence,
    Exchange,
    JudgeReply,
    JudgeRequest,
    Run,
    Scorer,
    ScoringFailure,
    StepRecord,
    Transcript,
    Verdict,
    replay,
    transcript_of,
)
from scorewright.core.portal import finished
from scorewright.faults import Aborted, InvalidScore
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, Sides
from scorewright.results import fold

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")

Came: TypeAlias = Result[Evaluation, ScoringFailure[object]]


def run_sync(scorer: Scorer[In, Out, Ref, object], run: Run[In, Out, Ref], answer: Answer, /) -> Came:
    """`scorer.run_sync(run)`, answered by `answer`."""
    return scorer.run_sync(run, answer=answer)


def run_async(scorer: Scorer[In, Out, Ref, object], run: Run[In, Out, Ref], answer: Answer, /) -> Awaitable[Came]:
    """`scorer.run(run)`, answered by `answer`."""
    return scorer.run(run, answer=answer)


@final
@attrs.frozen
class Interpreters(Generic[In, Out, Ref]):
    """What runs a scorer; the interpreters of `scorewright.core` unless given."""

    sync: Callable[[Scorer[In, Out, Ref, object], Run[In, Out, Ref], Answer], Came] = run_sync
    later: Callable[[Scorer[In, Out, Ref, object], Run[In, Out, Ref], Answer], Awaitable[Came]] = run_async
    replay: Callable[[Scorer[In, Out, Ref, object], Run[In, Out, Ref], Transcript], Came] = replay


@final
@attrs.frozen
class Trial(Generic[In, Out, Ref]):
    """A scorer, two runs, and who answers."""

    scorer: Scorer[In, Out, Ref, object]
    run: Run[In, Out, Ref]
    other: Run[In, Out, Ref]
    script: Script


def told(came: Came, /) -> tuple[Came, tuple[str, ...], tuple[Exchange, ...]]:
    """A result, with which steps were tried and every exchange; step values may lack an equality of their own."""
    kept = evidence(came)
    return came, tuple(record.step for record in kept.steps), kept.exchanges


def evidence(came: Came, /) -> Evidence:
    """What either side of a result keeps."""
    return came.unwrap() if is_successful(came) else came.failure()


def sync_is_async(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """`run_sync` and `await run` give the same result from the same exchanges."""
    answer = trial.script.answer
    return Sides(
        told(interpreters.sync(trial.scorer, trial.run, answer)),
        told(finished(lambda: interpreters.later(trial.scorer, trial.run, answer))),
        trial,
    )


def replay_is_the_run(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """Replaying a run from its own transcript gives the same result from the same exchanges."""
    came = interpreters.sync(trial.scorer, trial.run, trial.script.answer)
    transcript = transcript_of(evidence(came))
    return Sides(told(interpreters.replay(trial.scorer, trial.run, transcript)), told(came), trial)


def order_of_runs_does_not_matter(
    interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]
) -> Sides[object]:
    """A run comes to the same whichever runs were scored before it."""
    answer = trial.script.answer
    first = told(interpreters.sync(trial.scorer, trial.run, answer))
    then_other = told(interpreters.sync(trial.scorer, trial.other, answer))
    other = told(interpreters.sync(trial.scorer, trial.other, answer))
    then_first = told(interpreters.sync(trial.scorer, trial.run, answer))
    return Sides((first, then_other), (then_first, other), trial)


def pace_does_not_matter(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """A run comes to the same whichever of its asks is answered first."""
    slower = attrs.evolve(trial.script, pace=trial.script.pace + 1)
    return Sides(
        told(interpreters.sync(trial.scorer, trial.run, trial.script.answer)),
        told(interpreters.sync(trial.scorer, trial.run, slower.answer)),
        trial,
    )


def one_record_a_step(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """The evidence has at most one record for each step, in the order of the steps; what failed may add its own."""
    came = interpreters.sync(trial.scorer, trial.run, trial.script.answer)
    tried = [record.step for record in evidence(came).steps]
    names = [step.name for step in trial.scorer.steps]
    if not is_successful(came) and tried and tried[-1] == came.failure().step and tried[-1] not in names:
        del tried[-1]
    steps = iter(names)
    return Sides([name for name in tried if name not in steps], [], trial)


def every_ask_is_kept(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """The evidence has every exchange with a judge, and no other; nothing is sent twice from one place."""
    asked: list[tuple[str, str]] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        asked.append((request.place, request.content))
        return await trial.script.answer(request)

    kept = evidence(interpreters.sync(trial.scorer, trial.run, answer)).exchanges
    sent = [(each.request.place, each.request.content) for each in kept if not _stopped(each)]
    once = sorted(set(asked))
    return Sides((_shared(sent), sorted(asked)), (_shared(asked), once), trial)


def _shared(asked: Iterable[tuple[str, str]]) -> list[tuple[bool, str, str]]:
    """What was asked, where parts of a composed scorer share what they ask alike."""
    cut = ((place.rpartition("/"), content) for place, content in asked)
    return sorted({(bool(part), inside, content) for (part, _, inside), content in cut})


def _stopped(exchange: Exchange) -> bool:
    """Whether a processor stopped the ask before it was sent."""
    return not is_successful(exchange.reply.answer) and isinstance(exchange.reply.answer.failure(), Aborted)


def asks_are_bounded(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """A prompt step asks one question, a pure step none (a second request with feedback is the same question)."""
    kinds = {step.name: step.kind for step in trial.scorer.steps}
    bound = {"pure": 0, "prompt": 1}
    records = evidence(interpreters.sync(trial.scorer, trial.run, trial.script.answer)).steps
    beyond = [
        record.step
        for record in records
        if _questions(record) > bound.get(kinds.get(record.step, "function"), _questions(record))
    ]
    return Sides(beyond, [], trial)


def a_score_is_on_the_scale(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """Every score is a finite number of the scorer's scale."""
    came = interpreters.sync(trial.scorer, trial.run, trial.script.answer)
    score: float | None = fold(came, lambda evaluation: evaluation.score, lambda failure: failure.score)
    return Sides(score, score if score is None else trial.scorer.scale.check(score), trial)


def a_failure_is_no_number(interpreters: Interpreters[In, Out, Ref], trial: Trial[In, Out, Ref]) -> Sides[object]:
    """A failure has a score only where a step had given one before something else failed."""
    came = interpreters.sync(trial.scorer, trial.run, trial.script.answer)
    if is_successful(came) or any(_is_scored(record.value) for record in came.failure().steps):
        return Sides(None, None, trial)
    return Sides(came.failure().score, None, trial)


def _is_scored(value: object) -> bool:
    number = value.score if isinstance(value, (Calculated, Verdict, Evaluation)) else value
    return not isinstance(UNBOUNDED.check(number), InvalidScore)


def _questions(record: StepRecord) -> int:
    return sum(not exchange.request.feedback for exchange in record.exchanges)


def scorer_laws() -> tuple[Law[Interpreters[In, Out, Ref], Trial[In, Out, Ref]], ...]:
    """The laws of every scorer, typed for its runs."""
    return (
        sync_is_async,
        replay_is_the_run,
        order_of_runs_does_not_matter,
        pace_does_not_matter,
        one_record_a_step,
        every_ask_is_kept,
        asks_are_bounded,
        a_score_is_on_the_scale,
        a_failure_is_no_number,
    )
