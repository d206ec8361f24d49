"""The results file: one JSON object for each row and scorer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import attrs

from scorewright.core import Evaluation, ScoringFailure, StepRecord
from scorewright.faults import NotScorable, PrepareFailed, StepRaised
from scorewright.judges.usage import Spent
from scorewright.suites import ItemRecord, ItemScore, Row
from scorewright.suites.records import done
from scorewright.suites.rows import ABSENT
from scorewright.suites.written import exchange_form, fault_form, milliseconds, plain


def record_lines(item: ItemRecord, /) -> Iterator[bytes]:
    """A line of UTF-8 for each scorer. A lone surrogate, which UTF-8 cannot say, becomes a JSON escape."""
    for score in item.scores:
        text = json.dumps(record(item.row, score), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
        yield text.encode("utf-8", "backslashreplace") + b"\n"


def record(row: Row, score: ItemScore, /) -> Mapping[str, object]:
    """Where the run stands in the file and what it holds, its score and reason, what went wrong, every step that was
    tried with what it asked, and what that took.
    """
    found = done(score.result)
    return {
        "line": row.place.line,
        "id": row.id if row.has_id else None,
        "run_id": found.run_id,
        "scorer": score.id,
        "input": plain(row.input),
        "output": None if row.output is ABSENT else plain(row.output),
        "expected": plain(row.expected),
        "score": found.score,
        "reason": found.reason if isinstance(found, Evaluation) else None,
        **_outcome(found),
        "spent": _spent(score.spent),
        "steps": [_step(step) for step in found.steps],
    }


def _outcome(found: Evaluation | ScoringFailure[object]) -> Mapping[str, object]:
    if isinstance(found, Evaluation):
        return {"fault": None}
    if isinstance(found.cause, NotScorable):
        return {"fault": None, "not_scorable": found.cause.reason}
    fault = {**fault_form(found.cause), "step": found.step}
    if isinstance(found.cause, (StepRaised, PrepareFailed)):
        return {"fault": {**fault, "trace": found.cause.raised.trace}}
    return {"fault": fault}


def _spent(took: Spent | None) -> Mapping[str, object] | None:
    return None if took is None else attrs.asdict(took)


def _step(step: StepRecord) -> Mapping[str, object]:
    return {
        "step": step.step,
        "value": plain(step.value),
        "prompts": list(step.prompts),
        "exchanges": [exchange_form(exchange) for exchange in step.exchanges],
        "ms": milliseconds(step.nanoseconds),
    }
