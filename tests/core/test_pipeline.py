"""The walk through the steps: order, preparation, and what ends it."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from asyncio import CancelledError
from collections.abc import Callable

import pytest
from core.canned import CANNED, Told
from hypothesis import given
from hypothesis import strategies as st

from scorewright import NotScorable, Run, Scorer, Verdict, create_scorer, err, ok, pure, reason_prompt
from scorewright.faults import InvalidScore, PrepareFailed, StepRaised

RUN = Run("in", "out")
STEPS = ("preprocess", "analyze", "generate_score", "generate_reason")


async def later(value: object) -> object:
    return value


def walk(steps: dict[str, Callable[[object], object]], seen: list[str], **options: object) -> Scorer[str, str]:
    def noting(name: str, default: object) -> Callable[[object], object]:
        def step(given: object) -> object:
            seen.append(name)
            return steps[name](given) if name in steps else ok(default)

        return step

    return (
        create_scorer("walk", input=str, output=str, judge=CANNED, **options)
        .preprocess(noting("preprocess", 1))
        .analyze(noting("analyze", 2))
        .generate_score(noting("generate_score", 0.5))
        .generate_reason(noting("generate_reason", "why"))
    )


def test_steps_run_in_order_once_each() -> None:
    """Preprocess, analyze, score, reason."""
    seen: list[str] = []
    assert walk({}, seen).run_sync(RUN).unwrap().reason == "why"
    assert tuple(seen) == STEPS


@pytest.mark.parametrize("when", [lambda value: value, later], ids=["now", "later"])
@pytest.mark.parametrize("failing", STEPS)
def test_a_failing_step_stops_later_steps_and_loses_nothing_before_it(
    failing: str, when: Callable[..., object]
) -> None:
    """The failure names the step and holds its fault, and the values of all before."""
    seen: list[str] = []
    failure = walk({failing: lambda _: when(err("fault"))}, seen).run_sync(RUN).failure()
    at = STEPS.index(failing)
    assert (failure.step, failure.cause) == (failing, "fault")
    assert tuple(seen) == STEPS[: at + 1]
    assert [record.step for record in failure.steps] == list(STEPS[: at + 1])
    assert [record.value for record in failure.steps[:-1]] == [1, 2, 0.5][:at]
    assert failure.score == (0.5 if failing == "generate_reason" else None)


def boom(_: object) -> object:
    raise ValueError("boom")


@pytest.mark.parametrize("failing", STEPS)
def test_a_raising_step_is_named(failing: str) -> None:
    """The same for a step that raises; a reason that raises keeps the score."""
    seen: list[str] = []
    failure = walk({failing: boom}, seen).run_sync(RUN).failure()
    assert failure.step == failing
    assert isinstance(failure.cause, StepRaised)
    assert failure.cause.raised.message == "boom"
    assert isinstance(failure.cause.raised.exception, ValueError)
    assert failure.score == (0.5 if failing == "generate_reason" else None)


@pytest.mark.parametrize("when", [lambda value: value, later], ids=["now", "later"])
@pytest.mark.parametrize("ending", STEPS[:3])
def test_not_scorable_ends_the_run_without_a_score(ending: str, when: Callable[..., object]) -> None:
    """From any step up to the score: neither a score nor a zero."""
    seen: list[str] = []
    failure = walk({ending: lambda _: when(err(NotScorable("empty")))}, seen).run_sync(RUN).failure()
    assert (failure.step, failure.cause, failure.score) == (ending, NotScorable("empty"), None)
    assert seen[-1] == ending


@pytest.mark.parametrize("when", [lambda value: value, later], ids=["now", "later"])
def test_not_scorable_from_the_reason_keeps_the_score(when: Callable[..., object]) -> None:
    """The run has its score, and nothing to say about it."""
    done = walk({"generate_reason": lambda _: when(err(NotScorable("obvious")))}, []).run_sync(RUN).unwrap()
    assert (done.score, done.reason) == (0.5, None)
    assert [record.step for record in done.steps] == list(STEPS)


def test_a_look_alike_is_not_mistaken_for_not_scorable() -> None:
    """Only the fault itself ends a run so; as a value it is a value."""
    done = walk({"preprocess": lambda _: ok(NotScorable("a value"))}, []).run_sync(RUN).unwrap()
    assert done.steps[0].value == NotScorable("a value")


def test_in_function_mode_no_judge_is_asked() -> None:
    """A judge that is there and not asked for stays silent."""
    told = Told("true")
    assert walk({}, []).run_sync(RUN, answer=told).unwrap().exchanges == ()
    assert told.requests == []


def test_objects_inside_a_run_are_shared_between_steps() -> None:
    """What a step changes inside an object, later steps and the caller see."""
    scorer = (
        create_scorer("shared", input=str, output=list[str])
        .preprocess(pure(lambda step: step.run.output.append("b")))
        .generate_score(pure(lambda step: len(step.run.output) / 2))
    )
    run = Run("in", ["a"])
    assert scorer.run_sync(run).unwrap().score == 1.0
    assert run.output == ["a", "b"]


def trimmed(run: Run[str, str]) -> Run[str, str]:
    return run.with_output(run.output.strip())


async def trimmed_later(run: Run[str, str]) -> Run[str, str]:
    return trimmed(run)


@pytest.mark.parametrize("prepare", [trimmed, trimmed_later])
def test_steps_and_result_see_the_prepared_run(prepare: Callable[..., object]) -> None:
    """`prepare_run` comes first, once, sync or async."""
    seen: list[str] = []
    scorer = walk({"preprocess": lambda step: ok(step.run.output)}, seen, prepare_run=prepare)
    run = Run("in", " out ")
    done = scorer.run_sync(run).unwrap()
    assert done.steps[0].value == "out"
    assert done.run_id == run.run_id
    assert run.output == " out "


async def boom_later(_: object) -> object:
    raise ValueError("boom")


@pytest.mark.parametrize("prepare", [boom, boom_later])
def test_a_preparation_that_raises_is_a_failure(prepare: Callable[..., object]) -> None:
    """`PrepareFailed`, with what was raised; no step is begun."""
    seen: list[str] = []
    failure = walk({}, seen, prepare_run=prepare).run_sync(RUN).failure()
    assert isinstance(failure.cause, PrepareFailed)
    assert (failure.step, failure.cause.raised.message, failure.steps, seen) == ("prepare_run", "boom", (), [])
    assert failure.run_id == RUN.run_id


@pytest.mark.parametrize("given", [None, "run", {"input": "a"}, ok(RUN), 5], ids=lambda given: type(given).__name__)
@pytest.mark.parametrize("when", [lambda value: value, later], ids=["now", "later"])
def test_a_preparation_that_gives_no_run_is_a_failure(given: object, when: Callable[..., object]) -> None:
    """The message says that a run is due and what came instead."""
    failure = walk({}, [], prepare_run=lambda _: when(given)).run_sync(RUN).failure()
    assert isinstance(failure.cause, PrepareFailed)
    for word in ("Run(", type(given).__name__):
        assert word in failure.cause.raised.message


def test_a_preparation_may_supply_the_reference() -> None:
    """Whether a run has its reference is asked after the preparation, not before."""
    scorer = create_scorer("r", input=str, output=str, expected=str, prepare_run=lambda run: run.with_expected("out"))
    exact = scorer.generate_score(pure(lambda step: step.run.output == step.run.expected))
    assert exact.run_sync(RUN).unwrap().score == 1.0


@pytest.mark.parametrize("wrong", [None, "run", {"input": "a", "output": "b"}], ids=lambda given: type(given).__name__)
def test_something_else_than_a_run_is_refused_at_once(wrong: object) -> None:
    """What is passed to `run` is the caller's own mistake, and raises where it is made."""
    with pytest.raises(TypeError, match=r"Run\(input, output\)"):
        walk({}, []).run_sync(wrong)


