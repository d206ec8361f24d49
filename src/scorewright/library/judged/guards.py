"""What a run must hold before a judge is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core import Outcome, Step
from scorewright.faults import NotScorable
from scorewright.library.judged.runs import Asked
from scorewright.library.judged.template import numbered
from scorewright.results import err, ok

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")

First: TypeAlias = Step[Asked, str, None, None, object]  # what the first step of most scorers here sees


def needing(
    lack: Callable[[S], str], step: Callable[[S], Outcome[A, E]], /
) -> Callable[[S], Outcome[A, E | NotScorable]]:
    """The step; a run of which `lack` says what it lacks is not scorable, and nothing is asked."""

    def guarded(given: S) -> Outcome[A, E | NotScorable]:
        why = lack(given)
        return err(NotScorable(why)) if why else step(given)

    return guarded


def requiring(lack: Callable[[S], str], /) -> Callable[[S], Result[None, NotScorable]]:
    """A step by itself that says what a run lacks, so that the one behind it stays a prompt that plans can count."""

    def required(given: S) -> Result[None, NotScorable]:
        why = lack(given)
        return err(NotScorable(why)) if why else ok(None)

    return required


def lacking(*lacks: Callable[[S], str]) -> Callable[[S], str]:
    """All that a run lacks, at once."""

    def lack(step: S) -> str:
        return "; ".join(filter(None, (each(step) for each in lacks)))

    return lack


def no_question(step: First, /) -> str:
    """Is there a question?"""
    return "" if step.run.input.question.strip() else "the question is empty"


def no_answer(step: First, /) -> str:
    """Is there an answer?"""
    return "" if step.run.output.strip() else "the answer is empty"


def no_context(step: First, /) -> str:
    """Is there any context?"""
    return "" if pieces(step.run.input) else "the run has no context"


def nothing(_step: object, /) -> str:
    """Nothing is needed."""
    return ""


def pieces(given: Asked, /) -> tuple[str, ...]:
    """The pieces of context, where any of them says something."""
    return given.context if any(piece.strip() for piece in given.context) else ()


def context_of(given: Asked, /) -> Mapping[str, str | int]:
    """The pieces of context as a prompt shows them."""
    return {"context": numbered(pieces(given))}
