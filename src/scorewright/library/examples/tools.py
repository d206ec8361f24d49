"""Examples of the scorers of tool calls."""

from __future__ import annotations

from typing import TypeAlias

from scorewright.agents import AgentInput, asked
from scorewright.core import Run
from scorewright.judges import Judge
from scorewright.library import tools
from scorewright.library.examples.shown import Examples, shown
from scorewright.library.trajectory import Path, PathStep

Walked: TypeAlias = Run[AgentInput, Path, None]  # a short name: the definition fits a line, as in the catalogue

judge: Judge = Judge("openai/gpt-4o-mini")
booked: Walked = Run(asked("Book me a train to Bern."), Path((PathStep("search", {"to": "Bern"}), PathStep("book"))))

EXAMPLES: Examples = {
    "tool_call_accuracy": lambda: shown(tools.tool_call_accuracy(order=["search", "book"]), booked),
    "tool_call_appropriateness": lambda: shown(
        tools.tool_call_appropriateness(judge),
        booked,
        '{"evaluations": [{"index": 1, "reason": "asked for", "was_appropriate": true},'
        ' {"index": 2, "reason": "no train was chosen", "was_appropriate": false}], "missing_tools": []}',
    ),
    "tool_call_f1": lambda: shown(tools.tool_call_f1(["search", "book", "mail"]), booked, extra="library"),
}
