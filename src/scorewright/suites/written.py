"""Items and results as JSON: strict, whatever a user's values are; and rows back from it."""

from __future__ import annotations

import json
import json.encoder
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, cast, final

import attrs
from returns.pipeline import is_successful
from typing_extensions import TypeIs

from scorewright.agents import AgentRun
from scorewright.core import Attempt, Evaluation, Evidence, Exchange, ScoringFailure, Usage
from scorewright.faults import NotScorable, PrepareFailed, StepRaised
from scorewright.judges.usage import Spent
from scorewright.shapes import structure, unstructure
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.records import ItemRecord, done
from scorewright.suites.rows.row import ABSENT, NOTHING, Row
from scorewright.suites.targets import Answered, StepRun, TargetFault, TargetRaised
from scorewright.wording import describe, safely

Done: TypeAlias = Evaluation | ScoringFailure[object]

_DEPTH = 6  # so deep our own forms are, before a user's values begin


def milliseconds(nanoseconds: int, /) -> float:
    """To the microsecond."""
    return (nanoseconds + 500) // 1000 / 1000


def as_json(value: object, /) -> str:
    """Compact JSON of whatever it is; what has no JSON form is written as its repr."""
    try:
        return encoded(value)
    except (ValueError, TypeError, RecursionError):  # NaN, a key that is no text, a cycle
        return _encoder.encode(_mended(value, _DEPTH))


def _mended(value: object, depth: int) -> object:
    """The same with a repr in place of every part that has no JSON form."""
    try:
        _encoder.encode(value)
    except (ValueError, TypeError, RecursionError):
        if depth and is_object(value) and all(map(_is_text, value)):
            return {key: _mended(each, depth - 1) for key, each in value.items()}
        if depth and is_list(value):
            return [_mended(each, depth - 1) for each in value]
        return safely(repr, value)
    return value


def _is_text(key: object) -> bool:
    return isinstance(key, str)


def plain(value: object, /) -> object:
    """The JSON form of a value; its repr where it has none."""
    try:
        _strict(form := unstructure(value))
    except Exception:  # noqa: BLE001 - a user's class may raise anything when its fields are read
        return safely(repr, value)
    return form


def _default(value: object) -> object:
    return evidence_form(value) if _is_done(value) else plain(value)


def _is_done(value: object) -> TypeIs[Done]:
    return isinstance(value, (Evaluation, ScoringFailure))


_strict = json.JSONEncoder(allow_nan=False).encode  # made once: `json.dumps` makes one for each value
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_default)


def _encoding() -> Callable[[object], str]:
    """The encoder of the standard library, made once: `encode` makes one for each value, which costs more than it."""
    make: object = getattr(json.encoder, "c_make_encoder", None)
    if not callable(make):  # not CPython
        return _encoder.encode
    text = json.encoder.encode_basestring
    encode = cast(
        "Callable[[object, int], Iterable[str]]", make(None, _default, text, None, ":", ",", False, False, False)
    )
    return lambda value: "".join(encode(value, 0))


encoded: Callable[[object], str] = _encoding()
"""Compact JSON; a value that has none, such as NaN or a cycle, raises."""


def score_form(found: Done, took: Spent | None = None, /) -> dict[str, object]:
    """What is kept of a result beside its score and reason: fault, what was spent, every step that was tried."""
    form: dict[str, object] = _failure_form(found) if isinstance(found, ScoringFailure) else {}
    if took is not None:
        form["spent"] = _spent_form(took)
    form["steps"] = _steps(found)
    return form


def _spent_form(took: Spent) -> dict[str, object]:
    return {
        "attempts": took.attempts,
        "usage": _usage_form(took.usage),
        "uncounted": took.uncounted,
        "dollars": took.dollars,
        "avoided": _usage_form(took.avoided),
    }


def _usage_form(usage: Usage) -> dict[str, int]:
    return {name: getattr(usage, name) for name in USAGE}


USAGE = tuple(field.name for field in attrs.fields(Usage))


def evidence_form(found: Done, took: Spent | None = None, /) -> dict[str, object]:
    """The same with score and reason, for a part of a scorer that is made of several."""
    reason = found.reason if isinstance(found, Evaluation) else None
    return {"score": found.score, "reason": reason, **score_form(found, took)}


def _failure_form(failure: ScoringFailure[object]) -> dict[str, object]:
    cause = failure.cause
    if isinstance(cause, NotScorable):
        return {"not_scorable": cause.reason}
    fault = {**fault_form(cause), "step": failure.step}
    if isinstance(cause, (StepRaised, PrepareFailed)):
        fault["trace"] = cause.raised.trace
    return {"fault": fault}


def _steps(found: Evidence) -> list[dict[str, object]]:
    trail = found.trail
    if not any(trail[2::3]):  # the short way: nothing was asked
        moments = cast("tuple[int, ...]", trail[0::3])
        times = zip(found.names, trail[1::3], moments, moments[1:], strict=False)
        return [{"step": name, "value": value, "ms": milliseconds(end - at)} for name, value, at, end in times]
    return [
        {
            "step": step.step,
            "value": step.value,
            "exchanges": [exchange_form(exchange) for exchange in step.exchanges],
            "ms": milliseconds(step.nanoseconds),
        }
        for step in found.steps
    ]


