"""What is told of every attempt, and what they took together."""

from __future__ import annotations

import json

import pytest
from fakes.openai_server import FakeOpenAI, html, raw, reset, said, status
from judges.asking import GOOD, MODES, Mode, ask, came, judge_at
from returns.pipeline import is_successful

from scorewright import create_scorer, ok, reason_prompt, score_prompt
from scorewright.core import Evaluation, ScoringFailure, Usage
from scorewright.judges.usage import attempts_of, cost_of, spent, usage_of

PRICED = "mistral/mistral-large-latest"
modes = pytest.mark.parametrize("mode", MODES)


def evidence(result: object) -> Evaluation | ScoringFailure[object]:
    return result.unwrap() if is_successful(result) else result.failure()  # type: ignore[attr-defined,no-any-return,arg-type]  # either side of a result


@modes
def test_every_attempt_tells_what_it_was(mode: Mode) -> None:
    """Status, time, tokens, model, request id, finish reason; on failure what the server said."""
    with FakeOpenAI([status(500, "boom"), reset(), said(GOOD, tokens=(7, 3), model="m-2026")]) as server:
        first, second, third = attempts_of(evidence(ask(server, mode)))
    assert (first.status, first.request_id, first.usage) == (500, "req-0", None)
    assert "boom" in first.raw
    assert (second.status, second.raw, second.usage) == (None, "", None)
    assert (third.status, third.usage, third.model, third.request_id, third.finish_reason, third.raw, third.fault) == (
        200, Usage(7, 3), "m-2026", "req-2", "stop", "", None,
    )  # fmt: skip
    assert all(attempt.nanoseconds > 0 for attempt in (first, second, third))


@modes
def test_a_timeout_is_timed(mode: Mode) -> None:
    """An attempt without an answer took as long as it was waited for."""
    with FakeOpenAI(lambda *_: said(GOOD, delay=9)) as server:
        (attempt,) = attempts_of(evidence(ask(server, mode, timeout=0.1, error_processors=[])))
    assert attempt.nanoseconds >= 0.09e9
    assert attempt.model == "m"


@modes
@pytest.mark.parametrize("last_is_good", [True, False])
def test_tokens_add_up_over_second_questions(last_is_good: bool, mode: Mode) -> None:
    """instructor#715, promptfoo#4673: all three attempts count, on success and on failure."""
    with FakeOpenAI(
        [
            said("", tokens=(900, 40), finish="stop"),
            said("no idea", tokens=(980, 42)),
            said(GOOD if last_is_good else "none", tokens=(1065, 45)),
        ]
    ) as server:
        from scorewright.faults import EmptyReply
        from scorewright.judges import ErrorRetryProcessor, Match

        patient = ErrorRetryProcessor(delay=0, matchers=[Match(lambda trouble: isinstance(trouble.fault, EmptyReply))])
        result = ask(server, mode, error_processors=[patient])
    assert is_successful(result) is last_is_good
    assert usage_of(evidence(result)) == Usage(2945, 127)
    assert [attempt.usage for attempt in attempts_of(evidence(result))] == [
        Usage(900, 40), Usage(980, 42), Usage(1065, 45),
    ]  # fmt: skip
    assert spent(evidence(result)).attempts == len(server.requests) == 3


@modes
def test_all_steps_count(mode: Mode) -> None:
    """The score that succeeded and the reason that failed."""
    with FakeOpenAI([said(GOOD, tokens=(100, 20)), said(None, tokens=(100, 2)), status(500)]) as server:
        asked = (
            create_scorer("j", input=str, output=str, judge=judge_at(server))
            .generate_score(score_prompt(lambda _: "?"))
            .generate_reason(reason_prompt(lambda _: "why?"))
        )
        result = came(mode, asked)
    assert usage_of(result.failure()) == Usage(200, 22)


def test_cached_and_reasoning_tokens_are_parts() -> None:
    """tokscale#1142: they are told, and not counted on top."""
    body = json.loads(said(GOOD).body)
    body["usage"] = {
        "prompt_tokens": 400,
        "completion_tokens": 600,
        "total_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 100},
        "completion_tokens_details": {"reasoning_tokens": 450},
    }
    with FakeOpenAI([raw(json.dumps(body))]) as server:
        usage = usage_of(evidence(ask(server)))
    assert usage == Usage(400, 600, 100, 450)


def test_an_unknown_price_is_none_and_not_nothing() -> None:
    """ragas#2854: tokens that were counted count; a reply without a count makes the sum a lower bound."""
    with FakeOpenAI([said(GOOD, tokens=(10, 2)), said(GOOD, tokens=None)]) as server:
        counted, uncounted = (spent(evidence(ask(server))) for _ in range(2))
    assert (counted.usage, counted.uncounted, counted.dollars) == (Usage(10, 2), 0, None)
    assert (uncounted.usage, uncounted.uncounted, uncounted.dollars) == (Usage(), 1, None)


def test_a_known_price_is_summed_over_all_attempts() -> None:
    """Refused requests cost nothing; a second question costs again."""
    with FakeOpenAI([status(500), said("no idea", tokens=(1000, 100)), said(GOOD, tokens=(1000, 100))]) as server:
        result = ask(server, model=PRICED)
    with FakeOpenAI([said(GOOD, tokens=(1000, 100))]) as server:
        once = cost_of(evidence(ask(server, model=PRICED)))
    assert once is not None
    assert once > 0
    assert cost_of(evidence(result)) == pytest.approx(2 * once)


def test_a_timeout_makes_the_price_unknown() -> None:
    """It may have been charged for."""
    with FakeOpenAI([said(GOOD, delay=9), said(GOOD)]) as server:
        taken = spent(evidence(ask(server, model=PRICED, timeout=1.0)))
    assert (taken.attempts, taken.usage, taken.uncounted, taken.dollars) == (2, Usage(10, 5), 1, None)


def test_a_scorer_that_asks_nothing_cost_nothing() -> None:
    """Zero, and known to be."""
    asked = create_scorer("j", input=str, output=str).generate_score(lambda _: ok(1.0))
    assert spent(came("sync", asked).unwrap()).dollars == 0


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": "many"},
        {"prompt_tokens": 10**400},
        [],
        "none",
        {"prompt_tokens": True},
    ],
)
def test_counts_that_cannot_be_are_not_counted(usage: object) -> None:
    """And do no harm."""
    body = {**json.loads(said(GOOD).body), "usage": usage}
    with FakeOpenAI([raw(json.dumps(body))]) as server:
        assert usage_of(evidence(ask(server))) == Usage()


def test_a_failed_reply_keeps_its_tokens() -> None:
    """Refused, cut off, empty: it was paid for."""
    for answer in (said(None), said("x", finish="length"), said(None, refusal="no")):
        with FakeOpenAI([answer]) as server:
            assert usage_of(evidence(ask(server))) == Usage(10, 5)
    with FakeOpenAI([html()]) as server:
        assert usage_of(evidence(ask(server))) == Usage()
