"""Programs are put together: one after another, side by side, over and over."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import Callable

import pytest
from core.canned import Told, reply
from hypothesis import given
from hypothesis import strategies as st
from returns.result import Result

from scorewright import Outcome, err, ok, then
from scorewright.core import (
    Again,
    Ask,
    Done,
    Fork,
    JudgeReply,
    JudgeRequest,
    both,
    gather,
    interpret,
    iterate,
    settle,
)
from scorewright.faults import EmptyReply, JudgeFault, StepRaised


def now(outcome: Outcome[object, object], answer: object = None) -> Result[object, object]:
    return asyncio.run(interpret(outcome, answer or Told(lambda prompt: prompt)))


def asking(prompt: str) -> Outcome[str, JudgeFault]:
    return Ask(JudgeRequest(prompt), lambda said: said.answer)


async def later(outcome: Outcome[object, object]) -> Outcome[object, object]:
    return outcome


SHAPES: dict[str, Callable[[Result[object, object]], Outcome[object, object]]] = {
    "plain": lambda result: result,
    "later": later,
    "asked": lambda result: Ask(JudgeRequest("q"), lambda _: result),
    "forked": lambda result: Fork((), lambda _: result),
    "asked, then later": lambda result: Ask(JudgeRequest("q"), lambda _: later(result)),
    "later, then asked": lambda result: later(Ask(JudgeRequest("q"), lambda _: result)),
    "forked, then asked": lambda result: Fork(
        (lambda: asking("p"),), lambda _: Ask(JudgeRequest("q"), lambda _: result)
    ),
}
shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


@shape
def test_then_runs_the_second_on_the_value_of_the_first(shape: Callable[..., Outcome[int, str]]) -> None:
    """Whatever the shapes of both, the value goes on."""
    for second in SHAPES.values():
        assert now(then(shape(ok(3)), lambda n, second=second: second(ok(n + 1)))) == ok(4)


@shape
def test_then_stops_at_a_failure(shape: Callable[..., Outcome[int, str]]) -> None:
    """A failure of the first is the failure of both, and the second is not begun."""
    assert now(then(shape(err("first")), lambda _: pytest.fail("begun"))) == err("first")
    assert now(then(shape(ok(3)), lambda _: shape(err("second")))) == err("second")


@shape
def test_settle_continues_on_either_side(shape: Callable[..., Outcome[int, str]]) -> None:
    """A failure can be mended as a value can be used."""
    assert now(settle(shape(ok(3)), lambda n: shape(ok(n + 1)), lambda _: ok(0))) == ok(4)
    assert now(settle(shape(err("x")), ok, lambda fault: shape(ok(fault + "!")))) == ok("x!")


def test_faults_of_the_judge_reach_the_program() -> None:
    """A judge that fails resumes the ask with its fault, which the program may mend."""
    told = Told(lambda prompt: EmptyReply() if prompt == "first" else prompt)
    assert now(settle(asking("first"), ok, lambda _: asking("second")), told) == ok("second")
    assert told.prompts == ["first", "second"]


@given(st.integers(0, 400))
def test_hundreds_of_thens_nest(depth: int) -> None:
    """Sequencing recurses, but not so deep that hundreds would matter."""
    outcome: Outcome[int, JudgeFault] = ok(0)
    for _ in range(depth):
        outcome = then(outcome, lambda n: ok(n + 1))
    assert outcome == ok(depth)


def test_hundreds_of_asks_nest() -> None:
    """Also on the left, where each ask is under all the continuations."""
    outcome: Outcome[str, JudgeFault] = asking("0")
    for n in range(1, 200):
        outcome = then(outcome, lambda _, n=n: asking(str(n)))
    assert now(outcome) == ok("199")


def test_both_gives_the_pair() -> None:
    """Two programs of different types, in their order."""
    assert now(both(lambda: ok(1), lambda: asking("two"))) == ok((1, "two"))


@pytest.mark.parametrize(
    ("first", "second", "fault"), [(err("a"), ok(1), "a"), (ok(1), err("b"), "b"), (err("a"), err("b"), "a")]
)
def test_both_needs_both(first: Result[int, str], second: Result[int, str], fault: str) -> None:
    """One failure is the failure of the pair; of two the first counts."""
    assert now(both(lambda: first, lambda: second)) == err(fault)


@given(st.lists(st.one_of(st.integers().map(ok), st.integers().map(err)), max_size=9))
def test_gather_keeps_every_result_in_order(results: list[Result[int, int]]) -> None:
    """Failures are results among others."""
    assert now(gather(*(lambda result=result: result for result in results))) == ok(tuple(results))


def boom() -> Outcome[int, str]:
    raise ValueError("boom")


async def boom_later() -> Result[int, str]:
    raise ValueError("boom")


def boom_resumed() -> Outcome[int, str]:
    def resume(_: JudgeReply) -> Result[int, str]:
        raise ValueError("boom")

    return Ask(JudgeRequest("q"), resume)


@pytest.mark.parametrize("part", [boom, boom_later, boom_resumed])
def test_a_part_that_raises_is_one_of_the_results(part: Callable[[], Outcome[int, str]]) -> None:
    """What it raised is `StepRaised` in its own place; the other parts are whole."""
    first, broken, last = now(gather(lambda: ok(1), part, lambda: asking("c"))).unwrap()
    assert (first, last) == (ok(1), ok("c"))
    assert isinstance(broken.failure(), StepRaised)
    assert (broken.failure().raised.kind, broken.failure().raised.message) == ("ValueError", "boom")


def test_parts_advance_without_lockstep() -> None:
    """A slow part does not hold back the second ask of a fast one."""
    released = asyncio.Event()

    async def answer(request: JudgeRequest) -> JudgeReply:
        if request.prompt == "slow":
            await asyncio.wait_for(released.wait(), 10)  # until the fast part has asked twice
        if request.prompt == "fast 2":
            released.set()
        return reply(request.prompt)

    def fast() -> Outcome[str, JudgeFault]:
        return then(asking("fast 1"), lambda _: asking("fast 2"))

    assert now(gather(lambda: asking("slow"), fast), answer) == ok((ok("slow"), ok("fast 2")))


def test_parts_ask_at_the_same_time() -> None:
    """All first asks of a fork are under way before any is answered."""
    waiting = asyncio.Barrier(50)

    async def answer(request: JudgeRequest) -> JudgeReply:
        await asyncio.wait_for(waiting.wait(), 10)
        return reply(request.prompt)

    parts = [lambda n=n: asking(str(n)) for n in range(50)]
    assert now(gather(*parts), answer) == ok(tuple(ok(str(n)) for n in range(50)))


def test_nothing_starts_before_a_fork_is_interpreted() -> None:
    """Parts are thunks: putting a fork together calls none of them."""
    begun: list[int] = []

    def part() -> Result[int, str]:
        begun.append(1)
        return ok(1)

    fork = gather(part, part)
    assert begun == []
    now(fork)
    assert begun == [1, 1]


def test_a_fork_can_be_interpreted_twice() -> None:
    """Each time from the beginning, async parts included."""
    begun: list[int] = []

    async def part() -> Result[int, str]:
        begun.append(1)
        return ok(len(begun))

    fork = gather(part)
    assert now(fork) == ok((ok(1),))
    assert now(fork) == ok((ok(2),))


def test_a_fork_that_is_dropped_leaves_no_coroutine() -> None:
    """An async part that never begins is no coroutine that was never awaited."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gather(boom_later, boom_later)
        both(boom_later, boom_later)
        gc.collect()


