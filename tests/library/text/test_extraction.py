"""What the other system reads out of its messages, and what ours reads out of the same ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from golden_rows import PRESENT, Row, agent_input, agent_output, items, mapping, message, rows

from scorewright.agents import all_texts, history, reasoning, system_prompt, tool_calls, user_text
from scorewright.library.checks.calls import calls_made

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")

ALL_PARTS = "all text parts of a message are its text, not the last alone"
SHAPE = "a run has one shape; the other system looks for text under many names"
SYSTEM = "what the system said stands among its own messages, with all its text parts, and not among the turn's"
OURS: dict[int, tuple[str, object]] = {
    140: (ALL_PARTS, "a\nb"),
    139: (ALL_PARTS, "a\nb"),
    141: (ALL_PARTS, "a\nb"),
    150: (ALL_PARTS, "p1\np2"),
    151: (ALL_PARTS, "p1\np2"),
    152: (ALL_PARTS, "p1"),
    153: (ALL_PARTS, "p1"),
    161: (SHAPE, ""),
    170: (SHAPE, ""),
    174: (SHAPE, ""),
    175: (SHAPE, ""),
    176: (SHAPE, ""),
    177: (SHAPE, ""),
    178: (SHAPE, ""),
    179: (SHAPE, ""),
    181: (SHAPE, ""),
    180: ("all that the user said in this turn counts", "one\n\ntwo"),
    182: ("all that the user said in this turn counts", "second"),
    183: ("a list of messages is the turn's own", "in array"),
    186: (SYSTEM, ["s1", "a\nb", "mem", "x\ny"]),
    187: (SYSTEM, "s1\n\na\nb\n\nmem\n\nx\ny"),
    195: ("an output holds what the agent said; whose name stands on a thought does not matter", "no"),
    213: ("what stands in a user's message is no call of the agent", ["N"]),
}


def told(row: Row) -> str:
    """The history, the last ten messages unless the row says how many; blanks at the ends of a text do not count."""
    last = mapping(row.args[1]).get("maxMessages", 10) if len(row.args) > 1 else 10
    lines = history(agent_input(row.args[0]), last=int(str(last)))
    return "\n".join(line.replace(":  ", ": ").rstrip() for line in lines.split("\n") if line.strip() != "user:")


READ: dict[str, Callable[[Row], object]] = {
    "getTextContentFromMastraDBMessage": lambda row: message(mapping(row.args[0])).text,
    "getAssistantMessageFromRunOutput": lambda row: (all_texts(agent_output(row.args[0])) or ("",))[-1],
    "getUserMessageFromRunInput": lambda row: user_text(agent_input(row.args[0])),
    "getCombinedSystemPrompt": lambda row: system_prompt(agent_input(row.args[0])),
    "getSystemMessagesFromRunInput": lambda row: system_prompt(agent_input(row.args[0])).split("\n\n"),
    "getConversationHistoryFromRunInput": told,
    "getReasoningFromRunOutput": lambda row: "\n".join(reasoning(agent_output(row.args[0]))),
    "extractAgentResponseMessages": lambda row: list(all_texts(agent_output(row.args[0]))),
    "extractToolCalls": lambda row: [call.name for call in calls_made(agent_output(row.args[0]))],
    "mergeToolInvocations": lambda row: [call.name for call in message(mapping(row.args[0])).tool_calls],
    "extractToolResults": lambda row: [
        (call.name, call.result) for call in tool_calls(agent_output(row.args[0])) if call.result_present
    ],
}


def theirs(row: Row) -> object:
    """What the other system read; nothing and an empty text are the same."""
    found = row["result"]
    if row.factory == "extractToolCalls":
        return mapping(found)["tools"]
    if row.factory == "mergeToolInvocations":
        return [mapping(call)["toolName"] for call in items(found)]
    if row.factory == "extractToolResults":
        return [(mapping(call)["toolName"], mapping(call)["result"]) for call in items(found)]
    if row.factory == "extractAgentResponseMessages":
        return [text for text in items(found) if text]
    return "" if found is None else found


@pytest.mark.parametrize("util", READ)
def test_what_is_read_is_the_same(util: str) -> None:
    """But for the rows of the table, which say why and what is right."""
    found = [row for row in rows("utils") if row.factory == util]
    assert found
    for row in found:
        why, right = OURS.get(row.line, ("the other system is right", theirs(row)))
        assert READ[util](row) == right, (str(row), why)


def test_the_table_names_no_row_in_vain() -> None:
    """Each of its rows differs from what the other system read."""
    differing = {row.line for row in rows("utils") if row.factory in READ and READ[row.factory](row) != theirs(row)}
    assert differing == OURS.keys()
