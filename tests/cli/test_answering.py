"""Who answers for the judges: a file, a budget; and what would be asked."""

from __future__ import annotations

import re
from typing import cast

import pytest
from cli.folder import Folder
from fakes.openai_server import FakeOpenAI, said

JUDGED = """
import os
from scorewright import Judge, create_scorer, pure, score_prompt
from scorewright.judges import calling

judge = Judge("fake", base_url=os.environ.get("JUDGE", "http://127.0.0.1:9/v1"))
judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda s: f"judge {s.run.output}")
)
priced = create_scorer("priced", input=str, output=str, judge=Judge("openai/gpt-4o-mini")).generate_score(
    score_prompt(lambda s: f"judge {s.run.output}")
)
plain = create_scorer("plain", input=str, output=str).generate_score(pure(lambda s: 1))

async def answer(call):
    return "1"

nameless = create_scorer("nameless", input=str, output=str, judge=Judge(calling(answer))).generate_score(
    score_prompt(lambda s: "judge")
)
"""


@pytest.fixture
def judged(folder: Folder) -> Folder:
    """Three rows, two of them alike, and scorers with a judge."""
    folder.write("judged.py", JUDGED)
    folder.rows(*({"input": "q", "output": f"row {number}"} for number in (1, 2, 2)))
    return folder


def cause(record: dict[str, object]) -> object:
    """The kind of a record's fault."""
    return cast("dict[str, object]", record["fault"])["kind"]


def test_what_was_recorded_is_replayed_without_a_judge(judged: Folder) -> None:
    """The results are the same; a row that was not recorded fails."""
    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        options = ("--scorers=judged:judged", "--record=tape.jsonl", "--out=one.jsonl")
        assert judged.score("runs.jsonl", *options, JUDGE=server.base_url).code == 0
        address = server.base_url
    judged.lines(['{"input": "q", "output": "row 1"}', '{"input": "q", "output": "new"}'], "others.jsonl")
    replaying = ("--scorers=judged:judged", "--replay=tape.jsonl", "--out=two.jsonl", "--force")
    assert judged.score("runs.jsonl", *replaying, JUDGE=address).code == 0
    scores = [[each["score"] for each in judged.results(name)] for name in ("one.jsonl", "two.jsonl")]
    assert scores == [[0.5] * 3] * 2
    done = judged.score("others.jsonl", *replaying, JUDGE=address)
    assert done.code == 4
    assert "1/2 scored · 1 failed" in done.out
    assert cause(judged.results("two.jsonl")[1]) == "NotRecorded"


def test_a_line_that_a_crash_cut_short_is_told_and_asked_again(judged: Folder) -> None:
    """`sbintuitions/flexeval#216`: nothing is glued to it; once it is deleted, what stands before it is kept."""
    judged.rows(*({"input": "q", "output": f"row {number}"} for number in range(4)))
    judged.rows(*({"input": "q", "output": f"row {number}"} for number in range(3)), name="three.jsonl")
    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        recording = ("--scorers=judged:judged", "--record=tape.jsonl")
        assert judged.score("three.jsonl", *recording, JUDGE=server.base_url).code == 0
        tape = judged.path / "tape.jsonl"
        tape.write_bytes(tape.read_bytes()[:-40])
        told = judged.score("runs.jsonl", *recording, JUDGE=server.base_url)
        assert (told.code, len(server.requests)) == (2, 3)
        assert "tape.jsonl:3 breaks off: it was not written to its end" in told.err
        tape.write_bytes(tape.read_bytes().rpartition(b"\n")[0] + b"\n")
        done = judged.score("runs.jsonl", *recording, JUDGE=server.base_url)
        assert (done.code, len(server.requests)) == (0, 3 + 2)
        address = server.base_url
    assert len(judged.results("tape.jsonl")) == 4
    assert judged.score("runs.jsonl", "--scorers=judged:judged", "--replay=tape.jsonl", JUDGE=address).code == 0


def test_a_cache_asks_one_question_once(judged: Folder) -> None:
    """Also in the next call."""
    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        for _ in range(2):
            done = judged.score("runs.jsonl", "--scorers=judged:judged", "--cache=c.jsonl", JUDGE=server.base_url)
            assert done.code == 0, done
        assert len(server.requests) == 2


def test_a_budget_holds_for_the_whole_file(judged: Folder) -> None:
    """What it does not cover fails its row."""
    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        options = ("--scorers=judged:judged", "--budget-calls=2", "--out=results.jsonl")
        done = judged.score("runs.jsonl", *options, JUDGE=server.base_url)
        assert len(server.requests) == 2
    assert done.code == 4
    assert [cause(each) for each in judged.results() if each["score"] is None] == ["BudgetExhausted"]
    assert "all 2 requests of the budget are made" in " ".join(done.out.split())


def test_an_estimate_sends_nothing(judged: Folder) -> None:
    """Bounds on questions, requests, tokens and dollars; exit code 0 without a key."""
    done = judged.score("runs.jsonl", "--scorers=judged:priced", "--scorers=judged:plain", "--estimate")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("runs.jsonl  3 rows · 2 scorers\n")
    assert re.search(r"^questions +3$", done.out, re.MULTILINE), done.out
    assert done.out.endswith("\nNothing was sent.\n")
    done = judged.score("runs.jsonl", "--scorers=judged:priced", "--scorers=judged:plain", "--estimate", "--json")
    estimates = [each["estimate"] for each in cast("list[dict[str, dict[str, object]]]", done.report["scorers"])]
    assert [each["asks"] for each in estimates] == [[3, 3], [0, 0]]
    assert cast("dict[str, list[int]]", done.report["estimate"])["dollars"][0] > 0
    assert not (judged.path / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["judged:judged", "--replay=no.jsonl"], "there is no transcript"),
        (["judged:judged", "--record=no/where.jsonl"], "is no folder to write to"),
        (["judged:nameless", "--cache=c.jsonl"], "write calling(f, identity=…)"),
    ],
)
def test_a_file_that_cannot_serve_is_told_before_anything_is_asked(
    judged: Folder, options: list[str], said: str
) -> None:
    """Exit code 2, one line."""
    done = judged.score("runs.jsonl", "--scorers", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
