"""The results file: one JSON object for each row and scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping

import attrs
from returns.pipeline import is_successful

from scorewright.cli.scoring import Scored
from scorewright.core import Attempt, Evaluation, Exchange, ScoringFailure, StepRecord
from scorewright.core.evaluation import Evidence
from scorewright.faults import NotScorable, PrepareFailed, StepRaised
from scorewright.shapes import unstructure
from scorewright.wording import describe, safely

_NANOSECONDS_IN_A_MILLISECOND = 1e6


def record_line(scored: Scored, /) -> bytes:
    """The record as one line of UTF-8. A lone surrogate, which UTF-8 cannot say, becomes a JSON escape."""
    text = json.dumps(record(scored), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    return text.encode("utf-8", "backslashreplace") + b"\n"


def record(scored: Scored, /) -> Mapping[str, object]:
    """Where the run stands in the file and what it holds, its score and reason, what went wrong, every step that was
    tried with what it asked, and what that took.
    """
    result = scored.result
    done = result.unwrap() if is_successful(result) else result.failure()
    return {
        "line": scored.row.line,
        "id": scored.row.id,
        "run_id": done.run_id,
        "scorer": scored.scorer.id,
        "input": plain(scored.row.input),
        "output": plain(scored.row.output),
        "expected": plain(scored.row.expected),
        "score": done.score,
        "reason": done.reason if isinstance(done, Evaluation) else None,
        **_outcome(done),
        "spent": _spent(done),
        "steps": [_step(step) for step in done.steps],
    }


def _outcome(done: Evaluation | ScoringFailure[object]) -> Mapping[str, object]:
    if isinstance(done, Evaluation):
        return {"fault": None}
    if isinstance(done.cause, NotScorable):
        return {"fault": None, "not_scorable": done.cause.reason}
    fault = {**_fault(done.cause), "step": done.step}
    if isinstance(done.cause, (StepRaised, PrepareFailed)):
        return {"fault": {**fault, "trace": done.cause.raised.trace}}
    return {"fault": fault}


def _fault(fault: object) -> Mapping[str, object]:
    return {"kind": type(fault).__name__, "message": describe(fault)}


def _spent(done: Evidence) -> Mapping[str, object] | None:
    if not done.exchanges:
        return None
    from scorewright.judges.usage import spent

    return attrs.asdict(spent(done))


def _step(step: StepRecord) -> Mapping[str, object]:
    return {
        "step": step.step,
        "value": plain(step.value),
        "prompts": list(step.prompts),
        "exchanges": [_exchange(exchange) for exchange in step.exchanges],
        "ms": round(step.nanoseconds / _NANOSECONDS_IN_A_MILLISECOND, 3),
    }


def _exchange(exchange: Exchange) -> Mapping[str, object]:
    request, reply = exchange.request, exchange.reply
    answered = is_successful(reply.answer)
    return {
        "place": request.place,
        "model": next((attempt.model for attempt in reversed(reply.attempts) if attempt.model), None),
        "prompt": request.prompt,
        "answer": reply.answer.unwrap() if answered else None,
        "fault": None if answered else _fault(reply.answer.failure()),
        "attempts": [_attempt(attempt) for attempt in reply.attempts],
    }


def _attempt(attempt: Attempt) -> Mapping[str, object]:
    return {
        "status": attempt.status,
        "usage": attempt.usage and attrs.asdict(attempt.usage),
        "fault": attempt.fault and _fault(attempt.fault),
        "ms": round(attempt.nanoseconds / _NANOSECONDS_IN_A_MILLISECOND, 3),
    }


def plain(value: object, /) -> object:
    """The JSON form of a step's value; its repr where it has none."""
    try:
        form = unstructure(value)
        json.dumps(form, allow_nan=False)
    except Exception:  # noqa: BLE001 - a user's class may raise anything when its fields are read
        return safely(repr, value)
    return form
