"""User code may raise anything; every exchange is kept, in linear time, with its judge and its place."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

import attrs
import pytest
from core.canned import CANNED, Canned, Told, reply
from returns.result import Result

from scorewright import (
    Evaluation,
    Outcome,
    Run,
    Scorer,
    Step,
    create_scorer,
    err,
    ok,
    prompt,
    pure,
    score_from,
    score_prompt,
    then,
)
from scorewright.algebra import mean
from scorewright.core import Again, Answerer, Ask, Done, Fork, JudgeReply, JudgeRequest, both, gather, iterate
from scorewright.faults import Aborted, EmptyReply, JudgeFault, StepRaised

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


class Breaking(Canned):
    """A judge whose own code raises on the second ask: on its way out, or when it is filled."""

    def __init__(self, where: str) -> None:
        object.__setattr__(self, "where", where)
        object.__setattr__(self, "asked", [])
        super().__init__("5")

    def _seen(self, where: str) -> None:
        if where == self.where.removesuffix(" later"):
            self.asked.append(where)
            if len(self.asked) == 2:
                raise ValueError("boom")

    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        async def later() -> Result[JudgeRequest, JudgeFault]:
            self._seen("incoming")
            return ok(request)

        if self.where.endswith("later"):
            return later()
        self._seen("incoming")
        return ok(request)

    def outgoing(self, reply: JudgeReply, /) -> Outcome[JudgeReply, object]:
        self._seen("outgoing")
        return ok(reply)

    def filled(self, _outer: object, /) -> Canned:
        self._seen("filled")
        return self


def in_turn(judge: Canned) -> Outcome[object, object]:
    return then(asking_of(judge, "a"), lambda _: asking_of(judge, "b"))


async def in_turn_later(judge: Canned) -> object:
    await asyncio.sleep(0)
    return in_turn(judge)


def in_parts(judge: Canned) -> Outcome[object, object]:
    def last(parts: tuple[Result[object, object], ...]) -> Outcome[object, object]:
        return parts[1]

    return then(gather(lambda: asking_of(judge, "a"), lambda: asking_of(judge, "b")), last)


def asking_of(judge: Canned, text: str) -> Outcome[str, JudgeFault]:
    return Ask(JudgeRequest(text, judge=judge), lambda said: said.answer)


@pytest.mark.parametrize("ask", [in_turn, in_turn_later, in_parts])
@pytest.mark.parametrize("where", ["incoming", "incoming later", "outgoing", "filled"])
def test_what_a_judges_own_code_raises_is_the_steps_fault(where: str, ask: Callable[[Canned], object]) -> None:
    """After something was paid nothing raises, and what was paid is kept."""
    for sync in (True, False):
        scorer = scorer_of(lambda _: ask(Breaking(where)))
        result = scorer.run_sync(RUN) if sync else asyncio.run(scorer.run(RUN))
        assert isinstance(result.failure().cause, StepRaised)
        assert (result.failure().cause.raised.kind, result.failure().cause.raised.message) == ("ValueError", "boom")
        assert next(iter(result.failure().exchanges)).request.prompt == "a"


def test_an_ask_without_any_judge_is_a_fault() -> None:
    """Where no judge can be seen when the scorer is written, its absence is a fault when it is asked."""
    failure = scorer_of(lambda _: asking("q"), None).run_sync(RUN).failure()
    assert type(failure.cause).__name__ == "NoJudge"
    assert [said.request.prompt for said in failure.exchanges] == ["q"]


def calls_of(asks: int, body: Callable[[int], Outcome[Again[int] | Done[int], object]]) -> int:
    """How many functions are called, of Python and of C, to score a run and to read its exchanges."""
    said, calls = reply(""), 0

    async def answer(_: JudgeRequest) -> JudgeReply:
        return said

    def count(_frame: object, event: str, _given: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    async def scored() -> Evaluation:
        sys.setprofile(count)
        try:
            result = await scorer_of(lambda _: iterate(asks, body)).run(RUN, answer=answer)
            assert len(result.unwrap().exchanges) >= asks
            return result.unwrap()
        finally:
            sys.setprofile(None)

    asyncio.run(scored())
    return calls


def one_ask(left: int) -> Outcome[Again[int] | Done[int], object]:
    return Ask(JudgeRequest("q"), lambda _: ok(Again(left - 1) if left > 1 else Done(0)))


def forked_ask(left: int) -> Outcome[Again[int] | Done[int], object]:
    return then(gather(lambda: asking("q")), lambda _: ok(Again(left - 1) if left > 1 else Done(0)))


@pytest.mark.parametrize("body", [one_ask, forked_ask])
def test_exchanges_are_kept_in_linear_time(body: Callable[[int], Outcome[Again[int] | Done[int], object]]) -> None:
    """Ten times as many asks in one step take about ten times as many calls."""
    small, large = calls_of(300, body), calls_of(3_000, body)
    assert 9 * small < large < 11 * small


def test_a_prompt_called_on_a_value_of_ones_own_is_recorded_too() -> None:
    """Prompts are functions, of a step or of anything."""

    def step(given: Step[str, str, None, None]) -> Outcome[bool, JudgeFault]:
        return prompt(bool, lambda text: f"Is {text} right?")(given.run.output)

    evaluation = scorer_of(step).run_sync(RUN, answer=Told("true")).unwrap()
    assert evaluation.steps[0].value is True
    assert evaluation.steps[0].prompts == ("Is out right?",)


class Odd(Canned):
    """A judge whose processors answer with something else than they were given."""

    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        return ok("text") if self.name == "incoming" else super().incoming(request)

    def outgoing(self, reply: JudgeReply, /) -> object:
        return ok(5) if self.name == "outgoing" else super().outgoing(reply)


@pytest.mark.parametrize("which", ["incoming", "outgoing"])
def test_what_processors_give_is_checked(which: str) -> None:
    """Another thing than a request, or than a reply, stops the ask with a sentence."""
    scorer = create_scorer("o", input=str, output=str, judge=Odd(name=which)).generate_score(
        score_prompt(lambda _: "q")
    )
    failure = mean(scorer, scorer).run_sync(RUN, answer=Told('{"score": 1}')).failure()
    told = {
        "incoming": "it gave ok(str): ok(JudgeRequest) is due",
        "outgoing": "it gave ok(int): ok(JudgeReply) is due",
    }
    assert failure.cause.causes == (Aborted(which, told[which]),) * 2


@pytest.mark.parametrize("together", [both, gather])
def test_the_answer_of_a_calculation_that_raised_in_a_part_is_kept(together: Callable[..., object]) -> None:
    """The structured answer is the value of the step that failed with it."""

    def boom(_: object, __: bool) -> float:
        raise ValueError("boom")

    asked = score_from(bool, lambda _: "q", boom)

    def step(given: object) -> object:
        ends = together(lambda: asked(given), lambda: ok(1))
        return ends if together is both else then(ends, lambda results: results[0])

    failure = scorer_of(step).run_sync(RUN, answer=Told("true")).failure()
    assert (failure.steps[0].value, failure.cause.raised.message) == (True, "boom")


class Choosing(Canned):
    """A judge that the request context decides, and cannot."""

    def resolved(self, context: object, /) -> Answerer:
        raise LookupError("no tenant", context)


def test_a_judge_is_decided_when_it_is_asked() -> None:
    """What the decision raises is the fault of the step that asks, and replaces no other fault."""

    def scored(step: object) -> Scorer[str, str]:
        draft = create_scorer("c", input=str, output=str, judge=Choosing())
        return draft.preprocess(step).generate_score(pure(lambda _: 1))

    async def later(_: object) -> object:
        return err("mine")

    async def asks(_: object) -> object:
        return asking("q")

    assert scored(lambda _: err("mine")).run_sync(RUN).failure().cause == "mine"
    assert scored(later).run_sync(RUN).failure().cause == "mine"
    for step in (asks, lambda _: asking("q"), lambda _: both(lambda: asking("q"), lambda: ok(1))):
        failure = scored(step).run_sync(RUN).failure()
        assert (failure.step, failure.cause.raised.kind) == ("preprocess", "LookupError")


class Refusing(Canned):
    """A judge whose processors refuse what holds a secret."""

    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        return err(Aborted("secrets", "one")) if "secret" in request.prompt else ok(request)


def test_what_a_processor_refused_is_in_evidence_without_its_prompt() -> None:
    """The step may go on with the fault; the next question is asked of the same judge, at the next place."""
    replies: list[JudgeReply] = []

    def step(_: object) -> Outcome[str, JudgeFault]:
        def resume(said: JudgeReply) -> Outcome[str, JudgeFault]:
            replies.append(said)
            return asking("plain")

        return then(asking("first"), lambda _: Ask(JudgeRequest("a secret"), resume))

    evaluation = scorer_of(step, Refusing("yes")).run_sync(RUN).unwrap()
    said = [(each.request.prompt, each.request.place, each.request.judge) for each in evaluation.exchanges]
    assert said == [
        ("first", "preprocess[0]", Refusing("yes")),
        ("", "preprocess[1]", Refusing("yes")),
        ("plain", "preprocess[2]", Refusing("yes")),
    ]
    assert [each.reply.answer for each in evaluation.exchanges] == [
        ok("yes"),
        err(Aborted("secrets", "one")),
        ok("yes"),
    ]
    assert [each.answer for each in replies] == [err(Aborted("secrets", "one"))]


def test_places_are_known() -> None:
    """As recordings of long ago have them: step, n-th exchange, part of a fork."""

    def step(_: object) -> Outcome[object, object]:
        return then(
            asking("a"),
            lambda _: then(
                gather(lambda: then(asking("b"), lambda _: asking("c")), lambda: gather(lambda: asking("d"))),
                lambda _: asking("e"),
            ),
        )

    assert places_of(step) == [
        "preprocess[0]",
        "preprocess[1].0[0]",
        "preprocess[1].0[1]",
        "preprocess[1].1[0].0[0]",
        "preprocess[2]",
    ]


def cancelled() -> Outcome[str, object]:
    raise asyncio.CancelledError("another")


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        (lambda _: Ask(JudgeRequest("first"), lambda _: cancelled()), ["first"]),
        (lambda _: Fork((lambda: asking("first"),), lambda _: cancelled()), ["first"]),
        (lambda _: Ask(JudgeRequest("first"), lambda _: gather(cancelled)), ["first"]),
    ],
    ids=["resume", "join", "part"],
)
def test_a_cancellation_that_nobody_asked_for_is_a_fault_wherever_it_is_raised(
    step: Callable[..., Outcome[object, object]], asked: list[str]
) -> None:
    """At a call: after a reply, after the parts, and in a part; what was asked before is kept."""
    for result in (
        scorer_of(step).run_sync(RUN, answer=Told("yes")),
        asyncio.run(scorer_of(step).run(RUN, answer=Told("yes"))),
    ):
        ended = result.value_or(None) or result.failure()
        fault = ended.steps[0].value[0].failure() if isinstance(ended, Evaluation) else ended.cause
        assert isinstance(fault, StepRaised)
        assert (fault.raised.kind, fault.raised.message) == ("CancelledError", "another")
        assert [said.request.prompt for said in ended.exchanges] == asked


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_the_process_passes_through_after_a_reply(interrupt: type[BaseException]) -> None:
    """As it does at the first call."""

    def end() -> Outcome[str, object]:
        raise interrupt

    with pytest.raises(interrupt):
        scorer_of(lambda _: Ask(JudgeRequest("q"), lambda _: end())).run_sync(RUN, answer=Told("yes"))


def test_a_bare_answer_after_a_reply_keeps_the_exchange() -> None:
    """The reply was paid for."""
    failure = scorer_of(lambda _: Ask(JudgeRequest("q"), lambda _: 5)).run_sync(RUN, answer=Told("yes")).failure()
    assert "a step answered int" in failure.cause.raised.message
    assert [said.request.prompt for said in failure.exchanges] == ["q"]


@attrs.frozen
class Counting(Canned):
    """A judge whose processors count what they see."""

    seen: list[str] = attrs.field(factory=list, eq=False)

    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        self.seen.append(f"in {request.prompt}")
        return ok(request)

    def outgoing(self, reply: JudgeReply, /) -> Outcome[JudgeReply, object]:
        self.seen.append(f"out {reply.answer.unwrap()}")
        return ok(attrs.evolve(reply, answer=ok("seen")))


@pytest.mark.parametrize("judge", [CANNED, Counting("yes")], ids=["plain", "with processors"])
def test_every_ask_of_a_step_has_the_judge_wherever_it_is_asked(judge: Canned) -> None:
    """After a reply, in a part, and after the parts."""

    def step(_: object) -> Outcome[object, object]:
        return then(
            then(asking("a"), lambda _: asking("b")),
            lambda _: then(gather(lambda: then(asking("c"), lambda _: asking("d"))), lambda _: asking("e")),
        )

    evaluation = scorer_of(step, judge).run_sync(RUN).unwrap()
    assert [(said.request.prompt, said.request.judge) for said in evaluation.exchanges] == [
        (prompt, judge) for prompt in "abcde"
    ]
    assert [said.request.place for said in evaluation.exchanges] == [
        "preprocess[0]",
        "preprocess[1]",
        "preprocess[2].0[0]",
        "preprocess[2].0[1]",
        "preprocess[3]",
    ]


def test_processors_see_a_request_once_however_deep_its_scorer_stands() -> None:
    """The scorer whose judge it is has shown it to them; the scorers around it do not show it again."""
    judge = Counting("yes")
    inner = scorer_of(lambda _: asking("q"), judge)
    whole = mean(inner, inner.named("other"))
    assert whole.run_sync(RUN).unwrap().score == 1.0
    assert judge.seen == ["in q", "in q", "out yes", "out yes"]


def test_what_a_processor_gave_wrongly_stands_behind_what_was_asked_before() -> None:
    """In the evidence of the step; the request as it was is not shown."""

    @attrs.frozen
    class Second(Canned):
        def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
            return ok("text") if request.prompt == "second" else ok(request)

    failure = scorer_of(lambda _: then(asking("first"), lambda _: asking("second")), Second()).run_sync(RUN).failure()
    assert failure.cause == Aborted("incoming", "it gave ok(str): ok(JudgeRequest) is due")
    assert [said.request.prompt for said in failure.exchanges] == ["first", ""]


def test_what_a_processor_says_of_a_reply_is_what_the_step_sees_and_not_what_is_kept() -> None:
    """The evidence has the reply as it came, and the request as it was sent."""
    evaluation = scorer_of(lambda _: asking("q"), Counting("yes")).run_sync(RUN).unwrap()
    (said,) = evaluation.exchanges
    assert (evaluation.steps[0].value, said.reply.answer, said.request.prompt) == ("seen", ok("yes"), "q")


def test_what_is_awaited_after_a_reply_goes_on_where_it_was() -> None:
    """The next ask has the next place and the judge, and everything that was asked is kept: when it is told, too."""

    def step(_: object) -> Outcome[object, object]:
        async def later() -> Outcome[str, object]:
            await asyncio.sleep(0)
            return then(asking("b"), lambda _: in_await(lambda: raising(ValueError("boom"))))

        return Ask(JudgeRequest("a"), lambda _: later())

    failure = scorer_of(step).run_sync(RUN).failure()
    said = [(each.request.prompt, each.request.place, each.request.judge) for each in failure.exchanges]
    assert said == [("a", "preprocess[0]", CANNED), ("b", "preprocess[1]", CANNED)]
    assert failure.cause.raised.message == "boom"


def test_a_cancellation_that_is_awaited_after_a_reply_keeps_the_exchange() -> None:
    """Nobody asked for it: it is a fault of the step, which has asked all the same."""

    async def later() -> Outcome[str, object]:
        await asyncio.sleep(0)
        return cancelled()

    failure = scorer_of(lambda _: Ask(JudgeRequest("a"), lambda _: later())).run_sync(RUN).failure()
    assert failure.cause.raised.kind == "CancelledError"
    assert [each.request.prompt for each in failure.exchanges] == ["a"]


@attrs.frozen
class AskingFirst(Canned):
    """A judge whose processor asks another one whether it may be asked."""

    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        return then(asking_of(CANNED, f"May I ask {request.prompt}?"), lambda _: ok(request))


def test_what_a_processor_asks_is_in_evidence_before_the_question() -> None:
    """At its own place of the step."""
    evaluation = scorer_of(lambda _: then(asking("a"), lambda _: asking("b")), AskingFirst("yes")).run_sync(RUN)
    said = [(each.request.prompt, each.request.place) for each in evaluation.unwrap().exchanges]
    assert [prompt for prompt, _ in said] == ["May I ask a?", "a", "May I ask b?", "b"]
    assert all(place.startswith("preprocess[") for _, place in said)


class Strict(Canned):
    """A judge that is only filled from a judge."""

    def filled(self, outer: Answerer, /) -> Answerer:
        assert isinstance(outer, Answerer)
        return super().filled(outer)


def test_a_judge_of_ones_own_needs_none_around_it() -> None:
    """Without a scorer's judge there is nothing to fill it from."""
    evaluation = scorer_of(lambda _: asking_of(Strict("yes"), "q"), None).run_sync(RUN).unwrap()
    assert (evaluation.steps[0].value, evaluation.exchanges[0].request.judge) == ("yes", Strict("yes"))
