"""Runs that are wrong, or given to the wrong scorer."""

from __future__ import annotations

from scorewright import Bench, Evaluation, Run, Scorer, ScoringFailure, create_scorer, plan, pure, replay, transcript_of
from scorewright.core import JudgeReply, JudgeRequest

exact = create_scorer("exact", input=str, output=str, expected=list[str]).generate_score(
    pure(lambda step: step.run.output in step.run.expected)
)
free = create_scorer("free", input=str, output=str).generate_score(pure(lambda step: 1.0))
optional = create_scorer("optional", input=str, output=str, expected=str | None).generate_score(pure(lambda step: 1.0))


async def texts(request: JudgeRequest, /) -> str:
    return request.prompt


def at_once(request: JudgeRequest, /) -> JudgeReply:
    raise NotImplementedError


def made(text: str, number: int) -> None:
    Run(text)  # E: no output
    Run()  # E: neither
    Run(text, text, text, text)  # E: one too many
    Run(text, text, reference=text)  # E: no such field
    Run(text, text, run_id=number)  # E: the id is text
    Run(text, text, run_id=None)  # E: the id is text
    Run(text, text, metadata=text)  # E: metadata is a mapping
    Run(text, text, request_context=[text])  # E: the context is a mapping
    Run(text, text, metadata={number: text})  # E: its keys are text


def changed(run: Run[str, str, list[str]], text: str) -> None:
    run.metadata["row"] = text  # E: a mapping that is read
    run.input = text  # E: rebinding
    run.output = text  # E: rebinding
    run.expected = [text]  # E: rebinding
    run.run_id = text  # E: rebinding
    run.metadata = {}  # E: rebinding
    run.request_context = {}  # E: rebinding
    run.with_output()  # E: another output is due
    wrong: Run[str, str, list[str]] = run.with_output(5)  # E: another type


def wrong_runs(number: int, text: str, bare: Run[str, str, None], whole: Run[str, str, list[str]]) -> None:
    free.run_sync(Run(number, text))  # E: wrong input type
    free.run_sync(Run(text, number))  # E: wrong output type
    free.run_sync(Run(text, None))  # E: wrong output type
    free.run_sync(text)  # E: no run
    free.run_sync({"input": text, "output": text})  # E: no run
    free.run_sync()  # E: no run
    free.run_sync(text, text)  # E: no run
    free.run_sync(bare, answer=texts)  # E: text is no reply
    free.run_sync(bare, answer=at_once)  # E: an answer is awaited
    free.run_sync(bare, texts)  # E: answer by keyword
    exact.run_sync(bare)  # E: missing reference
    exact.run_sync(Run(text, text))  # E: missing reference
    exact.run_sync(Run(text, text, None))  # E: missing reference
    exact.run_sync(Run(text, text, text))  # E: another reference
    exact.run_sync(Run(text, text, [number]))  # E: another reference
    exact.run_sync(whole.with_expected(None))  # E: missing reference
    optional.run_sync(whole)  # E: another reference


async def wrong_later(number: int, text: str, bare: Run[str, str, None]) -> None:
    await free.run(Run(number, text))  # E: wrong input type
    await exact.run(bare)  # E: missing reference
    await free.run(bare, answer=texts)  # E: text is no reply
    await free.run_sync(bare)  # E: not awaited
    with Bench():  # E: async with
        pass


def wrong_replays(number: int, text: str, bare: Run[str, str, None], done: Evaluation) -> None:
    replay(free, Run(number, text), transcript_of(done))  # E: wrong run type
    replay(exact, bare, transcript_of(done))  # E: missing reference
    replay(free, bare, done)  # E: an evaluation is no transcript
    replay(free, bare)  # E: no transcript
    transcript_of(bare)  # E: a run has no exchanges
    transcript_of(free.run_sync(bare))  # E: a result is not evidence
    plan(free, Run(number, text))  # E: wrong run type
    plan(exact, bare)  # E: missing reference
    plan(bare, free)  # E: the wrong way round
    plan(free)  # E: no run


def wrong_generic(scorer: Scorer[str, str], listed: Scorer[str, str, list[str]], number: int, text: str) -> None:
    scorer.run_sync(Run(text, number))  # E: wrong output type
    listed.run_sync(Run(text, text))  # E: missing reference


def evidence(done: Evaluation, failure: ScoringFailure[str]) -> None:
    score: float = failure.score  # E: perhaps none
    reason: str = done.reason  # E: perhaps none
    done.score = 1.0  # E: rebinding
    done.reason = ""  # E: rebinding
    done.run_id = ""  # E: rebinding
    done.steps = ()  # E: rebinding
    failure.score = 1.0  # E: rebinding
    failure.cause = ""  # E: rebinding
    done.cause  # E: an evaluation has no cause
    failure.reason  # E: a failure has no reason
    done.record(0)  # E: by name
