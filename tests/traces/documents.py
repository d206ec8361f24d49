"""Documents beside what they come to, and how that is counted."""

from __future__ import annotations

from typing import TypeAlias

from scorewright.agents import AgentRun, failed_calls, tool_calls
from scorewright.traces import read_runs

Document: TypeAlias = object
Counts: TypeAlias = tuple[int, int, int, int, int, int, object]
"""System, user, remembered, assistant, tool calls, failed ones, the final output."""
Rows: TypeAlias = dict[str, tuple[Document, Counts]]

ASKED = {"role": "user", "content": "Where?"}


def counts(run: AgentRun) -> Counts:
    answers = sum(message.role == "assistant" for message in run.output.messages)
    given = run.input
    before = (len(given.system_messages), len(given.input_messages), len(given.remembered_messages))
    return (*before, answers, len(tool_calls(run.output)), len(failed_calls(run.output)), run.final_output)


def runs(document: Document) -> list[AgentRun]:
    return [read.unwrap() for read in read_runs(document)]
