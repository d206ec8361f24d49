"""What users of other tools met with caches, with thresholds, and with models that refuse a schema."""

from __future__ import annotations

import sys
from pathlib import Path

import attrs
import pytest
from fakes.openai_server import FakeOpenAI, said, status
from judges.asking import fault_of, judge_at, scorer
from returns.pipeline import is_successful

from scorewright import Run, create_scorer, ok, prompt, pure, score_from, score_prompt
from scorewright.algebra import all_of, mean, repeat
from scorewright.core import Usage
from scorewright.faults import DefinitionError, NotJson, SchemaMismatch, StepRaised
from scorewright.judges import caching, recording, spent


def test_a_refused_schema_costs_one_request_and_the_way_is_told() -> None:
    """Twenty rows at a model that rejects the schema mode are twenty-one requests (mastra#17046)."""

    def script(body: dict[str, object], _: int) -> object:
        if "response_format" in body:
            return status(
                400, {"error": {"message": "response_format json_schema is not supported", "type": "invalid"}}
            )
        return said('{"score": 0.5}')

    with FakeOpenAI(script) as server:
        judge = judge_at(server, model="openai/gpt-4o-mini")
        results = [scorer(judge).run_sync(Run("q", f"answer {row}")).unwrap() for row in range(20)]
        assert len(server.requests) == 21
    ways = [[attempt.delivery for attempt in one.exchanges[0].reply.attempts] for one in results]
    assert ways == [["native", "inline"], *[["inline"]] * 19]


def test_what_a_cache_saves_is_counted_apart(tmp_path: Path) -> None:
    """The first run incurs its tokens and avoids none, the second avoids them and asks nothing (promptfoo#10417)."""
    with FakeOpenAI([said('{"score": 0.5}', tokens=(500, 30))]) as server:
        runs = []
        for _ in range(2):
            with caching(tmp_path / "cache.jsonl") as tape:
                runs.append(scorer(judge_at(server)).run_sync(Run("q", "a"), answer=tape).unwrap())
        assert len(server.requests) == 1
    first, second = map(spent, runs)
    assert (first.usage, first.avoided) == (Usage(500, 30), Usage())
    assert (second.usage, second.avoided, second.attempts) == (Usage(), Usage(500, 30), 0)


def test_each_repeat_is_cached_on_its_own(tmp_path: Path) -> None:
    """Three repeats are three calls with three values; from the cache no call and the same three (promptfoo#360)."""
    with FakeOpenAI([said(f'{{"score": {score}}}') for score in (0.1, 0.5, 0.9)]) as server:
        once = create_scorer("once", input=str, output=str, judge=judge_at(server))
        thrice = repeat(once.generate_score(score_prompt(lambda s: s.run.output)), 3)
        calls, values = [], []
        for _ in range(2):
            with caching(tmp_path / "cache.jsonl") as tape:
                done = thrice.run_sync(Run("q", "a"), answer=tape).unwrap()
            calls.append(len(server.requests))
            values.append(sorted(part.value.score for part in done.steps if hasattr(part.value, "score")))
    assert calls == [3, 3]
    assert values[0] == values[1]
    assert {0.1, 0.5, 0.9} <= set(values[0])


def test_repeats_asked_for_last_win_also_on_resuming(tmp_path: Path) -> None:
    """inspect_ai#425: three repeats of a scorer that repeats once are three; resumed, only the lost one is asked."""
    with FakeOpenAI([said('{"score": 0.0}'), said('{"score": 0.5}'), status(401), said('{"score": 1.0}')]) as server:
        draft = create_scorer("once", input=str, output=str, judge=judge_at(server, concurrency=1))
        own = repeat(draft.generate_score(score_prompt(lambda s: s.run.output)), 1, reduce="mean")
        results, calls = [], []
        for _ in range(2):
            with recording(tmp_path / "run.jsonl") as tape:
                results.append(repeat(own, 3, reduce="mean").run_sync(Run("q", "a"), answer=tape))
            calls.append(len(server.requests))
    assert calls == [3, 4]
    assert not is_successful(results[0])
    assert results[1].unwrap().score == 0.5


@pytest.mark.parametrize("threshold", [0, 0.0])
def test_a_threshold_of_zero_is_a_threshold(threshold: float) -> None:
    """promptfoo#9736: whatever scores passes it; without one, every part has to pass."""
    parts = [create_scorer(f"s{score}", input=str, output=str).generate_score(pure(lambda _, score=score: score))
             for score in (1.0, 0.0)]  # fmt: skip
    assert mean(*parts).passing(threshold).run_sync(Run("q", "a")).unwrap().score == 1.0
    assert all_of(*parts).run_sync(Run("q", "a")).unwrap().score == 0.0


def test_no_threshold_is_no_verdict() -> None:
    """promptfoo#10141: a score of 0 is a score, a missing verdict is no verdict, and nothing passes by itself."""

    @attrs.frozen
    class Judged:
        score: float
        passed: bool

    with FakeOpenAI([said('{"score": 0.0}')] * 2) as server:
        judge = judge_at(server, error_processors=[])
        scored = scorer(judge)
        assert scored.run_sync(Run("q", "a")).unwrap().score == 0.0
        verdict = score_from(Judged, lambda _: "?", lambda _, said_: float(said_.passed))
        draft = create_scorer("j", input=str, output=str, judge=judge)
        assert isinstance(fault_of(draft.generate_score(verdict).run_sync(Run("q", "a"))), SchemaMismatch)
    with pytest.raises(DefinitionError, match="a number of the scale"):
        scored.passing(None)  # type: ignore[arg-type]  # what a file without a threshold comes to


def test_a_failing_row_needs_no_providers_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """opik#8134d: the others are scored, and the row tells what was raised in it."""
    for name in ("instructor", "openai", "anthropic", "botocore", "genai_prices", "aiohttp"):
        monkeypatch.setitem(sys.modules, name, None)

    def score(step: object) -> float:
        if step.run.output == "1":  # type: ignore[attr-defined]  # a step
            raise ValueError("bad row")
        return 1.0

    rows = create_scorer("s", input=str, output=str).generate_score(lambda step: ok(score(step)))
    first, second, third = (rows.run_sync(Run("q", str(row))) for row in range(3))
    assert (first.unwrap().score, third.unwrap().score) == (1.0, 1.0)
    cause = fault_of(second)
    assert isinstance(cause, StepRaised)
    assert (cause.raised.kind, cause.raised.message) == ("ValueError", "bad row")


def test_a_reply_that_could_not_be_read_is_not_cached(tmp_path: Path) -> None:
    """gbrain#4640b: the second run asks again, and no empty list of claims comes out of the cache."""
    results, calls = [], []
    with FakeOpenAI([said("(garbled)"), said('{"value": ["opens at nine"]}')]) as server:
        claims = (
            create_scorer("claims", input=str, output=str, judge=judge_at(server, error_processors=[]))
            .analyze(prompt(list[str], lambda step: step.run.output))
            .generate_score(pure(lambda step: float(len(step.ana))))
        )
        for _ in range(2):
            with caching(tmp_path / "cache.jsonl") as tape:
                results.append(claims.run_sync(Run("q", "a"), answer=tape))
            calls.append(len(server.requests))
    assert calls == [1, 2]
    assert isinstance(fault_of(results[0]), NotJson)
    assert results[1].unwrap().score == 1.0
