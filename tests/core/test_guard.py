"""User code may raise anything; every exchange is kept, in linear time, with its judge and its place."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
from core.canned import CANNED, Canned, Told, reply
from returns.result import Result

from scorewright import Evaluation, Outcome, Run, Scorer, Step, create_scorer, err, ok, prompt, pure, then
from scorewright.core import Again, Ask, Done, Fork, JudgeReply, JudgeRequest, both, gather, iterate
from scorewright.faults import EmptyReply, JudgeFault, StepRaised

RUN = Run("in", "out")


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")

    def __repr__(self) -> str:
        raise ValueError("no words")


def deep() -> None:
    deep()


EXCEPTIONS: dict[str, Callable[[], object]] = {
    "ValueError": lambda: raising(ValueError("boom")),
    "StopIteration": lambda: raising(StopIteration()),
    "StopAsyncIteration": lambda: raising(StopAsyncIteration()),
    "RecursionError": deep,
    "AssertionError": lambda: raising(AssertionError()),
    "MemoryError": lambda: raising(MemoryError()),
    "Unspeakable": lambda: raising(Unspeakable()),
    "ExceptionGroup": lambda: raising(ExceptionGroup("many", [ValueError("one")])),
    "UnicodeDecodeError": b"\xff".decode,
    "TimeoutError": lambda: raising(TimeoutError()),
}


def raising(exception: Exception) -> None:
    raise exception


def asking(prompt: str) -> Outcome[str, JudgeFault]:
    return Ask(JudgeRequest(prompt), lambda said: said.answer)


def at_call(boom: Callable[[], object]) -> Outcome[str, object]:
    boom()
    return ok("")


def in_await(boom: Callable[[], object]) -> Outcome[str, object]:
    async def wait() -> Result[str, object]:
        boom()
        return ok("")

    return wait()


def after_a_pause(boom: Callable[[], object]) -> Outcome[str, object]:
    async def wait() -> Result[str, object]:
        await asyncio.sleep(0)
        boom()
        return ok("")

    return wait()


def in_resume(boom: Callable[[], object]) -> Outcome[str, object]:
    return Ask(JudgeRequest("first"), lambda _: at_call(boom))


def in_a_later_resume(boom: Callable[[], object]) -> Outcome[str, object]:
    return then(asking("first"), lambda _: Ask(JudgeRequest("second"), lambda _: in_await(boom)))


def in_join(boom: Callable[[], object]) -> Outcome[str, object]:
    return Fork((lambda: asking("first"),), lambda _: at_call(boom))


PLACES = {f.__name__: f for f in (at_call, in_await, after_a_pause, in_resume, in_a_later_resume, in_join)}


def scorer_of(step: Callable[..., Outcome[object, object]], judge: Canned | None = CANNED) -> Scorer[str, str]:
    return (
        create_scorer("guarded", input=str, output=str, judge=judge).preprocess(step).generate_score(pure(lambda _: 1))
    )


@pytest.mark.parametrize("kind", EXCEPTIONS)
@pytest.mark.parametrize("where", PLACES)
def test_a_step_that_raises_is_a_failure(where: str, kind: str) -> None:
    """Whatever is raised, at the call, in an await, in a resume or a join: `StepRaised`, and never out of `run`."""
    scorer = scorer_of(lambda _: PLACES[where](EXCEPTIONS[kind]))
    failure = scorer.run_sync(RUN, answer=Told("yes")).failure()
    assert failure.step == "preprocess"
    assert isinstance(failure.cause, StepRaised)
    in_coroutine = where in ("in_await", "after_a_pause", "in_a_later_resume")
    expected = "RuntimeError" if kind == "StopIteration" and in_coroutine else kind  # Python changes it there
    assert failure.cause.raised.kind == expected
    assert isinstance(failure.cause.raised.message, str)
    assert failure.cause.raised.trace
    asked = {"in_resume": ["first"], "in_join": ["first"], "in_a_later_resume": ["first", "second"]}.get(where, [])
    assert [said.request.prompt for said in failure.exchanges] == asked


@pytest.mark.parametrize("kind", EXCEPTIONS)
def test_a_judge_that_raises_is_unreachable(kind: str) -> None:
    """An answerer that breaks its promise gives the program a fault to resume with."""

    async def answer(_: JudgeRequest) -> JudgeReply:
        EXCEPTIONS[kind]()
        return reply("")

    failure = scorer_of(lambda _: asking("q")).run_sync(RUN, answer=answer).failure()
    assert type(failure.cause).__name__ == "Unreachable"
    assert len(failure.exchanges) == 1


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_the_process_passes_through(interrupt: type[BaseException]) -> None:
    """An interrupt is no fault of a step."""

    def step(_: object) -> Outcome[int, str]:
        raise interrupt

    with pytest.raises(interrupt):
        scorer_of(step).run_sync(RUN)


@pytest.mark.parametrize("answer", [0.5, None, "text", [ok(1)], ok, object()], ids=lambda given: type(given).__name__)
def test_a_bare_answer_is_told_how_to_be_mended(answer: object) -> None:
    """A step that answers no outcome, now or later, is told of ok, err and pure."""

    async def later(_: object) -> object:
        return answer

    for step in (lambda _: answer, later):
        failure = scorer_of(step).run_sync(RUN).failure()
        assert isinstance(failure.cause, StepRaised)
        for word in ("ok(", "err(", "pure(", type(answer).__name__):
            assert word in failure.cause.raised.message


def test_a_step_that_yields_is_told_how_to_be_mended() -> None:
    """Neither a generator nor an async generator is an outcome."""

    def yielding(_: object) -> object:
        yield ok(1)

    async def yielding_later(_: object) -> object:
        yield ok(1)

    for step in (yielding, yielding_later):
        assert "pure(" in scorer_of(step).run_sync(RUN).failure().cause.raised.message


def test_a_step_may_answer_something_awaitable_twice_over() -> None:
    """A coroutine of a coroutine, or a coroutine of an ask, is waited for to its end."""

    async def inner() -> Outcome[str, JudgeFault]:
        return asking("q")

    async def outer(_: object) -> Outcome[str, JudgeFault]:
        return inner()

    evaluation = scorer_of(outer).run_sync(RUN, answer=Told("yes")).unwrap()
    assert evaluation.steps[0].value == "yes"
    assert evaluation.steps[0].prompts == ("q",)


def test_every_exchange_is_kept_in_the_order_of_the_program() -> None:
    """Asks one after another, in forks and in forks of forks; a part's own exchanges stay together."""

    def step(_: object) -> Outcome[object, object]:
        return then(
            asking("1"),
            lambda _: then(
                both(
                    lambda: then(asking("2"), lambda _: asking("3")),
                    lambda: then(gather(lambda: asking("4"), lambda: asking("5")), lambda _: asking("6")),
                ),
                lambda _: asking("7"),
            ),
        )

    evaluation = scorer_of(step).run_sync(RUN, answer=Told(lambda prompt: prompt)).unwrap()
    assert evaluation.steps[0].prompts == ("1", "2", "3", "4", "5", "6", "7")
    assert [said.reply.answer for said in evaluation.exchanges] == [ok(n) for n in "1234567"]


