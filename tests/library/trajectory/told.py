"""Golden rows of trajectories, read into our paths and expectations."""

from __future__ import annotations

from typing import cast

from golden_rows import Json, Row, items, mapping

from scorewright import Run
from scorewright.agents import AgentInput, asked
from scorewright.library.trajectory import Expectation, ExpectedStep, Path, PathStep, Told, step

KINDS = {
    "tool_call": "tool",
    "mcp_tool_call": "mcp",
    "provider_tool_call": "server",
    "model_generation": "model",
    "agent_run": "agent",
}
MODES = {"strict": "strict", "unordered": "any_order"}  # any other word means "relaxed" there, which is "in_order" here
PLAIN = {"stepType", "name", "toolArgs", "toolResult", "success", "children", "durationMs", "metadata"}
OURS = {
    "allowRepeatedSteps": "allow_repeats",
    "maxSteps": "max_steps",
    "maxTotalTokens": "max_tokens",
    "maxTotalDurationMs": "max_milliseconds",
    "noRedundantCalls": "redundancy",
    "blacklistedTools": "forbidden_tools",
    "blacklistedSequences": "forbidden_sequences",
    "maxRetriesPerTool": "max_retries",
}


def number(given: object) -> float | None:
    return given if isinstance(given, (int, float)) else None


def path_step(told: Json) -> PathStep:
    """A step of theirs; what a model spent is in its details too, where expectations look for it."""
    kind = KINDS.get(str(told["stepType"]), str(told["stepType"]))
    counts = [told.get("promptTokens"), told.get("completionTokens")]
    known = [count for count in counts if isinstance(count, int) and count >= 0]
    return PathStep(
        str(told["name"]),
        told.get("toolArgs", {}),
        told.get("toolResult"),
        kind,
        cast("bool | None", told.get("success")),
        sum(known) if len(known) == 2 else None,
        number(told.get("durationMs")),
        {name: value for name, value in told.items() if name not in PLAIN},
        tuple(path_step(mapping(each)) for each in items(told.get("children"))),
    )


def path_of(given: object) -> Path:
    told = mapping(given)
    told = mapping(told.get("raw")) or told
    return Path(
        tuple(path_step(mapping(each)) for each in items(told["steps"])), None, number(told.get("totalDurationMs"))
    )


def run_of(row: Row) -> Run[AgentInput, Told, None]:
    return Run(asked("task"), cast("Told", path_of(row["output"])))


def expected_step(told: Json) -> ExpectedStep:
    """An expected step of theirs. Of a step without a type they read the name alone, so we state no more."""
    inside = told.get("children")
    child = expectation(mapping(inside)) if isinstance(inside, dict) else None
    name = str(told["name"])
    if "stepType" not in told:
        return step(name, inside=child)
    kind = str(told["stepType"])
    stated: Json = {}
    if "toolArgs" in told:
        stated["args"] = told["toolArgs"]
    if "toolResult" in told:
        stated["result"] = told["toolResult"]
    details = {each: value for each, value in told.items() if each not in PLAIN}
    return ExpectedStep(
        name,
        kind=KINDS.get(kind, kind),
        succeeded=cast("bool | None", told.get("success")),
        details=details,
        inside=child,
        **cast("dict[str, dict[str, object]]", stated),
    )


def expected_steps(given: object) -> list[ExpectedStep]:
    told = mapping(given)
    return [expected_step(mapping(each)) for each in items(told.get("steps") if told else given)]


def expectation(told: Json) -> Expectation:
    """Their expectation as ours; keys that are there without a value are left out."""
    stated: Json = {OURS[name]: value for name, value in told.items() if name in OURS and value is not None}
    for name in ("forbidden_tools", "forbidden_sequences"):
        if name in stated:
            stated[name] = tuple(each if isinstance(each, str) else tuple(items(each)) for each in items(stated[name]))
    if "ordering" in told:
        stated["mode"] = MODES.get(str(told["ordering"]), "in_order")
    if "steps" in told:
        stated["steps"] = expected_steps(told)
    return Expectation(**stated)  # type: ignore[arg-type]  # the keys and types are those of the row
