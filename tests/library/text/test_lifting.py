"""Text scorers on agent runs, and against the reference."""

from __future__ import annotations

import pytest

from scorewright import NotScorable, Run
from scorewright.agents import Message, answered, asked, assistant, called, user
from scorewright.library.checks import includes
from scorewright.library.text import against_expected, content_similarity, exact_match, on_answer, on_texts

QUESTION = asked("Where is my parcel?", system="Be brief.")


def test_the_answer_is_scored() -> None:
    """The last words of the agent, not what announced a call."""
    run = Run(QUESTION, answered(assistant("I look it up.", called("track", result="depot")), "At the depot."))
    assert on_answer(includes("depot")).run_sync(run).unwrap().score == 1.0
    assert on_answer(includes("look")).run_sync(run).unwrap().score == 0.0
    assert on_answer(includes("depot")).id == includes("depot").id


def test_a_run_without_an_answer_is_not_scorable() -> None:
    """No answer is not an empty one."""
    run = Run(QUESTION, answered(assistant(called("track"))))
    failure = on_answer(includes("depot")).run_sync(run).failure()
    assert failure.cause == NotScorable("the run ends without an answer")


def test_all_texts_are_scored() -> None:
    """Every message of the agent, and of whom else is named."""
    run = Run(asked("one", "two"), answered("Three.", user("Four."), Message("assistant"), "Five."))
    assert on_texts(includes("Three.\n\nFive.")).run_sync(run).unwrap().score == 1.0
    everyone = on_texts(includes("Three.|Four.|Five."), joined_by="|", roles=("assistant", "user"))
    assert everyone.run_sync(run).unwrap().score == 1.0
    same = on_texts(content_similarity(), joined_by=" ")
    assert same.run_sync(Run(asked("one", "two"), answered("one two"))).unwrap().score == 1.0


def test_a_reference_goes_through() -> None:
    """The lifted scorer asks for the reference that its own asks for."""
    scorer = on_answer(exact_match())
    assert scorer.run_sync(Run(QUESTION, answered("At the depot."), "at depot")).unwrap().score == 1.0
    assert scorer.run_sync(Run(QUESTION, answered("At the depot."), "in Graz")).unwrap().score == 0.0


@pytest.mark.parametrize(("expected", "score"), [("nacht", 1.0), ("night", 0.25)])
def test_the_reference_may_take_the_place_of_the_input(expected: str, score: float) -> None:
    """So that a likeness to the input becomes one to the reference."""
    scorer = against_expected(content_similarity())
    assert scorer.run_sync(Run(object(), "nacht", expected)).unwrap().score == score
    assert scorer.id == "content_similarity against_expected"
