"""Every golden row of a judged scorer, its judge's replies given in order."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest
from golden_rows import FOLDER, PRESENT, Row, rows
from library.judged.replaying import SCORERS, came

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not here")

FILES = sorted(file.stem for file in FOLDER.glob("llm-*.jsonl")) if PRESENT else []
ROWS = [row for file in FILES for row in rows(file) if row.factory in SCORERS]

WHY: Mapping[str, str] = {
    "AR-NAN": "an option that is left out keeps its default",
    "CP-INDEX": "a piece that does not exist, or is judged twice, is a fault of the answer",
    "CR-UNSCALED": "pieces without evaluations are omissions, not full marks",
    "FA-NOCLAIMS": "an answer without claims cannot be unfaithful, nor faithful",
    "L-CASE": "a declared word counts in any letters and with blanks around it",
    "L-DIVISOR": "each claim gets one verdict, or the answer is a fault; without claims nothing is asked",
    "L-RANGE": "an option that leads off the scale is a mistake of the definition",
    "L-REFINE": "a number off the scale is asked for again",
    "L-SCALE0": "a scale on which only 0 can be scored is a mistake of the definition",
    "PA-BOTH": "both prompts are judged, and count 0.7 and 0.3; a missing one does not count",
    "RU-DECIMAL": "the text has eleven criteria, of which the answer judges one",
    "RU-MISSING": "criteria without a verdict are omissions, and no full marks",
    "RU-NORUBRIC": "without a rubric there is nothing to judge by",
    "RU-RELABEL": "which criteria are required is ours to say",
    "SUM-FRACTION": "a number of questions is whole",
    "TX-NOVERDICT": "an empty answer is not toxic",
}


@attrs.frozen
class Right:
    """What a row comes to here: a score, or a fault by name; and why, by the ids of `WHY`."""

    said: float | str
    why: tuple[str, ...]


# Rows on which the other system is wrong. Those whose ids the rows do not bear themselves are listed behind them.
RIGHT: Mapping[str, Right] = {
    "llm-answer-relevancy:12": Right(0.4, ("AR-NAN",)),
    "llm-answer-relevancy:13": Right(0.0, ("L-DIVISOR",)),
    "llm-bias:4": Right(1.0, ("L-CASE",)),
    "llm-bias:9": Right("DefinitionError", ("L-SCALE0",)),
    "llm-context-precision:6": Right("SchemaMismatch", ("CP-INDEX",)),
    "llm-context-precision:7": Right("SchemaMismatch", ("CP-INDEX",)),
    "llm-context-precision:10": Right("DefinitionError", ("L-SCALE0",)),
    "llm-context-precision:12": Right("SchemaMismatch", ("L-DIVISOR",)),
    "llm-context-precision:13": Right("SchemaMismatch", ("L-DIVISOR", "CP-INDEX")),
    "llm-context-recall:9": Right("DefinitionError", ("L-SCALE0",)),
    "llm-context-relevance:11": Right("DefinitionError", ("L-SCALE0",)),
    "llm-context-relevance:14": Right("DefinitionError", ("L-RANGE",)),
    "llm-context-relevance:17": Right("SchemaMismatch", ("L-DIVISOR",)),
    "llm-faithfulness:4": Right(1.0, ("L-CASE",)),
    "llm-faithfulness:5": Right("DefinitionError", ("L-SCALE0",)),
    "llm-faithfulness:8": Right("SchemaMismatch", ("L-DIVISOR",)),
    "llm-faithfulness:9": Right("NotScorable", ("FA-NOCLAIMS",)),
    "llm-hallucination:4": Right(0.5, ("L-CASE",)),
    "llm-hallucination:5": Right(1.0, ("L-CASE",)),
    "llm-hallucination:10": Right("DefinitionError", ("L-SCALE0",)),
    "llm-multi-turn-judge:6": Right("DefinitionError", ("L-RANGE",)),
    "llm-noise-sensitivity:15": Right("DefinitionError", ("L-RANGE",)),
    "llm-noise-sensitivity:25": Right(1.0, ("L-REFINE",)),
    "llm-prompt-alignment:1": Right(1.0, ("PA-BOTH",)),
    "llm-prompt-alignment:2": Right(0.19, ("PA-BOTH",)),  # .7 x .2 + .3 x .15
    "llm-prompt-alignment:3": Right(0.82, ("PA-BOTH",)),  # .7 x .82 + .3 x .8075
    "llm-prompt-alignment:4": Right(0.46, ("PA-BOTH",)),
    "llm-prompt-alignment:12": Right(0.0, ("PA-BOTH",)),
    "llm-prompt-alignment:13": Right(0.39, ("PA-BOTH",)),  # .7 x .4 + .3 x .35
    "llm-prompt-alignment:14": Right(0.19, ("PA-BOTH",)),
    "llm-prompt-alignment:15": Right(0.12, ("PA-BOTH",)),  # .7 x .1 + .3 x .15
    "llm-prompt-alignment:16": Right(0.82, ("PA-BOTH",)),
    "llm-prompt-alignment:17": Right(0.46, ("PA-BOTH",)),
    "llm-prompt-alignment:18": Right("DefinitionError", ("L-SCALE0", "PA-BOTH")),
    "llm-prompt-alignment:19": Right(79.7, ("PA-BOTH",)),  # 100 x (.7 x .8 + .3 x .79)
    "llm-prompt-alignment:23": Right(0.8, ("PA-BOTH",)),
    "llm-prompt-alignment:25": Right(0.95, ("PA-BOTH",)),
    "llm-rubric:9": Right("DefinitionError", ("L-SCALE0",)),
    "llm-rubric:12": Right("SchemaMismatch", ("RU-DECIMAL",)),
    "llm-rubric:15": Right(0.0, ("RU-RELABEL",)),
    "llm-toxicity:5": Right("DefinitionError", ("L-SCALE0",)),
    "llm-toxicity:8": Right(0.0, ("TX-NOVERDICT",)),
}

# Rows that bear no id, and show a defect of the catalogue all the same.
UNMARKED: Mapping[str, Right] = {
    "llm-answer-similarity:17": Right("DefinitionError", ("L-SCALE0",)),
    "llm-context-relevance:8": Right("SchemaMismatch", ("CR-UNSCALED", "L-DIVISOR")),
    "llm-multi-turn-judge:5": Right("DefinitionError", ("L-SCALE0",)),
    "llm-rubric:6": Right("SchemaMismatch", ("RU-MISSING",)),
    "llm-rubric:7": Right("SchemaMismatch", ("RU-MISSING",)),
    "llm-rubric:8": Right("DefinitionError", ("L-SCALE0",)),
    "llm-rubric:11": Right("DefinitionError", ("L-RANGE",)),
    "llm-rubric:13": Right("NotScorable", ("RU-NORUBRIC",)),
    "llm-summarization:9": Right("DefinitionError", ("L-SCALE0",)),
    "llm-summarization:13": Right("DefinitionError", ("SUM-FRACTION",)),
}


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_comes_to_what_is_right(row: Row) -> None:
    """What the other system gave, or what the tables say; for no more questions than it asked."""
    end = came(row)
    listed = RIGHT.get(str(row)) or UNMARKED.get(str(row))
    if listed is not None:
        assert end.said == listed.said, [WHY[each] for each in listed.why]
    elif row.raised:
        assert end.said in {"DefinitionError", "NotScorable"}
    else:
        assert end.said == row.score
    assert end.asked <= int(str(row["judge_calls"]))


def test_every_marked_row_is_in_the_table_under_its_ids() -> None:
    """And no row is there that bears none."""
    assert {str(row): row.defects for row in ROWS if row.defects} == {name: each.why for name, each in RIGHT.items()}
    sound = {str(row) for row in ROWS if not row.defects}
    assert UNMARKED.keys() <= sound


def test_every_file_is_read() -> None:
    """The two of tool calls and trajectories are read elsewhere."""
    assert {row.file for row in ROWS} == set(FILES) - {"llm-tool-call-accuracy", "llm-trajectory-accuracy"}
