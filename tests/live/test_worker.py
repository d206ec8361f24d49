"""The worker beside the caller: slow, failing, full, forked, killed; every run is counted, and the caller is let be."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from live.watching import PATIENCE, Gate, Seen, number, polite, tone

from scorewright import Judge, Run, Scorer, create_scorer, pure, pure_async, score_from, score_prompt
from scorewright.core import Scorers, Step
from scorewright.core.budget import Budget
from scorewright.faults import DefinitionError, TimedOut
from scorewright.judges import calling
from scorewright.live import ALWAYS, Block, Callback, Live, LiveScore, Sink, scored, scoring, submit


def hand_in(live: Live, scorer: Scorer[str, str], *outputs: str) -> None:
    for output in outputs:
        submit(Run("in", output), scorer, live=live)


def test_every_result_has_its_count(seen: Seen) -> None:
    """A score, a run that holds nothing to score, a failure: three kinds, none of them a number of another."""
    hand_in(seen.live, number, "1", "none", "fail", "7")
    counts = seen.counts()
    assert (counts.scored, counts.not_scorable, counts.failed) == (1, 1, 2)
    assert dict(counts.reasons) == {"failed: ValueError": 1, "failed: InvalidScore": 1}
    assert [(score.state, score.score, score.reason) for score in seen.scores] == [
        ("scored", 1.0, None),
        ("not_scorable", None, "it says none"),
        ("failed", None, None),
        ("failed", None, None),
    ]


def test_a_slow_scorer_does_not_hold_the_caller() -> None:
    """The call is over while its scorer waits; what does not fit the queue is dropped and counted."""
    gate, seen = Gate(), Seen(queue=2)

    @scored(gate.scorer, live=seen.live)
    def answer(question: str) -> str:
        return question

    assert answer("one") == "one"
    assert gate.begun.wait(PATIENCE)
    assert [answer("two"), answer("three"), answer("four")] == ["two", "three", "four"]
    counts = seen.live.counts()
    assert (counts.triggered, counts.pending, counts.dropped) == (4, 2, 2)
    assert counts.adds_up
    assert not seen.live.flush(0)
    gate.open.set()
    assert (seen.counts().scored, seen.counts().dropped) == (2, 2)
    assert seen.live.shutdown()


def test_the_oldest_makes_room_where_that_is_wished() -> None:
    """Of those that wait."""
    gate, seen = Gate(), Seen(queue=2, when_full="drop_oldest")
    hand_in(seen.live, gate.scorer, "one")
    assert gate.begun.wait(PATIENCE)
    hand_in(seen.live, gate.scorer, "two", "three")
    gate.open.set()
    assert seen.counts().dropped == 1
    assert [score.run.output for score in seen.scores] == ["one", "three"]
    assert dict(seen.counts().reasons) == {"dropped: a newer run took its place": 1}
    seen.live.shutdown()


def test_the_caller_waits_for_room_where_that_is_wished() -> None:
    """A coroutine lets its loop go on meanwhile; a wait that is over drops the run."""
    gate, seen = Gate(), Seen(queue=1, when_full=Block(PATIENCE))

    @scored(gate.scorer, live=seen.live)
    async def answer(question: str) -> str:
        return question

    async def use() -> None:
        await answer("one")
        waiting = asyncio.create_task(answer("two"))
        assert await asyncio.to_thread(gate.begun.wait, PATIENCE)
        await asyncio.sleep(0)
        assert not waiting.done()
        gate.open.set()
        assert await waiting == "two"

    asyncio.run(use())
    assert (seen.counts().scored, seen.counts().dropped) == (2, 0)
    seen.live.shutdown()
    gate, seen = Gate(), Seen(queue=1, when_full=Block(0))
    hand_in(seen.live, gate.scorer, "one", "two")
    gate.open.set()
    assert (seen.counts().scored, seen.counts().dropped) == (1, 1)
    seen.live.shutdown()


def test_so_many_scorers_run_at_a_time() -> None:
    """As `concurrency` says."""
    running, most = 0, 0

    async def slow(_step: Step[str, str, None, None]) -> float:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(3):
            await asyncio.sleep(0)
        running -= 1
        return 1.0

    seen = Seen(concurrency=3)
    scorer = create_scorer("slow", input=str, output=str).generate_score(pure_async(slow))
    hand_in(seen.live, scorer, *"0123456789")
    assert seen.counts().scored == 10
    assert most <= 3
    seen.live.shutdown()


def test_a_scorer_that_takes_too_long_fails() -> None:
    """As `timeout` says; the run is counted and others go on."""

    async def stuck(_step: Step[str, str, None, None]) -> float:
        await asyncio.Event().wait()
        return 1.0

    seen = Seen(timeout=0.01)
    scorer = create_scorer("stuck", input=str, output=str).generate_score(pure_async(stuck))
    hand_in(seen.live, scorer, "one")
    hand_in(seen.live, tone, "two")
    counts = seen.counts()
    assert (counts.scored, dict(counts.reasons)) == (1, {"failed: TimedOut": 1})
    [failed] = [score.found for score in seen.scores if score.state == "failed"]
    assert failed.cause == TimedOut("the scorer took longer than 0.01 s")  # type: ignore[union-attr]  # it failed
    seen.live.shutdown()


def test_a_plain_scorer_that_takes_too_long_fails() -> None:
    """Its run is counted then; what it comes to later, when it is let go, is no second score."""
    gate, seen = Gate(), Seen(timeout=0.01)
    hand_in(seen.live, gate.scorer, "one")
    counts = seen.counts()
    assert dict(counts.reasons) == {"failed: TimedOut": 1}
    gate.open.set()
    hand_in(seen.live, gate.scorer, "two")
    assert seen.counts().triggered == 2
    assert [score.run.output for score in seen.scores] == ["one", "two"]
    seen.live.shutdown()


def test_a_plain_scorer_that_hangs_holds_nobody_else() -> None:
    """Plain ones, those that await and those that ask are scored meanwhile; each that hangs has its own thread."""
    gates = [Gate("first"), Gate("second")]
    judged = create_scorer("judged", input=str, output=str, judge=Judge(calling(_half, identity="half")))
    others = [
        tone,
        create_scorer("awaits", input=str, output=str).generate_score(pure_async(_full)),
        judged.generate_score(score_prompt(lambda step: step.run.output)),
    ]
    scores = list[LiveScore]()
    scored_all = threading.Event()

    def hear(score: LiveScore) -> None:
        scores.append(score)
        if len(scores) == len(others) * 3:
            scored_all.set()

    live = Live(Callback(hear), metrics=False, concurrency=2, queue=3)
    for output in ("one", "two", "three"):
        for scorer in (*(gate.scorer for gate in gates), *others):
            hand_in(live, scorer, output)
    assert scored_all.wait(PATIENCE)
    assert {score.scorer for score in scores} == {"tone", "awaits", "judged"}
    assert live.counts().pending == 6
    for gate in gates:
        gate.open.set()
    assert live.flush(PATIENCE)
    assert (live.counts().scored, live.counts().dropped) == (15, 0)
    live.shutdown()


def test_a_plain_step_that_hangs_after_an_answer_holds_nobody_else() -> None:
    """It goes on where plain code runs, and not where others wait for their judges."""
    gate = Gate()
    judge = Judge(calling(_half, identity="half"))
    stuck = create_scorer("stuck", input=str, output=str, judge=judge)
    stuck_after = stuck.generate_score(
        score_from(dict[str, float], lambda step: step.run.output, lambda _step, _said: gate.wait())
    )
    judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
        score_prompt(lambda step: step.run.output)
    )
    came = threading.Event()
    live = Live(Callback(lambda _: came.set()), metrics=False)
    hand_in(live, stuck_after, "one", "two")
    assert gate.begun.wait(PATIENCE)
    hand_in(live, judged, "three")
    assert came.wait(PATIENCE)
    assert (live.counts("judged").scored, live.counts("stuck").pending) == (1, 2)
    gate.open.set()
    assert live.flush(PATIENCE)
    assert live.counts("stuck").scored == 2
    live.shutdown()


@pytest.mark.parametrize("crash", [SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError(), RecursionError()])
def test_a_crash_of_a_scorer_ends_nothing(seen: Seen, crash: BaseException) -> None:
    """Neither the caller nor the worker: the run failed."""

    def breaks(_step: Step[str, str, None, None]) -> float:
        raise crash

    scorer = create_scorer("breaks", input=str, output=str).generate_score(pure(breaks))
    hand_in(seen.live, scorer, "one")
    hand_in(seen.live, tone, "two")
    counts = seen.counts()
    assert (counts.scored, counts.failed) == (1, 1)
    assert dict(counts.reasons) == {f"failed: {type(crash).__name__}": 1}


@pytest.mark.parametrize("crash", [SystemExit, KeyboardInterrupt])
def test_a_task_of_a_scorer_that_exits_ends_nothing(seen: Seen, crash: type[BaseException]) -> None:
    """It breaks the loop that all scorers run on: the others are scored on another, and the run has failed."""

    async def exits() -> float:
        raise crash

    async def breaks(_step: Step[str, str, None, None]) -> float:
        return sum(await asyncio.gather(asyncio.create_task(exits())))

    scorer = create_scorer("breaks", input=str, output=str).generate_score(pure_async(breaks))
    hand_in(seen.live, tone, "one")
    hand_in(seen.live, scorer, "two", "three")
    hand_in(seen.live, tone, "four", "five")
    counts = seen.counts()
    assert (counts.triggered, counts.scored, counts.failed) == (5, 3, 2)
    assert dict(counts.reasons) == {"failed: scoring broke off": 2}
    hand_in(seen.live, tone, "six")
    assert seen.counts().scored == 4


@pytest.mark.parametrize("crash", [SystemExit, KeyboardInterrupt])
def test_a_sink_that_exits_ends_nothing(crash: type[BaseException]) -> None:
    """Its scores are unstored, the others have them, and what is flushed is over."""

    class Exits(Sink):
        def keep(self, _: Sequence[LiveScore], /) -> None:
            raise crash

        def flush(self) -> None:
            raise crash

    scores = list[LiveScore]()
    live = Live(Exits(), Callback(scores.append), metrics=False)
    for output in ("one", "two"):
        hand_in(live, tone, output)
        assert live.flush(PATIENCE)
    counts = live.counts()
    assert (counts.scored, counts.unstored, len(scores)) == (2, 2, 2)
    assert dict(counts.reasons) == {f"unstored: Exits raised {crash.__name__}": 2}
    assert live.shutdown(PATIENCE)


class Failing(Sink):
    """A sink that keeps nothing from the first time on that it is told so."""

    def __init__(self) -> None:
        self.fails = False
        self.kept: list[LiveScore] = []

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        if self.fails:
            raise OSError("the disk is full")
        self.kept.extend(scores)


def test_a_failing_sink_is_counted_and_said(caplog: pytest.LogCaptureFixture) -> None:
    """Its scores are unstored; the others have them."""
    failing, scores = Failing(), list[LiveScore]()
    live = Live(failing, Callback(scores.append), metrics=False)
    hand_in(live, tone, "one")
    assert live.flush()
    failing.fails = True
    hand_in(live, tone, "two")
    assert live.flush()
    counts = live.counts()
    assert (counts.scored, counts.stored, counts.unstored) == (2, 1, 1)
    assert dict(counts.reasons) == {"unstored: Failing raised OSError": 1}
    assert counts.adds_up
    assert (len(failing.kept), len(scores)) == (1, 2)
    assert "the disk is full" in caplog.text
    live.shutdown()
    assert "1 unstored" in caplog.text


def test_a_callback_that_raises_spoils_its_own_score_only() -> None:
    """And one that flushes is not made to wait for itself."""
    flushed: list[bool] = []

    def hear(score: LiveScore) -> None:
        flushed.append(live.flush())
        if score.run.output == "two":
            raise ValueError("two")

    live = Live(Callback(hear), metrics=False)
    hand_in(live, tone, "one", "two", "three")
    assert live.flush()
    assert (live.counts().stored, live.counts().unstored) == (2, 1)
    assert flushed == [False] * 3
    live.shutdown()


def test_without_a_sink_nothing_is_stored() -> None:
    """It is scored and counted all the same."""
    live = Live(metrics=False)
    hand_in(live, tone, "one")
    assert live.flush()
    assert (live.counts().scored, live.counts().stored, live.counts().unstored) == (1, 0, 1)
    live.shutdown()


async def _half(_: object) -> str:
    return '{"score": 0.5}'


def test_a_budget_bounds_what_judges_are_asked() -> None:
    """What is beyond it fails, and says so."""
    judge = Judge(calling(_half, identity="always half"))
    scorer = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
        score_prompt(lambda step: f"How good is {step.run.output!r}?")
    )
    seen = Seen(budget=Budget(calls=2), concurrency=1)
    hand_in(seen.live, scorer, "one", "two", "three")
    counts = seen.counts()
    assert (counts.scored, dict(counts.reasons)) == (2, {"failed: BudgetExhausted": 1})
    seen.live.shutdown()


def test_shutdown_waits_and_then_takes_nothing(seen: Seen, caplog: pytest.LogCaptureFixture) -> None:
    """What comes later is dropped; the counts are logged once; a second shutdown answers the same."""
    caplog.set_level(logging.INFO, logger="scorewright.live")
    hand_in(seen.live, tone, *"0123")
    assert seen.live.shutdown()
    assert seen.live.shutdown()
    hand_in(seen.live, tone, "late")
    counts = seen.counts()
    assert (counts.scored, counts.dropped, dict(counts.reasons)) == (4, 1, {"dropped: shut down": 1})
    assert [record.getMessage() for record in caplog.records] == [
        f"live scoring 'live' ended: {told}"
        for told in [
            "4 triggered, 0 sampled out, 0 filtered, 0 dropped, 4 scored, 0 not scorable, 0 failed, 0 pending, "
            "4 stored, 0 unstored, 0 resumed"
        ]
    ]


def test_shutdown_does_not_wait_for_ever() -> None:
    """A scorer that hangs is given up: its run is dropped, and stays so when it comes after all."""
    gate, seen = Gate(), Seen()
    hand_in(seen.live, gate.scorer, "one", "two")
    assert gate.begun.wait(PATIENCE)
    assert not seen.live.shutdown(0)
    gate.open.set()
    counts = seen.live.counts()
    assert (counts.dropped, counts.pending, counts.scored) == (2, 0, 0)
    assert counts.adds_up
    assert dict(counts.reasons) == {"dropped: shut down before it was scored": 2}


def test_a_sink_that_hangs_holds_nobody() -> None:
    """Scorers go on, flush and shutdown keep their deadlines, and what it did not keep is counted."""
    held, kept = threading.Event(), threading.Event()

    def hang(_: LiveScore) -> None:
        held.set()
        assert kept.wait(PATIENCE)

    live = Live(Callback(hang), metrics=False)
    hand_in(live, tone, "one", "two")
    assert held.wait(PATIENCE)
    assert not live.flush(0)
    assert not live.shutdown(0)
    counts = live.counts()
    kept.set()
    assert (counts.dropped, counts.pending, counts.adds_up) == (2, 0, True)


def test_the_block_of_a_live_shuts_it_down() -> None:
    """In good order."""
    scores: list[LiveScore] = []
    with Live(Callback(scores.append), metrics=False) as live:
        hand_in(live, tone, "one")
    assert (len(scores), live.counts().stored) == (1, 1)


def test_many_threads_lose_nothing(seen: Seen) -> None:
    """All that they trigger is there."""

    @scored(polite, live=seen.live)
    def answer(question: str) -> str:
        return question

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(answer, ["please"] * 200))
    assert seen.counts().scored == 200


def test_many_tasks_lose_nothing(seen: Seen) -> None:
    """On one loop, which goes on while it waits for the scores."""

    @scored(polite, live=seen.live)
    async def answer(question: str) -> str:
        await asyncio.sleep(0)
        return question

    async def use() -> bool:
        await asyncio.gather(*(answer("please") for _ in range(200)))
        return await seen.live.drained()

    assert asyncio.run(use())
    assert seen.counts().scored == 200


def test_a_running_loop_is_no_hindrance(seen: Seen) -> None:
    """As in a notebook: plain calls and flushes inside it."""

    async def cell() -> bool:
        hand_in(seen.live, polite, "please")
        return seen.live.flush(PATIENCE)

    assert asyncio.run(cell())
    assert seen.values == [1.0]


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_fork_begins_anew(seen: Seen) -> None:
    """The child scores what it triggers, and only that; the parent's counts stay its own."""
    hand_in(seen.live, number, "1")
    seen.counts()
    child = os.fork()
    if not child:  # pragma: no cover - in the child
        told = 1
        try:
            before = seen.live.counts().triggered
            hand_in(seen.live, number, "0")
            settled = seen.live.flush(PATIENCE)
            told = 0 if settled and before == 0 and seen.live.counts().scored == 1 else 2
        finally:
            os._exit(told)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert seen.counts().triggered == 1
    hand_in(seen.live, number, "1")
    assert seen.counts().scored == 2


