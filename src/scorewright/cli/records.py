"""The results file: one JSON object for each row and scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping

import attrs
from returns.pipeline import is_successful

from scorewright.cli.scoring import Scored
from scorewright.cli.summary import written_id
from scorewright.core import Evaluation, ScoringFailure, StepRecord
from scorewright.core.evaluation import Evidence
from scorewright.faults import NotScorable, PrepareFailed, StepRaised
from scorewright.suites.rows import ABSENT
from scorewright.suites.written import exchange_form, fault_form, milliseconds, plain


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
        "line": scored.row.place.line,
        "id": written_id(scored.row),
        "run_id": done.run_id,
        "scorer": scored.scorer.id,
        "input": plain(scored.row.input),
        "output": None if scored.row.output is ABSENT else plain(scored.row.output),
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
    fault = {**fault_form(done.cause), "step": done.step}
    if isinstance(done.cause, (StepRaised, PrepareFailed)):
        return {"fault": {**fault, "trace": done.cause.raised.trace}}
    return {"fault": fault}


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
        "exchanges": [exchange_form(exchange) for exchange in step.exchanges],
        "ms": milliseconds(step.nanoseconds),
    }
