"""Scorers, sinks and callers at their worst: each run is counted once, and nobody waits for itself or for ever."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from math import inf

import pytest
from live.watching import PATIENCE, Gate, Seen, tone, until

from scorewright import Judge, NotScorable, Run, Scorer, create_scorer, err, pure, pure_async, score_from
from scorewright.core import Step
from scorewright.faults import DefinitionError, Fault
from scorewright.judges import calling
from scorewright.live import ALWAYS, Block, Callback, Live, LiveScore, Sink, submit
from scorewright.live.around import Around
from scorewright.live.jobs import Attached, Job, Origin, Version, broken
from scorewright.live.keeping import Keeper
from scorewright.live.pending import Pending
from scorewright.live.settings import Settings

Plain = Step[str, str, None, None]


def plain(f: Callable[[], float], id: str = "plain") -> Scorer[str, str]:
    return create_scorer(id, input=str, output=str).generate_score(pure(lambda _: f()))


def hand_in(live: Live, scorer: Scorer[str, str], *ids: str) -> None:
    for id in ids:
        submit(Run("in", "out", run_id=id), scorer, live=live)


# waiting for oneself


def flushes(live: Live) -> bool:
    return live.flush(None)


def drains(live: Live) -> bool:
    return asyncio.run(live.drained(None))


def shuts_down(live: Live) -> bool:
    return live.shutdown(PATIENCE)


@pytest.mark.parametrize("wait", [flushes, drains, shuts_down])
@pytest.mark.parametrize("where", ["plain step", "async step", "its thread", "sink"])
def test_code_of_a_scorer_does_not_wait_for_itself(wait: Callable[[Live], bool], where: str) -> None:
    """Wherever it runs; whatever it waits for is not the case."""
    told: list[bool] = []

    def ask() -> float:
        told.append(wait(live))
        return 1.0

    async def asks(_: Plain) -> float:
        if where == "its thread" or wait is drains:
            return await asyncio.to_thread(ask)
        return ask()

    def hear(_: LiveScore) -> None:
        if where == "sink":
            ask()

    live = Live(Callback(hear), metrics=False)
    made = create_scorer("made", input=str, output=str)
    waits = {
        "plain step": plain(ask),
        "sink": tone,
    }
    hand_in(live, waits.get(where) or made.generate_score(pure_async(asks)), "one")
    until(lambda: told)
    live.shutdown(PATIENCE)
    assert told == [False]
    assert live.counts().adds_up
    assert live.counts().pending == 0


def test_who_shuts_down_is_not_held_by_a_scorer_that_does() -> None:
    """The one that came first goes on, and the scorer's run is scored."""
    begun, go, told = threading.Event(), threading.Event(), list[bool]()

    def shuts() -> float:
        begun.set()
        assert go.wait(PATIENCE)
        told.append(live.shutdown(PATIENCE))
        return 1.0

    live = Live(metrics=False)
    hand_in(live, plain(shuts), "one")
    assert begun.wait(PATIENCE)
    ended: list[bool] = []
    ends = threading.Thread(target=lambda: ended.append(live.shutdown(PATIENCE)))
    ends.start()

    def is_closing() -> bool:
        hand_in(live, tone, "late")
        return live.counts("tone").dropped > 0

    until(is_closing)
    go.set()
    ends.join()
    assert (told, ended, live.counts("plain").scored) == ([False], [True], 1)


def test_a_flush_that_comes_after_the_end_waits_for_it() -> None:
    """And no longer: what is kept then, is."""
    held, go, kept = threading.Event(), threading.Event(), list[LiveScore]()

    def hear(score: LiveScore) -> None:
        held.set()
        assert go.wait(PATIENCE)
        kept.append(score)

    pending = Pending(9, "drop_newest", lambda: None)
    keeper = Keeper(Settings(1, None, None, (Callback(hear),)), lambda: pending, Around())
    assert keeper.flushed(None)  # it never began
    job = Job(Attached(tone, ALWAYS, Version(tone)), Run("in", "out"), Origin())
    assert pending.offer(job)
    assert pending.take() is job
    keeper.start()
    keeper.keep(job, broken(job.run, "run", NotScorable("nothing")))
    assert held.wait(PATIENCE)
    keeper.close()
    assert not keeper.flushed(0)
    told: list[tuple[bool, int]] = []
    flush = threading.Thread(target=lambda: told.append((keeper.flushed(PATIENCE), len(kept))))
    flush.start()
    go.set()
    flush.join()
    assert told == [(True, 1)]


