"""Where scores go: a function, a file, a store; and what they hold of what was said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from live.watching import Seen, number, polite, tone

from scorewright import Run
from scorewright.faults import DefinitionError
from scorewright.live import Callback, InStore, JsonLines, Live, LiveScore, live_context, scored, submit
from scorewright.suites.journal import Store, StoreError, open_store


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def handed_in(live: Live, *outputs: str) -> None:
    for at, output in enumerate(outputs):
        run = Run("secret question", output, run_id=f"r{at}", request_context={"user": "secret"})
        submit(run, number, live=live, trace_id=f"t{at}", step="answer")
    live.shutdown()


def test_a_line_tells_what_came_of_a_run_and_not_what_was_said(tmp_path: Path) -> None:
    """Ids, score, reason and the kind of a fault."""
    handed_in(Live(JsonLines(path := tmp_path / "scores.jsonl")), "1", "none", "fail")
    written = lines(path)
    assert "secret" not in path.read_text()
    assert [(each["run_id"], each["state"], each["score"], each["reason"], each["fault"]) for each in written] == [
        ("r0", "scored", 1.0, None, None),
        ("r1", "not_scorable", None, "it says none", None),
        ("r2", "failed", None, None, "ValueError"),
    ]
    assert {str(each["scorer"]) for each in written} == {"number"}
    assert {str(each["step"]) for each in written} == {"answer"}
    assert [each["trace_id"] for each in written] == ["t0", "t1", "t2"]
    assert all(len(str(each["scorer_hash"])) == 64 for each in written)


def test_a_line_holds_what_was_said_where_that_is_wished(tmp_path: Path) -> None:
    """With the evidence."""
    handed_in(Live(JsonLines(path := tmp_path / "scores.jsonl", content=True)), "1", "fail")
    scored_, failed = lines(path)
    assert (scored_["input"], scored_["output"]) == ("secret question", "1")
    assert scored_["request_context"] == {"user": "secret"}
    assert "it says fail" in str(failed["why"])
    assert "steps" in json.dumps(scored_["record"])


def test_a_file_that_cannot_be_written_loses_the_score_and_says_so(tmp_path: Path) -> None:
    """It is unstored."""
    live = Live(JsonLines(tmp_path / "no" / "scores.jsonl"))
    handed_in(live, "1")
    assert dict(live.counts().reasons) == {"unstored: JsonLines raised FileNotFoundError": 1}


def test_two_lives_share_a_file(tmp_path: Path) -> None:
    """Lines are added whole."""
    path = tmp_path / "scores.jsonl"
    handed_in(Live(JsonLines(path)), "1", "0")
    handed_in(Live(JsonLines(path)), "1")
    assert [each["score"] for each in lines(path)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("content", [False, True])
def test_a_store_holds_scores_as_an_experiment(tmp_path: Path, content: bool) -> None:
    """With the content only where that is wished."""
    with open_store(tmp_path / "runs.db") as store:
        handed_in(Live(InStore(store, name="shop", content=content)), "1", "none", "fail")
        assert store.experiment("shop").name == "shop"
        assert [(each.row_id, each.scorer, each.state, each.value) for each in store.scores("shop")] == [
            ("r0/answer", "number", "scored", 1.0),
            ("r1/answer", "number", "not_scorable", None),
            ("r2/answer", "number", "failed", None),
        ]
        said = str(list(store.items("shop")))
    assert ("secret" in said) is content


def test_a_score_that_comes_twice_is_one_in_the_store(tmp_path: Path) -> None:
    """From two lives, as from two processes."""
    with open_store(tmp_path / "runs.db") as store:
        for _ in range(2):
            handed_in(Live(InStore(store)), "1")
        assert len(list(store.scores("live"))) == 1
        assert len(list(store.items("live"))) == 1


def test_a_store_that_fails_loses_no_count(tmp_path: Path) -> None:
    """What it did not keep is unstored, and the host goes on."""
    store = open_store(tmp_path / "runs.db")
    live = Live(InStore(store), concurrency=1)
    submit(Run("in", "1"), number, live=live)
    assert live.flush()
    store.writer.failed = StoreError("the disk is full")
    submit(Run("in", "1"), number, live=live)
    assert live.flush()
    counts = live.counts()
    assert (counts.scored, counts.stored, counts.unstored) == (2, 1, 1)
    assert dict(counts.reasons) == {"unstored: InStore raised StoreError": 1}
    live.shutdown()


def test_a_key_reaches_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score without content holds neither arguments nor context."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    path = tmp_path / "scores.jsonl"
    live = Live(JsonLines(path))

    @scored(polite, tone, live=live)
    def answer(question: str) -> str:
        return question

    with live_context(context={"key": "sk-very-secret"}):
        answer("sk-very-secret")
    live.shutdown()
    assert len(lines(path)) == 2
    assert "very-secret" not in path.read_text() + repr(live)


def test_a_score_tells_its_key(seen: Seen) -> None:
    """Run, step and scorer; and where it comes from."""
    submit(Run("in", "out", run_id="r1"), tone, live=seen.live)
    submit(Run("in", "out", run_id="r1"), tone, live=seen.live, step="plan")
    seen.counts()
    assert [score.row_id for score in seen.scores] == ["r1", "r1/plan"]


async def _hear(_: LiveScore) -> None:
    raise NotImplementedError


def test_sinks_hold_their_settings(tmp_path: Path) -> None:
    """Where they are written."""
    with pytest.raises(DefinitionError, match="plain function"):
        Callback(_hear)
    with pytest.raises(DefinitionError, match="function"):
        Callback("print")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(DefinitionError, match="path"):
        JsonLines(5)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(DefinitionError, match="content="):
        JsonLines("scores.jsonl", content="yes")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(DefinitionError, match="open_store"):
        InStore("runs.db")  # type: ignore[arg-type]  # what is tested
    with open_store(tmp_path / "runs.db") as store:
        kept: Store = store
        with pytest.raises(DefinitionError, match="one store"):
            Live(InStore(kept, hand_over=True), InStore(kept, hand_over=True, name="other"))
