"""How a fault reads to a person. The data is in `scorewright.faults`."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from typing_extensions import TypeIs

from scorewright.faults import (
    Aborted,
    BadRequest,
    BudgetExhausted,
    Cancelled,
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    InvalidRun,
    InvalidScore,
    NoJudge,
    NotJson,
    NotRecorded,
    NotScorable,
    PrepareFailed,
    QuotaExhausted,
    Raised,
    RateLimited,
    Refused,
    SchemaMismatch,
    ServerError,
    StepRaised,
    TimedOut,
    Truncated,
    Unauthorized,
    Unreachable,
)

Worded: TypeAlias = (
    NotScorable
    | StepRaised
    | InvalidScore
    | PrepareFailed
    | InvalidRun
    | Unreachable
    | TimedOut
    | RateLimited
    | ServerError
    | Unauthorized
    | QuotaExhausted
    | BadRequest
    | ContextTooLong
    | ContentFiltered
    | Refused
    | Truncated
    | EmptyReply
    | NotJson
    | SchemaMismatch
    | NoJudge
    | Aborted
    | BudgetExhausted
    | NotRecorded
    | Cancelled
)
_MOST_QUOTED = 80


def describe(fault: object, /) -> str:
    """One sentence on what went wrong: a fault of ours, or whatever value a user's step failed with.

    >>> from scorewright.faults import RateLimited
    >>> describe(RateLimited("slow down", retry_after=2.5))
    'The judge was asked too often, and may be asked again in 2.5 s: slow down.'
    """
    said = _worded(fault) if _is_worded(fault) else _own(fault)
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def _is_worded(fault: object) -> TypeIs[Worded]:
    return isinstance(fault, Worded)


def _worded(fault: Worded) -> str:  # noqa: C901, PLR0912 - one line a fault
    match fault:
        case NotScorable(reason):
            return f"Not scorable: {reason}"
        case StepRaised(raised):
            return f"The step raised {_raised(raised)}"
        case InvalidScore(got, why):
            return f"The score {got} is {why}"
        case PrepareFailed(raised):
            return f"prepare_run failed with {_raised(raised)}"
        case InvalidRun(path, why):
            return f"The row does not fit the scorer at {path}: {why}"
        case Unreachable(why):
            return f"The judge could not be reached: {why}"
        case TimedOut(why):
            return f"The judge did not answer in time: {why}"
        case RateLimited(why, retry_after):
            again = "" if retry_after is None else f", and may be asked again in {retry_after:g} s"
            return f"The judge was asked too often{again}: {why}"
        case ServerError(status, why):
            return f"The judge's server failed ({status}): {why}"
        case Unauthorized(why):
            return f"The judge's server does not accept the key: {why}"
        case QuotaExhausted(why):
            return f"The judge's account has nothing left to spend: {why}"
        case BadRequest(status, why):
            return f"The judge's server does not accept the request ({status}): {why}"
        case ContextTooLong(why):
            return f"The prompt does not fit the judge's context: {why}"
        case ContentFiltered(why):
            return f"The provider's filter stopped the prompt or the reply: {why}"
        case Refused(text):
            return f"The judge declined to answer: {_quoted(text)}"
        case Truncated(text):
            return f"The judge's reply was cut off at the token limit: {_quoted(text)}"
        case EmptyReply():
            return "The judge's reply was empty"
        case NotJson(text, why):
            return f"The judge's reply is not JSON, {why}: {_quoted(text)}"
        case SchemaMismatch(text, path, why):
            return f"The judge's reply does not fit at {path}: {why}, in {_quoted(text)}"
        case NoJudge():
            return "A prompt was reached for which no judge was given: pass judge= to create_scorer or to the prompt"
        case Aborted(processor, why):
            return f"The processor {processor} stopped the ask: {why}"
        case BudgetExhausted(why):
            return f"The budget does not cover another request: {why}"
        case NotRecorded(place, _):
            return f"The transcript holds no reply for what was asked at {place}"
        case Cancelled():
            return "The suite was told to stop before the judge was asked"


def _own(fault: object) -> str:
    """A value that is none of our faults."""
    if isinstance(fault, str) and fault.strip():
        return fault
    if isinstance(fault, BaseException):
        said = _safely(str, fault)
        return f"{type(fault).__name__}: {said}" if said else type(fault).__name__
    if isinstance(fault, Enum):
        return f"{type(fault).__name__}.{fault.name}"
    return _safely(repr, fault)


def _safely(form: Callable[[object], str], fault: object) -> str:
    try:
        return form(fault)
    except Exception as exception:  # noqa: BLE001 - a user's __str__ or __repr__ may raise anything
        return f"a {type(fault).__name__} that cannot be shown: that raised {type(exception).__name__}"


def _raised(raised: Raised) -> str:
    return f"{raised.kind}: {raised.message}" if raised.message else raised.kind


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]!r}…"
