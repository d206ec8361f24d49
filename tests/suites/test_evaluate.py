"""Evaluating rows: what is counted, what runs side by side, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suites.scoring import judged, number, same, words

from scorewright import DefinitionError, Run, answering, create_scorer, ok, pure_async
from scorewright.core import Bench, JudgeReply, JudgeRequest
from scorewright.core.budget import Budget
from scorewright.suites import BrokenRow, ItemRecord, Suite, evaluate, evaluate_sync
from scorewright.suites.engine import Engine
from scorewright.suites.reading import reader_for

outputs = st.lists(st.sampled_from(["0", "0.5", "1", "none", "fail"]), max_size=8)


def rows(said: Sequence[str]) -> list[dict[str, object]]:
    return [{"id": str(at), "input": "q", "output": each} for at, each in enumerate(said)]


@given(outputs, st.integers(1, 5))
def test_every_item_is_counted_once(said: list[str], concurrency: int) -> None:
    """Scored, not scorable and failed make up the whole; no failure becomes a number."""
    items: list[ItemRecord] = []
    summary = evaluate_sync(Suite(number), rows(said), concurrency=concurrency, on_item=items.append)
    mean = summary["number"].mean
    scores = [float(each) for each in said if each not in {"none", "fail"}]
    counts = mean.coverage
    assert (counts.n_scored, counts.n_not_scorable, counts.n_failed) == (
        len(scores),
        said.count("none"),
        said.count("fail"),
    )
    assert mean.value == (pytest.approx(sum(scores) / len(scores)) if scores else None)
    assert sorted(item.index for item in items) == list(range(len(said)))
    json.dumps(summary.to_json(), allow_nan=False)


def test_a_score_is_that_of_the_scorer_alone() -> None:
    """Batched or alone, evidence and all."""
    items: list[ItemRecord] = []
    evaluate_sync(Suite(words, number), rows(["1", "fail"]), on_item=items.append)
    for item in items:
        assert isinstance(item.output, str)
        for scorer in (words, number):
            assert item.results[scorer.id] == scorer.run_sync(Run("q", item.output))


def test_an_item_tells_what_came_of_each_scorer() -> None:
    """Evaluations, failures and reasons for no score apart."""
    items: list[ItemRecord] = []
    evaluate_sync(Suite(number, words, same), rows(["none"]), on_item=items.append)
    (item,) = items
    assert {*item.evaluations} == {"words"}
    assert item.not_scorable["number"] == "it says none"
    assert {*item.not_scorable} == {"number", "same"}  # the row has no reference answer
    assert item.failures == {}


def test_scorers_of_an_item_are_asked_side_by_side() -> None:
    """And items too, up to the concurrency: a judge that waits for four questions gets them."""
    other = judged.named("other")
    together = 0
    four = asyncio.Event()

    async def answer(request: JudgeRequest, /) -> JudgeReply:
        nonlocal together
        together += 1
        if together == 4:
            four.set()
        await four.wait()
        return JudgeReply(ok('{"score": 0.5}'))

    summary = asyncio.run(
        asyncio.wait_for(evaluate(Suite(judged, other), rows(["a", "b"]), answer=answer, concurrency=4), 30)
    )
    assert summary["other"].mean.coverage.n_scored == 2


def test_no_more_is_asked_at_once_than_allowed() -> None:
    """Whatever the scorers of an item are."""
    flying = peak = 0

    async def answer(request: JudgeRequest, /) -> JudgeReply:
        nonlocal flying, peak
        flying += 1
        peak = max(peak, flying)
        await asyncio.sleep(0)
        flying -= 1
        return JudgeReply(ok('{"score": 0.5}'))

    suite = Suite(*(judged.named(f"judged {n}") for n in range(5)), concurrency=3)
    summary = asyncio.run(evaluate(suite, rows([*"abcdefgh"]), answer=answer))
    assert peak == 3
    assert summary["judged 4"].mean.value == 0.5


def test_items_come_as_they_finish() -> None:
    """A slow one does not hold up those behind it; its index tells its place."""

    async def score(step: object) -> float:
        first = getattr(getattr(step, "run", None), "input", "") == "slow"
        if first:
            await done.wait()
        return 1.0

    done = asyncio.Event()
    slow = create_scorer("slow", input=str, output=str).generate_score(pure_async(score))
    seen: list[int] = []

    def on_item(item: ItemRecord) -> None:
        seen.append(item.index)
        if len(seen) == 3:
            done.set()

    given = [{"input": "slow", "output": ""}, *({"input": f"q{n}", "output": ""} for n in range(3))]
    asyncio.run(evaluate(Suite(slow), given, on_item=on_item))
    assert seen == [1, 2, 3, 0]


def test_an_async_on_item_is_awaited() -> None:
    """Before the evaluation ends."""
    seen: list[int] = []

    async def on_item(item: ItemRecord) -> None:
        await asyncio.sleep(0)
        seen.append(item.index)

    evaluate_sync(Suite(number), rows(["1", "0"]), on_item=on_item)
    assert seen == [0, 1]


def test_what_on_item_raises_ends_the_evaluation() -> None:
    """And is raised as it is, from plain items and from those that were waited for."""

    def on_item(_: ItemRecord) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        evaluate_sync(Suite(number), rows(["1"]), on_item=on_item)
    with pytest.raises(OSError, match="disk full"):
        evaluate_sync(Suite(judged), rows(["1"]), on_item=on_item, answer=answering('{"score": 0.5}'))


def test_fail_fast_begins_nothing_after_a_failure() -> None:
    """What was done is counted, and the rest is said to be missing."""
    summary = evaluate_sync(Suite(number), rows(["1", "fail", "1", "1"]), fail_fast=True)
    assert (summary.n_items, summary.verdict) == (2, "inconclusive" if not summary.stopped else "incomplete")
    assert "fail_fast" in summary.stopped


def test_an_exhausted_budget_leaves_it_incomplete() -> None:
    """Nothing is begun after it; the asks that were not covered are failures, never scores."""
    from fakes.openai_server import FakeOpenAI, said

    from scorewright import Judge, score_prompt

    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        judge = Judge("fake", base_url=server.base_url)
        asked = create_scorer("asked", input=str, output=str, judge=judge).generate_score(
            score_prompt(lambda step: f"How good is {step.run.output}?")
        )
        suite = Suite(asked, budget=Budget(calls=3), concurrency=1)
        summary = evaluate_sync(suite, rows([f"row {n}" for n in range(20)]))
    assert len(server.requests) == 3
    assert summary.verdict == "incomplete"
    assert "budget" in summary.stopped
    assert summary["asked"].mean.value == 0.5
    assert summary["asked"].mean.coverage.n_scored == 3
    assert summary.n_items < 20


def test_a_budget_needs_our_own_bench() -> None:
    """With `answer=` it would hold nobody."""
    with pytest.raises(DefinitionError, match="kept by the bench"):
        evaluate_sync(Suite(judged), rows(["a"]), budget=Budget(calls=1), answer=answering("0"))


def test_one_broken_row_stops_no_other() -> None:
    """It is counted, told with its place, and may be undecisive."""
    given = [{"input": "q", "output": "1"}, {"output": "no input"}, {"input": "q", "output": "0"}]
    summary = evaluate_sync(Suite(number), given)
    assert (summary.n_items, summary.n_broken) == (2, 1)
    assert isinstance(summary.broken[0], BrokenRow)


def test_types_that_rows_do_not_fit_fail_that_scorer_alone() -> None:
    """With the path of what does not fit."""
    numbers = create_scorer("numbers", input=str, output=list[int]).generate_score(pure_async(lambda _: _one()))
    items: list[ItemRecord] = []
    evaluate_sync(Suite(numbers, words), [{"input": "q", "output": [1, "2"]}], on_item=items.append)
    assert items[0].failures["numbers"].described() == (
        "In row: The row does not fit the scorer at $.output[1]: expected an integer, got a string."
    )
    assert items[0].failures["words"].step == "row"


async def _one() -> float:
    return 1.0


def test_cancelled_it_ends_what_is_under_way() -> None:
    """And raises; what was done had been told by then."""
    seen: list[int] = []
    cancelled: list[str] = []

    async def main() -> None:
        waiting = asyncio.Event()

        async def answer(request: JudgeRequest, /) -> JudgeReply:
            if "stays" in request.prompt:
                waiting.set()
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    cancelled.append(request.prompt)
                    raise
            return JudgeReply(ok('{"score": 0.5}'))

        task = asyncio.create_task(
            evaluate(Suite(judged), rows(["a", "stays"]), answer=answer, on_item=lambda item: seen.append(item.index))
        )
        await waiting.wait()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())
    assert seen == [0]
    assert len(cancelled) == 1


def test_a_timeout_is_the_failure_of_its_item() -> None:
    """Scorers that are done keep their scores."""

    async def answer(request: JudgeRequest, /) -> JudgeReply:
        await asyncio.Event().wait()
        raise AssertionError

    items: list[ItemRecord] = []
    suite = Suite(words, judged, timeout=0.02)
    summary = asyncio.run(evaluate(suite, rows(["a"]), answer=answer, on_item=items.append))
    assert type(items[0].failures["judged"].cause).__name__ == "TimedOut"
    assert summary["words"].mean.coverage.n_scored == 1


def test_plain_scorers_need_no_task() -> None:
    """An item is done by `begin` alone."""
    engine = Engine([reader_for(each) for each in Suite(number, words).assigned], None, 1)
    from scorewright.suites import Row

    assert isinstance(engine.begin(Row("a", "q", "1"), 0), ItemRecord)


def test_a_loop_that_runs_already_is_no_hindrance() -> None:
    """`confident-ai/deepeval#2952`, `#1464`: the sync call inside a running loop gives the result, not nothing."""

    async def main() -> float | None:
        return evaluate_sync(Suite(judged), rows(["a"]), answer=answering('{"score": 0.5}'))["judged"].mean.value

    assert asyncio.run(main()) == 0.5


def test_items_at_once_never_mix_up_their_scores() -> None:
    """`confident-ai/deepeval#2559`: one scorer serves all items, and each gets its own score."""

    async def answer(request: JudgeRequest, /) -> JudgeReply:
        number = int(request.prompt.split("'")[1])
        for _ in range(50 - number):
            await asyncio.sleep(0)
        return JudgeReply(ok(json.dumps({"score": number / 50})))

    items: list[ItemRecord] = []
    asyncio.run(
        evaluate(Suite(judged), rows([str(n) for n in range(50)]), answer=answer, concurrency=20, on_item=items.append)
    )
    assert all(item.evaluations["judged"].score == int(str(item.output)) / 50 for item in items)
    assert [item.index for item in items] != list(range(50))


def test_a_bench_of_the_callers_own_serves_too() -> None:
    """Its budget then holds, and it stays open."""

    async def main() -> None:
        async with Bench() as bench:
            summary = await evaluate(Suite(number), rows(["1"]), answer=bench.answer)
            assert summary.verdict == "passed"

    asyncio.run(main())
