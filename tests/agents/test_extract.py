"""What is asked of a run."""

from __future__ import annotations

import pytest

from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    Message,
    Reasoning,
    Text,
    ToolInvocation,
    all_texts,
    answered,
    asked,
    assistant,
    attempted_calls,
    called,
    failed_calls,
    final_answer,
    history,
    reasoning,
    result_text,
    system,
    system_prompt,
    tool_calls,
    tool_results,
    trajectory,
    unfinished_calls,
    user,
    user_text,
)
from scorewright.library.trajectory import path

SEARCH = called("search", {"q": "a"}, result="found")
PAY = called("pay", error="card declined")
MAIL = called("mail")


def test_the_users_words_are_those_of_this_turn() -> None:
    """All messages of the turn count, also the second; what was said before does not."""
    assert user_text(asked("One.", "Two.", remembered=(user("Zero."),))) == "One.\n\nTwo."
    assert user_text(AgentInput()) == ""


def test_a_message_of_several_parts_is_heard_whole() -> None:
    """Every text part counts, not the last one only."""
    assert user_text(asked(user("One.", "Two."))) == "One.\nTwo."


def test_the_system_prompt_holds_everything_once() -> None:
    """Tagged messages come last, and what is said twice is heard once."""
    given = AgentInput((), (), (system("A"), system("B"), system("A")), {"memory": (system("C"), system("B"))})
    assert system_prompt(given) == "A\n\nB\n\nC"


@pytest.mark.parametrize(
    ("last", "lines"), [(None, ["user: a", "assistant: b", "user: c"]), (2, ["assistant: b", "user: c"]), (0, [])]
)
def test_the_history_is_the_last_lines(last: int | None, lines: list[str]) -> None:
    """A limit keeps the end; zero keeps none; messages without words make no line."""
    given = AgentInput((), (user("a"), assistant(SEARCH), assistant("b"), user("c")))
    assert history(given, last=last).splitlines() == lines


def test_the_final_answer_follows_every_call() -> None:
    """What announces a call is no answer, and neither is anything that a tool said."""
    assert final_answer(answered(assistant("Let me look.", SEARCH), "It is blue.")) == "It is blue."
    assert (
        final_answer(answered(assistant("Let me look.", SEARCH, "It is blue.", "And green.")))
        == "It is blue.\nAnd green."
    )
    assert final_answer(answered("It is blue.", assistant("Let me look.", SEARCH))) is None
    assert final_answer(answered("It is blue.", Message("tool", (SEARCH,)))) is None
    assert final_answer(answered("It is blue.", assistant(Reasoning("Done.")))) == "It is blue."
    assert final_answer(answered()) is None


def test_texts_and_thoughts_are_apart() -> None:
    """Words are words, thoughts are thoughts."""
    output = answered(assistant(Reasoning("hm"), "One."), assistant(SEARCH), Message("tool", (Text("noise"),)), "Two.")
    assert all_texts(output) == ("One.", "Two.")
    assert reasoning(output) == ("hm",)


def test_calls_are_sorted_by_their_end() -> None:
    """A call that raised was attempted and failed; one that is open is neither a success nor a failure."""
    output = answered(assistant(SEARCH, PAY), assistant(MAIL))
    assert tool_calls(output) == (SEARCH, PAY, MAIL)
    assert attempted_calls(output) == (SEARCH, PAY)
    assert failed_calls(output) == (PAY,)
    assert unfinished_calls(output) == (MAIL,)
    assert tool_results(output) == ("found",)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("as it is", "as it is"),
        ({"fee": 3.5, "open": True}, '{"fee": 3.5, "open": true}'),
        (
            [{"type": "text", "text": "a"}, {"type": "json", "json": {"n": 1}}, {"type": "image"}],
            'a\n{"n": 1}\n[image]',
        ),
        ({"content": [{"type": "text", "text": "a"}]}, "a"),
        ([1, 2], "[1, 2]"),
        (None, "null"),
    ],
)
def test_a_result_reads_as_text(result: object, text: str) -> None:
    """No block is lost, what is no text leaves its name, and objects are JSON."""
    assert result_text(result) == text


def test_a_trajectory_is_the_calls_in_order() -> None:
    """With names, arguments and how each ended."""
    steps = trajectory(answered(assistant(SEARCH), assistant(PAY), "Done.")).steps
    assert [(step.name, step.args, step.state) for step in steps] == [
        ("search", {"q": "a"}, "result"),
        ("pay", {}, "error"),
    ]


def test_what_was_not_called_is_no_step() -> None:
    """A call that is still being written is none, nor is one that a user quotes; broken arguments are kept."""
    told = AgentOutput(
        (
            user(called("quoted")),
            assistant(
                ToolInvocation("open", state="partial_call"),
                ToolInvocation("search", args_raw='{"q": "ra'),
                ToolInvocation("pay", state="error"),
            ),
        )
    )
    assert [(step.name, step.args, step.state) for step in trajectory(told).steps] == [
        ("search", '{"q": "ra', "call"),
        ("pay", {}, "error"),
    ]
    assert trajectory(told).names == path(told).names
    assert trajectory(AgentRun(output=told)).names == path(AgentRun(output=told)).names
