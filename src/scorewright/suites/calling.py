"""How a target is called with a row: an agent as its framework wants it, a plain function in a thread."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias, cast

import attrs

from scorewright.faults import DefinitionError
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.frameworks import agent_call
from scorewright.suites.rows.row import Row
from scorewright.suites.targets import Call
from scorewright.suites.threads import Threads

Target: TypeAlias = Callable[[object], object]


def call_of(target: object, /) -> Call:
    """An async function of rows that calls the target: plain functions in threads, one for each call under way.

    What a target changes in its input is its own: the row, by which it is known again, stays as it was.
    """
    call = agent_call(target) or _function_call(target)

    async def apart(row: Row, /) -> object:
        return await call(_apart(row))

    return apart


def _function_call(target: object) -> Call:
    if not callable(target):
        raise DefinitionError(
            f"target= is a function from a row's input to an output, or an agent, not {type(target).__name__}"
        )
    call = cast("Target", target)  # whatever it is, its argument is what a row holds
    takes_row = _takes_row(call)

    def given(row: Row) -> object:
        return row if takes_row else row.input

    if _is_async(call):

        async def awaited(row: Row, /) -> object:
            return await cast("Awaitable[object]", call(given(row)))

        return awaited

    threads = Threads()

    async def threaded(row: Row, /) -> object:
        done = await threads.call(call, given(row))
        return await done if inspect.isawaitable(done) else done

    return threaded


def _apart(row: Row) -> Row:
    """The row with objects and lists of its own."""
    try:
        return attrs.evolve(
            row,
            input=_own(row.input),
            expected=_own(row.expected),
            context=_own(row.context),
            request_context={**row.request_context},
            metadata={key: _own(value) for key, value in row.metadata.items()},
        )
    except RecursionError:  # a cycle, which no file holds
        return row


def _own(value: object) -> object:
    if is_object(value):
        return {key: _own(each) for key, each in value.items()}
    return [_own(each) for each in value] if is_list(value) else value


def _is_async(call: object) -> bool:
    return inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(getattr(call, "__call__", None))  # noqa: B004 - its own method is asked


def _takes_row(call: Target) -> bool:
    """Whether its first parameter is annotated as a row; then it is given the whole row."""
    try:
        parameters = [*inspect.signature(call).parameters.values()]
    except (TypeError, ValueError):  # a builtin
        return False
    annotation: object = parameters[0].annotation if parameters else None
    return annotation is Row or annotation in {"Row", "suites.Row", "scorewright.suites.Row"}
