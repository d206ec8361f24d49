"""What judged scorers score: a question with its context and an answer, or the turns of a conversation.

Every scorer here takes these plain values; one function each adapts it to agent runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, final

import attrs
from typing_extensions import TypeIs, TypeVar

from scorewright.agents import (
    AgentInput,
    AgentOutput,
    all_texts,
    final_answer,
    history,
    system_prompt,
    tool_results,
    user_text,
)
from scorewright.core import Run, Scorer
from scorewright.core.definition import expect_function
from scorewright.faults import DefinitionError, JudgeFault, NotScorable, StepRaised
from scorewright.library.defining import expect_texts, expect_whole

Ref = TypeVar("Ref")
E = TypeVar("E")

Faults: TypeAlias = JudgeFault | StepRaised | NotScorable
Context: TypeAlias = Callable[[AgentInput, AgentOutput], Sequence[str]]


@final
@attrs.frozen
class Asked:
    """What an answer answers: the question, the pieces of context that it may rest on, and what was said before."""

    question: str = ""
    context: tuple[str, ...] = ()
    system: str = ""  # the instructions of the operator
    history: str = ""  # the turns before, a line each


@final
@attrs.frozen
class Turn:
    """One turn of a conversation."""

    role: Literal["user", "agent"]
    text: str


def retrieved(_given: AgentInput, answer: AgentOutput, /) -> tuple[str, ...]:
    """What the tools gave back: the context of an agent's answer, unless said otherwise."""
    return tool_results(answer)


def answer_text(answer: AgentOutput, /) -> str:
    """The agent's final answer; where a run ends in a tool call, the last words before it; else nothing."""
    return final_answer(answer) or (all_texts(answer) or ("",))[-1]


def for_agents(
    scorer: Scorer[Asked, str, Ref, E], /, *, context: Context | Sequence[str] = retrieved, last: int | None = 10
) -> Scorer[AgentInput, AgentOutput, Ref, E]:
    """The same scorer of agent runs: the user's words, the system prompt, the `last` messages before, the final answer.

    `context` is a function of the agent's input and output, or the same pieces for every run; what the tools gave back,
    unless given.
    """
    find = _finding(context)
    if last is not None:
        expect_whole(last, "for_agents(scorer, last=…)")

    def seen(run: Run[AgentInput, AgentOutput, Ref]) -> Run[Asked, str, Ref]:
        given = run.input
        asked = Asked(
            user_text(given),
            tuple(find(given, run.output)),
            system_prompt(given),
            history(given, last=last),
        )
        return run.with_input(asked).with_output(answer_text(run.output))

    return scorer.contramap_run(AgentInput, AgentOutput, seen)


def _finding(context: Context | Sequence[str]) -> Context:
    call = "for_agents(scorer, context=…)"
    if not _is_list(context):
        expect_function(context, call, "lambda given, answer: tool_results(answer)")
        return context
    expect_texts(list(context), call)
    if not context:
        raise DefinitionError(f"{call} takes at least one piece; leave it out for what the tools gave back")
    fixed = tuple(context)
    return lambda _given, _answer: fixed


def _is_list(given: Context | Sequence[str]) -> TypeIs[Sequence[str]]:
    return isinstance(given, (list, tuple))


def for_conversations(scorer: Scorer[Asked, tuple[Turn, ...], Ref, E], /) -> Scorer[AgentInput, AgentOutput, Ref, E]:
    """The same scorer of agent runs: all turns that have words, those before this run too, and the system prompt."""

    def seen(run: Run[AgentInput, AgentOutput, Ref]) -> Run[Asked, tuple[Turn, ...], Ref]:
        given = run.input
        asked = Asked(user_text(given), system=system_prompt(given))
        return run.with_input(asked).with_output(turns(given, run.output))

    return scorer.contramap_run(AgentInput, AgentOutput, seen)


def turns(given: AgentInput, answer: AgentOutput, /) -> tuple[Turn, ...]:
    """The words of user and agent, in order."""
    told = (*given.remembered_messages, *given.input_messages, *answer.messages)
    return tuple(
        Turn("user" if message.role == "user" else "agent", message.text.strip())
        for message in told
        if message.role in {"user", "assistant"} and message.text.strip()
    )
