"""`run_sync` from anywhere: a loop that runs, threads, forked children, steps of other runs."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from core.canned import CANNED, Told, reply

from scorewright import Run, Scorer, create_scorer, ok, pure, score_prompt
from scorewright.core import JudgeReply, JudgeRequest, gather

RUN = Run("in", "out")


async def soon(_: object) -> object:
    await asyncio.sleep(0)
    return ok(1)


def scorer_of(step: object) -> Scorer[str, str]:
    return create_scorer("p", input=str, output=str, judge=CANNED).preprocess(step).generate_score(pure(lambda _: 1))


def judged() -> Scorer[str, str]:
    return create_scorer("j", input=str, output=str, judge=CANNED).generate_score(score_prompt(lambda _: "q"))


def our_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "scorewright"]


def script(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(["src", "tests", *filter(None, sys.path)])}
    whole = "from core.test_portal import *\n" + textwrap.dedent(text)
    return subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", *options, "-c", whole],
        env=env, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_a_plain_scorer_starts_neither_loop_nor_thread() -> None:
    """What asks and awaits nothing is finished at once, and asyncio is not even imported."""
    done = script("""
        import threading
        before = threading.active_count()
        plain = create_scorer("x", input=str, output=str).generate_score(pure(lambda _: 1))
        assert plain.run_sync(RUN).unwrap().score == 1
        assert threading.active_count() == before
    """)
    assert (done.returncode, done.stderr) == (0, "")
    bare = (
        "import sys; from scorewright import *\n"
        "create_scorer('x', input=str, output=str).generate_score(pure(lambda _: 1)).run_sync(Run('', '')).unwrap()\n"
        "assert 'asyncio' not in sys.modules and 'anyio' not in sys.modules"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(["src", *filter(None, sys.path)])}
    assert subprocess.run([sys.executable, "-c", bare], env=env, check=False, timeout=60).returncode == 0


def test_one_background_loop_is_kept() -> None:
    """Many runs, one thread."""
    for _ in range(20):
        judged().run_sync(RUN).unwrap()
        scorer_of(soon).run_sync(RUN).unwrap()
    assert len(our_threads()) == 1


def test_run_sync_works_inside_a_running_loop() -> None:
    """A notebook's loop runs already; the run is finished on another."""

    async def cell() -> object:
        return judged().run_sync(RUN)

    assert asyncio.run(cell()).unwrap().score == 0.5


def test_run_sync_works_in_many_threads() -> None:
    """All at once, over one loop."""
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda _: judged().run_sync(RUN).unwrap().score, range(200)))
    assert results == [0.5] * 200
    assert len(our_threads()) == 1


def test_runs_of_several_threads_wait_for_each_other_nowhere() -> None:
    """Asks of all threads are under way together."""
    together = asyncio.Barrier(8)

    async def answer(_: JudgeRequest) -> JudgeReply:
        await asyncio.wait_for(together.wait(), 10)
        return reply('{"score": 1}')

    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda _: judged().run_sync(RUN, answer=answer).unwrap().score, range(8)))
    assert scores == [1.0] * 8


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_run_sync_nests_in_async_steps(depth: int) -> None:
    """A step on the background loop may itself run a scorer, as deep as one likes, without a deadlock."""

    def nested(left: int) -> Scorer[str, str]:
        async def step(given: object) -> object:
            await asyncio.sleep(0)
            return ok(nested(left - 1).run_sync(given.run).unwrap().score) if left else ok(1)

        return scorer_of(step)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(nested(depth).run_sync, RUN).result(timeout=30).unwrap().score == 1.0
    assert len(our_threads()) == 1


def test_run_sync_nests_in_parts_and_in_judges() -> None:
    """A part of a fork, and whoever answers, may run scorers too."""

    async def part() -> object:
        return ok(judged().run_sync(RUN).unwrap().score)

    async def answer(_: JudgeRequest) -> JudgeReply:
        return reply(f'{{"score": {judged().run_sync(RUN).unwrap().score}}}')

    assert scorer_of(lambda _: gather(part, part)).run_sync(RUN).unwrap().steps[0].value == (ok(0.5), ok(0.5))
    assert judged().run_sync(RUN, answer=answer).unwrap().score == 0.5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_run_sync_works_in_a_forked_child() -> None:
    """The parent's loop does not exist in the child, which makes its own."""
    judged().run_sync(RUN).unwrap()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(20)
            os._exit(
                0 if judged().run_sync(RUN).unwrap().score == 0.5 and scorer_of(soon).run_sync(RUN).unwrap() else 1
            )
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert judged().run_sync(RUN).unwrap().score == 0.5


def test_run_sync_works_in_a_process_pool() -> None:
    """A worker that was forked while the loop ran, or spawned afresh, both work."""
    done = script("""
        import multiprocessing
        def work(n):
            return judged().run_sync(RUN).unwrap().score
        if __name__ == "__main__":
            judged().run_sync(RUN).unwrap()
            with multiprocessing.get_context("fork").Pool(2) as pool:
                assert pool.map(work, range(4)) == [0.5] * 4
                pool.close()
                pool.join()
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_ends_the_wait_and_the_run() -> None:
    """Ctrl-C comes out of `run_sync`, what waited on the loop is cancelled, and the next run works."""
    done = script("""
        import signal, threading
        ended = threading.Event()
        async def answer(_):
            threading.Timer(0.05, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
        try:
            judged().run_sync(RUN, answer=answer)
        except KeyboardInterrupt:
            assert ended.wait(10)
            assert judged().run_sync(RUN).unwrap().score == 0.5
            print("interrupted")
    """)
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\n", "", 0)


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_inside_a_step_comes_out_and_the_loop_stays(interrupt: type[BaseException]) -> None:
    """It reaches the caller; others that run on the loop are not disturbed."""

    async def ends(_: object) -> object:
        raise interrupt

    async def slow(_: object) -> object:
        started.set()
        await asyncio.to_thread(raised.wait, 10)
        return ok(1)

    started, raised = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(scorer_of(slow).run_sync, RUN)
        assert started.wait(10)
        thread = our_threads()[0]
        with pytest.raises(interrupt):
            scorer_of(ends).run_sync(RUN)
        raised.set()
        assert other.result(timeout=10).unwrap().score == 1.0
    assert our_threads() == [thread]


def test_a_process_ends_quietly() -> None:
    """The loop is stopped at exit: no warning, no thread that hangs, after a run, and after none."""
    began = time.monotonic()
    done = script("assert judged().run_sync(RUN).unwrap().score == 0.5; scorer_of(soon).run_sync(RUN).unwrap()")
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 30


def test_run_sync_never_raises_after_something_was_paid() -> None:
    """Whatever goes wrong later, the exchange is in the failure."""

    def boom(_: object) -> object:
        raise RuntimeError("late")

    scorer = judged().generate_reason(boom)
    failure = scorer.run_sync(RUN, answer=Told('{"score": 1}')).failure()
    assert (failure.score, len(failure.exchanges), failure.cause.raised.message) == (1.0, 1, "late")