def test_a_verdict_needs_no_step_for_the_reason() -> None:
    """Score and reason come together, from a function too."""
    scorer = create_scorer("v", input=str, output=str).generate_verdict(pure(lambda step: Verdict(1, step.run.output)))
    done = scorer.run_sync(RUN).unwrap()
    assert (done.score, done.reason, [record.step for record in done.steps]) == (1.0, "out", ["generate_verdict"])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.randoms())
def test_the_order_of_runs_does_not_matter(scores: list[float], shuffling: object) -> None:
    """A scorer keeps nothing from one run to the next."""
    scorer = (
        create_scorer("x", input=str, output=float)
        .preprocess(pure(lambda step: step.run.output))
        .generate_score(pure(lambda step: step.pre))
    )
    runs = [Run("", score, run_id=str(n)) for n, score in enumerate(scores)]
    alone = {run.run_id: scorer.run_sync(run) for run in runs}
    shuffling.shuffle(runs)
    assert {run.run_id: scorer.run_sync(run) for run in runs} == alone


@pytest.mark.parametrize("asking", [False, True], ids=["plain", "asking"])
def test_memory_does_not_grow_with_runs(asking: bool) -> None:
    """After ten times as many runs nothing more is held than before."""
    scored = (
        create_scorer("m", input=str, output=str, judge=CANNED)
        .preprocess(pure(lambda step: step.run.output * 50))
        .generate_score(pure(lambda _: 1))
    )
    scorer = scored.generate_reason(reason_prompt(lambda step: step.pre)) if asking else scored

    def some(runs: int) -> int:
        for n in range(runs):
            scorer.run_sync(Run("in", f"out {n}"), answer=Told("why")).unwrap()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    some(20)
    tracemalloc.start()
    try:
        before = some(20)
        assert some(200) - before < 20_000
    finally:
        tracemalloc.stop()


def test_a_walk_does_not_deepen_the_stack_of_its_steps() -> None:
    """The frames between the caller and a step are few, so that steps have room of their own."""
    depths: list[int] = []

    def deep(_: object) -> object:
        depth, frame = 0, sys._getframe()
        while frame is not None:
            depth, frame = depth + 1, frame.f_back
        depths.append(depth)
        return ok("x")

    scorer = (
        create_scorer("d", input=str, output=str)
        .preprocess(deep)
        .analyze(deep)
        .generate_score(pure(lambda _: 1))
        .generate_reason(deep)
    )
    scorer.run_sync(RUN).unwrap()
    assert max(depths) - min(depths) < 20


