"""What users of other tools met with caches and with models that refuse a schema."""

from __future__ import annotations

from pathlib import Path

from fakes.openai_server import FakeOpenAI, said, status
from judges.asking import judge_at, scorer

from scorewright import Run, create_scorer, score_prompt
from scorewright.algebra import repeat
from scorewright.core import Usage
from scorewright.judges import caching, spent


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
