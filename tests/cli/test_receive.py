"""`scorewright receive` as a process: spans of another process are scored, kept and counted, also across a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import pytest
from cli.folder import COMMAND, Folder, environment

pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
pytest.importorskip("pydantic_ai")

from live.otel.collecting import collecting
from live.otel.test_receiver import chat, request
from live.otel.tracing import until

from scorewright.suites.journal import open_store

pytestmark = pytest.mark.once

APP = Path(__file__).parents[1] / "live" / "otel" / "app.py"
SLOW = """
import time
from scorewright import create_scorer, pure

stuck = create_scorer("stuck", input=str, output=str).generate_score(pure(lambda s: time.sleep(60) or 1.0))
"""
QUICK = """
from scorewright import create_scorer, pure

stuck = create_scorer("stuck", input=str, output=str).generate_score(pure(lambda s: 1.0))
"""
TRAJECTORY = """
from scorewright import create_scorer, pure
from scorewright.agents import AgentInput, AgentOutput

looked = create_scorer("looked", input=AgentInput, output=AgentOutput).generate_score(
    pure(lambda s: any(call.name == "look" for message in s.run.output.messages for call in message.tool_calls))
)
"""


class Receiving:
    """The command while it runs."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.out = ""

    def end(self, number: int = signal.SIGTERM) -> tuple[int, dict[str, dict[str, object]], str]:
        """Tell it to stop: the exit code, what it printed, what it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        self.out = out
        return self.process.returncode, json.loads(out) if out[:1] == "{" else {}, err

    def send(self, body: bytes, **headers: str) -> int:
        """Post to it."""
        told = {"Content-Type": "application/json"} | headers
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/traces", body, told)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return cast("int", answer.status)


@contextmanager
def receiving(folder: Folder, *options: str, port: int = 0) -> Iterator[Receiving]:
    command = [*COMMAND, "receive", "--port", str(port), *options]
    process = subprocess.Popen(
        command, cwd=folder.path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        said = ""
        while "listening on port" not in said:
            line = cast("IO[str]", process.stderr).readline()
            assert line, f"it ended: {said}"
            said += line
        yield Receiving(process, int(said.split("listening on port ")[1].split(":")[0]))
    finally:
        process.kill()
        process.communicate()


def run_app(port: int, agents: int = 1) -> None:
    """Run agents in another process, to the end of their export."""
    command = [sys.executable, str(APP), str(port), str(agents)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr


def test_agents_of_another_process_are_scored(folder: Folder) -> None:
    """Sent by the real exporter, gzipped protobuf; kept in a file and a store; counted to the unit."""
    folder.write("trajectory.py", TRAJECTORY)
    options = ("--scorers", "trajectory", "--scorers", "scorers:share", "--out", "scores.jsonl", "--store", "runs.db")
    options += ("--json",)
    with receiving(folder, *options) as command:
        run_app(command.port, 3)
        code, told, _ = command.end()
    assert code == 0
    assert (told["runs"]["triggered"], told["runs"]["scored"], told["runs"]["stored"]) == (6, 6, 6)
    assert (told["spans"]["runs"], told["requests"]["bad"]) == (3, 0)
    rows = folder.results("scores.jsonl")
    assert sorted((row["scorer"], row["score"]) for row in rows) == [("looked", 1.0)] * 3 + [("share", 0.0)] * 3
    assert all(
        len(cast("str", row["trace_id"])) == 32 and row["run_id"] == f"{row['trace_id']}-{row['span_id']}"
        for row in rows
    )
    assert "answer 0" not in (folder.path / "scores.jsonl").read_text()
    with open_store(folder.path / "runs.db") as store:
        assert len([*store.scores("live")]) == 6


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_drains_when_it_is_told_to_stop(folder: Folder, number: int) -> None:
    """What has ended is scored at once, without its grace."""
    with receiving(
        folder, "--scorers", "scorers:share", "--out", "scores.jsonl", "--grace", "500", "--json"
    ) as command:
        run_app(command.port)
        code, told, said = command.end(number)
    assert (code, told["runs"]["scored"]) == (0, 1)
    assert "stopping" in said


def test_what_was_sampled_is_scored_by_the_next_process(folder: Folder) -> None:
    """Killed while a scorer is stuck: the next one scores it, and new spans come in as before."""
    folder.write("stuck.py", SLOW)
    options = ("--scorers", "stuck", "--store", "runs.db", "--hand-over", "--grace", "0", "--json")
    with receiving(folder, *options) as command:
        run_app(command.port)
        with open_store(folder.path / "runs.db") as store:
            until(lambda: bool([*store.items("live")]))
        command.process.kill()
    folder.write("stuck.py", QUICK)
    with receiving(folder, *options) as command:
        run_app(command.port)
        code, told, said = command.end()
    assert code == 0, said
    assert (told["runs"]["resumed"], told["runs"]["scored"], told["runs"]["triggered"]) == (1, 2, 2)


def test_an_exporter_waits_for_a_receiver_that_is_away(folder: Folder) -> None:
    """It comes back on the same port within the exporter's patience."""
    options = ("--scorers", "scorers:share", "--out", "scores.jsonl", "--json")
    with receiving(folder, *options) as command:
        port = command.port
        command.end()
    started = [sys.executable, str(APP), str(port)]
    patient = environment(OTEL_EXPORTER_OTLP_TIMEOUT="60")
    with subprocess.Popen(started, env=patient, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as app:
        assert "retrying" in cast("IO[str]", app.stderr).readline()  # it has found nobody
        with receiving(folder, *options, port=port) as command:
            app.communicate(timeout=120)
            _, told, _ = command.end()
    assert told["runs"]["scored"] == 1


def test_what_is_left_is_told(folder: Folder) -> None:
    """A scorer that hangs does not hold the command: the exit code is 4."""
    folder.write("stuck.py", SLOW)
    with receiving(folder, "--scorers", "stuck", "--out", "scores.jsonl", "--drain", "0.5", "--json") as command:
        run_app(command.port)
        code, told, _ = command.end()
    assert (code, told["runs"]["dropped"]) == (4, 1)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "have to go somewhere"),
        (("--hand-over", "--out", "s.jsonl"), "give --store"),
        (("--out", "s.jsonl", "--sample", "7"), "--share is"),
        (("--out", "s.jsonl", "--host", "0.0.0.0"), "--allow-remote"),
        (("--out", "s.jsonl", "--port", "70000"), "port"),
        (("--out", "s.jsonl", "--rate", "0"), "rate"),
        (("--out", "s.jsonl", "--scorers", "scorers:same"), "reference"),
    ],
)
def test_wrong_usage_is_told_before_anything_listens(folder: Folder, options: tuple[str, ...], why: str) -> None:
    """With exit code 2."""
    done = folder.call("receive", "--scorers", "scorers:share", *options)
    assert done.code == 2
    assert why in done.err


