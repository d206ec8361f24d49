"""One driver: it answers asks, lets parts advance, and leaves nothing behind when it is cancelled."""

from __future__ import annotations

import asyncio
import contextvars
import gc

import pytest
from core.canned import CANNED, Canned, Told, reply

from scorewright import Outcome, Run, Scorer, create_scorer, err, ok, pure, score_from, then
from scorewright.algebra import mean
from scorewright.core import Ask, Attempt, Fork, JudgeReply, JudgeRequest, gather, interpret
from scorewright.core.interpret import asking_once
from scorewright.faults import EmptyReply, JudgeFault, StepRaised, Unreachable

RUN = Run("in", "out")
TENANT: contextvars.ContextVar[str] = contextvars.ContextVar("TENANT", default="nobody")


def asking(text: str) -> Outcome[str, JudgeFault]:
    return Ask(JudgeRequest(text), lambda said: said.answer)


def scorer_of(step: object) -> Scorer[str, str]:
    return create_scorer("i", input=str, output=str, judge=CANNED).preprocess(step).generate_score(pure(lambda _: 1))


def test_a_bare_program_can_be_interpreted() -> None:
    """A program need not belong to a scorer."""
    program = then(asking("a"), lambda said: gather(lambda: asking(said + "b"), lambda: ok(2)))
    assert asyncio.run(interpret(program, Told(lambda asked: asked))) == ok((ok("ab"), ok(2)))


def test_a_part_of_a_bare_fork_that_raises_is_a_result() -> None:
    """Also where no scorer stands around it; what a calculation raised is told as it was."""

    def boom() -> Outcome[int, object]:
        raise ValueError("boom")

    def calculate(_: object, __: bool) -> float:
        raise ZeroDivisionError("calculated")

    first, second = asyncio.run(
        interpret(gather(boom, lambda: score_from(bool, lambda _: "q", calculate)("x")), Told("true"))
    ).unwrap()
    assert [each.failure().raised.kind for each in (first, second)] == ["ValueError", "ZeroDivisionError"]
    assert isinstance(first.failure(), StepRaised)


def test_a_judge_that_raises_resumes_the_program() -> None:
    """Its fault says what was raised."""

    async def answer(_: JudgeRequest) -> JudgeReply:
        raise ConnectionError("gone")

    fault = asyncio.run(interpret(asking("a"), answer)).failure()
    assert isinstance(fault, Unreachable)
    assert "ConnectionError: gone" in fault.why


@pytest.mark.parametrize("where", ["ask", "await", "fork", "preparation"])
def test_cancellation_propagates_and_leaves_nothing(where: str) -> None:
    """A cancelled run is no failure: the caller sees `CancelledError`, all parts are ended, no task is left."""
    ended: list[str] = []

    async def forever(name: str) -> JudgeReply:
        reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)
        return reply("")

    async def answer(request: JudgeRequest) -> JudgeReply:
        return await forever(request.prompt)

    async def wait(_: object) -> object:
        return await forever("await")

    steps = {
        "ask": lambda _: asking("ask"),
        "await": wait,
        "fork": lambda _: gather(lambda: asking("a"), lambda: asking("b"), lambda: wait(0)),
        "preparation": lambda _: ok(1),
    }

    async def cancelled() -> None:
        nonlocal reached
        reached = asyncio.Event()
        options = {"prepare_run": wait} if where == "preparation" else {}
        scorer = (
            create_scorer("c", input=str, output=str, judge=CANNED, **options)
            .preprocess(steps[where])
            .generate_score(pure(lambda _: 1))
        )
        task = asyncio.create_task(scorer.run(RUN, answer=answer))
        await reached.wait()
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    reached = None
    asyncio.run(cancelled())
    gc.collect()
    assert sorted(ended) == {"fork": ["a", "await", "b"]}.get(where, ["await" if where == "preparation" else where])


