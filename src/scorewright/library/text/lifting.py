"""Scorers of texts, made to score agent runs, or made to compare with the reference answer."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypeVar

from scorewright.agents import AgentInput, AgentOutput, Message, Role, final_answer, user_text
from scorewright.core import Run, Scorer
from scorewright.library.defining import expect_text, expect_texts, spelled

Ref = TypeVar("Ref")
E = TypeVar("E")


def on_answer(scorer: Scorer[str, str, Ref, E], /) -> Scorer[AgentInput, AgentOutput, Ref, E]:
    """The scorer of agent runs that sees the user's words of this turn and the agent's final answer.

    A run that ends without an answer is not scorable. The id stays.
    """

    def texts(run: Run[AgentInput, AgentOutput, Ref]) -> Run[str, str, Ref]:
        return run.with_input(user_text(run.input)).with_output(final_answer(run.output) or "")

    def has_answer(run: Run[AgentInput, AgentOutput, Ref]) -> bool:
        return final_answer(run.output) is not None

    lifted = scorer.contramap_run(AgentInput, AgentOutput, texts)
    return lifted.when(has_answer, why="the run ends without an answer")


def on_texts(
    scorer: Scorer[str, str, Ref, E], /, *, joined_by: str = "\n\n", roles: Sequence[Role] = ("assistant",)
) -> Scorer[AgentInput, AgentOutput, Ref, E]:
    """The scorer of agent runs that sees all that was said: every input message, and every message of the agent.

    `joined_by` stands between messages, and between the text parts of one. `roles` are those whose messages in the
    output count; some records hold a user's words there.
    """
    expect_text(joined_by, "on_texts(…, joined_by=…)")
    expect_texts(roles, "on_texts(…, roles=…)")
    counting = frozenset(roles)

    def texts(run: Run[AgentInput, AgentOutput, Ref]) -> Run[str, str, Ref]:
        said = tuple(message for message in run.output.messages if message.role in counting)
        return run.with_input(joined(run.input.input_messages, joined_by)).with_output(joined(said, joined_by))

    lifted = scorer.contramap_run(AgentInput, AgentOutput, texts)
    told = spelled("on_texts", joined_by=(joined_by, "\n\n"), roles=(counting, frozenset({"assistant"})))
    return lifted.named(f"{scorer.id} {told}", description=scorer.about.description)


def against_expected(scorer: Scorer[str, str, object, E], /) -> Scorer[object, str, str, E]:
    """The scorer that compares the output with the reference answer where it compared it with the input."""

    def swapped(run: Run[object, str, str]) -> Run[str, str, str]:
        return run.with_input(run.expected)

    lifted = scorer.contramap_run(object, str, swapped, expected=str)
    return lifted.named(f"{scorer.id} against_expected", description=scorer.about.description)


def joined(messages: tuple[Message, ...], joined_by: str, /) -> str:
    """The texts of messages as one; those without words leave no trace."""
    return joined_by.join(part.text for message in messages for part in message.parts if part.type == "text")