def exchange_form(exchange: Exchange, /) -> dict[str, object]:
    """One question, what was answered, and every attempt that it took."""
    request, reply = exchange.request, exchange.reply
    answered = is_successful(reply.answer)
    return {
        "place": request.place,
        "model": next((attempt.model for attempt in reversed(reply.attempts) if attempt.model), None),
        "prompt": request.prompt,
        "answer": reply.answer.unwrap() if answered else None,
        "fault": None if answered else fault_form(reply.answer.failure()),
        "attempts": [_attempt_form(attempt) for attempt in reply.attempts],
    }


def fault_form(fault: object, /) -> dict[str, object]:
    """What went wrong: the kind of fault, and one sentence."""
    return {"kind": type(fault).__name__, "message": describe(fault)}


def _attempt_form(attempt: Attempt) -> dict[str, object]:
    return {
        "status": attempt.status,
        "usage": attempt.usage and _usage_form(attempt.usage),
        "fault": attempt.fault and fault_form(attempt.fault),
        "ms": milliseconds(attempt.nanoseconds),
    }


def target_fault_form(fault: TargetFault, /) -> dict[str, object]:
    """Why a target failed, with its trace."""
    form = fault_form(fault)
    return {**form, "trace": fault.raised.trace} if isinstance(fault, TargetRaised) else form


def item_form(item: ItemRecord, /) -> dict[str, object]:
    """An item as files hold it: the row, what was answered, and every scorer's result with its evidence."""
    beside = None if item.answered is None else answered_form(item.answered)
    return {
        "index": item.index,
        "place": str(item.row.place) or None,
        **row_form(item.row),
        "output": None if item.output is ABSENT else item.output,
        **({"answered": beside} if beside else {}),
        "fault": None if item.fault is None else target_fault_form(item.fault),
        "ms": milliseconds(item.nanoseconds),
        "scores": [
            {"scorer": score.id, "turn": score.turn, **evidence_form(done(score.result), score.spent)}
            for score in item.scores
        ],
    }


def row_form(row: Row, /) -> dict[str, object]:
    """The row's own fields, those that hold something; not its output where it has none, nor its place."""
    form: dict[str, object] = {"id": row.id, "input": row.input}
    if row.output is not ABSENT:
        form["output"] = row.output
    if row.expected is not None:
        form["expected"] = row.expected
    if row.context is not None:
        form["context"] = row.context
    if row.group is not None:
        form["group"] = row.group
    if row.trace is not None:
        form["trace"] = row.trace
    if row.request_context:
        form["request_context"] = dict(row.request_context)
    if row.metadata:
        form["metadata"] = dict(row.metadata)
    if row.tags:
        form["tags"] = row.tags
    if row.turns:
        form["turns"] = row.turns
    return form


def answered_form(answered: Answered, /) -> dict[str, object]:
    """What a target gave beside its output: the outputs of its steps, and the agent's run."""
    form: dict[str, object] = {}
    if answered.steps:
        form["steps"] = {
            name: {"input": plain(step.input), "output": plain(step.output)}
            if isinstance(step, StepRun)
            else {"output": plain(step)}
            for name, step in answered.steps.items()
        }
    if answered.turns:
        form["turns"] = [plain(turn) for turn in answered.turns]
    if answered.run is not None:
        form["run"] = plain(answered.run)
    return form


@final
@attrs.frozen
class Kept:
    """A stored item, read back: the row as it was, what the target answered, and the row's own JSON."""

    row: Row
    answered: Answered | None
    identity: str


def kept_item(row: str, output: str | None, /) -> Kept:
    """What a store holds of an item."""
    held: object = json.loads(row)
    form = held if is_object(held) else {}
    beside = form.pop("answered", None)
    made = Row(
        str(form.get("id")),
        form.get("input"),
        form.get("output", ABSENT),
        form.get("expected"),
        form.get("context"),
        _object(form.get("request_context")),
        _object(form.get("metadata")),
        tuple(map(str, _list(form.get("tags")))),
        None if form.get("group") is None else str(form.get("group")),
        form.get("trace"),
        tuple(turn for turn in _list(form.get("turns")) if is_object(turn)),
    )
    answered = None
    if output is not None:
        loaded: object = json.loads(output)
        answered = _answered(loaded, beside if is_object(beside) else {})
    return Kept(made, answered, as_json(form))


def _answered(output: object, beside: dict[str, object]) -> Answered:
    steps = {
        name: StepRun(step["input"], step.get("output")) if "input" in step else step.get("output")
        for name, step in _object(beside.get("steps")).items()
        if is_object(step)
    }
    read = structure(beside.get("run"), AgentRun) if "run" in beside else None
    run = read.unwrap() if read is not None and is_successful(read) else None
    return Answered(output, steps, run, output, tuple(_list(beside.get("turns"))))


def _object(given: object) -> Mapping[str, object]:
    return given if is_object(given) else NOTHING


def _list(given: object) -> list[object]:
    return given if is_list(given) else []
