"""What was begun and is not needed is closed: no coroutine is left for the garbage collector to complain of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from inspect import CORO_CLOSED, getcoroutinestate

import pytest
from algebra.leaves import RUN, Answers, Any, Leaf, Panel, fixed

from scorewright import create_scorer, ok, pure, score_prompt
from scorewright.algebra import all_of, any_of, cascade, mean, renormalise, repeat, weighted
from scorewright.core.interpret import interpreted

Begun = list[Coroutine[object, object, object]]


def waiting(begun: Begun, id: str = "waits") -> Any:
    """A scorer whose first step is a coroutine; keeps hold of each that it began."""

    async def later() -> object:
        await asyncio.sleep(0)
        return ok(1)

    def step(_: object) -> object:
        begun.append(later())
        return begun[-1]

    return create_scorer(id, input=str, output=str).preprocess(step).generate_score(pure(lambda _: 1.0))


def raising() -> Any:
    """A scorer that raises: the evidence keeps the exception, and that keeps whatever its frames hold."""
    return Leaf("raises", 0.0, "raises").scorer()


FORMS: dict[str, Callable[[Any, Any], Any]] = {
    "itself": lambda a, _: a,
    "adapted": lambda a, _: a.contramap_input(str, str).map_score(abs).map_reason(str).named("other"),
    "with a fault of its own": lambda a, _: a.map_fault(str),
    "first of two": lambda a, b: a.or_else(b),
    "second of two": lambda a, _: fixed("x", 0.5).when(lambda _: False).or_else(a),
    "twice": lambda a, _: repeat(a, 2),
    "a mean": lambda a, b: mean(a, b, fixed("x", 1)),
    "a mean of means": lambda a, b: mean(mean(a, b), mean(b, a)),
    "a pair": lambda a, b: a.zip(b).generate_score(lambda x, y: x.score * y.score),
    "a decision": lambda a, b: any_of(a, b).passing(0.5),
    "beside an exception that is kept": lambda a, b: all_of(
        raising().or_else(fixed("z", 1)), a.passing(0.5).or_else(b)
    ),
    "when it may": lambda a, _: a.when(lambda _: True),
    "weighted": lambda a, b: weighted((1, a), (2, b)).rescale(),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("sync", [True, False], ids=["sync", "async"])
def test_what_a_decision_does_not_need_is_closed(form: Callable[[Any, Any], Any], sync: bool) -> None:
    """However deep inside: as soon as the whole is decided, and while others still hold on to it."""
    begun: Begun = []
    inside = form(waiting(begun), waiting(begun, "waits too"))
    scorer = all_of(fixed("no", 0), inside)
    end = scorer.run_sync(RUN) if sync else asyncio.run(scorer.run(RUN))
    assert end.unwrap().score == 0.0
    assert begun
    assert [getcoroutinestate(each) for each in begun] == [CORO_CLOSED] * len(begun)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_what_is_needed_is_awaited_once(form: Callable[[Any, Any], Any]) -> None:
    """And every coroutine that was begun has come to its end."""
    begun: Begun = []
    inside = form(waiting(begun), waiting(begun, "waits too"))
    assert all_of(fixed("yes", 1), inside).run_sync(RUN).unwrap().score == 1.0
    assert begun
    assert [getcoroutinestate(each) for each in begun] == [CORO_CLOSED] * len(begun)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_cancelled_run_closes_what_it_began(form: Callable[[Any, Any], Any]) -> None:
    """Whatever had begun by then."""
    begun: Begun = []
    scorer = mean(form(waiting(begun), waiting(begun, "waits too")), waiting(begun, "third"))

    async def cancelled() -> None:
        task = asyncio.create_task(scorer.run(RUN))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    assert begun
    assert [getcoroutinestate(each) for each in begun] == [CORO_CLOSED] * len(begun)


@pytest.mark.parametrize(
    "make",
    [
        mean,
        lambda a, b: mean(a, mean(b, a, id="inner"), policy=renormalise),
        lambda a, b: a.zip(b).generate_score(lambda x, y: x.score * y.score),
        lambda a, b: mean(cascade(fixed("cheap", 0.5), a, doubt=(0, 1)), b),
    ],
    ids=["mean", "nested", "zip", "cascade"],
)
def test_an_outcome_can_be_interpreted_twice(make: Callable[[Any, Any], Any]) -> None:
    """Each time it comes to the same, whether parts ask at once or wait first."""
    begun: Begun = []
    asks = create_scorer("asks", input=str, output=str, judge=Panel()).generate_score(score_prompt(lambda _: "rate"))
    for parts in ((waiting(begun), asks), (asks, waiting(begun)), (waiting(begun), waiting(begun, "other"))):
        outcome = make(*parts).program(RUN)

        async def twice(outcome: object = outcome) -> list[object]:
            return [await interpreted(outcome, Answers()) for _ in range(2)]

        first, second = asyncio.run(twice())
        assert first == second == make(*parts).run_sync(RUN, answer=Answers())
    assert [getcoroutinestate(each) for each in begun] == [CORO_CLOSED] * len(begun)