def test_forks_nest() -> None:
    """A part may fork, ask and wait in its turn."""

    def tree(depth: int, name: str) -> Outcome[str, object]:
        if depth == 0:
            return asking(name)
        parts = both(lambda: tree(depth - 1, name + "l"), lambda: tree(depth - 1, name + "r"))
        return then(parts, lambda pair: later(ok(f"({pair[0]} {pair[1]})")))

    assert now(tree(3, "")) == ok("(((lll llr) (lrl lrr)) ((rll rlr) (rrl rrr)))")


TURNS: dict[str, Callable[[Result[object, object], int], Outcome[object, object]]] = {
    "plain": lambda result, _: result,
    "asking": lambda result, _: Ask(JudgeRequest("q"), lambda _: result),
    "async": lambda result, _: later(result),
    "mixed": lambda result, n: list(SHAPES.values())[n % 3](result),
    "asking later": lambda result, _: later(Ask(JudgeRequest("q"), lambda _: result)),
}


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_iterate_survives_a_hundred_thousand_rounds(turn: Callable[..., Outcome[object, object]]) -> None:
    """The stack does not grow, whether the body is plain, asks, or is async."""

    def body(n: int) -> Outcome[Again[int] | Done[str], object]:
        return turn(ok(Done(f"{n} rounds") if n == 100_000 else Again(n + 1)), n)

    async def answer(_: JudgeRequest) -> JudgeReply:
        return said

    said = reply("")
    assert now(iterate(0, body), answer) == ok("100000 rounds")


def test_iterate_survives_rounds_that_fork() -> None:
    """A body may fork in every round."""

    def body(n: int) -> Outcome[Again[int] | Done[int], object]:
        return then(gather(lambda: ok(n)), lambda _: ok(Done(n) if n == 2_000 else Again(n + 1)))

    assert now(iterate(0, body)) == ok(2_000)


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_a_round_that_fails_ends_the_loop(turn: Callable[..., Outcome[object, object]]) -> None:
    """The fault of a round is the fault of the loop, and no further round is begun."""
    rounds: list[int] = []

    def body(n: int) -> Outcome[Again[int] | Done[int], object]:
        rounds.append(n)
        return turn(err("seven") if n == 7 else ok(Again(n + 1)), n)

    assert now(iterate(0, body)) == err("seven")
    assert rounds == list(range(8))