def test_a_deadline_around_a_run_is_the_callers() -> None:
    """`asyncio.timeout` ends a run as it ends anything else."""

    async def never(_: JudgeRequest) -> JudgeReply:
        await asyncio.Event().wait()
        return reply("")

    async def bounded() -> None:
        async with asyncio.timeout(0.01):
            await scorer_of(lambda _: asking("a")).run(RUN, answer=never)

    with pytest.raises(TimeoutError):
        asyncio.run(bounded())


async def tenant(_: object) -> object:
    await asyncio.sleep(0)
    return ok(TENANT.get())


@pytest.mark.parametrize(
    "step", [tenant, lambda _: ok(TENANT.get()), lambda _: gather(lambda: tenant(0))], ids=["async", "plain", "forked"]
)
def test_steps_see_the_callers_context_variables(step: object) -> None:
    """In `run` and in `run_sync`, in async steps and in parts of a fork."""

    def both_ways() -> list[object]:
        TENANT.set("acme")
        scorer = scorer_of(step)
        return [result.unwrap().steps[0].value for result in (scorer.run_sync(RUN), asyncio.run(scorer.run(RUN)))]

    sync, later = contextvars.copy_context().run(both_ways)
    assert sync == later == ((ok("acme"),) if isinstance(sync, tuple) else "acme")
    assert TENANT.get() == "nobody"


def test_the_answer_sees_the_callers_context_variables() -> None:
    """Whoever answers is called with the caller's context too."""

    async def answer(_: JudgeRequest) -> JudgeReply:
        return reply(TENANT.get())

    def call() -> object:
        TENANT.set("acme")
        return scorer_of(lambda _: asking("a")).run_sync(RUN, answer=answer).unwrap().steps[0].value

    assert contextvars.copy_context().run(call) == "acme"


def test_an_empty_fork_is_joined() -> None:
    """A fork of nothing has no results."""
    assert asyncio.run(interpret(Fork((), ok), Told(""))) == ok(())


def test_a_program_that_fails_is_a_failure() -> None:
    """Both sides come through as they are."""
    assert asyncio.run(interpret(err("x"), Told(""))) == err("x")


@pytest.mark.parametrize("where", ["async", "plain", "part", "answer", "preparation", "async-preparation"])
def test_a_cancellation_that_nobody_asked_for_is_a_fault(where: str) -> None:
    """A step that awaits what somebody else cancelled has raised; the evidence is kept, and nothing escapes."""

    def cancelled() -> object:
        raise asyncio.CancelledError

    async def awaits(_: object = None) -> object:
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        return await future

    step = {
        "async": awaits,
        "plain": lambda _: cancelled(),
        "part": lambda _: gather(awaits),
        "answer": lambda _: asking("a"),
    }.get(where, lambda _: ok(1))
    prepare = {"preparation": lambda _: cancelled(), "async-preparation": awaits}.get(where)
    scorer = create_scorer("c", input=str, output=str, judge=CANNED, prepare_run=prepare).preprocess(step)
    answer = awaits if where == "answer" else Told("")
    whole = scorer.generate_score(pure(lambda _: 1))
    for done in (whole.run_sync(RUN, answer=answer), asyncio.run(whole.run(RUN, answer=answer))):
        told = str(done.unwrap().steps[0].value if where == "part" else done.failure().cause)
        assert "CancelledError" in told


def scored_by(text: str, *, waits: int = 0, id: str = "s", read: type = float) -> Scorer[str, str]:
    async def wait(_: object) -> object:
        for _ in range(waits):
            await asyncio.sleep(0)
        return ok(1)

    draft = create_scorer(id, input=str, output=str, judge=CANNED).preprocess(wait)
    return draft.generate_score(score_from(read, lambda _: text, lambda _, __: 1))


def test_parts_side_by_side_ask_once_however_slow() -> None:
    """Also where one comes to its question when the other has its answer."""
    told = Told("1")
    mean(scored_by("q"), scored_by("q", waits=50, id="t")).run_sync(RUN, answer=told).unwrap()
    assert told.prompts == ["q"]


