"""Checks of an agent's tool calls."""

from __future__ import annotations

import pytest

from scorewright import Evaluation, Run
from scorewright.agents import AgentOutput, AgentScorer, Message, ToolInvocation, answered, asked, assistant, called
from scorewright.library import checks


def judged(scorer: AgentScorer, *calls: ToolInvocation) -> Evaluation:
    return scorer.run_sync(Run(asked("Go."), answered(assistant(*calls), "Done."))).unwrap()


SEARCH, OPEN = called("search", {"q": "Graz", "page": 1}, result="ok"), called("open", result="ok")


def test_calls_are_counted() -> None:
    """By name, also those that failed, were denied or are still open; not those that were never finished writing."""
    denied = ToolInvocation("search", state="denied")
    partial = ToolInvocation("search", state="partial_call")
    assert judged(checks.called_tool("search"), SEARCH).reason == "search was called 1 time; 1 or more are due"
    assert judged(checks.called_tool("search", times=3), SEARCH, denied, partial).score == 0.0
    assert judged(checks.called_tool("search", times=2), SEARCH, denied).score == 1.0
    assert judged(checks.did_not_call("open"), SEARCH).reason == "open was not called"
    assert judged(checks.max_tool_calls(1), SEARCH, OPEN).reason == "2 calls; 1 allowed"
    assert judged(checks.used_no_tools(), SEARCH, OPEN, OPEN).reason == "called search, open"
    assert judged(checks.used_no_tools()).score == 1.0


def test_a_call_in_a_users_message_is_none_of_the_agent() -> None:
    """Wherever it stands in the output."""
    run = Run(asked("Go."), AgentOutput((Message("user", (SEARCH,)), assistant("Done."))))
    assert checks.used_no_tools().run_sync(run).unwrap().score == 1.0


@pytest.mark.parametrize(
    ("order", "score"), [([], 1.0), (["search", "open"], 1.0), (["open", "search"], 0.0), (["open", "open"], 0.0)]
)
def test_an_order_is_held(order: list[str], score: float) -> None:
    """Other calls may stand between; a repeat needs a repeat."""
    assert judged(checks.tool_order(order), SEARCH, called("log"), OPEN).score == score


def test_the_first_name_out_of_order_is_told() -> None:
    """After the calls as they were made."""
    assert judged(checks.tool_order(["open", "search"]), SEARCH, OPEN).reason == (
        "search → open; search is missing at its place"
    )


def test_a_thrown_call_is_an_error_and_an_open_one_is_unanswered() -> None:
    """Neither is a good end, and they are told apart (mastra#23460)."""
    found = judged(
        checks.no_tool_errors(),
        called("search", result="ok"),
        called("pay", error="card declined"),
        called("mail"),
    )
    assert (found.score, found.reason) == (0.0, "error: pay; unanswered: mail")
    assert judged(checks.called_tool("pay"), called("pay", error="card declined")).score == 1.0


@pytest.mark.parametrize(("told", "score"), [("no", 0.0), ({}, 0.0), (None, 1.0), ("", 1.0), (False, 1.0), (0, 1.0)])
def test_a_result_may_tell_of_an_error(told: object, score: float) -> None:
    """By a field `error` that says something."""
    assert judged(checks.no_tool_errors(), called("pay", result={"error": told})).score == score


def test_arguments_are_compared_by_what_they_say() -> None:
    """1 is 1.0, True is not 1, the order of keys and JSON as text do not matter; others may stand beside."""
    assert judged(checks.tool_arguments("search", {"page": 1.0, "q": "Graz"}), SEARCH).score == 1.0
    assert judged(checks.tool_arguments("search", {"q": "Graz"}, exact=True), SEARCH).reason == "page is not expected"
    assert judged(checks.tool_arguments("search", {"page": True}), SEARCH).reason == "page is 1, not true"
    assert judged(checks.tool_arguments("search", {"day": 1, "q": "Wien"}), SEARCH, OPEN).reason == (
        'day is missing; q is "Graz", not "Wien"'
    )
    text = called("search", '{"q": "Graz"}')
    assert judged(checks.tool_arguments("search", {"q": "Graz"}, exact=True), text).score == 1.0
    assert judged(checks.tool_arguments("search", {"q": "Graz"}), OPEN).reason == "search was not called"


@pytest.mark.parametrize(
    ("args", "score"), [(None, 1.0), ("", 1.0), ({}, 1.0), ("{}", 1.0), ("not JSON", 0.0), ([], 0.0)]
)
def test_no_arguments_have_many_spellings(args: object, score: float) -> None:
    """But what cannot be read is not nothing."""
    call = ToolInvocation("search", args, "ok", True, "result")
    assert judged(checks.tool_arguments("search", {}, exact=True), call).score == score
