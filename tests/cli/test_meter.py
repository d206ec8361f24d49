"""What is said of an evaluation that is under way."""

from __future__ import annotations

import asyncio
import io
import json

import pytest

from scorewright import Judge, answering, create_scorer, score_prompt
from scorewright.cli.meter import line_of, meter
from scorewright.core import Answer, Attempt, JudgeReply, JudgeRequest, Usage
from scorewright.results import ok
from scorewright.suites import Suite, evaluate_sync
from scorewright.suites.counting import Counting
from scorewright.suites.evaluate import How, counted

judged = create_scorer("judged", input=str, output=str, judge=Judge("openai/gpt-4o-mini")).generate_score(
    score_prompt(lambda step: f"How good is {step.run.output}?")
)
ROWS = [{"input": "q", "output": "a"}, {"input": "q", "output": "b"}]


async def priced(request: JudgeRequest, /) -> JudgeReply:
    return JudgeReply(ok('{"score": 0.5}'), (Attempt(usage=Usage(1_000, 10), model="gpt-4o-mini"),))


def counts(answer: Answer) -> Counting:
    """What was counted of two rows."""
    counting = Counting(Suite(judged), "rows")
    asyncio.run(counted(counting, ROWS, How(answer=answer)))
    return counting


def test_a_line_tells_items_rate_cost_and_what_is_left() -> None:
    """Bytes tell how far it is."""
    assert line_of(counts(priced), 4.0, 1_000, 250) == ("scorewright: 2 items · 0.5/s · $0.0003 · 25% · 12 s left")


def test_what_is_not_known_is_not_said() -> None:
    """No size, no price: a cost that is unknown is no zero."""
    assert line_of(counts(answering('{"score": 0.5}')), 1.0, None, 0) == "scorewright: 2 items · 2.0/s · cost unknown"
    assert line_of(Counting(Suite(judged)), 0.0, None, 0) == "scorewright: 0 items"


def test_a_short_run_says_nothing_where_stderr_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log is not filled."""
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    counting = Counting(Suite(judged))
    with meter(counting, 10, lambda: 5) as advance:
        advance(None)
    assert said.getvalue() == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate and cost beside it; it is gone in the end."""
    said = Terminal()
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr("scorewright.cli.meter._OFTEN", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    counting = counts(priced)
    with meter(counting, 10, lambda: 5) as advance:
        advance(None)
    assert "evaluating" in said.getvalue()


def test_a_cost_without_a_price_is_unknown_never_zero() -> None:
    """`vibrantlabsai/ragas#2854`: tokens that are known are counted, the rest makes them a lower bound."""

    async def unpriced(request: JudgeRequest, /) -> JudgeReply:
        usage = Usage(10, 2) if "'a'" in request.prompt or " a?" in request.prompt else None
        return JudgeReply(ok('{"score": 0.5}'), (Attempt(usage=usage, model="new-model", status=200),))

    new = create_scorer("new", input=str, output=str, judge=Judge("new-model", base_url="http://127.0.0.1:9"))
    summary = evaluate_sync(
        Suite(new.generate_score(score_prompt(lambda step: f"How good is {step.run.output}?"))), ROWS, answer=unpriced
    )
    assert summary.spent.dollars is None
    assert (summary.spent.usage.input_tokens, summary.spent.uncounted) == (10, 1)
    assert '"dollars": null' in json.dumps(summary.to_json())