@pytest.mark.parametrize("wait", [Live.flush, Live.shutdown])
def test_one_may_wait_for_ever(wait: Callable[[Live, float], bool]) -> None:
    """An infinite number of seconds is one; also for room in the queue."""
    gate, seen = Gate(), Seen(queue=1, when_full=Block(inf))
    hand_in(seen.live, gate.scorer, "one")
    waits = threading.Thread(target=hand_in, args=(seen.live, gate.scorer, "two"))
    waits.start()
    gate.open.set()
    waits.join()
    assert wait(seen.live, inf)
    assert seen.counts().scored == 2
    seen.live.shutdown()


# runs that are counted once


def test_a_run_that_comes_twice_while_it_waits_for_room_is_one() -> None:
    """However many threads hand it in."""
    gate, seen = Gate(), Seen(queue=1, when_full=Block(PATIENCE))
    hand_in(seen.live, gate.scorer, "first")
    assert gate.begun.wait(PATIENCE)
    threads = [threading.Thread(target=hand_in, args=(seen.live, gate.scorer, "same")) for _ in range(8)]
    for thread in threads:
        thread.start()
    gate.open.set()
    for thread in threads:
        thread.join()
    counts = seen.counts()
    assert (counts.scored, counts.filtered) == (2, 7)
    seen.live.shutdown()


@pytest.mark.parametrize("how", ["swallows", "blocks", "plain after async"])
def test_a_run_that_takes_too_long_has_failed_whatever_it_does(how: str) -> None:
    """It may be deaf to being cancelled, or hold the loop: what it comes to yet is no second score."""
    gate, seen = Gate(), Seen(timeout=0.01, concurrency=1)

    async def swallows(_: Plain) -> float:
        while not gate.open.is_set():
            try:
                await asyncio.sleep(0.005)
            except asyncio.CancelledError:
                continue
        return 1.0

    async def blocks(_: Plain) -> float:
        return gate.wait()

    async def quick(_: Plain) -> float:
        return 1.0

    made = create_scorer("made", input=str, output=str)
    scorers: dict[str, Scorer[str, str]] = {
        "swallows": made.generate_score(pure_async(swallows)),
        "blocks": made.generate_score(pure_async(blocks)),
        "plain after async": made.analyze(pure_async(quick)).generate_score(pure(lambda _: gate.wait())),
    }
    hand_in(seen.live, scorers[how], "one")
    assert dict(seen.counts().reasons) == {"failed: TimedOut": 1}
    gate.open.set()
    hand_in(seen.live, scorers[how], "two")
    assert seen.counts().triggered == 2
    assert [score.run.run_id for score in seen.scores] == ["one", "two"]
    seen.live.shutdown()


def test_a_scorer_that_cancels_itself_has_failed(seen: Seen) -> None:
    """And leaves its place to the next."""

    async def cancels(_: Plain) -> float:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        return 1.0

    live = Live(Callback(seen.scores.append), metrics=False, concurrency=1)
    hand_in(live, create_scorer("cancels", input=str, output=str).generate_score(pure_async(cancels)), "one", "two")
    assert live.flush(PATIENCE)
    assert dict(live.counts().reasons) == {"failed: CancelledError": 2}
    live.shutdown()


class Mute(Fault):
    """A fault that does not even tell of what kind it is."""

    @property
    def raised(self) -> object:
        raise KeyboardInterrupt


