"""Results: built and left with exact types."""

from __future__ import annotations

from typing import Never, assert_type

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from scorewright import (
    DefinitionError,
    Evaluation,
    Fault,
    JudgeFault,
    NotScorable,
    Run,
    Scorer,
    ScoringFailure,
    attempt,
    create_scorer,
    err,
    fold,
    ok,
    pure,
)
from scorewright.core import Calculated, Exchange, StepRecord, Usage
from scorewright.faults import (
    InvalidRun,
    InvalidScore,
    PrepareFailed,
    Raised,
    RateLimited,
    RunFault,
    SchemaMismatch,
    StepRaised,
)


@attrs.frozen
class Empty:
    field: str


def built(number: int, text: str) -> None:
    assert_type(ok(number), Result[int, Never])
    assert_type(err(Empty(text)), Result[Never, Empty])
    good: Result[int, Empty] = ok(number)
    bad: Result[int, Empty] = err(Empty(text))
    left(good)
    left(bad)


def left(result: Result[int, Empty]) -> None:
    wide: Result[object, Empty | JudgeFault] = result
    assert_type(result.map(lambda value: f"{value + 1}"), Result[str, Empty])
    assert_type(result.alt(lambda fault: fault.field), Result[int, str])
    assert_type(fold(result, lambda value: f"{value + 1}", lambda fault: fault.field), str)
    assert_type(fold(wide, lambda value: f"{value}", lambda fault: f"{fault}"), str)
    if is_successful(result):
        assert_type(result.unwrap(), int)
    else:
        assert_type(result.failure(), Empty)


def either(size: int) -> Result[int, Empty]:
    return ok(size) if size else err(Empty("size"))


def half(text: str) -> float:
    return float(text) / 2


def attempted(text: str) -> None:
    assert_type(attempt(ValueError)(int)(text), Result[int, ValueError])
    assert_type(attempt(ValueError)(half)(text), Result[float, ValueError])
    halved = attempt(ValueError)(half)
    assert_type(halved(text), Result[float, ValueError])


@attempt(ZeroDivisionError)
def inverse(number: int) -> float:
    return 1 / number


assert_type(inverse(3), Result[float, ZeroDivisionError])


def shown(result: Result[Evaluation, ScoringFailure[Empty | JudgeFault]]) -> str:
    return fold(result, lambda done: f"{done.score:.2f} {done.reason}", lambda failure: f"{failure.step}")


def seen(done: Evaluation, failure: ScoringFailure[Empty]) -> None:
    assert_type(done.score, float)
    assert_type(done.reason, str | None)
    assert_type(done.run_id, str)
    assert_type(done.steps, tuple[StepRecord, ...])
    assert_type(done.exchanges, tuple[Exchange, ...])
    assert_type(done.record("analyze"), StepRecord)
    assert_type(done.find("analyze"), StepRecord | None)
    assert_type(done.steps[0].prompts, tuple[str, ...])
    assert_type(done.steps[0].answer, object)
    assert_type(done.steps[0].value, object)
    assert_type(done.steps[0].nanoseconds, int)
    assert_type(done.exchanges[0].reply.answer, Result[str, JudgeFault])
    assert_type(failure.cause, Empty | RunFault)
    assert_type(failure.step, str)
    assert_type(failure.score, float | None)
    assert_type(failure.run_id, str)
    assert_type(Calculated(1, "yes").answer, object)
    assert_type(Usage(1, 2) + Usage(3, 4), Usage)


def told(failure: ScoringFailure[Empty | JudgeFault]) -> str:
    cause = failure.cause
    if isinstance(cause, Empty):
        return cause.field
    if isinstance(cause, NotScorable):
        return cause.reason
    if isinstance(cause, (StepRaised, PrepareFailed)):
        return cause.raised.message + cause.raised.trace
    if isinstance(cause, (InvalidScore, InvalidRun)):
        return cause.why
    if isinstance(cause, RateLimited):
        return f"{cause.retry_after}"
    if isinstance(cause, SchemaMismatch):
        return cause.path + cause.text
    rest: JudgeFault = cause
    return type(rest).__name__


def based(judged: JudgeFault, raised: StepRaised, unscorable: NotScorable) -> tuple[Fault, Fault, Fault]:
    return judged, raised, unscorable


def mistaken(mistake: DefinitionError) -> ValueError:
    return mistake


def data(raised: Raised) -> tuple[str, str, str]:
    return raised.kind, raised.message, raised.trace


def widened(failure: ScoringFailure[Empty]) -> ScoringFailure[Empty | JudgeFault]:
    return failure


def any_failure(failure: ScoringFailure[JudgeFault]) -> ScoringFailure:
    return failure


def exact(run: Run[str, str]) -> None:
    scorer = create_scorer("exact", input=str, output=str).generate_score(pure(lambda step: 1.0))
    result = scorer.run_sync(run)
    assert_type(result, Result[Evaluation, ScoringFailure[Never]])
    assert_type(result.map(lambda done: done.score), Result[float, ScoringFailure[Never]])


def some(scorer: Scorer[str, str], run: Run[str, str]) -> None:
    assert_type(scorer.run_sync(run), Result[Evaluation, ScoringFailure[object]])
