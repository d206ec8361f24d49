"""Chunks of rows in worker processes: the same results, whatever the engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from suites import scoring
from suites.scoring import plain

from scorewright import DefinitionError
from scorewright.core.budget import Budget
from scorewright.suites import (
    ChunkJob,
    Executor,
    ItemRecord,
    ProcessExecutor,
    Row,
    Suite,
    WorkerDied,
    evaluate_sync,
    score_chunk,
)
from scorewright.suites.executors import Kept
from scorewright.suites.journal import open_store

SAID = ["1", "0.5", "none", "fail", "0"]
ROWS: list[dict[str, object]] = [{"id": str(at), "input": SAID[at % 5], "output": SAID[at % 5]} for at in range(23)]
JOB = ChunkJob("suites.scoring:plain")
WITH_TESTS = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}  # of a program that imports what tests share


def results(executor: Executor | None, target: object = None) -> tuple[dict[int, object], object]:
    """What came of every row, and of all."""
    items: list[ItemRecord] = []
    rows: list[dict[str, object]] = [*ROWS, {"no": "input"}]
    summary = evaluate_sync(plain, rows, target=target, executor=executor, on_item=items.append)
    held: dict[int, object] = {item.index: (item.row.id, item.output, item.fault, _said(item)) for item in items}
    return held, ({id: each.mean for id, each in summary.scorers.items()}, summary.n_broken, summary.verdict)


def _said(item: ItemRecord) -> dict[str, object]:
    evaluations: dict[str, object] = {key: (done.score, done.reason) for key, done in item.evaluations.items()}
    failures: dict[str, object] = {key: failure.described() for key, failure in item.failures.items()}
    return evaluations | failures | cast("dict[str, object]", item.not_scorable)


def test_processes_give_what_one_loop_gives() -> None:
    """Scores, reasons, failures and their order of rows; broken rows too, and with a target found by name."""
    assert results(ProcessExecutor(JOB, workers=2, chunk=4)) == results(None)
    job = ChunkJob("suites.scoring:plain", "suites.scoring:echo")
    for target in (None, scoring.echo):
        assert results(ProcessExecutor(job, workers=1, chunk=8), target) == results(None, scoring.echo)


def test_a_chunk_is_one_call() -> None:
    """The seam that every engine goes through."""
    chunk = [(at, Row(str(at), "q", said)) for at, said in enumerate(SAID)]
    done = score_chunk(JOB, chunk)
    assert [item.index for item in done] == [0, 1, 2, 3, 4]
    assert done[1].evaluations["number"].score == 0.5


def test_what_cannot_travel_travels_as_json() -> None:
    """A step that gives a lambda, or a lock."""
    executor = ProcessExecutor(ChunkJob("suites.scoring:holding"), workers=1)
    items: list[ItemRecord] = []
    evaluate_sync(scoring.holding, ROWS[:3], executor=executor, on_item=items.append)
    values = [item.evaluations["holding"].steps[0].value for item in items]
    assert all(str(value).startswith("<function") for value in values)


def test_an_answer_that_cannot_travel_takes_no_other_with_it() -> None:
    """What raises as it is written or read, or is nested too deeply, is text; what stands beside it stays as it was."""
    said = ["unwritten", "a", "unread", "deep", "lambda", "set", "odd"]
    rows: list[dict[str, object]] = [{"id": each, "input": each} for each in said]
    executor = ProcessExecutor(ChunkJob("suites.scoring:anything", "suites.scoring:strange"), workers=1)
    items: list[ItemRecord] = []
    evaluate_sync(scoring.anything, rows, executor=executor, on_item=items.append)
    outputs = {item.row.id: item.output for item in items}
    assert {key: type(outputs[key]) for key in said} == {**dict.fromkeys(said, str), "set": set}
    assert (outputs["a"], outputs["set"]) == ("a", {1})
    assert [item.row.id for item in items if item.failures] == ["odd"]


def test_workers_end_with_the_process_that_began_them(tmp_path: Path) -> None:
    """Also where that one is killed, and says nothing any more: `run` waits for all that hold its stderr."""
    program = tmp_path / "killed.py"
    program.write_text("""
import os, signal
from scorewright.suites import ChunkJob, ProcessExecutor, Suite, evaluate_sync
from suites.scoring import plain

def kill(item):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    rows = [{"input": "a", "output": "1"}] * 99
    evaluate_sync(plain, rows, executor=ProcessExecutor(ChunkJob("suites.scoring:plain"), chunk=1), on_item=kill)
""")
    told = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=WITH_TESTS, stderr=subprocess.PIPE, timeout=60, check=False
    )
    assert told.returncode == -9, told.stderr


def test_a_target_that_never_comes_back_does_not_keep_the_process(tmp_path: Path) -> None:
    """Once nobody waits for it: what `on_item` raises ends the evaluation, and the program."""
    program = tmp_path / "ended.py"
    program.write_text("""
from scorewright.suites import ChunkJob, ProcessExecutor, evaluate_sync
from suites.scoring import plain

def enough(item):
    raise RuntimeError("enough")