@pytest.mark.parametrize("nested", [False, True])
def test_what_comes_after_a_reply_asks_again(nested: bool) -> None:
    """The fallback is not handed the text on which the first failed, in whatever it was asked."""
    said = iter(["no number", "1", "1"])
    told = Told(lambda _: next(said))
    first = scored_by("q")
    failing = mean(first, scored_by("other", id="u")) if nested else first
    done = failing.or_else(scored_by("q", id="t")).run_sync(RUN, answer=told).unwrap()
    assert (done.score, told.prompts.count("q")) == (1.0, 2)


def test_a_shared_reply_can_be_mended_by_each() -> None:
    """Whoever shares it has the attempts left too; what they ask again alike is sent once again."""
    requests: list[JudgeRequest] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        requests.append(request)
        return JudgeReply(ok("1" if request.feedback else "no number"), attempts_left=2)

    whole = mean(scored_by("q"), scored_by("q", id="t"), scored_by("q", id="u", waits=50))
    assert whole.run_sync(RUN, answer=answer).unwrap().score == 1.0
    assert [bool(request.feedback) for request in requests] == [False, True]


def test_parts_of_two_forks_are_not_side_by_side() -> None:
    """What a later fork asks is asked anew, whichever part of it asks."""
    said = iter(["no number", "1"])
    told = Told(lambda asked: next(said) if asked == "q" else "1")
    first = mean(scored_by("q"), scored_by("other", id="u"))
    whole = first.or_else(mean(scored_by("another", id="v"), scored_by("q", id="t")))
    assert whole.run_sync(RUN, answer=told).unwrap().score == 1.0
    assert told.prompts.count("q") == 2


class Ends(BaseException):
    """As what ends a program is no `Exception`."""


@pytest.mark.parametrize("cause", [None, ValueError("why")], ids=["alone", "from another"])
def test_what_is_no_exception_comes_out_of_a_part_as_it_was_raised(cause: Exception | None) -> None:
    """Not in a group, and with its own cause."""
    end = Ends("now")

    async def raises() -> object:
        await asyncio.sleep(0)
        raise end from cause

    with pytest.raises(Ends) as raised:
        asyncio.run(interpret(gather(raises, lambda: ok(1)), Told("")))
    assert raised.value is end
    assert end.__cause__ is cause


@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_a_part_of_a_bare_fork_that_sees_another_cancelled_is_a_result(later: bool) -> None:
    """Nobody cancelled the part: it has raised, and the other parts go on."""

    def cancelled() -> Outcome[int, object]:
        raise asyncio.CancelledError("another")

    async def cancelled_later() -> Outcome[int, object]:
        await asyncio.sleep(0)
        return cancelled()

    program = gather(cancelled_later if later else cancelled, lambda: asking("q"))
    first, second = asyncio.run(interpret(program, Told("yes"))).unwrap()
    assert isinstance(first.failure(), StepRaised)
    assert (first.failure().raised.kind, first.failure().raised.message) == ("CancelledError", "another")
    assert second == ok("yes")


class Unknown(Canned):
    """A judge that does not say what shapes its answers."""

    @property
    def identity(self) -> str:
        return ""


@pytest.mark.parametrize(("judge", "times"), [(CANNED, 1), (Unknown(), 2)], ids=["known", "unknown"])
def test_only_judges_that_say_who_they_are_are_asked_once(judge: Canned, times: int) -> None:
    """Of two that say nothing nobody knows whether they are one."""
    draft = create_scorer("s", input=str, output=str, judge=judge)
    scorer = draft.generate_score(score_from(float, lambda _: "q", lambda _, score: score))
    told = Told("1")
    assert mean(scorer, scorer.named("t")).run_sync(RUN, answer=told).unwrap().score == 1.0
    assert told.prompts == ["q"] * times


