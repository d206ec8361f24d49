"""`tool_call_appropriateness`: a judge on every tool call of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, final

import attrs
from returns.result import Result

from scorewright.agents import AgentInput, AgentRun, ToolDefinition, as_json, system_prompt, user_text
from scorewright.core import Answerer, Outcome, ScoredStep, Scorer, Step, create_scorer, pure, then
from scorewright.core.definition import shown
from scorewright.faults import DefinitionError, InvalidRun, JudgeFault, NotScorable
from scorewright.library.defining import expect_sequence, expect_whole, named, spelled
from scorewright.library.judged.batches import misnumbered
from scorewright.library.judged.options import described, rounded
from scorewright.library.judged.reading import asking
from scorewright.library.judged.template import numbered, template
from scorewright.library.tools.accuracy import silent
from scorewright.library.trajectory.path import TOLD, PathStep, Told, read_path
from scorewright.library.trajectory.telling import told_step
from scorewright.results import err, ok


@final
@attrs.frozen
class CallVerdict:
    """What the judge says of one call; `index` is its number, from 1."""

    reason: str
    was_appropriate: bool
    index: int | None = None


@final
@attrs.frozen
class CallVerdicts:
    """What the judge says of all calls, and of tools that should have been called."""

    evaluations: tuple[CallVerdict, ...]
    missing_tools: tuple[str, ...] = ()


@final
@attrs.frozen
class CallsMade:
    """The calls of a run, and the tools that it had."""

    calls: tuple[PathStep, ...]
    tools: tuple[ToolDefinition, ...]


Faults: TypeAlias = JudgeFault | NotScorable | InvalidRun
_Read: TypeAlias = Step[AgentInput, Told, CallsMade, None, object]


def tool_call_appropriateness(
    judge: Answerer, /, *, tools: Sequence[ToolDefinition] = (), max_calls: int = 100
) -> Scorer[AgentInput, Told, object, Faults]:
    """The share of tool calls that a judge finds appropriate; a tool that should have been called counts against it.

    score = appropriate / (calls + missing), at two decimals; 1 where no call was made and none is missing. Each call
    gets one verdict, or the answer is a fault. `tools` are those that the agent had; else those that its run tells of.
    One question; none where there are neither calls nor tools. More than `max_calls` are refused as `InvalidRun`.
    """
    expect_sequence(tools, "tool_call_appropriateness(tools=…)")
    for each in tools:
        _expect_tool(each)
    expect_whole(max_calls, "tool_call_appropriateness(max_calls=…)", least=1)
    text = template("tool_call_appropriateness")

    def made(s: Step[AgentInput, Told, None, None, object]) -> Outcome[CallsMade, NotScorable]:
        told = s.run.output
        why = silent(told)
        if why:
            return err(NotScorable(why))
        had = tuple(tools) or (told.tool_definitions if isinstance(told, AgentRun) else ())
        return read_path(s).map(lambda path: CallsMade(tuple(filter(_is_call, path.steps)), had))

    def fields(s: _Read) -> dict[str, str | int]:
        given = s.run.input
        lines = [told_step(call) for call in s.pre.calls]
        return {
            "instructions": system_prompt(given) or "(none)",
            "request": user_text(given) or "(none)",
            "tools": numbered([_told_tool(tool) for tool in s.pre.tools]) or "(not recorded)",
            "calls": numbered(lines) or "(the agent called no tool)",
        }

    def objection(s: _Read, said: CallVerdicts) -> str:
        return misnumbered([each.index for each in said.evaluations], range(1, len(s.pre.calls) + 1))

    ask = asking(text, CallVerdicts, fields, objection=objection)

    def analysed(s: _Read) -> Outcome[CallVerdicts, Faults]:
        calls = len(s.pre.calls)
        if calls > max_calls:
            return err(InvalidRun("$.output", f"{calls} calls are more than the {max_calls} that are judged at once"))
        return then(ask(s), _in_turn) if calls or s.pre.tools else ok(CallVerdicts(()))

    id = spelled("tool_call_appropriateness", tools=(list(tools), []), max_calls=(max_calls, 100))
    about = described("Each tool call, judged.", text)
    return (
        create_scorer(id, input=AgentInput, output=TOLD, judge=judge, description=about)
        .preprocess(made)
        .analyze(analysed)
        .generate_score(pure(lambda s: appropriateness(s.ana)))
        .generate_reason(pure(_reason))
    )


def appropriateness(said: CallVerdicts, /) -> float:
    """The score of the verdicts; see `tool_call_appropriateness`."""
    due = len(said.evaluations) + len(said.missing_tools)
    return rounded(sum(each.was_appropriate for each in said.evaluations) / due, 1.0) if due else 1.0


def _in_turn(said: CallVerdicts) -> Result[CallVerdicts, JudgeFault]:
    found = said.evaluations
    if all(each.index is None for each in found):
        found = tuple(attrs.evolve(each, index=at) for at, each in enumerate(found, 1))
    return ok(attrs.evolve(said, evaluations=tuple(sorted(found, key=lambda each: each.index or 0))))


def _reason(s: ScoredStep[AgentInput, Told, CallsMade, CallVerdicts, object]) -> str:
    lines = [
        f"call {at}, {named(call.name)}: {'appropriate' if each.was_appropriate else 'not appropriate'} ({each.reason})"
        for at, (call, each) in enumerate(zip(s.pre.calls, s.ana.evaluations, strict=True), 1)
    ]
    missing = [f"should have been called: {', '.join(s.ana.missing_tools)}"] if s.ana.missing_tools else []
    return "\n".join([*(lines or ["no tool was called"]), *missing])


def _is_call(step: PathStep) -> bool:
    return step.is_call or step.kind == "agent"


def _told_tool(tool: ToolDefinition) -> str:
    parameters = f" {as_json(tool.parameters)}" if tool.parameters else ""
    return f"{tool.name}: {tool.description or '(no description)'}{parameters}"


def _expect_tool(given: object) -> None:
    if not isinstance(given, ToolDefinition):
        raise DefinitionError(f'tools= takes definitions, such as ToolDefinition("search"), not {shown(given)}')
