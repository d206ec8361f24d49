"""How a fault reads to a person. The data is in `scorewright.faults`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Protocol, TypeAlias

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
_MOST_NAMED = 3
_FRAME = re.compile(r'^  File "(?P<file>.+)", line (?P<line>\d+)', re.MULTILINE)
_TRACEBACK = "Traceback (most recent call last):\n"


class Describing(Protocol):
    """A fault that says its own sentence, since it lives in a room of its own."""

    def described(self) -> str:
        """What went wrong, in one sentence."""
        ...


def describe(fault: object, /) -> str:
    """One sentence on what went wrong: a fault of ours, or whatever value a user's step failed with.

    >>> from scorewright.faults import RateLimited
    >>> describe(RateLimited("slow down", retry_after=2.5))
    'The judge was asked too often, and may be asked again in 2.5 s: slow down.'
    """
    said = _worded(fault) if _is_worded(fault) else _own(fault)
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def listed(faults: Iterable[tuple[str, object]], /) -> str:
    """Several faults by the names of what they befell, the first few; for the sentence of a fault that holds others.

    >>> listed([("tone", "too short"), ("facts", "no facts")])
    'tone: too short; facts: no facts'
    """
    said = [f"{name}: {describe(fault).removesuffix('.')}" for name, fault in faults]
    more = len(said) - _MOST_NAMED
    return "; ".join(said[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")


def place_of(raised: Raised, /) -> str:
    """The last line of the user's own code that an exception passed, as `commits.py:67`; empty where there is none."""
    frames = [
        (match["file"], match["line"])
        for match in _FRAME.finditer(raised.trace.rpartition(_TRACEBACK)[2])
        if not match["file"].startswith(("<", *_libraries()))
    ]
    return f"{Path(frames[-1][0]).name}:{frames[-1][1]}" if frames else ""


def safely(form: Callable[[object], str], given: object, /) -> str:
    """What a form such as `repr` or `str` makes of a user's value, whose own code may raise.

    >>> safely(repr, 1)
    '1'
    """
    try:
        return form(given)
    except Exception as exception:  # noqa: BLE001 - a user's __str__ or __repr__ may raise anything
        name = getattr(form, "__name__", "form").strip("_")
        return f"<{type(given).__name__} whose {name} raised {type(exception).__name__}>"


def _is_worded(fault: object) -> TypeIs[Worded]:
    return isinstance(fault, Worded)


def _worded(fault: Worded) -> str:  # noqa: C901, PLR0912 - one line a fault
    match fault:
        case NotScorable(reason):
            return f"Not scorable: {reason}"
        case StepRaised(raised):
            return f"The step raised {_raised(raised)}"
        case InvalidScore(got, why):
            declared = ", the scale that the scorer declares (scale=)" if why.startswith("outside") else ""
            return f"The score {got} is {why}{declared}"
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
            return _capital(why) if why.startswith("no key") else f"The judge's server does not accept the key: {why}"
        case QuotaExhausted(why):
            return f"The judge's account has nothing left to spend: {why}"
        case BadRequest(0, why):  # nothing was sent
            return f"The request could not be made: {why}"
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
        case EmptyReply(why):
            return f"The judge's reply was empty{why and f' ({why})'}"
        case NotJson(text, why):
            return f"{_not_json(why)}: {_quoted(text)}"
        case SchemaMismatch(text, _, _, misfits):
            wrong = "; at ".join(f"{misfit.path}: {misfit.why}" for misfit in misfits)
            return f"The judge's reply does not fit at {wrong}, in {_quoted(text)}"
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
    if _describes(fault):
        return safely(_described, fault)
    if isinstance(fault, BaseException):
        said = safely(str, fault)
        return f"{type(fault).__name__}: {said}" if said else type(fault).__name__
    if isinstance(fault, Enum):
        return f"{type(fault).__name__}.{fault.name}"
    return safely(repr, fault)


def _describes(fault: object) -> TypeIs[Describing]:
    return callable(getattr(type(fault), "described", None))


@cache
def _libraries() -> tuple[str, ...]:
    """Where code lives that no user wrote: this package, Python's own, what is installed."""
    from sysconfig import get_path

    return (str(Path(__file__).parent), *map(get_path, ("stdlib", "platstdlib", "purelib", "platlib")))


def _described(fault: object) -> str:
    return f"{fault.described()}" if _describes(fault) else repr(fault)


def _raised(raised: Raised) -> str:
    said = f"{raised.kind}: {raised.message}" if raised.message else raised.kind
    place = place_of(raised)
    return f"{said.removesuffix('.')}, at {place}" if place else said


def _not_json(why: str) -> str:
    if why.startswith("the server's reply"):
        return _capital(why)
    return f"The judge's reply {why}" if why.startswith(("is ", "holds ")) else f"The judge's reply is not JSON ({why})"


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]!r}…"