def test_what_is_left_at_exit_is_scored() -> None:
    """Within the seconds of `at_exit`, and the counts are logged."""
    code = """if True:
        import logging
        from live.watching import tone
        from scorewright import Run
        from scorewright.live import Callback, Live, submit
        logging.basicConfig(level="INFO")
        live = Live(Callback(lambda score: print(score.score, flush=True)))
        for _ in range(3):
            submit(Run("in", "out"), tone, live=live)
    """
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0.5"] * 3
    assert "3 triggered" in done.stderr


def test_a_wall_clock_that_jumps_changes_no_count(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is only written beside the run."""
    for now in (2e9, 1e9, 0.0):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        hand_in(seen.live, tone, "one")
    assert seen.counts().scored == 3


def test_a_thread_that_cannot_be_started_is_tried_again(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the next run; the caller hears nothing of it."""

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as broken:
        broken.setattr(threading.Thread, "start", refuse)
        hand_in(seen.live, tone, "one")
    assert seen.live.counts().pending == 1
    hand_in(seen.live, tone, "two")
    assert seen.counts().scored == 2


async def _full(_: object) -> float:
    return 1.0


def test_a_loop_that_cannot_be_made_is_tried_again(
    seen: Seen, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With the next run, as where there are too many open files; it is said."""
    tried = threading.Event()
    waiting = create_scorer("waiting", input=str, output=str).generate_score(pure_async(_full))
    before = set(threading.enumerate())

    def refuse(coroutine: Coroutine[object, object, None]) -> None:
        coroutine.close()
        tried.set()
        raise OSError("too many open files")

    with monkeypatch.context() as broken:
        broken.setattr(asyncio, "run", refuse)
        hand_in(seen.live, waiting, "one")
        assert tried.wait(PATIENCE)
    for thread in set(threading.enumerate()) - before:
        if thread.name == "scorewright-live-loop":
            thread.join(PATIENCE)
    assert seen.live.counts().pending == 1
    hand_in(seen.live, waiting, "two")
    assert seen.counts().scored == 2
    assert "too many open files" in caplog.text


class Unspoken:
    """A value that does not tell what it is."""

    @property
    def identity(self) -> str:
        raise RuntimeError("no words")


def test_a_scorer_without_a_fingerprint_is_scored(seen: Seen) -> None:
    """Its hash says that no other process would find it again."""
    held = Unspoken()
    scorer = create_scorer("held", input=str, output=str).generate_score(pure(lambda _: float(held is not None)))
    hand_in(seen.live, scorer, "one")
    assert seen.counts().scored == 1
    assert seen.scores[0].scorer_hash == "unstable"


@pytest.mark.parametrize(
    ("sinks", "settings", "told"),
    [
        (("scores.jsonl",), {}, "takes sinks"),
        ((), {"queue": 0}, "queue="),
        ((), {"concurrency": 1.5}, "concurrency="),
        ((), {"when_full": "drop"}, "drop_newest"),
        ((), {"timeout": 0}, "timeout="),
        ((), {"at_exit": -1}, "at_exit="),
        ((), {"budget": 5}, "budget="),
        ((), {"metrics": 1}, "metrics="),
        ((), {"name": 5}, "name="),
    ],
)
def test_settings_are_held(sinks: tuple[Sink, ...], settings: dict[str, object], told: str) -> None:
    """Where they are written."""
    with pytest.raises(DefinitionError, match=told):
        Live(*sinks, **settings)  # type: ignore[arg-type]  # what is tested


def test_resuming_needs_a_store(seen: Seen) -> None:
    """That runs were handed over to."""
    with pytest.raises(DefinitionError, match="hand_over=True"):
        seen.live.resume(Scorers(tone))


def test_a_sample_beside_a_block_is_counted(seen: Seen) -> None:
    """A block that is sampled out costs nothing and is told."""
    with scoring(tone, live=seen.live, input="in", sample=ALWAYS) as block:
        block.finish("out")
    with scoring(tone, live=seen.live, input="in", sample={"tone": ALWAYS}, where=lambda _: False) as block:
        block.finish("out")
    assert (seen.counts().scored, seen.counts().filtered) == (1, 1)
