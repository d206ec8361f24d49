"""Putting programs together: one after another, side by side, over and over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, Never, cast, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result, Success
from typing_extensions import TypeVar

from scorewright.core.ask import Ask, Fork, Now, Outcome
from scorewright.faults import StepRaised
from scorewright.results import err, ok

A = TypeVar("A")
B = TypeVar("B")
E = TypeVar("E")
F = TypeVar("F")
S = TypeVar("S")
A_co = TypeVar("A_co", covariant=True)


def settle(
    outcome: Outcome[A, E], good: Callable[[A], Outcome[B, F]], bad: Callable[[E], Outcome[B, F]], /
) -> Outcome[B, F]:
    """Continue a program on either side of its result."""
    if isinstance(outcome, Result):
        return good(outcome.unwrap()) if is_successful(outcome) else bad(outcome.failure())
    if isinstance(outcome, Ask):
        ask = outcome
        return Ask(ask.request, lambda reply: settle(ask.resume(reply), good, bad))
    if isinstance(outcome, Fork):
        fork = outcome
        return Fork(fork.parts, lambda results: settle(fork.join(results), good, bad))
    return _settled_later(outcome, good, bad)


async def _settled_later(
    waiting: Awaitable[Now[A, E]], good: Callable[[A], Outcome[B, F]], bad: Callable[[E], Outcome[B, F]]
) -> Now[B, F]:
    return await landed(settle(await waiting, good, bad))


async def landed(outcome: Outcome[A, E], /) -> Now[A, E]:
    """The program once nothing is left to await before its next ask or fork."""
    return outcome if isinstance(outcome, (Result, Ask, Fork)) else await outcome


def then(outcome: Outcome[A, E], f: Callable[[A], Outcome[B, F]], /) -> Outcome[B, E] | Outcome[B, F]:
    """Run a second program on the value of a first; a failure of the first is the failure of both."""

    def stop(fault: E, /) -> Outcome[B, E | F]:
        return err(fault)

    return cast("Outcome[B, E]", settle(outcome, f, stop))  # E | F of two Never would be Unknown in pyright


def gather(*parts: Callable[[], Outcome[A, E]]) -> Outcome[tuple[Result[A, E | StepRaised], ...], Never]:
    """Run programs side by side and keep every result, in the order of the parts; a part that raises is one of them."""

    def join(results: tuple[Result[object, object], ...]) -> Result[tuple[Result[A, E | StepRaised], ...], Never]:
        return ok(cast("tuple[Result[A, E | StepRaised], ...]", results))  # a fork is untyped inside: parts may differ

    return Fork(parts, join)


def both(
    first: Callable[[], Outcome[A, E]], second: Callable[[], Outcome[B, F]], /
) -> Outcome[tuple[A, B], E | StepRaised] | Outcome[tuple[A, B], F | StepRaised]:
    """Run two programs side by side; the fault of the first counts before that of the second."""

    def join(results: tuple[Result[object, object], ...]) -> Outcome[tuple[A, B], E | StepRaised]:
        left, right = cast("tuple[Result[A, E | StepRaised], Result[B, E | StepRaised]]", results)
        if not is_successful(left):
            return err(left.failure())
        return ok((left.unwrap(), right.unwrap())) if is_successful(right) else err(right.failure())

    return Fork((first, second), join)


@final
@attrs.frozen
class Again(Generic[A_co]):
    """A loop goes round once more, with this state."""

    state: A_co


@final
@attrs.frozen
class Done(Generic[A_co]):
    """A loop is over, with this value."""

    value: A_co


def iterate(state: S, body: Callable[[S], Outcome[Again[S] | Done[A], E]], /) -> Outcome[A, E]:
    """Repeat a program until it is `Done`; the stack does not grow with the rounds.

    >>> iterate(1, lambda n: ok(Done(n) if n > 100_000 else Again(n * 2)))
    <Success: 131072>
    """
    return _round(body(state), body)


def _round(now: Outcome[Again[S] | Done[A], E], body: Callable[[S], Outcome[Again[S] | Done[A], E]]) -> Outcome[A, E]:
    while isinstance(now, Result):
        if not isinstance(now, Success):
            return err(now.failure())
        turn: Again[S] | Done[A] = now.unwrap()
        if isinstance(turn, Done):
            return ok(turn.value)
        now = body(turn.state)
    if isinstance(now, Ask):
        ask = now
        return Ask(ask.request, lambda reply: _round(ask.resume(reply), body))
    if isinstance(now, Fork):
        fork = now
        return Fork(fork.parts, lambda results: _round(fork.join(results), body))
    return _rounds_later(now, body)


async def _rounds_later(
    waiting: Awaitable[Now[Again[S] | Done[A], E]], body: Callable[[S], Outcome[Again[S] | Done[A], E]]
) -> Now[A, E]:
    now = await waiting
    while isinstance(now, Success):  # an async body: go round here, or the rounds would nest
        turn: Again[S] | Done[A] = now.unwrap()
        if isinstance(turn, Done):
            return ok(turn.value)
        now = await landed(body(turn.state))
    return await landed(_round(now, body))
