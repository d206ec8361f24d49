"""Examples of the scorers of paths."""

from __future__ import annotations

from scorewright.agents import AgentInput, asked
from scorewright.core import Run
from scorewright.judges import Judge
from scorewright.library import trajectory
from scorewright.library.examples.shown import Examples, shown
from scorewright.library.trajectory import Expectation, Path, PathStep

judge: Judge = Judge("openai/gpt-4o-mini")
walked: Run[AgentInput, Path, None] = Run(
    asked("Book me a train to Bern."),
    Path(
        (
            PathStep("search", {"to": "Bern"}),
            PathStep("pay", succeeded=False),
            PathStep("pay", succeeded=False),
            PathStep("book", {"train": 7}),
            PathStep("book", {"train": 7}),
        ),
        tokens=500,
        milliseconds=900,
    ),
)

EXAMPLES: Examples = {
    "efficiency": lambda: shown(trajectory.efficiency(max_steps=4), walked),
    "forbidden_tools": lambda: shown(trajectory.forbidden_tools(["pay"]), walked),
    "redundancy": lambda: shown(trajectory.redundancy(), walked),
    "step_budget": lambda: shown(trajectory.step_budget(4), walked),
    "time_budget": lambda: shown(trajectory.time_budget(1_000), walked),
    "token_budget": lambda: shown(trajectory.token_budget(400), walked),
    "tool_failures": lambda: shown(trajectory.tool_failures(max_retries=0), walked),
    "trajectory_match": lambda: shown(trajectory.trajectory_match(["search", "book", "mail"]), walked, extra="library"),
    "trajectory_quality": lambda: shown(
        trajectory.trajectory_quality(judge),
        Run(asked("Book me a train to Bern."), Path((PathStep("search"), PathStep("book")))),
        '{"step_evaluations": [{"index": 1, "reason": "r", "was_necessary": true, "was_in_order": true},'
        ' {"index": 2, "reason": "r", "was_necessary": true, "was_in_order": true}],'
        ' "missing_steps": ["pay"], "overall_assessment": "not paid"}',
    ),
    "trajectory_score": lambda: shown(
        trajectory.trajectory_score(Expectation(["search", "book"], max_steps=4)), walked, extra="library"
    ),
}
