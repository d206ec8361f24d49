"""What is open while judges are asked is kept for its loop, and closed with it."""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import subprocess
import sys
import textwrap
import weakref

import pytest
from core.canned import CANNED
from fakes.openai_server import FakeOpenAI, said, status

from scorewright import Bench, Judge, Run, Scorer, create_scorer, plan, score_prompt
from scorewright.core import JudgeRequest
from scorewright.core.budget import Budget
from scorewright.faults import NoJudge

RUN = Run("in", "out")
KEY = "sk-very-secret-0123456789"


def judged(base_url: str) -> Scorer[str, str]:
    return create_scorer("j", input=str, output=str, judge=Judge("fake", base_url=base_url)).generate_score(
        score_prompt(lambda _: "q")
    )


def half(_: object, __: int) -> object:
    return said('{"score": 0.5}')


class Opened:
    """Something that is opened and closed, and counts both."""

    def __init__(self, fails: int = 0) -> None:
        self.fails, self.opened, self.closed = fails, 0, 0

    async def __aenter__(self) -> Opened:
        await asyncio.sleep(0)
        self.opened += 1
        if self.opened <= self.fails:
            raise OSError("not yet")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed += 1


def test_what_is_kept_is_opened_once_and_closed_with_the_bench() -> None:
    """Many askers at once share one; another key is another thing."""

    async def scenario() -> None:
        one, two = Opened(), Opened()
        async with Bench() as bench:
            found = await asyncio.gather(*(bench.keep("one", lambda: one) for _ in range(20)))
            assert all(each is one for each in found)
            assert await bench.keep("two", lambda: two) is two
            assert (one.opened, two.opened, one.closed, two.closed) == (1, 1, 0, 0)
        assert (one.opened, one.closed, two.closed) == (1, 1, 1)

    asyncio.run(scenario())


def test_an_asker_that_is_cancelled_does_not_close_what_others_wait_for() -> None:
    """Opening goes on for the others."""

    async def scenario() -> None:
        opened = Opened()
        async with Bench() as bench:
            first = asyncio.create_task(bench.keep("k", lambda: opened))
            second = asyncio.create_task(bench.keep("k", lambda: opened))
            await asyncio.sleep(0)
            first.cancel()
            assert await second is opened
        assert opened.opened == 1

    asyncio.run(scenario())


def test_what_could_not_be_opened_is_opened_anew() -> None:
    """One failure is not kept for ever, and leaves no exception that nobody looked at."""

    async def scenario() -> None:
        opened = Opened(fails=1)
        async with Bench() as bench:
            with pytest.raises(OSError, match="not yet"):
                await bench.keep("k", lambda: opened)
            assert await bench.keep("k", lambda: opened) is opened
        assert (opened.opened, opened.closed) == (2, 1)

    asyncio.run(scenario())
    gc.collect()


def test_without_a_judge_the_reply_is_a_fault() -> None:
    """Nobody is asked."""
    assert asyncio.run(Bench().answer(JudgeRequest("q"))).answer.failure() == NoJudge()


def test_connections_are_kept_between_calls_of_run_sync() -> None:
    """Ten runs come over one connection: the server sees one port."""
    with FakeOpenAI(half) as server:
        scorer = judged(server.base_url)
        for _ in range(10):
            assert scorer.run_sync(RUN).unwrap().score == 0.5
        assert len({request.port for request in server.requests}) == 1
        assert len(server.requests) == 10


def test_connections_are_kept_within_one_loop() -> None:
    """Runs that are awaited one after another share theirs; a bench that was given is used by all."""

    async def several(scorer: Scorer[str, str], **options: object) -> None:
        for _ in range(3):
            (await scorer.run(RUN, **options)).unwrap()

    async def on_a_bench(scorer: Scorer[str, str]) -> None:
        async with Bench() as bench:
            await several(scorer, answer=bench.answer)

    with FakeOpenAI(half) as server:
        asyncio.run(several(judged(server.base_url)))
        asyncio.run(on_a_bench(judged(server.base_url)))
        ports = [request.port for request in server.requests]
    assert len(set(ports[:3])) == len(set(ports[3:])) == 1
    assert ports[0] != ports[3]


