"""How tool calls ended, and what they were called with."""

from __future__ import annotations

from collections.abc import Mapping

from scorewright.agents import AgentInput, AgentOutput, ToolInvocation, as_json, create_agent_scorer
from scorewright.core import Step, Verdict, pure
from scorewright.faults import DefinitionError
from scorewright.library.checks.calls import MOST_TOLD, CallCheck, call_check, invocations, names
from scorewright.library.defining import counted, expect_flag, expect_text, listed, spelled
from scorewright.library.json_values import is_object, parsed, same


def no_tool_errors() -> CallCheck:
    """Whether no call ended in an error and none was left without an answer.

    A call is in error when the tool raised, when it was marked so, or when its result is an object with an `error`. A
    call that was still being written counts as neither.
    """

    def calls(step: Step[AgentInput, AgentOutput, None, None]) -> tuple[ToolInvocation, ...]:
        return invocations(step.run.output)

    def judged(step: Step[AgentInput, AgentOutput, tuple[ToolInvocation, ...], None]) -> Verdict:
        wrong = names(tuple(filter(in_error, step.pre)))
        open_ = names(tuple(call for call in step.pre if call.state == "call"))
        told = [f"error: {listed(wrong, MOST_TOLD)}"] if wrong else []
        told += [f"unanswered: {listed(open_, MOST_TOLD)}"] if open_ else []
        return Verdict(not told, "; ".join(told) or f"{counted(len(step.pre), 'call')}, no error")

    return (
        create_agent_scorer("no_tool_errors", description="every tool call came to a good end")
        .preprocess(pure(calls))
        .generate_verdict(pure(judged))
    )


def in_error(call: ToolInvocation, /) -> bool:
    """Did the call end in an error, by its state or by what it gave back?"""
    told = call.result.get("error") if call.state == "result" and is_object(call.result) else None
    return call.failed or not (told is None or told is False or told in ("", 0))


def tool_arguments(name: str, arguments: Mapping[str, object], /, *, exact: bool = False) -> CallCheck:
    """Whether some call of the tool had these arguments; with `exact`, these and no others.

    The order of keys does not matter, 1 is 1.0, True is not 1, and arguments that came as JSON text are read.
    """
    expect_text(name, "tool_arguments(name, arguments): name", blank=False)
    expect_flag(exact, "tool_arguments(…, exact=…)")
    if not is_object(arguments):
        raise DefinitionError(f"tool_arguments(name, arguments) takes a mapping of arguments, not {arguments!r}")

    def judged(calls: tuple[ToolInvocation, ...]) -> Verdict:
        given = [arguments_of(call) for call in calls if call.name == name]
        if not given:
            return Verdict(0.0, f"{name} was not called")
        wrong = [misfits(arguments, each, exact) for each in given]
        nearest = min(wrong, key=len)
        return Verdict(not nearest, "; ".join(nearest) or f"{name} was called with {as_json(arguments)}")

    return call_check(
        spelled("tool_arguments", name, arguments, exact=(exact, False)), f"the arguments of {name}", judged
    )


def arguments_of(call: ToolInvocation, /) -> Mapping[str, object] | None:
    """The arguments of a call: none where it has none, None where they are not an object."""
    raw = call.args_raw if call.args_raw is not None else call.args
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return {}
    value = parsed(raw).value_or(None) if isinstance(raw, str) else raw
    return value if is_object(value) else None


def misfits(due: Mapping[str, object], given: Mapping[str, object] | None, exact: bool, /) -> list[str]:
    """What is wrong with the arguments of one call."""
    if given is None:
        return ["the arguments are no JSON object"]
    wrong = [f"{key} is missing" for key in due if key not in given]
    wrong += [
        f"{key} is {as_json(given[key])}, not {as_json(held)}"
        for key, held in due.items()
        if key in given and not same(held, given[key])
    ]
    return wrong + [f"{key} is not expected" for key in given if exact and key not in due]
