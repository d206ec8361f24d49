"""Sampling by the hash of an id, limits, and what always is scored."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.watching import Seen, number, polite, tone

from scorewright import Run
from scorewright.faults import DefinitionError
from scorewright.live import (
    ALWAYS,
    NEVER,
    Sample,
    is_sampled,
    joined,
    live_context,
    position,
    ratio,
    scored,
    scoring,
    submit,
)
from scorewright.live.sampling import Bucket, Limit

VECTORS = [  # printf '%s' KEY | sha256sum | cut -c1-16
    ("4bf92f3577b34da6a3ce929d0e0e4736", 0x398ACAEE65C4E533),
    ("00000000000000000000000000000001", 0xE0CCA2965509DF67),
    ("run-1", 0x4E65D3FBE8AD6535),
    ("", 0xE3B0C44298FC1C14),
]
rates = st.floats(0, 1)


@pytest.mark.parametrize(("key", "place"), VECTORS)
def test_the_position_is_the_head_of_the_sha_256(key: str, place: int) -> None:
    """As another language would compute it."""
    assert position(key) == place


@given(st.text(), rates, rates)
def test_a_lower_rate_lies_inside_a_higher_one(key: str, one: float, other: float) -> None:
    """Whoever is in the smaller sample is in the larger."""
    low, high = sorted((one, other))
    assert not is_sampled(key, low) or is_sampled(key, high)


def _even(key: str, low: float, high: float) -> bool:
    """A broken rule: another hash for each rate."""
    return position(f"{key}{low}") < low * 2**64 and not position(f"{key}{high}") < high * 2**64


def test_a_rule_that_is_not_nested_is_caught() -> None:
    """With the rate in the hash some key is in the smaller sample only."""
    assert any(_even(f"{n}", 0.3, 0.5) for n in range(100))


@given(st.text())
def test_0_is_never_and_1_is_always(key: str) -> None:
    """Whatever the id."""
    assert not is_sampled(key, NEVER.rate)
    assert is_sampled(key, ALWAYS.rate)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, 0.9])
def test_the_share_is_the_rate(rate: float) -> None:
    """Within six standard deviations."""
    many = 20_000
    found = sum(is_sampled(f"trace-{n}", rate) for n in range(many))
    assert abs(found - many * rate) <= 6 * sqrt(many * rate * (1 - rate))


def test_another_process_decides_alike() -> None:
    """Whatever the seed of its own hashes."""
    code = "from scorewright.live import is_sampled; print(*(int(is_sampled(f'run-{n}', 0.3)) for n in range(200)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(int(is_sampled(f"run-{n}", 0.3))) for n in range(200)]


def test_all_scorers_of_a_trace_are_sampled_together(seen: Seen) -> None:
    """And calls of one trace alike, however often."""

    @scored(polite, tone, live=seen.live, sample=ratio(0.5))
    def answer(question: str) -> str:
        return question

    inside = {trace for trace in (f"trace-{n}" for n in range(20)) if is_sampled(trace, 0.5)}
    for n in range(20):
        with live_context(trace_id=f"trace-{n}"):
            answer("please")
    seen.counts()
    for id in ("polite", "tone"):
        assert {score.origin.trace_id for score in seen.scores if score.scorer == id} == inside


def test_each_scorer_has_its_own_rate(seen: Seen) -> None:
    """A mapping by id."""

    @scored(polite, tone, live=seen.live, sample={"polite": ALWAYS, "tone": NEVER})
    def answer(question: str) -> str:
        return question

    answer("please")
    assert seen.counts().sampled_out == 1
    assert [score.scorer for score in seen.scores] == ["polite"]


def test_a_filter_comes_before_the_sample(seen: Seen) -> None:
    """What it keeps out is not counted as sampled out."""

    @scored(tone, live=seen.live, sample=NEVER, where=lambda context: "tenant" in context)
    def answer(question: str) -> str:
        return question

    answer("please")
    with live_context(context={"tenant": "acme"}):
        answer("please")
    assert (seen.counts().filtered, seen.counts().sampled_out) == (1, 1)


def test_what_always_holds_is_scored_beside_the_share(seen: Seen) -> None:
    """A predicate of the call that is over; one that raises, or gives no True, is no reason to score."""

    def broken(_: object) -> bool:
        raise RuntimeError("no")

    sample = NEVER.always_when(broken).always_when(lambda ended: ended.run.output == "1")

    @scored(number, live=seen.live, sample=sample)
    def answer(question: str) -> str:
        return question

    answer("1")
    answer("0")
    assert seen.values == [1.0]
    assert dict(seen.counts().reasons) == {"always_when raised RuntimeError": 2}


def test_a_limit_bounds_the_rate_and_what_always_holds(seen: Seen) -> None:
    """Three in a minute, by a clock that stands."""
    live = Seen(clock=lambda: 100.0).live

    @scored(tone, live=live, sample=NEVER.always_when(lambda _: True).at_most(3, per=60))
    def answer(question: str) -> str:
        return question

    for _ in range(5):
        answer("please")
    assert live.flush()
    counts = live.counts()
    live.shutdown()
    assert (counts.scored, counts.sampled_out) == (3, 2)
    assert dict(counts.reasons) == {"sampled_out: the limit is reached": 2}


def test_a_limit_counts_together_wherever_it_is_attached() -> None:
    """Blocks and runs that are handed in one by one too; another scorer has its own."""
    seen = Seen(clock=lambda: 100.0)
    sample = ALWAYS.at_most(3, per=60)
    for n in range(4):
        submit(Run("in", f"{n}"), number, tone, live=seen.live, sample=sample)
        with scoring(tone, live=seen.live, input="in", sample=sample) as block:
            block.finish("out")
    counts = seen.counts()
    assert (seen.live.counts("tone").scored, seen.live.counts("number").triggered) == (3, 4)
    assert (counts.failed, counts.sampled_out) == (1, 6)
    assert len({score.scorer_hash for score in seen.scores}) == 2
    seen.live.shutdown()


def test_a_limit_survives_a_clock_that_jumps() -> None:
    """Back gives nothing, far ahead gives no more than the limit."""
    now = [0.0]
    bucket = Bucket(Limit(2, 10.0), lambda: now[0])
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now[0] = -1e9
    assert not bucket.take()
    now[0] = -1e9 + 5
    assert [bucket.take(), bucket.take()] == [True, False]
    now[0] = 1e12
    assert [bucket.take() for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "0.1", True, None])
def test_a_rate_is_a_number_from_0_to_1(rate: float) -> None:
    """Anything else is a mistake of the definition."""
    with pytest.raises(DefinitionError, match="from 0 to 1"):
        ratio(rate)


def test_settings_of_a_sample_are_held() -> None:
    """Where they are written."""
    with pytest.raises(DefinitionError, match="whole number"):
        ALWAYS.at_most(0, per=1)
    with pytest.raises(DefinitionError, match="seconds"):
        ALWAYS.at_most(1, per=0)
    with pytest.raises(DefinitionError, match="always_when"):
        ALWAYS.always_when("error")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(TypeError, match="kind"):
        Sample(0.5, kind="ratio")  # type: ignore[call-arg]  # what is tested


def turns_around(inner: Callable[[str], object], seen: Seen, sample: Sample) -> dict[str, Callable[[str], object]]:
    """Calls of every kind that say "outer", with another call inside."""

    @scored(polite, live=seen.live, sample=sample)
    def function(question: str) -> str:
        inner(question)
        return "outer"

    @scored(polite, live=seen.live, sample=sample)
    async def coroutine(question: str) -> str:
        inner(question)
        return "outer"

    @scored(polite, live=seen.live, sample=sample, output=joined)
    def generator(question: str) -> Iterator[str]:
        yield "outer"
        inner(question)

    @scored(polite, live=seen.live, sample=sample, output=joined)
    async def async_generator(question: str) -> AsyncIterator[str]:
        yield "outer"
        inner(question)

    async def read(question: str) -> None:
        async for _ in async_generator(question):
            pass

    def block(question: str) -> None:
        with scoring(polite, live=seen.live, input=question, sample=sample) as begun:
            inner(question)
            begun.finish("outer")

    return {
        "function": function,
        "coroutine": lambda question: asyncio.run(coroutine(question)),
        "generator": lambda question: [*generator(question)],
        "async generator": lambda question: asyncio.run(read(question)),
        "block": block,
    }


@pytest.mark.parametrize("kind", ["function", "coroutine", "generator", "async generator", "block"])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_turn_is_drawn_once(seen: Seen, kind: str, depth: int) -> None:
    """What runs inside a call that its sample left out is not drawn again: the share is that of the turns."""
    sample, n = ratio(0.3), 50

    @scored(polite, live=seen.live, sample=sample)
    def innermost(question: str) -> str:
        return "inner"

    @scored(polite, live=seen.live, sample=sample)
    def between(question: str) -> str:
        return innermost(question)

    turn = turns_around(innermost if depth == 1 else between, seen, sample)[kind]
    for at in range(n):
        turn(f"turn {at}")
    counts = seen.counts()
    assert {score.run.output for score in seen.scores} == {"outer"}
    assert 0 < counts.scored < n
    assert counts.sampled_out == (n - counts.scored) * (1 + depth)
    assert counts.filtered == counts.scored * depth


def test_a_step_is_drawn_by_itself() -> None:
    """Also inside a call that its sample left out; and so is what another scorer sees."""
    seen = Seen()

    @scored(polite, live=seen.live, step="inner")
    def step(question: str) -> str:
        return question

    @scored(tone, live=seen.live)
    def other(question: str) -> str:
        return question

    @scored(polite, live=seen.live, sample=NEVER)
    def turn(question: str) -> str:
        return step(question) + other(question)

    turn("please")
    seen.counts()
    assert sorted((score.scorer, score.origin.step) for score in seen.scores) == [("polite", "inner"), ("tone", "")]
    seen.live.shutdown()


def test_a_finish_outside_of_its_block_is_a_mistake(seen: Seen) -> None:
    """Nothing would ever come of it."""
    block = scoring(polite, live=seen.live, input="please")
    with pytest.raises(DefinitionError, match="with scoring"):
        block.finish("please")
    with scoring(polite, live=seen.live, input="please", sample=NEVER) as unseen:
        unseen.finish("please")
    assert seen.counts().sampled_out == 1
