"""Runs that are handed over to a store: what a process left, the next one scores."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from live.watching import PATIENCE, Gate, number, tone

from scorewright import Judge, Run, create_scorer, pure, score_prompt
from scorewright.core import Scorers
from scorewright.judges import calling
from scorewright.live import Callback, InStore, JsonLines, Live, LiveScore, scored, submit
from scorewright.suites.journal import open_store

HOST = """if True:
    import sys, threading
    from scorewright import create_scorer, pure
    from scorewright.live import InStore, Live, scored
    from scorewright.suites.journal import open_store

    hangs = threading.Event()
    slow = create_scorer("slow", input=str, output=str).generate_score(pure(lambda s: float(hangs.wait())))
    store = open_store(sys.argv[1])
    live = Live(InStore(store, hand_over=True))

    @scored(slow, live=live)
    def answer(question: str) -> str:
        return f"{question}, please"

    for word in ("Sit", "Go", "Come"):
        answer(word)
    while len(list(store.items("live"))) < 3:
        pass
    print("handed over", flush=True)
    hangs.wait()
"""
slow = create_scorer("slow", input=str, output=str).generate_score(pure(lambda s: "please" in s.run.output))


def test_what_a_killed_process_left_is_scored_by_the_next(tmp_path: Path) -> None:
    """Once, under the ids that it had; a third process finds nothing."""
    path = tmp_path / "runs.db"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", HOST, str(path)], stdout=subprocess.PIPE, env=environment) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"handed over\n"
        host.send_signal(signal.SIGKILL)
        host.wait(PATIENCE)
    with open_store(path) as store:
        left = {each.row_id for each in store.items("live")}
        assert (len(left), list(store.scores("live"))) == (3, [])
        for expected in (3, 0):
            live = Live(InStore(store, hand_over=True), queue=1)
            assert live.resume(Scorers(slow, tone)) == expected
            assert live.shutdown()
            counts = live.counts()
            assert (counts.resumed, counts.scored, counts.stored) == (expected,) * 3
            assert counts.adds_up
        assert {each.row_id: each.value for each in store.scores("live")} == dict.fromkeys(left, 1.0)


def test_what_shutdown_could_not_wait_for_stays(tmp_path: Path) -> None:
    """Pending, not dropped; the next process scores it."""
    with open_store(tmp_path / "runs.db") as store:
        gate, live = Gate(), Live(InStore(store, hand_over=True))
        submit(Run("in", "out"), gate.scorer, live=live)
        assert gate.begun.wait(PATIENCE)
        assert not live.shutdown(0)
        gate.open.set()
        assert (live.counts().pending, live.counts().dropped, live.counts().adds_up) == (1, 0, True)
        again = Live(InStore(store, hand_over=True))
        assert again.resume(Scorers(gate.scorer)) == 1
        again.shutdown()
        assert [each.value for each in store.scores("live")] == [1.0]


def test_only_the_scorers_that_were_sampled_are_due(tmp_path: Path) -> None:
    """And each is found again by its id."""
    with open_store(tmp_path / "runs.db") as store:
        gates = Gate("one"), Gate("two")
        live = Live(InStore(store, hand_over=True), concurrency=2)

        @scored(*(gate.scorer for gate in gates), live=live)
        def answer(question: str) -> str:
            return question

        answer("in")
        assert all(gate.begun.wait(PATIENCE) for gate in gates[:1])
        gates[0].open.set()
        assert gates[1].begun.wait(PATIENCE)
        live.shutdown(0.2)
        gates[1].open.set()
        done = {each.scorer for each in store.scores("live")}
        again = Live(InStore(store, hand_over=True))
        assert again.resume(Scorers(*(gate.scorer for gate in gates), tone)) == 2 - len(done)
        again.shutdown()
        assert {each.scorer for each in store.scores("live")} == {"one", "two"}


def test_a_stored_run_that_does_not_fit_any_more_fails(tmp_path: Path) -> None:
    """With the place that does not; nothing is coerced."""
    with open_store(tmp_path / "runs.db") as store:
        gate, live = Gate(), Live(InStore(store, hand_over=True))
        submit(Run("in", "out"), gate.scorer, live=live)
        assert gate.begun.wait(PATIENCE)
        live.shutdown(0)
        gate.open.set()
        other = create_scorer("gated", input=str, output=int).generate_score(pure(lambda s: s.run.output))
        again = Live(InStore(store, hand_over=True))
        assert again.resume(Scorers(other)) == 1
        again.shutdown()
        assert dict(again.counts().reasons) == {"failed: InvalidRun": 1}


def test_judges_are_asked_through_the_journal(tmp_path: Path) -> None:
    """What was answered to one process is not paid for by the next."""
    asked: list[object] = []

    async def half(call: object) -> str:
        asked.append(call)
        return '{"score": 0.5}'

    judge = Judge(calling(half, identity="always half"))
    judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
        score_prompt(lambda step: f"How good is {step.run.output!r}?")
    )
    with open_store(tmp_path / "runs.db") as store:
        for _ in range(2):
            live = Live(InStore(store, hand_over=True))
            submit(Run("in", "out", run_id="r1"), judged, live=live)
            live.shutdown()
            assert live.counts().scored == 1
    assert len(asked) == 1


def test_a_store_that_cannot_be_written_loses_no_score(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Runs are scored all the same; only a restart would lose them, and that is said."""
    store = open_store(tmp_path / "runs.db")
    scores: list[LiveScore] = []
    live = Live(Callback(scores.append), InStore(store, hand_over=True))
    store.close()
    store.writer.failed = RuntimeError("gone")  # type: ignore[assignment]  # whatever it may be
    submit(Run("in", "1"), number, live=live)
    assert live.flush()
    counts = live.counts()
    assert (counts.scored, counts.unstored, len(scores)) == (1, 1, 1)
    assert dict(counts.reasons) == {
        "not handed over: RuntimeError": 1,
        "unstored: InStore raised RuntimeError": 1,
    }
    assert "handed over" in caplog.text
    live.shutdown()


WORKER = """if True:
    import sys
    from live.test_storing import work

    print(work(*sys.argv[1:]), flush=True)
"""


def work(store_path: str, file: str, name: str) -> int:
    """What one worker of a server does."""
    with open_store(store_path) as store, Live(InStore(store), JsonLines(file)) as live:
        for n in range(20):
            submit(Run("in", "1", run_id=f"{name}-{n}"), number, live=live)
            submit(Run("in", "1", run_id=f"both-{n}"), number, live=live)
    return live.counts().stored


def test_several_processes_share_a_store_and_a_file(tmp_path: Path) -> None:
    """No line is torn, no row is lost, none comes twice."""
    store_path, file = tmp_path / "runs.db", tmp_path / "scores.jsonl"
    open_store(store_path).close()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", WORKER, str(store_path), str(file), "a"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as other:
        assert work(str(store_path), str(file), "b") == 40
        assert other.communicate()[0].strip() == "40"
    assert [json.loads(line)["score"] for line in file.read_text().splitlines()] == [1.0] * 80
    with open_store(store_path) as store:
        assert len(list(store.scores("live"))) == 60
