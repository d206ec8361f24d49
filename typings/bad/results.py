"""Results and faults that are misused."""

from __future__ import annotations

import attrs
from returns.result import Result
from scorewright import Evaluation, JudgeFault, NotScorable, Run, ScoringFailure, attempt, create_scorer
from scorewright import err, fold, ok, pure
from scorewright.faults import RateLimited, SchemaMismatch, StepRaised


@attrs.frozen
class Empty:
    field: str


def half(text: str) -> float:
    return float(text) / 2


def left(result: Result[int, Empty]) -> None:
    fold(result, lambda value: value.nothing, lambda fault: 0)  # E: no such attribute
    fold(result, lambda value: 0, lambda fault: fault.nothing)  # E: no such attribute
    fold(result, lambda value: value)  # E: the other side
    fold(5, lambda value: 0, lambda fault: 0)  # E: not a result
    text: str = fold(result, lambda value: value, lambda fault: 0)  # E: a number
    other: Result[int, JudgeFault] = result  # E: another error type
    more: Result[str, Empty] = result  # E: another value type
    result.map(lambda value: value.nothing)  # E: no such attribute
    result.alt(lambda fault: fault.nothing)  # E: no such attribute
    wrong: Result[int, Empty] = ok("1")  # E: another value type
    worse: Result[int, Empty] = err("1")  # E: another error type
    ok()  # E: of something
    err()  # E: of something


def attempted(text: str) -> None:
    attempt(ValueError)(half)(5)  # E: takes text
    attempt("ValueError")(half)  # E: not an exception type
    attempt(BaseException)(half)  # E: interrupts pass through
    attempt(ValueError, half)  # E: one after the other
    other: Result[float, TypeError] = attempt(ValueError)(half)(text)  # E: another error type


def faults(unscorable: NotScorable, failure: ScoringFailure[Empty], judged: JudgeFault) -> None:
    NotScorable()  # E: without a reason
    NotScorable(5)  # E: the reason is text
    RateLimited("slow down", "2")  # E: seconds are a number
    StepRaised("boom")  # E: what was raised is data
    SchemaMismatch("{}")  # E: where and why
    unscorable.reason = ""  # E: rebinding
    judged.why  # E: only some have one
    failure.cause.field  # E: only one of the causes has it
    other: ScoringFailure[JudgeFault] = failure  # E: dropped error type


def dropped(run: Run[str, str]) -> Result[Evaluation, ScoringFailure[JudgeFault]]:
    scorer = create_scorer("x", input=str, output=str).preprocess(
        lambda step: ok(1) if step.run.input else err(Empty("x"))
    )
    return scorer.generate_score(pure(lambda step: 1.0)).run_sync(run)  # E: dropped error type
