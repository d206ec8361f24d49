"""Every real file converts to the counts of the manifest."""

from __future__ import annotations

import pytest
from traces.manifest import COUNTED, FOLDER, Row, rows

from scorewright.agents import AgentRun, as_json, failed_calls, tool_calls
from scorewright.traces import DIALECTS, read_runs
from scorewright.traces.json_view import is_mapping
from scorewright.traces.loading import opened

# Rows whose counts are those of another run than the first: the manifest's notes say which.
ROW_IS_RUN = {"openinference_vercel/spans-by-operation.json": 1}

ALL = rows()
WITHOUT = pytest.mark.skipif(not ALL, reason=f"the traces are not at {FOLDER}")


def counted(run: AgentRun) -> dict[str, int]:
    given = run.input
    return {
        "system": len(given.system_messages) + sum(map(len, given.tagged_system_messages.values())),
        "user": sum(message.role == "user" for message in given.input_messages),
        "remembered": len(given.remembered_messages),
        "assistant": sum(message.role == "assistant" for message in run.output.messages),
        "tool_calls": len(tool_calls(run.output)),
        "tool_errors": len(failed_calls(run.output)),
    }


def final(run: AgentRun) -> str:
    """The final output with its blanks made one."""
    if run.final_kind == "none":
        return ""
    if run.final_kind == "structured" and is_mapping(run.final_output):
        inner = run.final_output.get("input", run.final_output)
        comment = is_mapping(inner) and inner.get("comment")
        if comment:
            return f'{STRUCTURED}"{" ".join(str(comment).split())}'
    said = run.final_output if isinstance(run.final_output, str) else as_json(run.final_output)
    return " ".join(said.split())


STRUCTURED = "(structured) comment: "


def wanted(row: Row) -> str:
    """The manifest's first sixty characters; some count the backslashes of escaped quotes."""
    return "" if row.final.startswith(("(none", "-")) else " ".join(row.final.replace(chr(92), "").split())


def agrees(said: str, begin: str) -> bool:
    return said.startswith(begin) if len(begin) > 50 else said == begin


@WITHOUT
@pytest.mark.parametrize("row", ALL, ids=lambda row: row.path)
def test_a_file_converts_to_the_counts_of_its_row(row: Row) -> None:
    """Runs, messages, tool calls, errors and the final answer are those that were counted by hand."""
    runs = [run.unwrap() for run in read_runs(row.file)]
    assert len(runs) == row.runs
    run = runs[ROW_IS_RUN.get(row.path, 0)]
    assert {name: counted(run)[name] for name in COUNTED} == row.counts
    assert agrees(final(run), wanted(row)), final(run)


@WITHOUT
@pytest.mark.parametrize("row", ALL, ids=lambda row: row.path)
def test_no_two_dialects_claim_a_file(row: Row) -> None:
    """Marks are exclusive: the order of the readers decides nothing."""
    source = opened(row.file)
    lines = [line.unwrap() for line in source.lines]
    for document in [source.document.unwrap()] if source.document is not None else [lines, lines[0]]:
        assert len([dialect.name for dialect in DIALECTS if dialect.detect(document)]) <= 1
