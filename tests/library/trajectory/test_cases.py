"""Situations that users of other tools reported, by the id of the report."""

from __future__ import annotations

import pytest

from scorewright import NotScorable, Run
from scorewright.agents import AgentInput, ToolInvocation, answered, asked, assistant, called
from scorewright.library.tools import tool_call_accuracy, tool_call_f1
from scorewright.library.trajectory import (
    Expectation,
    ExpectedStep,
    Path,
    PathStep,
    Told,
    partial,
    path,
    step,
    together,
    tool_failures,
    trajectory_match,
)


def run(*calls: tuple[str, object]) -> Run[AgentInput, Told, None]:
    told: Told = Path(tuple(PathStep(name, args) for name, args in calls))
    return Run(asked("task"), told)


def score(expected: list[str | ExpectedStep], *calls: tuple[str, object], **options: str) -> float:
    return trajectory_match(expected, **options).run_sync(run(*calls)).unwrap().score  # type: ignore[call-overload]  # options vary


def test_equal_calls_are_matched_by_position() -> None:
    """confident-ai/deepeval#3141: two equal calls that were expected twice are two."""
    twice: list[str | ExpectedStep] = [step("get_stock", {"sku": "A1"})] * 2
    call = ("get_stock", {"sku": "A1"})
    assert [score(twice, *calls, mode="any_order") for calls in ([call, call], [call])] == [1.0, 0.5]


@pytest.mark.parametrize("turned", [0, 1, 2])
def test_the_best_assignment_does_not_depend_on_the_order(turned: int) -> None:
    """confident-ai/deepeval#3338: the best of all assignments, for every order of either list."""
    expected = [{"w": 1, "x": 1, "y": 1, "z": 1}, {"w": 1, "x": 1, "y": 1, "z": 2}, {"w": 1, "x": 2, "y": 2, "z": 2}]
    found = [{"w": 1, "x": 1, "y": 1, "z": 2}, {"w": 1, "x": 2, "y": 2, "z": 2}, {"w": 1, "x": 2, "y": 9, "z": 9}]
    wanted = [step("book", args) for args in expected[turned:] + expected[:turned]]
    calls = [("book", args) for args in found[-turned:] + found[:-turned]]
    assert score([*wanted], *calls, mode="any_order", credit="arguments") == 0.75
    f1 = tool_call_f1(wanted, credit="arguments").run_sync(run(*calls)).unwrap()
    assert f1.score == 0.75


def test_parallel_calls_have_no_order() -> None:
    """vibrantlabsai/ragas#1658: calls of one turn are a group; the same call twice is not the other one."""
    wanted = [together(step("rate", {"cur": "CHF"}), step("rate", {"cur": "SEK"}))]
    runs = [["SEK", "CHF"], ["SEK", "SEK"]]
    for mode in ("in_order", "strict"):
        scorer = trajectory_match(wanted, mode=mode)
        scores = [scorer.run_sync(run(*[("rate", {"cur": each}) for each in calls])).unwrap().score for calls in runs]
        assert scores == [1.0, 0.5]


def test_an_absent_argument_is_no_null() -> None:
    """microsoft/agent-framework#8558: the key must be there."""
    wanted: list[str | ExpectedStep] = [step("weather", partial({"city": "Bern", "unit": None}))]
    calls = [{"city": "Bern"}, {"city": "Bern", "unit": None}, {"city": "Bern", "unit": None, "lang": "de"}]
    assert [score(wanted, ("weather", args)) for args in calls] == [0, 1, 1]


def test_no_arguments_have_many_spellings() -> None:
    """microsoft/agent-framework#8609: null, blank text and an empty object are none; broken text and a list are not."""
    wanted: list[str | ExpectedStep] = [step("now", {})]
    given = [None, "", "  ", {}, "not json", "[]"]
    assert [score(wanted, ("now", args)) for args in given] == [1, 1, 1, 1, 0, 0]


def test_arguments_that_are_no_json_match_nothing() -> None:
    """microsoft/agent-framework#8609, with a call as traces keep it: the raw text is what counts."""
    broken = ToolInvocation("now", {}, state="call", args_raw="{broken")
    assert path(answered(assistant(broken))).steps[0].args == "{broken"
    told = trajectory_match([step("now", {})]).run_sync(Run(asked("?"), answered(assistant(broken)))).unwrap()
    assert told.score == 0


def test_numbers_are_numbers_and_json_text_is_read() -> None:
    """dokimos-dev/dokimos#103: 1 is 1.0, and neither "1" nor True; letters count as they are."""
    wanted: list[str | ExpectedStep] = [step("order", {"qty": 1, "name": "Pen"})]
    given: list[object] = [
        {"qty": 1.0, "name": "Pen"},
        '{"qty": 1, "name": "Pen"}',
        {"qty": "1", "name": "Pen"},
        {"qty": True, "name": "Pen"},
        {"qty": 1, "name": "pen"},
    ]
    assert [score(wanted, ("order", args)) for args in given] == [1, 1, 0, 0, 0]


def test_no_steps_expected_is_an_expectation() -> None:
    """mastra-ai/mastra#23463b: an empty list is kept by a run without steps only; no list at all is not scorable."""
    for mode in ("strict", "in_order", "any_order"):
        assert [score([], *calls, mode=mode) for calls in ([], [("search", {})])] == [1.0, 0.0]
    by_run = trajectory_match(mode="strict")
    nothing = run(("search", {})).with_expected(Expectation(steps=[]))  # type: ignore[arg-type]  # a list will do
    assert by_run.run_sync(nothing).unwrap().score == 0


def test_a_missing_reference_is_no_zero() -> None:
    """mastra-ai/mastra#21743: a run without the path that was wanted is not scorable."""
    for scorer in (trajectory_match(), tool_call_f1()):
        told = scorer.run_sync(run(("search", {})))  # type: ignore[arg-type]  # the reference is missing
        assert isinstance(told.failure().cause, NotScorable)


def test_a_call_that_raised_was_called_and_failed() -> None:
    """mastra-ai/mastra#23460: it is a step of the path; one that did not end is neither a success nor a failure."""
    output = answered(assistant(called("search", result=1), called("pay", error="declined"), called("mail")))
    steps = path(output).steps
    assert [(each.name, each.succeeded) for each in steps] == [("search", True), ("pay", False), ("mail", None)]
    assert (
        tool_call_accuracy(order=["search", "pay", "mail"], strict=True)
        .run_sync(Run(asked("?"), output))
        .unwrap()
        .score
        == 1
    )
    assert tool_failures().run_sync(Run(asked("?"), output)).unwrap().reason != "no tool failed"
