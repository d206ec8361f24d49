"""Scorers that wait: for judges, or in async steps."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from cli.folder import COMMAND, Folder, environment
from fakes.openai_server import Answer, Body, FakeOpenAI, said, status

JUDGED = """
import os
from scorewright import Judge, create_scorer, ok, pure, score_prompt, then, prompt
from scorewright.core import gather

judge = Judge("fake", base_url=os.environ["JUDGE"])
judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda s: f"judge {s.run.output}")
)
plain = create_scorer("plain", input=str, output=str).generate_score(pure(lambda s: 1))

many = create_scorer("many", input=str, output=str, judge=judge).generate_score(
    lambda s: then(
        gather(*(lambda n=n: prompt(float, lambda _: f"part {n}")(s) for n in range(8))),
        lambda parts: ok(sum(part.unwrap() for part in parts) / 8),
    )
)
"""
ASYNC = """
import asyncio, sys
from scorewright import create_scorer, pure, pure_async

async def slowly(step):
    if step.run.input == 100 and step.run.metadata.get("ends"):
        sys.exit(0)
    for _ in range(step.run.input):
        await asyncio.sleep(0)
    return step.run.input / 100

slow = create_scorer("slow", input=int, output=str).generate_score(pure_async(slowly))
"""


def prompts(body: Body) -> str:
    return str(body["messages"])


def answers(body: Body, number: int) -> Answer:
    """0.5 for all but the bad ones."""
    return status(500, "no") if "bad" in prompts(body) else said('{"score": 0.5}')


@pytest.fixture
def judged(folder: Folder) -> Folder:
    """Thirty rows and scorers with a judge."""
    folder.write("judged.py", JUDGED)
    folder.rows(*({"input": "q", "output": f"row {number}"} for number in range(1, 31)))
    return folder


def test_judges_are_asked_side_by_side_and_results_keep_the_order(judged: Folder) -> None:
    """As many at once as allowed, over kept connections; the file has the order of the rows."""
    together = threading.Barrier(5)

    def wait(body: Body, number: int) -> Answer:
        together.wait(timeout=30)  # passes only when five are asked at once
        return answers(body, number)

    with FakeOpenAI(wait) as server:
        options = ("--scorers=judged:judged", "--scorers=judged:plain", "--out=results.jsonl", "--concurrency=5")
        done = judged.score("runs.jsonl", *options, JUDGE=server.base_url)
        assert (done.code, done.err) == (0, "")
        assert len(server.requests) == 30
        assert server.peak == 5
        assert len({request.port for request in server.requests}) <= 5
    order = [(each["line"], each["scorer"]) for each in judged.results()]
    assert order == [(line, name) for line in range(1, 31) for name in ("judged", "plain")]
    steps = judged.results()[0]["steps"]
    assert isinstance(steps, list)
    assert steps[0]["prompts"] == ["judge row 1"]


def test_the_parts_of_a_fork_keep_to_the_limit_too(judged: Folder) -> None:
    """Eight asks of one run, three at once."""
    with FakeOpenAI(lambda *_: said("0.5")) as server:
        options = ("--scorers=judged:many", "--concurrency=3", "--json")
        done = judged.score("runs.jsonl", *options, JUDGE=server.base_url)
        assert done.code == 0, done.out
        assert len(server.requests) == 240
        assert server.peak <= 3


def test_a_judge_that_fails_fails_its_row_alone(judged: Folder) -> None:
    """With words, and exit code 4."""
    judged.rows({"input": "q", "output": "bad"}, {"input": "q", "output": "fine"}, "nope")
    with FakeOpenAI(answers) as server:
        done = judged.score("runs.jsonl", "--scorers=judged:judged", JUDGE=server.base_url)
    assert done.code == 4
    assert re.search(r"^judged +0\.50  1/3 scored · 1 failed · 1 broken ", done.out, re.MULTILINE), done.out
    assert "The judge's server failed (500): " in done.out


def test_async_steps_are_awaited(folder: Folder) -> None:
    """Also where a later row is done long before an earlier one."""
    folder.write("steps.py", ASYNC)
    folder.rows(*({"input": 100 - number, "output": ""} for number in range(100)), "nope", {"input": "x", "output": ""})
    done = folder.score("runs.jsonl", "--scorers=steps", "--out=results.jsonl", "--json")
    assert done.code == 4
    assert [each["score"] for each in folder.results()] == [*((100 - number) / 100 for number in range(100)), None]


@pytest.mark.parametrize(
    ("options", "rows", "said"),
    [
        (["--out=results.jsonl"], [1, 2, 100, 3], "a scorer ended the process: SystemExit(0)"),
        (["--out=/dev/full", "--force"], [1, 2, 3, 4], "No space left on device"),
    ],
)
def test_what_stops_the_run_leaves_nothing_behind(
    folder: Folder, options: list[str], rows: list[int], said: str
) -> None:
    """A step that ends the process, a full disk: exit code 4, no traceback, no task that nobody awaited."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    folder.write("steps.py", ASYNC)
    folder.rows(*({"input": number, "output": "", "ends": True} for number in rows))
    done = folder.score("runs.jsonl", "--scorers=steps", *options)
    assert done.code == 4
    assert len(done.err.splitlines()) == 1
    assert said in done.err


def test_an_interrupt_keeps_the_answers_that_came(judged: Folder) -> None:
    """Also those behind a row that still waits."""
    asked = threading.Semaphore(0)
    released = threading.Event()

    def answer(body: Body, number: int) -> Answer:
        asked.release()
        if "judge row 2\\n" in prompts(body):
            released.wait(timeout=60)
        return answers(body, number)

    judged.rows(*({"input": "q", "output": f"row {number}"} for number in range(1, 7)))
    with FakeOpenAI(answer) as server:
        with subprocess.Popen(
            [*COMMAND, "score", "runs.jsonl", "--scorers=judged:judged", "--out=results.jsonl", "--concurrency=2"],
            cwd=judged.path,
            env=environment(JUDGE=server.base_url),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            for _ in range(6):  # the last is asked when all before it but row 2 are answered
                assert asked.acquire(timeout=60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        released.set()
    assert (process.returncode, err) == (130, "scorewright: stopped: interrupted\n")
    assert "incomplete: interrupted" in out
    assert [each["line"] for each in judged.results()][:4] == [1, 3, 4, 5]
