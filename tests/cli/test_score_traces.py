"""`scorewright score` on traces: told from rows, scored by agent scorers, with the same table and exit codes."""

from __future__ import annotations

import json
from typing import cast

import pytest
from cli.folder import ROOT, Folder

SCORERS = """
from scorewright import create_scorer, pure
from scorewright.agents import create_agent_scorer, create_trajectory_scorer, failed_calls, tool_calls
from scorewright.core import Scorers

calls = create_agent_scorer("calls").generate_score(pure(lambda s: len(tool_calls(s.run.output)) / 4))
clean = create_agent_scorer("clean").generate_score(pure(lambda s: not failed_calls(s.run.output)))
words = create_scorer("words", input=str, output=str).generate_score(pure(lambda s: s.run.output == "At the depot."))
path = create_trajectory_scorer("path").generate_score(pure(lambda s: 1))
breaks = create_agent_scorer("breaks").generate_score(pure(lambda s: 1 / len(s.run.input.system_messages)))
two = Scorers(calls, clean)
"""


PLAIN = """
from scorewright import create_scorer, pure

every = create_scorer("every", input=object, output=object).generate_score(pure(lambda s: 1))
"""


def chat(answer: str | None = "At the depot.") -> list[object]:
    call = {"id": "c1", "type": "function", "function": {"name": "track", "arguments": '{"parcel": 7}'}}
    told: list[object] = [
        {"role": "user", "content": "Where is my parcel?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "depot"},
    ]
    return told if answer is None else [*told, {"role": "assistant", "content": answer}]


@pytest.fixture
def traced(folder: Folder) -> Folder:
    """A folder with agent scorers and a trace."""
    folder.write("agents.py", SCORERS)
    folder.write("trace.json", json.dumps(chat(), indent=1))
    return folder


def means(report: dict[str, object]) -> dict[str, object]:
    return {str(each["id"]): each["mean"] for each in cast("list[dict[str, object]]", report["scorers"])}


def test_a_trace_is_recognised_and_scored(traced: Folder) -> None:
    """By agent scorers, and by plain ones on the words; a `Scorers` is taken like a list."""
    done = traced.score("trace.json", "--scorers", "agents:two", "--scorers", "agents:words", "--json")
    assert (done.code, done.report["n_items"]) == (0, 1)
    assert means(done.report) == {"calls": 0.25, "clean": 1.0, "words": 1.0}
    table = traced.score("trace.json", "--scorers", "agents:two")
    assert "1 run · 2 scorers" in table.out


def test_references_that_no_run_has_are_told(traced: Folder) -> None:
    """By how many, and the first of them."""
    traced.write("refs.json", json.dumps({"r1": "At the depot.", "r2": "x"}))
    done = traced.score("trace.json", "--scorers", "agents:words", "--references", "refs.json")
    assert done.code == 0
    assert "--references: of 2 ids 2 are those of no run, span or trace: r1, r2" in done.err


def test_stdin_and_a_named_dialect_are_served(traced: Folder) -> None:
    """A trace may come through a pipe; `--dialect` says what it is."""
    given = json.dumps(chat()).encode()
    for options in ((), ("--dialect", "openai-chat")):
        done = traced.score("-", "--scorers", "agents:calls", "--json", *options, given=given)
        assert (done.code, means(done.report)) == (0, {"calls": 0.25})
    wrong = traced.score("trace.json", "--scorers", "agents:calls", "--dialect", "klingon")
    assert (wrong.code, wrong.out) == (2, "")
    assert "openai-chat" in wrong.err


def test_every_run_of_a_file_of_lines_is_scored(traced: Folder) -> None:
    """A line a run; a broken one is told, and the others are scored."""
    traced.lines([json.dumps({"messages": chat()}), "{broken", json.dumps({"messages": chat("I do not know.")})])
    done = traced.score("runs.jsonl", "--scorers", "agents:words", "--json", "--out", "results.jsonl")
    assert (done.code, done.report["n_items"], done.report["n_broken"]) == (4, 2, 1)
    assert means(done.report) == {"words": 0.5}
    assert [(each["line"], each["score"]) for each in traced.results()] == [(1, 1.0), (3, 0.0)]


def test_what_holds_nothing_to_score_is_counted_apart(traced: Folder) -> None:
    """A run without an answer, a trajectory without a reference; a scorer that raises fails its run: exit code 4."""
    traced.write("mute.json", json.dumps(chat(None)))
    done = traced.score("mute.json", "--scorers", "agents.py", "--json")
    counts = {each["id"]: each for each in cast("list[dict[str, object]]", done.report["scorers"])}
    assert [counts[id]["n_not_scorable"] for id in ("words", "path", "calls", "breaks")] == [1, 1, 0, 0]
    assert counts["breaks"]["n_failed"] == 1
    assert done.code == 4


def test_content_that_was_not_captured_is_no_zero(traced: Folder) -> None:
    """Spans without their content are not scorable, and a threshold over nothing is not met."""
    span = {"traceId": "a" * 32, "spanId": "b" * 16, "name": "chat", "startTimeUnixNano": "1", "endTimeUnixNano": "2"}
    kind = {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}
    spans = [{**span, "attributes": [kind]}]
    traced.write("spans.json", json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))
    done = traced.score("spans.json", "--scorers", "agents:two", "--json", "--fail-under", "calls=0")
    assert (done.code, means(done.report)) == (3, {"calls": None, "clean": None})


def test_gates_hold_for_traces(traced: Folder) -> None:
    """The exit codes are those of rows."""
    assert traced.score("trace.json", "--scorers", "agents:calls", "--fail-under", "calls=0.5").code == 1
    assert traced.score("trace.json", "--scorers", "agents:calls", "--fail-under", "calls=0.2").code == 0


def test_rows_stay_rows(traced: Folder) -> None:
    """Objects with input and output, whatever these hold; a broken first line too."""
    rows = [{"input": chat(), "output": [], "id": str(n), "metadata": {"traceId": "t"}} for n in range(2)]
    traced.write("plain.py", PLAIN)
    traced.rows(*rows, {"input": "a", "output": "b", "run_type": "llm", "type": "human"})
    assert traced.score("runs.jsonl", "--scorers", "plain.py", "--json").report["n_items"] == 3
    traced.rows("{broken", *rows)
    done = traced.score("runs.jsonl", "--scorers", "plain.py", "--json")
    assert (done.code, done.report["n_items"], done.report["n_broken"]) == (4, 2, 1)
    traced.rows({"output": "b"}, *rows)
    done = traced.score("-", "--scorers", "plain.py", "--json", given=(traced.path / "runs.jsonl").read_bytes())
    assert (done.code, done.report["n_items"], done.report["n_broken"]) == (4, 2, 1)


def test_a_document_of_no_dialect_is_a_usage_error(traced: Folder) -> None:
    """It says what it holds, and which dialects were looked for."""
    traced.write("odd.json", json.dumps({"answers": [1, 2]}, indent=2))
    done = traced.score("odd.json", "--scorers", "agents:calls")
    assert (done.code, done.out) == (2, "")
    assert "answers" in done.err
    assert "otlp" in done.err


@pytest.mark.parametrize("name", ["parcel.json", "parcel.py"])
def test_the_page_shows_the_files_that_are_bundled(name: str) -> None:
    """What the tutorial shows lies in docs/examples."""
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    _, _, block = page.partition(f"<!-- file: {name} -->\n\n```")
    assert block.partition("\n")[2].startswith((ROOT / "docs" / "examples" / name).read_text(encoding="utf-8") + "```")