def test_parts_of_parts_ask_once() -> None:
    """However deep they stand."""
    told = Told("1")
    inner = mean(scored_by("q"), scored_by("other", id="u"))
    whole = mean(mean(inner, scored_by("q", id="v")), scored_by("q", id="t"))
    assert whole.run_sync(RUN, answer=told).unwrap().score == 1.0
    assert sorted(told.prompts) == ["other", "q"]


@pytest.mark.parametrize("goes", ["first", "second"])
def test_a_part_that_is_cancelled_leaves_the_others_their_question(goes: str) -> None:
    """Who waited for the reply of one that went asks for itself; who went while it waited is missed by nobody."""
    sent: list[str] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        sent.append(request.prompt)
        if len(sent) == 1:
            await (asyncio.Event().wait() if goes == "first" else released.wait())
        return reply("1")

    async def both_of_them() -> list[object]:
        nonlocal released
        released = asyncio.Event()
        ask = asking_once(answer)
        tasks: list[asyncio.Task[object]] = []

        async def part(at: int) -> object:
            return await ask(JudgeRequest("q", place=f"{at}/preprocess[0]"))

        def started(at: int) -> Outcome[object, object]:
            task = asyncio.ensure_future(part(at))
            tasks.append(task)

            async def ended() -> object:
                await asyncio.wait([task])
                return ok(None if task.cancelled() else task.result())

            return ended()

        running = asyncio.ensure_future(interpret(gather(lambda: started(0), lambda: started(1)), answer))
        for _ in range(10):
            await asyncio.sleep(0)
        assert (len(tasks), sent) == (2, ["q"])
        tasks[["first", "second"].index(goes)].cancel()
        released.set()
        return [each.unwrap() for each in (await running).unwrap()]

    released: asyncio.Event | None = None
    ends = asyncio.run(both_of_them())
    gone = ["first", "second"].index(goes)
    assert ends[gone] is None
    assert ends[1 - gone].answer == ok("1")
    assert sent == ["q"] * (2 if goes == "first" else 1)


def test_what_is_asked_at_another_place_of_a_part_is_asked_anew() -> None:
    """A first sample is shared with a first one, and not with a second."""

    def asks(id: str, *texts: str) -> Scorer[str, str]:
        draft = create_scorer(id, input=str, output=str, judge=CANNED)
        first, *others = (lambda _, text=text: asking(text) for text in texts)
        step = first if not others else lambda given: then(first(given), others[0])
        return draft.preprocess(step).generate_score(pure(lambda _: 1))

    told = Told("1")
    mean(asks("s", "q"), asks("t", "x", "q"), asks("u", "q", "x")).run_sync(RUN, answer=told).unwrap()
    assert sorted(told.prompts) == ["q", "q", "x", "x"]


def test_a_shared_reply_costs_once() -> None:
    """Attempts and time belong to whoever sent it."""

    async def answer(_: JudgeRequest) -> JudgeReply:
        return JudgeReply(ok("1"), (Attempt(),), nanoseconds=7)

    whole = mean(scored_by("q"), scored_by("q", id="t"), scored_by("q", id="u", waits=50))
    said = whole.run_sync(RUN, answer=answer).unwrap().exchanges
    assert [(len(each.reply.attempts), each.reply.nanoseconds) for each in said] == [(1, 7), (0, 0), (0, 0)]


@pytest.mark.parametrize(("waits", "sent"), [(0, 1), (50, 2)], ids=["waiting", "later"])
def test_a_failed_reply_is_shared_only_with_those_that_wait(waits: int, sent: int) -> None:
    """Who comes to the question later asks anew."""
    said = iter([EmptyReply(), "1"])
    prompts: list[str] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        prompts.append(request.prompt)
        await asyncio.sleep(0)
        return reply(next(said))

    failure = mean(scored_by("q"), scored_by("q", id="t", waits=waits)).run_sync(RUN, answer=answer).failure()
    assert failure.cause.causes == (EmptyReply(),) * (3 - sent)
    assert prompts == ["q"] * sent