def test_the_exchanges_of_failed_and_raising_parts_are_kept() -> None:
    """A part that fails or raises after it asked has asked all the same."""

    def raises() -> Outcome[str, object]:
        return Ask(JudgeRequest("raises"), lambda _: at_call(lambda: raising(ValueError("boom"))))

    def fails() -> Outcome[str, object]:
        return Ask(JudgeRequest("fails"), lambda _: err("failed"))

    evaluation = (
        scorer_of(lambda _: gather(raises, fails, lambda: asking("ends"))).run_sync(RUN, answer=Told("yes")).unwrap()
    )
    assert evaluation.steps[0].prompts == ("raises", "fails", "ends")
    raised, failed, ended = evaluation.steps[0].value
    assert isinstance(raised.failure(), StepRaised)
    assert (failed, ended) == (err("failed"), ok("yes"))


def test_a_fault_that_was_mended_is_an_exchange() -> None:
    """The trail of a step shows the failed reply as well as the one that helped."""

    def step(_: object) -> Outcome[str, JudgeFault]:
        return Ask(JudgeRequest("first"), lambda _: asking("second"))

    told = Told(lambda prompt: EmptyReply() if prompt == "first" else "yes")
    evaluation = scorer_of(step).run_sync(RUN, answer=told).unwrap()
    assert [said.reply.answer for said in evaluation.exchanges] == [err(EmptyReply()), ok("yes")]


