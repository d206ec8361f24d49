"""The text scorers on the golden rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from golden_rows import PRESENT, Row, items, mapping, rows, run
from library.reasons import REASONS, WHERE, reason_of

from scorewright import Evaluation, Scorer
from scorewright.library.text import (
    Compared,
    Coverage,
    Difference,
    Keywords,
    completeness,
    content_similarity,
    keyword_coverage,
    on_texts,
    textual_difference,
    tone,
)

pytestmark = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")


def similar(row: Row) -> Scorer[str, str]:
    """There, any options at all turn what they do not name off."""
    return content_similarity(ignore_case=row["options"] is None or row.options.get("ignoreCase") is True)


def toned(row: Row) -> Scorer[str, str]:
    """There, an empty reference is none."""
    reference = row.options.get("referenceTone")
    return tone(str(reference)) if reference else tone()


MADE: dict[str, Callable[[Row], Scorer[str, str]]] = {
    "keyword-coverage": lambda _: keyword_coverage(),
    "content-similarity": similar,
    "textual-difference": lambda _: textual_difference(),
    "completeness": lambda _: completeness(),
    "tone": toned,
}


def evaluated(row: Row) -> Evaluation:
    """Ours on one row: all messages of both sides, joined as there."""
    scorer = on_texts(MADE[row.file](row), joined_by=", ", roles=("assistant", "user"))
    return scorer.run_sync(run(row)).unwrap()


def value(row: Row, step: str) -> object:
    record = evaluated(row).record(step)
    return record.value if record else None


@pytest.mark.parametrize("name", MADE)
def test_a_text_scorer_agrees(name: str) -> None:
    """Every row without a reason has the other system's score, to the last bit."""
    found = [row for row in rows(name) if not reason_of(row)]
    assert found
    assert [(str(row), evaluated(row).score, row.score) for row in found if evaluated(row).score != row.score] == []


@pytest.mark.parametrize(
    ("name", "id"), sorted({(name, reason_of(row)) for name in MADE for row in rows(name) if reason_of(row)})
)
def test_where_a_text_scorer_differs_it_is_right(name: str, id: str) -> None:
    """Every row with a reason has what an independent formula says, or what was worked out by hand."""
    for row in rows(name):
        if reason_of(row) == id:
            assert evaluated(row).score == pytest.approx(REASONS[id].right(row), abs=1e-12), (str(row), REASONS[id].why)


def test_keywords_and_counts_agree() -> None:
    """The keywords of both sides in their order, and both counts."""
    for row in rows("keyword-coverage"):
        if not reason_of(row):
            pre = mapping(row.preprocess.get("result")) or row.preprocess  # two empty texts: one level too deep there
            assert value(row, "preprocess") == Keywords(
                [str(word) for word in items(pre["referenceKeywords"])],
                [str(word) for word in items(pre["responseKeywords"])],
            ), str(row)
            counts = (row.analyze["totalKeywordsLength"], row.analyze["matchedKeywordsLength"])
            assert value(row, "analyze") == Coverage(*map(int, map(str, counts))), str(row)


def test_what_is_compared_agrees() -> None:
    """In content similarity, the texts in the case that they are compared in."""
    for row in rows("content-similarity"):
        compared = value(row, "preprocess")
        assert isinstance(compared, Compared)
        if not reason_of(row):
            assert "".join(compared.input.split()) == "".join(str(row.preprocess["processedInput"]).split()), str(row)


def test_differences_agree() -> None:
    """Ratio, difference of lengths, and changed words."""
    for row in rows("textual-difference"):
        if not reason_of(row):
            found = value(row, "preprocess")
            assert isinstance(found, Difference)
            told = (found.ratio, found.length_difference, found.changes)
            assert told == tuple(row.preprocess[key] for key in ("ratio", "lengthDiff", "changes")), str(row)


def test_every_row_has_its_place() -> None:
    """All rows of the five files; the table of reasons names no row in vain."""
    counts = {name: (len(found := rows(name)), sum(not reason_of(row) for row in found)) for name in MADE}
    assert counts == {
        "keyword-coverage": (43, 39),
        "content-similarity": (219, 198),
        "textual-difference": (48, 44),
        "completeness": (48, 36),
        "tone": (168, 161),
    }
    listed = [(file, line) for where in WHERE.values() for file, lines in where.items() for line in lines]
    assert len(listed) == len(set(listed))