def test_a_port_that_is_taken_is_told(folder: Folder) -> None:
    """As wrong usage."""
    options = ("--scorers", "scorers:share", "--out", "scores.jsonl")
    with receiving(folder, *options) as command:
        done = folder.call("receive", *options, "--port", str(command.port))
        assert done.code == 2
        assert "cannot listen" in done.err


def test_the_counts_are_lines_too(folder: Folder) -> None:
    """Without `--json`."""
    with receiving(folder, "--scorers", "scorers:share", "--out", "scores.jsonl") as command:
        assert command.send(b"{}") == 200
        code, _, _ = command.end()
    runs, spans, requests = command.out.splitlines()
    assert (code, runs.split()[:3], spans.split()[:3]) == (0, ["runs", "0", "triggered,"], ["spans", "0", "spans,"])
    assert requests == "requests  1 accepted, 0 bad, 0 too large, 0 too many, 0 busy, 0 elsewhere, 0 rejected spans"


def test_scores_are_sent_as_events(folder: Folder) -> None:
    """To another collector, as `gen_ai.evaluation.result`."""
    with collecting() as collector:
        endpoint = f"http://127.0.0.1:{collector.port}/v1/logs"
        with receiving(folder, "--scorers", "scorers:share", "--events", endpoint, "--json") as command:
            run_app(command.port)
            code, told, said = command.end()
    assert (code, told["runs"]["stored"]) == (0, 1), said
    assert b"gen_ai.evaluation.result" in b"".join(collector.bodies)


@pytest.mark.parametrize(("options", "triggered"), [((), 0), (("--roots",), 1)])
def test_a_lone_question_is_a_run_where_that_is_said(folder: Folder, options: tuple[str, ...], triggered: int) -> None:
    """Of a program that asks a model without saying that it is an agent."""
    with receiving(folder, "--scorers", "scorers:share", "--out", "scores.jsonl", "--json", *options) as command:
        assert command.send(json.dumps(request(chat(2, 0, "please"))).encode()) == 200
        code, told, said = command.end()
    assert (code, told["runs"]["triggered"], told["spans"]["spans"]) == (0, triggered, 1), said