@pytest.mark.parametrize("reason", [5, b"bytes", ["why"], Verdict(1.0, "why")], ids=repr)
def test_a_reason_is_text(reason: object) -> None:
    """A reason that is no text is a failure of its step which keeps the score."""
    made = create_scorer("s", input=str, output=str).generate_score(pure(lambda _: 0.5))
    failure = made.generate_reason(pure(lambda _: reason)).run_sync(Run("in", "out")).failure()
    assert (failure.step, failure.score) == ("generate_reason", 0.5)
    assert "a reason is text" in failure.cause.raised.message
    verdict = create_scorer("v", input=str, output=str).generate_verdict(pure(lambda _: Verdict(0.5, reason)))
    assert verdict.run_sync(Run("in", "out")).failure().step == "generate_verdict"


def test_a_verdict_is_a_verdict() -> None:
    """A bare number from generate_verdict is a failure that says what is due."""
    made = create_scorer("v", input=str, output=str).generate_verdict(pure(lambda _: 0.5))
    failure = made.run_sync(Run("in", "out")).failure()
    assert "Verdict(score, reason)" in failure.cause.raised.message


async def cancelled(run: Run[str, str, None]) -> Run[str, str, None]:
    raise CancelledError(run.input)


def test_a_preparation_that_sees_another_cancelled_fails_its_run() -> None:
    """Nobody cancelled the run itself, so it has a result: what was raised, and its id."""
    scorer = create_scorer("s", input=str, output=str, prepare_run=cancelled).generate_score(pure(lambda _: 1))
    lost = scorer.run_sync(RUN).failure()
    assert isinstance(lost.cause, PrepareFailed)
    assert (lost.cause.raised.kind, lost.cause.raised.message, lost.run_id) == ("CancelledError", "in", RUN.run_id)


def test_a_reason_that_is_not_scorable_keeps_the_run_id() -> None:
    """The evaluation belongs to its run."""
    scored = create_scorer("s", input=str, output=str).generate_score(pure(lambda _: 1))
    assert scored.generate_reason(lambda _: err(NotScorable("none"))).run_sync(RUN).unwrap().run_id == RUN.run_id


def test_a_reason_that_is_no_text_says_what_it_is() -> None:
    """By its type."""
    scored = create_scorer("s", input=str, output=str).generate_score(pure(lambda _: 1))
    lost = scored.generate_reason(lambda _: ok(5)).run_sync(RUN).failure()
    assert isinstance(lost.cause, StepRaised)
    assert (lost.cause.raised.message, lost.score) == ("a reason is text, not int", 1.0)


def cancels(_: object) -> object:
    raise CancelledError("in")


def test_a_preparation_that_raises_another_cancellation_at_once_fails_its_run() -> None:
    """As a late one does."""
    scorer = create_scorer("s", input=str, output=str, prepare_run=cancels).generate_score(pure(lambda _: 1))
    lost = scorer.run_sync(RUN).failure()
    assert (lost.step, lost.cause.raised.kind, lost.run_id) == ("prepare_run", "CancelledError", RUN.run_id)


def test_a_step_that_raises_another_cancellation_fails_its_run() -> None:
    """With what was finished before it."""
    scored = create_scorer("s", input=str, output=str).preprocess(pure(lambda _: 5))
    lost = scored.generate_score(pure(cancels)).run_sync(RUN).failure()
    assert isinstance(lost.cause, StepRaised)
    assert (lost.step, lost.cause.raised.kind, lost.cause.raised.message) == ("generate_score", "CancelledError", "in")
    assert [(step.step, step.value) for step in lost.steps] == [("preprocess", 5), ("generate_score", None)]
    assert lost.run_id == RUN.run_id


def test_a_run_without_its_reference_is_told_so() -> None:
    """Before any step, with the id of the run."""
    scorer = create_scorer("s", input=str, output=str, expected=str).generate_score(pure(lambda _: 1))
    lost = scorer.run_sync(RUN).failure()
    assert lost.cause == NotScorable("the run has no reference answer")
    assert (lost.step, lost.steps, lost.score, lost.run_id) == ("prepare_run", (), None, RUN.run_id)


@pytest.mark.parametrize("when", [lambda value: value, later], ids=["now", "later"])
def test_a_score_beyond_the_scale_keeps_what_led_to_it(when: Callable[[object], object]) -> None:
    """The step, the run, and the value that was no score."""
    scored = create_scorer("s", input=str, output=str).preprocess(pure(lambda _: 5))
    lost = scored.generate_score(lambda _: when(ok(7))).run_sync(RUN).failure()
    assert isinstance(lost.cause, InvalidScore)
    assert (lost.step, lost.score, lost.run_id) == ("generate_score", None, RUN.run_id)
    assert [(step.step, step.value) for step in lost.steps] == [("preprocess", 5), ("generate_score", 7)]
