"""Faults are data: one tree, frozen, equal by what they say, and whole after a journey."""

from __future__ import annotations

import copy
import pickle
import threading

import attrs
import pytest

from scorewright import faults
from scorewright.faults import (
    Aborted,
    BadRequest,
    BudgetExhausted,
    Cancelled,
    ContentFiltered,
    ContextTooLong,
    DefinitionError,
    EmptyReply,
    Fault,
    InvalidRun,
    InvalidScore,
    JudgeFault,
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

RAISED = Raised("ValueError", "boom")
OF_A_RUN = (
    NotScorable("empty"),
    StepRaised(RAISED),
    InvalidScore("'x'", "str"),
    PrepareFailed(RAISED),
    InvalidRun("$", "?"),
)
OF_A_JUDGE = (
    Unreachable("reset"),
    TimedOut("60 s"),
    RateLimited("slow down", 2.0),
    ServerError(503, "busy"),
    Unauthorized("no key"),
    QuotaExhausted("spent"),
    BadRequest(400, "what"),
    ContextTooLong("9000"),
    ContentFiltered("no"),
    Refused("I would rather not"),
    Truncated('{"score": 0.'),
    EmptyReply(),
    NotJson("yes", "not JSON"),
    SchemaMismatch("{}", "$.score", "missing"),
    NoJudge(),
    Aborted("redact", "secret"),
    BudgetExhausted("calls"),
    NotRecorded("analyze[0]", "List"),
    Cancelled(),
)
ALL = OF_A_RUN + OF_A_JUDGE
every = pytest.mark.parametrize("fault", ALL, ids=lambda fault: type(fault).__name__)


def test_every_leaf_of_the_tree_is_here() -> None:
    """The examples below are one of each fault that the module defines."""
    defined = {
        kind
        for kind in vars(faults).values()
        if isinstance(kind, type) and issubclass(kind, Fault) and kind not in (Fault, JudgeFault)
    }
    assert {type(fault) for fault in ALL} == defined


@every
def test_a_fault_stands_in_the_picture(fault: Fault) -> None:
    """The docstring of the module draws every fault."""
    assert type(fault).__name__ in (faults.__doc__ or "")


@every
def test_a_fault_is_final_and_frozen(fault: Fault) -> None:
    """No field can be rebound, no attribute added, and no class derived without the checkers' objection."""
    assert getattr(type(fault), "__final__", False)
    for field in (*(field.name for field in attrs.fields(type(fault))), "other"):
        with pytest.raises((attrs.exceptions.FrozenInstanceError, AttributeError)):
            setattr(fault, field, "x")


@every
def test_a_fault_survives_pickling_and_copying(fault: Fault) -> None:
    """It arrives in another process as it was."""
    for arrived in (pickle.loads(pickle.dumps(fault)), copy.copy(fault), copy.deepcopy(fault)):
        assert arrived == fault
        assert hash(arrived) == hash(fault)
        assert repr(arrived) == repr(fault)


@pytest.mark.parametrize("fault", OF_A_JUDGE, ids=lambda fault: type(fault).__name__)
def test_what_goes_wrong_with_an_ask_is_a_judge_fault(fault: Fault) -> None:
    """One base tells the judge's faults from the others."""
    assert isinstance(fault, JudgeFault)


@pytest.mark.parametrize("fault", OF_A_RUN, ids=lambda fault: type(fault).__name__)
def test_what_goes_wrong_with_a_run_is_no_judge_fault(fault: Fault) -> None:
    """The other faults are the run's own."""
    assert not isinstance(fault, JudgeFault)


def test_no_fault_is_an_exception() -> None:
    """Faults are values; a mistake in a definition is the exception."""
    assert not any(isinstance(fault, BaseException) for fault in ALL)
    assert issubclass(DefinitionError, ValueError)


def test_faults_are_equal_by_what_they_say() -> None:
    """Kind and data count; the exception and its trace do not."""
    assert StepRaised(Raised("E", "m", ValueError("m"))) == StepRaised(Raised("E", "m", None, "a trace"))
    assert StepRaised(RAISED) != PrepareFailed(RAISED)
    assert NotScorable("a") != NotScorable("b")


def caught(exception: BaseException) -> Raised:
    try:
        raise exception
    except BaseException as again:  # noqa: BLE001 - any exception will do
        return Raised(type(again).__name__, "said", again)


def test_a_trace_is_written_when_it_is_read() -> None:
    """In this process the trace comes from the exception, elsewhere from what was kept."""
    here = caught(ValueError("said"))
    assert "in caught" in here.trace
    assert here.trace.endswith("ValueError: said\n")
    assert Raised("ValueError", "said", trace="kept").trace == "kept"


def test_an_exception_is_not_shown() -> None:
    """The repr of what was raised holds its type and message only."""
    assert repr(caught(ValueError("said"))) == "Raised(kind='ValueError', message='said')"


class Awkward(Exception):
    """Can neither be pickled nor copied."""

    def __init__(self, one: int, *, two: int) -> None:
        super().__init__(f"awkward {one + two}")
        self.lock = threading.Lock()


@pytest.mark.parametrize(
    "travel", [lambda given: pickle.loads(pickle.dumps(given)), copy.deepcopy], ids=["pickle", "deepcopy"]
)
@pytest.mark.parametrize("exception", [ValueError("said"), Awkward(1, two=2)], ids=lambda given: type(given).__name__)
def test_what_was_raised_travels_as_text(travel: object, exception: Exception) -> None:
    """Another process gets type, message and trace of any exception whatever, and not the exception."""
    here = caught(exception)
    there = travel(here)
    assert there == here
    assert there.exception is None
    assert there.trace == here.trace
    assert "in caught" in there.trace