def test_a_fault_that_tells_nothing_is_counted(seen: Seen) -> None:
    """As a failure, and those after it are kept as ever."""
    mute = create_scorer("mute", input=str, output=str).generate_score(
        pure(lambda _: err(Mute()))  # type: ignore[arg-type, return-value]  # of an outcome
    )
    hand_in(seen.live, mute, "one")
    assert seen.counts().failed == 1
    hand_in(seen.live, tone, "two")
    assert seen.counts().scored == 1


def test_a_sink_takes_one_score_at_least() -> None:
    """At once; fewer is a mistake of its own."""

    class Takes(Sink):
        at_once = 0

        def keep(self, _: Sequence[LiveScore], /) -> None:
            """Nothing."""

    with pytest.raises(DefinitionError, match="at_once"):
        Live(Takes(), metrics=False)


# threads


def starts_but(name: str) -> Callable[[threading.Thread], None]:
    start = threading.Thread.start

    def started(thread: threading.Thread) -> None:
        if thread.name == name:
            raise RuntimeError("can't start new thread")
        start(thread)

    return started


@pytest.mark.parametrize("name", ["scorewright-live", "scorewright-live-loop", "scorewright-live-keeper"])
def test_without_a_thread_nothing_is_begun_again_and_again(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said once, and tried again with every run and every flush."""
    begun: list[int] = []

    async def full(_: object) -> float:
        return 1.0

    def begins(_: Plain) -> float:
        begun.append(1)
        return 1.0

    made = create_scorer("made", input=str, output=str).analyze(pure(begins)).generate_score(pure_async(full))
    seen = Seen()
    with monkeypatch.context() as lacking:
        lacking.setattr(threading.Thread, "start", starts_but(name))
        hand_in(seen.live, made, "one", "two")
        assert not seen.live.flush(0.05)
        assert len([each for each in caplog.records if "cannot start its threads" in each.getMessage()]) == 1
    assert seen.counts().scored == 2
    assert len(begun) == 2
    seen.live.shutdown()


def test_what_comes_to_wait_when_python_ends_is_scored() -> None:
    """Though no thread can be begun then."""
    code = """if True:
        import logging, threading
        from scorewright import Run, create_scorer, pure, pure_async
        from scorewright.live import Callback, Live, submit
        async def full(_):
            return 1.0
        def late(_):
            threading.main_thread().join()
            return 1.0
        made = create_scorer("made", input=str, output=str).analyze(pure(late)).generate_score(pure_async(full))
        live = Live(Callback(lambda score: print(score.score, flush=True)), metrics=False)
        submit(Run("in", "out"), made, live=live)
    """
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        check=False,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert (done.stdout.split(), done.returncode) == (["1.0"], 0), done.stderr


async def _said(_: object) -> str:
    return "{}"


@pytest.mark.parametrize("ends", ["shut down", "too late"])
def test_what_nobody_awaits_any_more_is_closed(ends: str) -> None:
    """Where plain code ends after all, and would go on to something that is awaited."""
    gate = Gate()
    seen = Seen(timeout=0.01 if ends == "too late" else None)

    async def full(_: object) -> float:
        return 1.0

    judge = Judge(calling(_said, identity="said"))
    asks = create_scorer("asks", input=str, output=str, judge=judge).analyze(
        score_from(dict[str, float], lambda step: step.run.output, lambda _step, _said: gate.wait())
    )
    plain_first = create_scorer("plain", input=str, output=str).analyze(pure(lambda _: gate.wait()))
    for made in (asks, plain_first):
        hand_in(seen.live, made.generate_score(pure_async(full)), "one")
    assert gate.begun.wait(PATIENCE)
    if ends == "shut down":
        assert not seen.live.shutdown(0)
    else:
        assert seen.live.flush(PATIENCE)
    held = [each for each in threading.enumerate() if each.name == "scorewright-live"]
    gate.open.set()
    seen.live.shutdown(PATIENCE)
    for each in held:
        each.join(PATIENCE)
    gc.collect()  # a coroutine that was never awaited says so, which is an error here
    assert seen.live.counts().adds_up