if __name__ == "__main__":
    rows = [{"input": "1"}] + [{"input": "hang"}] * 9
    job = ChunkJob("suites.scoring:plain", "suites.scoring:hanging")
    evaluate_sync(plain, rows, executor=ProcessExecutor(job, chunk=1), on_item=enough)
""")
    done = subprocess.run(
        [sys.executable, program], env=WITH_TESTS, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "RuntimeError: enough")
    assert "never retrieved" not in done.stderr


def test_a_worker_that_dies_is_told() -> None:
    """Not waited for."""
    executor = ProcessExecutor(ChunkJob("suites.scoring:dying"), workers=1)
    with pytest.raises(WorkerDied, match="a worker process died"):
        evaluate_sync(scoring.dying, ROWS[:3], executor=executor)


def test_workers_that_cannot_begin_say_what_they_need() -> None:
    """One message, and no trail of futures that nobody looked at: a program from stdin is no file to import."""
    program = """
from scorewright.suites import ChunkJob, ProcessExecutor, Suite, evaluate_sync
rows = [{"input": "a", "output": "b"}] * 4
evaluate_sync(Suite(), rows, executor=ProcessExecutor(ChunkJob("suites.scoring:plain"), chunk=1))
"""
    done = subprocess.run([sys.executable, "-"], input=program, capture_output=True, text=True, timeout=60, check=False)
    assert "under if __name__ == '__main__'" in done.stderr.splitlines()[-1]
    assert "never retrieved" not in done.stderr


def test_jobs_that_cannot_travel_are_mistakes(tmp_path: Path) -> None:
    """A suite without a name, a name of something else, a budget that nobody could keep."""
    with pytest.raises(DefinitionError, match="a job travels by name"):
        score_chunk(ChunkJob("plain"), [])
    with pytest.raises(DefinitionError, match="has no 'missing'"):
        score_chunk(ChunkJob("suites.scoring:missing"), [])
    with pytest.raises(DefinitionError, match="not a Suite but of type function"):
        score_chunk(ChunkJob("suites.scoring:echo"), [])
    with pytest.raises(DefinitionError, match="kept by the bench"):
        evaluate_sync(plain, ROWS, executor=ProcessExecutor(JOB), budget=Budget(calls=1))
    with pytest.raises(DefinitionError, match="there is no module 'nowhere'"):
        evaluate_sync(plain, ROWS, executor=ProcessExecutor(ChunkJob("suites.scoring:plain", "nowhere:echo")))
    with pytest.raises(
        DefinitionError, match=r"target= is suites\.scoring:echo, and the target of the executor's job is none"
    ):
        evaluate_sync(plain, ROWS, executor=ProcessExecutor(JOB), target=scoring.echo)
    with (
        pytest.raises(DefinitionError, match="give store= its path or address"),
        open_store(tmp_path / "runs.db") as it,
    ):
        evaluate_sync(plain, ROWS, executor=ProcessExecutor(JOB), store=it)
    with pytest.raises(DefinitionError, match="workers="):
        ProcessExecutor(JOB, workers=0)


def test_what_workers_did_is_stored_once(tmp_path: Path) -> None:
    """The process that began it writes, and continues."""
    store = str(tmp_path / "runs.db")
    executor = ProcessExecutor(JOB, workers=2, chunk=4)
    first = evaluate_sync(plain, ROWS, executor=executor, store=store)
    again = evaluate_sync(plain, ROWS, executor=executor, store=store)
    assert first.n_items == 23
    assert again.n_before == 19  # all but the four rows on which a scorer raises
    assert again["number"].mean == first["number"].mean
    assert isinstance(plain, Suite)


def test_another_target_is_another_experiment(tmp_path: Path) -> None:
    """The job names it: rows that one has answered are not done for another."""
    store = str(tmp_path / "runs.db")
    jobs = [ChunkJob("suites.scoring:plain", f"suites.scoring:{name}") for name in ("echo", "asked")]
    executors = [ProcessExecutor(job, workers=1) for job in (JOB, *jobs)]
    rows = [Row("a", "1", "1")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKED", str(tmp_path / "asked.txt"))
        ran = [evaluate_sync(plain, rows, executor=each, store=store) for each in executors]
    assert (len({each.experiment for each in ran}), [each.n_before for each in ran]) == (3, [0, 0, 0])


def test_a_worker_records_an_answer_before_the_next(
    tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chunk that a process did not finish is not paid again; a target that failed is asked again."""
    monkeypatch.setenv("ASKED", str(tmp_path / "asked.txt"))
    rows = [Row("a", "1 a"), Row("b", "fragile"), Row("c", "fail c")]
    job = ChunkJob("suites.scoring:plain", "suites.scoring:asked")
    begun = evaluate_sync(plain, [], executor=ProcessExecutor(job), store=store)
    chunk = [*enumerate(rows)]
    first = score_chunk(ChunkJob(job.suite, job.target, kept=Kept(store, begun.experiment)), chunk)
    assert [item.row.id for item in first if item.fault] == ["b"]
    again = evaluate_sync(plain, rows, executor=ProcessExecutor(job, workers=1), store=store)
    assert again.n_items == 3
    assert sorted((tmp_path / "asked.txt").read_text().split("\n")[:-1]) == ["1 a", "fail c", "fragile", "fragile"]