def places_of(step: Callable[..., Outcome[object, object]]) -> list[str]:
    evaluation = scorer_of(step).run_sync(RUN, answer=Told("yes"))
    return [said.request.place for said in evaluation.unwrap().exchanges]


def test_places_name_step_turn_and_part() -> None:
    """Every ask of a program has a place of its own, which says nothing of the order of arrival."""

    def step(_: object) -> Outcome[object, object]:
        return then(
            asking("a"),
            lambda _: then(
                gather(lambda: then(asking("b"), lambda _: asking("b")), lambda: asking("b")), lambda _: asking("a")
            ),
        )

    places = places_of(step)
    assert len(set(places)) == len(places) == 5
    assert all(place.startswith("preprocess[") for place in places)
    assert places == places_of(step)


def test_an_ask_is_bound_to_its_judge() -> None:
    """A prompt inside a user's function is asked of the scorer's judge; what a step's judge leaves open is filled."""
    outer = Canned("yes", "outer", "kind")

    def step(_: object) -> Outcome[object, object]:
        own = Canned("no", "", "strict")
        return both(lambda: asking("a"), lambda: Ask(JudgeRequest("b", judge=own), lambda said: said.answer))

    evaluation = scorer_of(step, outer).run_sync(RUN).unwrap()
    assert [said.request.judge for said in evaluation.exchanges] == [outer, Canned("no", "outer", "strict")]
    assert evaluation.steps[0].value == ("yes", "no")


def test_an_ask_without_any_judge_is_a_fault() -> None:
    """Where no judge can be seen when the scorer is written, its absence is a fault when it is asked."""
    failure = scorer_of(lambda _: asking("q"), None).run_sync(RUN).failure()
    assert type(failure.cause).__name__ == "NoJudge"
    assert [said.request.prompt for said in failure.exchanges] == ["q"]


def seconds_of(asks: int, body: Callable[[int], Outcome[Again[int] | Done[int], object]]) -> float:
    said = reply("")

    async def answer(_: JudgeRequest) -> JudgeReply:
        return said

    began = time.perf_counter()
    evaluation: Evaluation = scorer_of(lambda _: iterate(asks, body)).run_sync(RUN, answer=answer).unwrap()
    took = time.perf_counter() - began
    assert len(evaluation.exchanges) >= asks
    return took


def one_ask(left: int) -> Outcome[Again[int] | Done[int], object]:
    return Ask(JudgeRequest("q"), lambda _: ok(Again(left - 1) if left > 1 else Done(0)))


def forked_ask(left: int) -> Outcome[Again[int] | Done[int], object]:
    return then(gather(lambda: asking("q")), lambda _: ok(Again(left - 1) if left > 1 else Done(0)))


@pytest.mark.parametrize("body", [one_ask, forked_ask])
def test_exchanges_are_kept_in_linear_time(body: Callable[[int], Outcome[Again[int] | Done[int], object]]) -> None:
    """Ten times as many asks in one step take about ten times as long, and never twenty."""
    seconds_of(100, body)
    small = min(seconds_of(1_000, body) for _ in range(3))
    large = min(seconds_of(10_000, body) for _ in range(2))
    assert large < 20 * small


def test_a_prompt_called_on_a_value_of_ones_own_is_recorded_too() -> None:
    """Prompts are functions, of a step or of anything."""

    def step(given: Step[str, str, None, None]) -> Outcome[bool, JudgeFault]:
        return prompt(bool, lambda text: f"Is {text} right?")(given.run.output)

    evaluation = scorer_of(step).run_sync(RUN, answer=Told("true")).unwrap()
    assert evaluation.steps[0].value is True
    assert evaluation.steps[0].prompts == ("Is out right?",)
