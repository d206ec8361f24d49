"""Judges in tests: recorded once, replayed offline, asked only with a flag. The judge speaks HTTP on the loopback."""

from __future__ import annotations

import json

import pytest
from fakes.openai_server import FakeOpenAI, said, status
from testing.projects import XDIST, Project

pytestmark = pytest.mark.once

POLITE = """
import os

judge = Judge("fake", base_url=os.environ["JUDGE"], error_processors=[])
polite = create_scorer("polite", input=str, output=str, judge=judge).generate_verdict(
    verdict_prompt(lambda s: f"Is this polite?\\n{quoted(s.run.output, 'answer')}")
)

@evaluated(ROWS, (polite, ">= 0.5"))
def test_bot(case, score):
    record = score(f"Please, {case.input}")
    assert record.evaluations["polite"].reason == "It says please."

@evaluated(ROWS[:2], Suite((polite, 0.5)), transcript="kept/async.jsonl")
async def test_async(case, score):
    await score.run(f"Please, {case.input}")
"""
VERDICT = '{"reason": "It says please.", "score": 0.9}'


def test_replies_are_recorded_once_and_replayed_offline(project: Project) -> None:
    """Nothing is asked without a flag; recorded replies lie beside the test, and serve every later run."""
    project.write(test_judged=POLITE)
    with FakeOpenAI(lambda _body, _number: said(VERDICT)) as server:
        env = {"JUDGE": server.base_url, "OPENAI_API_KEY": "sk-a-key-that-nobody-may-see"}
        offline = project.run(env=env)
        assert len(server.requests) == 0
        assert (offline.code, offline.counts) == (1, {"failed": 8})
        assert offline.said(
            "no reply is recorded in",
            "Run pytest with --scorewright-record",
            "most common cause",
        )
        assert not (project.folder / "transcripts").exists()

        recorded = project.run("--scorewright-record", *XDIST, env=env)
        assert (recorded.code, recorded.counts) == (0, {"passed": 8})
        assert len(server.requests) == 6
        file = project.folder / "transcripts" / "test_judged" / "test_bot.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        assert len(lines) == 4
        assert lines == sorted(lines, key=lambda line: (line["place"], line["prompt"]))
        assert len((project.folder / "kept" / "async.jsonl").read_text().splitlines()) == 2

        replayed = project.run(env={**env, "OPENAI_API_KEY": ""})
        assert (replayed.code, replayed.counts) == (0, {"passed": 8})
        assert "request" not in replayed.output
        assert len(server.requests) == 6
        project.run("--scorewright-record", env=env)
        assert len(server.requests) == 6
        live = project.run("--scorewright-live", "-k", "test_bot and r1", env=env)
        assert live.said("1 request")
        assert len(server.requests) == 7
    held = "".join(path.read_text() for path in project.folder.rglob("*.jsonl"))
    assert "nobody-may-see" not in held
    assert "nobody-may-see" not in offline.output + recorded.output


def test_a_judge_that_fails_leaves_the_gate_open(project: Project) -> None:
    """A failed request is no score and no failed case; it is counted, and what it could change is not decided."""
    project.write(
        test_judged=POLITE.replace('    assert record.evaluations["polite"].reason == "It says please."\n', "").replace(
            '">= 0.5"', '">= 0.8"'
        )
    )

    def script(body: dict[str, object], number: int) -> object:
        return status(500, "boom") if "q3" in json.dumps(body) else said(VERDICT)

    with FakeOpenAI(script) as server:  # type: ignore[arg-type]  # an answer, whichever
        ran = project.run("--scorewright-live", "-k", "not async", env={"JUDGE": server.base_url})
    assert (ran.code, ran.counts["passed"], ran.counts["failed"]) == (1, 4, 1)
    assert ran.said("inconclusive: what is missing could change the answer", "(3/4 scored · 1 failed)", "boom")


def test_a_broken_transcript_is_told_with_its_line(project: Project) -> None:
    """The mark of a merge conflict fails the tests, and nothing is asked."""
    project.write(test_judged=POLITE).put("transcripts/test_judged/test_bot.jsonl", "<<<<<<< HEAD\n")
    ran = project.run("-k", "test_bot and r1 and not async", env={"JUDGE": "http://127.0.0.1:9/v1"})
    assert ran.code == 1
    assert ran.said("test_bot.jsonl:1")


def test_a_budget_bounds_what_is_asked(project: Project) -> None:
    """The budget of the evaluation is kept over all of its cases."""
    project.write(
        test_judged="from scorewright.core.budget import Budget\n"
        + POLITE.replace('(polite, ">= 0.5")', '(polite, ">= 0.5"), budget=Budget(calls=2)')
    )
    with FakeOpenAI(lambda _body, _number: said(VERDICT)) as server:
        ran = project.run("--scorewright-live", "-k", "not async", env={"JUDGE": server.base_url})
        assert len(server.requests) == 2
    assert ran.code == 1
    assert ran.said("2/4 scored · 2 failed")
