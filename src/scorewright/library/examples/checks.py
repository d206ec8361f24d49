"""Examples of the checks."""

from __future__ import annotations

from scorewright.agents import AgentInput, AgentOutput, answered, asked, assistant, called
from scorewright.core import Run
from scorewright.library import checks
from scorewright.library.examples.shown import Examples, shown

agent_run: Run[AgentInput, AgentOutput, None] = Run(
    asked("Where is my parcel?"),
    answered(assistant(called("track", {"parcel": 7}, result="depot"), called("mail")), "At the depot."),
)

EXAMPLES: Examples = {
    "called_tool": lambda: shown(checks.called_tool("track"), agent_run),
    "did_not_call": lambda: shown(checks.did_not_call("refund"), agent_run),
    "ends_with": lambda: shown(checks.ends_with("Lyon."), Run("", "It is in Lyon.")),
    "equals": lambda: shown(checks.equals("yes"), Run("", "Yes")),
    "excludes": lambda: shown(checks.excludes("refund"), Run("", "Your refund is on its way.")),
    "includes": lambda: shown(checks.includes("refund"), Run("", "Your Refund is on its way.")),
    "is_refusal": lambda: shown(checks.is_refusal(), Run("", "I'm sorry, but I can't help with that.")),
    "json_schema": lambda: shown(
        checks.json_schema({"type": "object", "required": ["city"]}), Run("", '{"town": "Graz"}'), extra="library"
    ),
    "language": lambda: shown(
        checks.language("de"), Run("", "Das Paket liegt seit gestern im Lager."), extra="library"
    ),
    "length_within": lambda: shown(checks.length_within(1, 12), Run("", "It is in Lyon."), extra="library"),
    "matches": lambda: shown(checks.matches("[A-Z]{2}-[0-9]+"), Run("", "Your number is AT-1070.")),
    "max_tool_calls": lambda: shown(checks.max_tool_calls(1), agent_run),
    "no_tool_errors": lambda: shown(checks.no_tool_errors(), agent_run),
    "similarity": lambda: shown(checks.similarity("night"), Run("", "nacht")),
    "starts_with": lambda: shown(checks.starts_with("Dear"), Run("", "dear Ms Huber")),
    "tool_arguments": lambda: shown(checks.tool_arguments("track", {"parcel": 7.0}), agent_run),
    "tool_order": lambda: shown(checks.tool_order(["track", "mail"]), agent_run),
    "used_no_tools": lambda: shown(checks.used_no_tools(), agent_run),
    "valid_json": lambda: shown(checks.valid_json(), Run("", '{"city": Graz}')),
    "words_within": lambda: shown(checks.words_within(1, 3), Run("", "It is in Lyon.")),
}
