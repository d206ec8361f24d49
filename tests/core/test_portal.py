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
from scorewright.core.portal import Background, _NotBegun

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
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
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


def test_a_step_may_wait_for_threads_that_run_scorers() -> None:
    """They get a loop of their own where the step blocks the one that is kept."""
    done = script("""
        inner = scorer_of(soon)
        def many(_):
            with ThreadPoolExecutor(2) as pool:
                return ok([result.unwrap().score for result in pool.map(inner.run_sync, [RUN, RUN])])
        outer = (create_scorer("p", input=str, output=str).preprocess(soon).analyze(many)
            .generate_score(pure(lambda step: sum(step.ana) / 2)))
        assert outer.run_sync(RUN).unwrap().score == 1
        assert inner.run_sync(RUN).unwrap().score == 1
    """)
    assert done.returncode == 0, done.stderr  # asyncio's debug mode tells there that the step took long


def test_a_loop_that_cannot_start_is_an_error_and_no_deadlock() -> None:
    """Too many open files: the caller sees it, and the next call works again."""
    done = script("""
        import resource
        asyncio.new_event_loop().close()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
        held = []
        try:
            while True:
                held.append(open(os.devnull))
        except OSError:
            pass
        try:
            scorer_of(soon).run_sync(RUN)
        except OSError as raised:
            print(raised.errno)
        for each in held:
            each.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        print(scorer_of(soon).run_sync(RUN).unwrap().score)
    """)
    assert (done.stdout, done.returncode) == ("24\n1.0\n", 0)


class Failed(BaseException):
    """As the exception of pytest's `fail` is."""


@pytest.mark.parametrize("where", ["step", "part"])
@pytest.mark.parametrize("interrupt", [Failed, KeyboardInterrupt, SystemExit])
def test_whatever_a_step_raises_reaches_its_caller_alone(interrupt: type[BaseException], where: str) -> None:
    """A `BaseException` of any kind, in a step or in a part of a fork, leaves the loop to those that run there."""

    async def ends() -> object:
        await asyncio.sleep(0)
        raise interrupt

    async def slow(_: object) -> object:
        started.set()
        await asyncio.to_thread(raised.wait, 10)
        return ok(1)

    step = {"step": lambda _: ends(), "part": lambda _: gather(ends, lambda: slow(0))}[where]
    started, raised = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(scorer_of(slow).run_sync, RUN)
        assert started.wait(10)
        threads = our_threads()
        with pytest.raises(interrupt):
            scorer_of(step).run_sync(RUN)
        raised.set()
        assert other.result(timeout=10).unwrap().score == 1.0
    assert our_threads() == threads


def test_a_loop_that_was_stopped_is_replaced() -> None:
    """Whatever ended it, the next run finds another."""
    done = script("""
        async def stops(_):
            asyncio.get_running_loop().call_soon(sys.exit)
            await asyncio.Event().wait()
        try:
            scorer_of(stops).run_sync(RUN)
        except asyncio.CancelledError:
            pass
        for _ in range(5):
            assert scorer_of(soon).run_sync(RUN).unwrap().score == 1
        assert len(our_threads()) == 1
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_ends_while_a_daemon_thread_waits() -> None:
    """What nobody waits for is cancelled at exit."""
    done = script("""
        started = threading.Event()
        async def forever(_):
            started.set()
            await asyncio.Event().wait()
        def work():
            try:
                scorer_of(forever).run_sync(RUN)
            except BaseException:
                pass
        threading.Thread(target=work, daemon=True).start()
        assert started.wait(10)
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_signal_handler_may_run_a_scorer() -> None:
    """Also while the loop is being started."""
    done = script("""
        from scorewright.core import portal
        made = portal.Background
        class Interrupted(made):
            def __init__(self):
                portal.Background = made
                signal.raise_signal(signal.SIGALRM)
                super().__init__()
        signal.signal(signal.SIGALRM, lambda *_: print(scorer_of(soon).run_sync(RUN).unwrap().score))
        portal.Background = Interrupted
        print(scorer_of(soon).run_sync(RUN).unwrap().score, len(our_threads()))
    """)
    assert (done.stdout, done.stderr, done.returncode) == ("1.0\n1.0 1\n", "", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
@pytest.mark.parametrize(
    ("ending", "status", "said"),
    [
        ("sys.exit()", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("sys.exit(300)", 44, ""),
        ("sys.exit('no')", 1, "no\n"),
        ("1 / 0", 0, ""),
        ("pass", 0, ""),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt\n"),
    ],
)
def test_a_child_that_a_step_forked_ends(ending: str, status: int, said: str) -> None:
    """As it would have ended on a main thread; a step that came to an end has nobody to tell it to."""
    done = script(f"""
        async def forks(_):
            child = os.fork()
            if child == 0:
                {ending}
                return ok(1)
            for _ in range(200):
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    return ok(os.waitstatus_to_exitcode(status))
                await asyncio.sleep(0.05)
            os.kill(child, signal.SIGKILL)
            return ok("hangs")
        print(scorer_of(forks).run_sync(RUN).unwrap().steps[0].value)
    """, "-W", "ignore::DeprecationWarning")  # fmt: skip
    assert (done.stdout, done.returncode) == (f"{status}\n", 0)
    assert done.stderr.endswith(said)
    assert bool(done.stderr) == bool(said)
    assert ("Traceback" in done.stderr) == ("raise" in ending)


async def one() -> int:
    return 1


def test_what_a_blocked_loop_did_not_begin_in_time_is_never_begun() -> None:
    """Whoever gave it up may have had it done elsewhere."""
    background, gate, begun = Background(), threading.Event(), list[str]()

    async def given_up() -> None:
        begun.append("given up")

    background.loop.call_soon_threadsafe(gate.wait, 10)
    try:
        with pytest.raises(_NotBegun):
            background.finished(given_up, patience=0.01)
        gate.set()
        assert background.finished(one) == 1
        assert begun == []
    finally:
        background.close()


def test_a_loop_that_is_ending_begins_nothing() -> None:
    """What still runs there has its end, and what comes is told to go elsewhere."""
    background, waits, ends = Background(), threading.Event(), list[str]()

    def comes() -> str:
        try:
            return f"got {background.finished(one)}"
        except _NotBegun:
            return "not begun"

    async def lasts() -> None:
        waits.set()
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(await asyncio.to_thread(comes))

    with ThreadPoolExecutor(1) as pool:
        lasting = pool.submit(background.finished, lasts)
        assert waits.wait(10)
        assert background.runs
        background.close()
        assert isinstance(lasting.exception(timeout=10), asyncio.CancelledError)
    assert ends == ["not begun"]
    assert not background.runs
    with pytest.raises(_NotBegun):
        background.finished(one)
    background.close()  # nothing is left to be closed
