"""What users of other systems ran into, as tests: the classes live-sampling and concurrency of the collected cases."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from live.watching import Seen, polite, tone

from scorewright import Run, create_scorer, pure
from scorewright.core import Scorers
from scorewright.live import InStore, JsonLines, Live, live_context, ratio, scored, scoring, submit
from scorewright.suites.journal import open_store


def test_mastra_15288_one_turn_with_many_steps_gives_a_row_a_scorer(seen: Seen) -> None:
    """mastra#15288: the final reply is scored; a step only where it says that it is one, and with its label."""

    @scored(polite, tone, live=seen.live)
    def reply(question: str) -> str:
        return question

    @scored(polite, live=seen.live, step="tool")
    def tool(question: str) -> str:
        return question

    @scored(polite, tone, live=seen.live)
    def turn(question: str) -> str:
        for _ in ("tool", "tool", "reason", "final"):
            reply(question)
        tool(question)
        return question

    with live_context(trace_id="t1"):
        turn("please")
    counts = seen.counts()
    rows = [(score.scorer, score.origin.step) for score in seen.scores]
    assert sorted(row for row in rows if not row[1]) == [("polite", ""), ("tone", "")]
    assert [row for row in rows if row[1]] == [("polite", "tool")]
    assert dict(counts.reasons) == {"filtered: inside a call that is scored": 8}


def test_opik_6049_the_start_of_a_call_is_not_scored(seen: Seen) -> None:
    """opik#6049: one score, on what is finished."""
    block = scoring(tone, live=seen.live, input="When?")
    with block:
        assert seen.live.counts().triggered == 0
        block.finish("At nine.")
    seen.counts()
    assert [score.run.output for score in seen.scores] == ["At nine."]


def test_langfuse_13823_one_execution_is_one_record(tmp_path: Path, seen: Seen) -> None:
    """langfuse#13823: the key is run, step, scorer and its version; a second save changes nothing."""
    run = Run("When?", "At nine.", run_id="r1")
    with open_store(tmp_path / "runs.db") as store:
        live = Live(JsonLines(tmp_path / "scores.jsonl"), InStore(store))
        other = Live(InStore(store))
        for each in (live, live, other):
            submit(run, tone, live=each, trace_id="t1")
        live.shutdown()
        other.shutdown()
        assert len(list(store.scores("live"))) == 1
    assert len((tmp_path / "scores.jsonl").read_text().splitlines()) == 1
    assert dict(live.counts().reasons) == {"filtered: the run has been handed in before": 1}
    submit(run, tone, live=seen.live)
    submit(run, tone, live=seen.live, step="plan")
    assert seen.counts().scored == 2


def test_langfuse_9062_the_end_triggers_and_not_a_delay(seen: Seen) -> None:
    """langfuse#9062: t2 ends before t1, t3 never; each is scored after its own end, however long it takes."""

    async def turn(trace: str, ends: asyncio.Event) -> None:
        async with scoring(tone, live=seen.live, input=trace) as block:
            await ends.wait()
            block.finish(f"end {trace}")

    async def use() -> None:
        ends = {trace: asyncio.Event() for trace in ("t1", "t2", "t3")}
        turns = {trace: asyncio.create_task(turn(trace, end)) for trace, end in ends.items()}
        for trace in ("t2", "t1"):
            await asyncio.sleep(0)
            ends[trace].set()
            await turns[trace]
            assert await seen.live.drained()
        turns["t3"].cancel()
        await asyncio.wait([turns["t3"]])

    asyncio.run(use())
    assert [score.run.input for score in seen.scores] == ["t2", "t1"]
    assert dict(seen.counts().reasons) == {"filtered: the call was cancelled": 1}


@pytest.mark.parametrize("tracing", ["off", "on", "declined"])
def test_mastra_23465_tracing_changes_nothing(tracing: str, tmp_path: Path) -> None:
    """mastra#23465: six rows without tracing, with it, and where the tracer declines; nothing is lost unsaid."""
    scorers = [create_scorer(f"s{n}", input=str, output=str).generate_score(pure(lambda _: 1.0)) for n in range(6)]
    live = Live(JsonLines(path := tmp_path / "scores.jsonl"))

    @scored(*scorers, live=live, sample=ratio(1))
    def session(question: str) -> str:
        return question

    if tracing == "off":
        session("When?")
    else:
        sdk = pytest.importorskip("opentelemetry.sdk.trace")
        sampling = pytest.importorskip("opentelemetry.sdk.trace.sampling")
        provider = sdk.TracerProvider(sampler=sampling.ALWAYS_ON if tracing == "on" else sampling.ALWAYS_OFF)
        with provider.get_tracer("app").start_as_current_span("session"):
            session("When?")
    live.shutdown()
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert {row["scorer"] for row in rows} == {f"s{n}" for n in range(6)}
    assert len(rows) == 6
    assert all(bool(row["trace_id"]) is (tracing != "off") for row in rows)
    assert live.counts().stored == 6


def test_mastra_20839_two_instances_do_not_score_each_others_runs(caplog: pytest.LogCaptureFixture) -> None:
    """mastra#20839: both know the scorer; what ends in A is scored once, by A, and B says nothing."""
    one, other = Seen(name="A"), Seen(name="B")
    known = Scorers(tone)

    @scored("tone", among=known, live=one.live)
    def in_a(question: str) -> str:
        return question

    @scored("tone", among=known, live=other.live)
    def in_b(question: str) -> str:
        raise NotImplementedError

    in_a("When?")
    assert (one.counts().triggered, other.counts().triggered) == (1, 0)
    assert (len(one.scores), len(other.scores)) == (1, 0)
    assert caplog.text == ""
    one.live.shutdown()
    other.live.shutdown()
    assert in_b.__name__ == "in_b"
