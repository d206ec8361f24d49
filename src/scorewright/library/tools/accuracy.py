"""`tool_call_accuracy`: was the tool called that had to be, or were the tools called in their order?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import attrs

from scorewright.agents import AgentInput, AgentOutput, AgentRun
from scorewright.core import Scorer, pure
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.defining import expect_flag, expect_text, expect_texts, listed, spelled
from scorewright.library.trajectory.path import Path, Told, path_scorer
from scorewright.results import ok

MOST_TOLD = 20


@final
@attrs.frozen
class Calls:
    """The names of the tools that were called, those that were wanted, and whether this will do."""

    called: tuple[str, ...]
    wanted: tuple[str, ...]
    passed: bool


def tool_call_accuracy(
    tool: str | None = None, /, *, order: Sequence[str] | None = None, strict: bool = False
) -> Scorer[AgentInput, Told, object, NotScorable]:
    """1 where the right tools were called, else 0.

    | given | passes when |
    |---|---|
    | `tool` | it was called; `strict`: it was called once, and nothing else |
    | `order` | these were called in this order, whatever was called between; `strict`: these and no others |

    A non-empty `order` comes before `tool`. An empty one without a tool always passes; with `strict` it passes where
    nothing was called. A run in which the agent left no message is not scorable.
    """
    if tool is not None:
        expect_text(tool, "tool_call_accuracy(tool)", blank=False)
    if order is not None:
        expect_texts(order, "tool_call_accuracy(order=…)")
    if tool is None and order is None:
        raise DefinitionError('name a tool, tool_call_accuracy("search"), or an order, order=["search", "open"]')
    expect_flag(strict, "tool_call_accuracy(strict=…)")
    by_order = order if order or tool is None else None
    wanted = tuple(by_order) if by_order is not None else (tool or "",)

    def looked(told: Path) -> Calls:
        called = tuple(step.name for step in told.steps if step.is_call or step.kind == "agent")
        return Calls(called, wanted, called == wanted if strict else _in_order(wanted, called))

    given = () if tool is None else (tool,)
    id = spelled(
        "tool_call_accuracy",
        *given,
        order=(None if order is None else list(order), None),
        strict=(strict, False),
    )
    return (
        path_scorer(id, "The right tools were called.", check=silent)
        .analyze(pure(lambda s: looked(s.pre)))
        .generate_score(pure(lambda s: s.ana.passed))
        .generate_reason(lambda s: ok(_explained(s.ana, strict=strict)))
    )


def silent(told: Told, /) -> str:
    """Why a run says nothing of tools: the agent left no message. Nothing where it did."""
    output = told.output if isinstance(told, AgentRun) else told
    nothing = isinstance(output, AgentOutput) and not output.messages
    return "the agent left no message" if nothing else ""


def _in_order(wanted: Sequence[str], called: Sequence[str]) -> bool:
    rest = iter(called)
    return all(name in rest for name in wanted)


def _explained(calls: Calls, *, strict: bool) -> str:
    called = listed(calls.called, MOST_TOLD) or "nothing"
    if calls.passed:
        return f"called: {called}"
    only = "only " if strict else ""
    missing = [name for name in dict.fromkeys(calls.wanted) if name not in calls.called]
    why = f"; never called: {listed(missing, MOST_TOLD)}" if missing else ""
    return f"expected {only}{listed(calls.wanted, MOST_TOLD, by=' → ') or 'nothing'}; called: {called}{why}"