ENDINGS = {
    "run_sync": "scorer.run_sync(RUN).unwrap()",
    "two loops": "[asyncio.run(scorer.run(RUN)).unwrap() for _ in range(2)]",
    "bench": """
async def main():
    async with Bench() as bench:
        (await scorer.run(RUN, answer=bench.answer)).unwrap()
asyncio.run(main())""",
    "everything": "asyncio.run(scorer.run(RUN)).unwrap(); scorer.run_sync(RUN).unwrap()",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_connections_are_closed_without_a_warning(ending: str) -> None:
    """At the end of the loop, of the bench, or of the process: no ResourceWarning, nothing on stderr."""
    script = textwrap.dedent("""
        import asyncio, gc, sys
        from core.test_bench import *
        scorer = judged(sys.argv[1])
    """)
    warned = ("-W", "error", "-W", "always::ResourceWarning")
    with FakeOpenAI(half) as server:
        env = os.environ | {"PYTHONPATH": os.pathsep.join(["src", "tests", *filter(None, sys.path)])}
        done = subprocess.run(
            [sys.executable, *warned, "-c", f"{script}\n{ENDINGS[ending]}\ngc.collect()", server.base_url],
            env=env, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_a_loop_that_ended_is_forgotten() -> None:
    """Loops come and go without growth: bench, clients and loop are collected."""

    async def scored() -> weakref.ref[asyncio.AbstractEventLoop]:
        scorer = create_scorer("c", input=str, output=str, judge=CANNED).generate_score(score_prompt(lambda _: "q"))
        (await scorer.run(RUN)).unwrap()
        return weakref.ref(asyncio.get_running_loop())

    loops = [asyncio.run(scored()) for _ in range(5)]
    gc.collect()
    assert [loop() for loop in loops] == [None] * 5


def test_keys_are_in_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither repr nor str nor pickle of a judge, a request, an evaluation or a fault holds the key."""
    monkeypatch.setenv("FAKE_KEY", KEY)
    judge = Judge("fake", base_url="http://127.0.0.1:1/v1", api_key_env="FAKE_KEY", instructions="Be fair.")

    def scorer(url: str) -> Scorer[str, str]:
        filled = Judge("fake", base_url=url, api_key_env="FAKE_KEY", max_processor_retries=0)
        return create_scorer("k", input=str, output=str, judge=filled).generate_score(score_prompt(lambda _: "q"))

    def answers(body: object, number: int) -> object:
        return said('{"score": 0.5}') if number == 0 else status(401, f"wrong key: {KEY}")

    with FakeOpenAI(answers) as server:
        done = scorer(server.base_url).run_sync(RUN).unwrap()
        failure = scorer(server.base_url).run_sync(RUN).failure()
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        request = plan(scorer(server.base_url), RUN).first[0]
    values = [
        judge,
        request,
        done,
        done.exchanges,
        done.steps,
        failure,
        failure.exchanges,
        failure.cause,
        scorer(server.base_url).about,
    ]
    for value in values:
        assert KEY not in repr(value)
        assert KEY not in str(value)
        assert KEY.encode() not in pickle.dumps(value)
    assert KEY not in request.judge.identity
    assert all(KEY not in f"{attempt.raw}" for said_ in failure.exchanges for attempt in said_.reply.attempts)


def test_a_bench_shows_its_budget_and_how_much_it_keeps() -> None:
    """And no word of a budget where there is none."""
    plain, held = Bench(), Bench(budget=Budget(calls=3))
    plain.hold("a", list)
    assert (plain.budget, held.budget) == (None, Budget(calls=3))
    assert (repr(plain), repr(held)) == ("Bench(keeps 1)", f"Bench(keeps 0, {Budget(calls=3)!r})")


def test_what_fails_to_open_after_the_bench_was_closed_is_told_to_who_waits() -> None:
    """And to nobody else: the loop has nothing to report."""
    reported: list[object] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: reported.append(told))
        async with Bench() as bench:
            waiting = asyncio.create_task(bench.keep("k", lambda: Opened(fails=1)))
            await asyncio.sleep(0)
        with pytest.raises(OSError, match="not yet"):
            await waiting

    asyncio.run(scenario())
    assert reported == []
