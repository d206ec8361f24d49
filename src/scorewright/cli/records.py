"""The results file: one JSON object for each row and scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping

from returns.pipeline import is_successful

from scorewright.cli.scoring import Scored
from scorewright.core import Evaluation, ScoringFailure, StepRecord
from scorewright.faults import NotScorable
from scorewright.shapes import unstructure
from scorewright.wording import describe

_NANOSECONDS_IN_A_MILLISECOND = 1e6


def record_line(scored: Scored, /) -> bytes:
    """The record as one line of UTF-8. A lone surrogate, which UTF-8 cannot say, becomes a JSON escape."""
    text = json.dumps(record(scored), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    return text.encode("utf-8", "backslashreplace") + b"\n"


def record(scored: Scored, /) -> Mapping[str, object]:
    """Where the run stands in the file, its score and reason, every step that was tried, and what went wrong."""
    result = scored.result
    done = result.unwrap() if is_successful(result) else result.failure()
    return {
        "line": scored.row.line,
        "id": scored.row.id,
        "run_id": done.run_id,
        "scorer": scored.scorer.id,
        "score": done.score,
        "reason": done.reason if isinstance(done, Evaluation) else None,
        **_outcome(done),
        "steps": [_step(step) for step in done.steps],
    }


def _outcome(done: Evaluation | ScoringFailure[object]) -> Mapping[str, object]:
    if isinstance(done, Evaluation):
        return {"fault": None}
    if isinstance(done.cause, NotScorable):
        return {"fault": None, "not_scorable": done.cause.reason}
    return {"fault": {"kind": type(done.cause).__name__, "message": describe(done.cause), "step": done.step}}


def _step(step: StepRecord) -> Mapping[str, object]:
    return {
        "step": step.step,
        "value": plain(step.value),
        "prompts": list(step.prompts),
        "ms": round(step.nanoseconds / _NANOSECONDS_IN_A_MILLISECOND, 3),
    }


def plain(value: object, /) -> object:
    """The JSON form of a step's value; its repr where it has none."""
    try:
        form = unstructure(value)
        json.dumps(form, allow_nan=False)
    except Exception:  # noqa: BLE001 - a user's class may raise anything when its fields are read
        return _repr(value)
    return form


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception as raised:  # noqa: BLE001 - a user's __repr__ may raise anything
        return f"<{type(value).__name__} whose repr raised {type(raised).__name__}>"
