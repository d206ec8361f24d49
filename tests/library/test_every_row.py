"""No golden row is unread: of each file the rows that agree and those with a reason are all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from golden_rows import FOLDER, PRESENT, Row, rows
from library.judged import test_golden as judged
from library.reasons import REASONS, reason_of
from library.text import test_extraction as extraction
from library.tools import test_appropriateness as appropriateness
from library.trajectory import right
from library.trajectory import test_utils as utils

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")

AGREES = "agrees"


def why_text(row: Row) -> str:
    reason = reason_of(row)
    return REASONS[reason].why if reason else AGREES


def why_judged(row: Row) -> str:
    assert row in judged.ROWS
    listed = judged.RIGHT.get(str(row)) or judged.UNMARKED.get(str(row))
    return "; ".join(judged.WHY[each] for each in listed.why) if listed else AGREES


def why_marked(table: Mapping[str, right.Reason]) -> Callable[[Row], str]:
    return lambda row: table[row.defects[0]].why if row.defects else AGREES


def why_read(row: Row) -> str:
    """Each helper has one reader, or a reason why ours has no such helper."""
    readers = [module for module in (extraction, utils) if row.factory in module.READ]
    if not readers:
        return utils.NOT_OURS[row.factory]
    [reader] = readers
    return reader.OURS[row.line][0] if row.line in reader.OURS else AGREES


def why_calls(row: Row) -> str:
    """Of rows whose replies judge other calls than those made, the fault is held too."""
    return why_marked(right.JUDGED)(row) if row in appropriateness.ROWS else ""


WHY: Mapping[str, Callable[[Row], str]] = {
    **dict.fromkeys(
        ("checks", "completeness", "content-similarity", "keyword-coverage", "textual-difference", "tone"), why_text
    ),
    **{file: why_judged for file in judged.FILES if file not in {"llm-tool-call-accuracy", "llm-trajectory-accuracy"}},
    "llm-tool-call-accuracy": why_calls,
    "llm-trajectory-accuracy": why_marked(right.JUDGED),
    "tool-call-accuracy-code": why_marked(right.TOOLS),
    "trajectory-accuracy-code": why_marked(right.TRAJECTORY),
    "trajectory-unified-code": why_marked(right.TRAJECTORY),
    "utils": why_read,
}


def test_every_file_is_read() -> None:
    """A file that is added has to be read too."""
    assert WHY.keys() == {file.stem for file in FOLDER.glob("*.jsonl")}


def test_every_row_agrees_or_has_a_reason() -> None:
    """Lines of the files, counted apart, are as many as the rows that are accounted for; printed with `-s`."""
    told: dict[str, Counter[str]] = {}
    for file, why in WHY.items():
        lines = [line for line in (FOLDER / f"{file}.jsonl").read_text(encoding="utf-8").split("\n") if line]
        told[file] = Counter(map(why, rows(file)))
        assert told[file].total() == len(lines)
        assert "" not in told[file]
    print(table(told))
    agreed = sum(counts[AGREES] for counts in told.values())
    assert (agreed, sum(counts.total() for counts in told.values())) == (2_623, 2_976)


def table(told: Mapping[str, Counter[str]]) -> str:
    """File by file, how many rows have which reason."""
    lines = (f"{file:28}{times:5}  {why}" for file, counts in told.items() for why, times in counts.most_common())
    return "\n".join(("", *lines))
