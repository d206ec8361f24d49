"""Which tools an agent called, how often, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Never, TypeAlias

from scorewright.agents import AgentInput, AgentOutput, ToolInvocation, create_agent_scorer
from scorewright.core import Scorer, Step, Verdict, pure
from scorewright.library.defining import counted, expect_text, expect_texts, expect_whole, listed, spelled

MOST_TOLD = 20
CallCheck: TypeAlias = Scorer[AgentInput, AgentOutput, object, Never]


def called_tool(name: str, /, *, times: int = 1) -> CallCheck:
    """Whether the agent called the tool, `times` times or more."""
    expect_text(name, "called_tool(name)", blank=False)
    expect_whole(times, "called_tool(…, times=…)")

    def judged(calls: tuple[ToolInvocation, ...]) -> Verdict:
        found = names(calls).count(name)
        return Verdict(found >= times, f"{name} was called {counted(found, 'time')}; {times} or more are due")

    return call_check(spelled("called_tool", name, times=(times, 1)), f"the agent called {name}", judged)


def did_not_call(name: str, /) -> CallCheck:
    """Whether the agent never called the tool."""
    expect_text(name, "did_not_call(name)", blank=False)

    def judged(calls: tuple[ToolInvocation, ...]) -> Verdict:
        found = names(calls).count(name)
        return Verdict(not found, f"{name} was called {counted(found, 'time')}" if found else f"{name} was not called")

    return call_check(spelled("did_not_call", name), f"the agent did not call {name}", judged)


def tool_order(order: Sequence[str], /) -> CallCheck:
    """Whether the tools were called in this order, other calls between them aside; an empty order always is."""
    expect_texts(order, "tool_order(order)")
    due = tuple(order)

    def judged(calls: tuple[ToolInvocation, ...]) -> Verdict:
        called = names(calls)
        found = in_order(due, called)
        path = listed(called, MOST_TOLD, by=" → ") or "no call"
        return Verdict(
            found == len(due), path if found == len(due) else f"{path}; {due[found]} is missing at its place"
        )

    return call_check(spelled("tool_order", due), f"the order {' → '.join(due)}", judged)


def max_tool_calls(most: int, /) -> CallCheck:
    """Whether the agent made `most` calls or fewer."""
    expect_whole(most, "max_tool_calls(most)")

    def judged(calls: tuple[ToolInvocation, ...]) -> Verdict:
        return Verdict(len(calls) <= most, f"{counted(len(calls), 'call')}; {most} allowed")

    return call_check(spelled("max_tool_calls", most), f"{counted(most, 'call')} or fewer", judged)


def used_no_tools() -> CallCheck:
    """Whether the agent called no tool at all."""

    def judged(calls: tuple[ToolInvocation, ...]) -> Verdict:
        called = listed(list(dict.fromkeys(names(calls))), MOST_TOLD)
        return Verdict(not calls, f"called {called}" if calls else "no tool was called")

    return call_check("used_no_tools", "the agent called no tool", judged)


def call_check(id: str, description: str, judged: Callable[[tuple[ToolInvocation, ...]], Verdict], /) -> CallCheck:
    """A check of the calls that an agent made."""

    def calls(step: Step[AgentInput, AgentOutput, None, None]) -> tuple[ToolInvocation, ...]:
        return calls_made(step.run.output)

    return (
        create_agent_scorer(id, description=description)
        .preprocess(pure(calls))
        .generate_verdict(pure(lambda step: judged(step.pre)))
    )


def calls_made(answer: AgentOutput, /) -> tuple[ToolInvocation, ...]:
    """The calls of the agent itself, in order: of a named tool, and asked for to the end, whatever became of them."""
    return tuple(call for call in invocations(answer) if call.name and call.state != "partial_call")


def invocations(answer: AgentOutput, /) -> tuple[ToolInvocation, ...]:
    """All invocations in the agent's messages; a user's message holds none of its calls."""
    said = (message for message in answer.messages if message.role in {"assistant", "tool"})
    return tuple(call for message in said for call in message.tool_calls)


def names(calls: tuple[ToolInvocation, ...], /) -> list[str]:
    """The names of the tools, in order."""
    return [call.name for call in calls]


def in_order(due: tuple[str, ...], called: list[str], /) -> int:
    """How many of the names that are due stand in the calls, one after the other."""
    found = 0
    for name in called:
        if found < len(due) and name == due[found]:
            found += 1
    return found
