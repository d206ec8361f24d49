"""Functions become steps, and steps are frozen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.result import safe

from scorewright import (
    DefinitionError,
    Outcome,
    Run,
    ScoredStep,
    Step,
    create_scorer,
    err,
    ok,
    prompt,
    pure,
    pure_async,
)
from scorewright.core import Scorer, gather

RUN = Run("in", "out", ["ref"])


def value_of(step: object) -> object:
    scorer = create_scorer("x", input=str, output=str).preprocess(step).generate_score(pure(lambda _: 1))
    return scorer.run_sync(RUN).unwrap().steps[0].value


def plain(step: Step[str, str, None, None]) -> Outcome[str, object]:
    return ok(step.run.output)


async def later(step: Step[str, str, None, None]) -> Outcome[str, object]:
    return plain(step)


async def bare_later(step: Step[str, str, None, None]) -> str:
    return step.run.output


class Value:
    def __call__(self, step: Step[str, str, None, None]) -> Outcome[str, object]:
        return plain(step)

    def method(self, step: Step[str, str, None, None]) -> Outcome[str, object]:
        return plain(step)

    async def later(self, step: Step[str, str, None, None]) -> Outcome[str, object]:
        return plain(step)


@pytest.mark.parametrize(
    "step",
    [
        plain,
        later,
        lambda step: ok(step.run.output),
        lambda step: later(step) if step else err(""),
        pure(lambda step: step.run.output),
        pure_async(bare_later),
        pure_async(partial(bare_later)),
        partial(lambda _, step: ok(step.run.output), 1),
        Value(),
        Value().method,
        Value().later,
        safe(lambda step: step.run.output),
    ],
)
def test_every_make_of_function_is_a_step(step: object) -> None:
    """A def, an async def, a lambda, a partial, a callable value, a method, lifted or safe: the value is the same."""
    assert value_of(step) == "out"


@given(st.none() | st.integers() | st.lists(st.text()))
def test_pure_and_pure_async_lift_what_cannot_fail(value: object) -> None:
    """Their value is a success, whatever it is."""

    async def soon(_: object) -> object:
        return value

    assert pure(lambda _: value)("any") == ok(value)
    assert value_of(pure(lambda _: value)) == value
    assert value_of(pure_async(soon)) == value


async def named_later(step: object) -> int:
    return 1


@pytest.mark.parametrize(
    ("define", "words"),
    [
        (lambda: pure(named_later), ["named_later", "pure_async"]),
        (lambda: pure(partial(named_later)), ["pure_async"]),
        (lambda: pure(5), ["pure", "int"]),
        (lambda: pure(None), ["pure", "NoneType"]),
        (lambda: pure_async("f"), ["pure_async", "str"]),
    ],
)
def test_lifting_something_else_is_a_mistake(define: object, words: list[str]) -> None:
    """The message names what was given and what to write."""
    with pytest.raises(DefinitionError) as told:
        define()
    assert all(word in str(told.value) for word in words)


def test_no_field_of_a_step_can_be_rebound() -> None:
    """Neither run nor earlier values nor score."""
    run = Run("a", "b")
    for step in (Step(run, 1, 2), ScoredStep(run, 1, 2, 0.5)):
        for field in ("run", "pre", "ana", "score", "new"):
            with pytest.raises(AttributeError):
                setattr(step, field, None)


def test_a_step_that_tries_to_rebind_has_raised() -> None:
    """It changes nothing that later steps see."""

    def rebinds(step: Step[str, str, None, None]) -> Outcome[str, object]:
        step.run.output = "changed"
        return ok("")

    scorer = create_scorer("x", input=str, output=str).preprocess(rebinds).generate_score(pure(lambda _: 1))
    run = Run("a", "b")
    assert scorer.run_sync(run).failure().cause.raised.kind == "FrozenInstanceError"
    assert run.output == "b"


def seen_by_steps() -> tuple[Scorer[str, str], list[object]]:
    seen: list[object] = []

    def note(step: object) -> object:
        seen.append(step)
        return step

    scorer = (
        create_scorer("x", input=str, output=str)
        .preprocess(lambda step: ok(len(seen)) if note(step) else err(""))
        .analyze(lambda step: ok([step.pre]) if note(step) else err(""))
        .generate_score(lambda step: ok(0.5) if note(step) else err(""))
        .generate_reason(lambda step: ok("why") if note(step) else err(""))
    )
    return scorer, seen


def test_each_step_sees_the_run_and_the_values_before() -> None:
    """What is not there yet is None; the reason sees the score too."""
    scorer, seen = seen_by_steps()
    assert scorer.run_sync(RUN).unwrap().reason == "why"
    assert seen == [Step(RUN, None, None), Step(RUN, 1, None), Step(RUN, 1, [1]), ScoredStep(RUN, 1, [1], 0.5)]
    assert all(step.run is RUN for step in seen)


async def _generator() -> object:
    yield 1


class _Called:
    async def __call__(self, _: object) -> int:
        return 1


MISTAKES = {
    "pure of a prompt": lambda: pure(prompt(str, lambda _: "q")),
    "pure of pure": lambda: pure(pure(lambda _: 1)),
    "pure of pure_async": lambda: pure(pure_async(_Called())),
    "pure of an async generator": lambda: pure(_generator),
    "pure of an async object": lambda: pure(_Called()),
    "pure_async of a prompt": lambda: pure_async(prompt(str, lambda _: "q")),
    "pure_async of pure": lambda: pure_async(pure(lambda _: 1)),
    "pure_async of an async generator": lambda: pure_async(_generator),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_what_cannot_be_lifted_is_a_definition_error(mistake: Callable[[], object]) -> None:
    """A step is lifted already, and an async generator gives no value."""
    with pytest.raises(DefinitionError):
        mistake()


async def _later() -> int:
    return 1


@pytest.mark.parametrize(
    "program",
    [ok, err, lambda _: _later(), lambda _: prompt(str, lambda _: "q")(0), lambda _: gather()],
    ids=["success", "failure", "coroutine", "ask", "fork"],
)
def test_a_lifted_function_that_gives_a_program_is_told(program: Callable[[object], object]) -> None:
    """In a pipeline and out of it; a coroutine that it made is closed."""
    scorer = create_scorer("p", input=str, output=str).generate_score(pure(program))
    told = scorer.run_sync(Run("in", "out")).failure().cause.raised
    assert told.kind == "TypeError"
    assert "leave pure(…) away" in told.message or "pure_async" in told.message
    with pytest.raises(TypeError):
        pure(program)(0)


def test_a_lifted_function_is_given_what_it_is_called_on() -> None:
    """Called by hand, too: a step, or any other value; what gives a program is told, and what it began is closed."""

    async def length(text: str) -> int:
        return len(text)

    async def awaited() -> object:
        return await pure_async(length)("four")

    assert pure(len)("four") == ok(4) == asyncio.run(awaited())
    for program, told in (
        (ok, "leave pure(…) away: the function gives"),
        (lambda _: _later(), "lifts a plain function"),
    ):
        with pytest.raises(TypeError, match=re.escape(told)):
            pure(program)("four")
