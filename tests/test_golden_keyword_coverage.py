"""Keyword coverage, written with the builder, on rows whose answers another system gave."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

import attrs
import pytest

from scorewright import Evaluation, Run, Step, create_scorer, ok, pure

RAKE = pytest.importorskip("RAKE", reason="python-rake brings the SMART stop list: pip install -e '.[test]'")
GOLDEN = Path(__file__).parent.parent.parent / "shared" / "golden" / "keyword-coverage.jsonl"
pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason="the golden rows are not beside the repository")

STOP_WORDS = frozenset(RAKE.SmartStopList())
PUNCTUATION = str.maketrans("", "", '.,;!?():"“”\u2018\u2019')


@attrs.frozen
class Keywords:
    reference: list[str]
    response: list[str]


@attrs.frozen
class Coverage:
    total: int
    matched: int


def keywords(texts: list[str]) -> list[str]:
    """The keywords of a conversation, each once, in their order."""
    tokens = re.split(r"\s", re.sub(r"<[^>]*>", "", ", ".join(texts)).strip())
    found = [word for token in tokens if (word := keyword(token)) and word not in STOP_WORDS]
    return list(dict.fromkeys(found))


def keyword(token: str) -> str:
    """The token as a keyword; nothing where it cannot be one."""
    if re.search("https?://", token):
        return token
    word = re.sub("^'|'$", "", token.translate(PUNCTUATION))
    if word in {"_", "@", "&", "#"} or re.fullmatch("[0-9]+", word):
        return ""
    return word.lower()


def covered(step: Step[list[str], list[str], Keywords, None]) -> Coverage:
    return Coverage(len(step.pre.reference), len({*step.pre.reference} & {*step.pre.response}))


def share(step: Step[list[str], list[str], Keywords, Coverage]) -> float:
    """What the answer takes up of the keywords; where there are none, whether the answer has none either."""
    return step.ana.matched / step.ana.total if step.ana.total else float(not step.pre.response)


scorer = (
    create_scorer("keyword-coverage", input=list[str], output=list[str])
    .preprocess(pure(lambda s: Keywords(keywords(s.run.input), keywords(s.run.output))))
    .analyze(pure(covered))
    .generate_score(pure(share))
    .generate_reason(lambda s: ok(f"{s.ana.matched} of {s.ana.total} keywords"))
)


@attrs.frozen
class Row:
    """One golden row."""

    number: int
    input: list[str]
    output: list[str]
    score: float
    reference: list[str]
    response: list[str]
    counts: Coverage
    defects: tuple[str, ...]


@attrs.frozen
class Right:
    """What is right where the other system is wrong."""

    score: float
    counts: Coverage
    why: str


RIGHT = {
    ("KC-EMPTYREF", ""): Right(0.0, Coverage(0, 0), "only the answer has keywords, so it takes up nothing"),
    ("KC-EMPTYREF", "a"): Right(1.0, Coverage(0, 0), "no side has keywords: as for two empty texts"),
    ("KC-EMPTYREF", "!!! ??? ... ,,, ;;;"): Right(1.0, Coverage(0, 0), "no side has keywords: as for two empty texts"),
    ("M-LASTPART", "alpha beta gamma delta"): Right(1.0, Coverage(4, 4), "all text parts count, not the last alone"),
}


def text_of(message: dict[str, object]) -> str:
    """The text of a message in the compact form of the golden rows; all its text parts."""
    if isinstance(text := message.get("text"), str):
        return text
    if isinstance(texts := message.get("texts"), list):
        return " ".join(map(str, texts))
    content = cast("dict[str, object]", message.get("raw", {})).get("content", "")
    parts = cast("list[dict[str, str]]", content) if isinstance(content, list) else [{"text": str(content)}]
    return " ".join(part["text"] for part in parts)


def rows() -> list[Row]:
    found: list[Row] = []
    for number, line in enumerate(GOLDEN.read_text(encoding="utf-8").split("\n") if GOLDEN.exists() else [], 1):
        if not line:
            continue
        row = json.loads(line)
        pre = row["extra"]["preprocess"]
        pre = pre.get("result", pre)  # two empty texts: one level too deep there
        ana = row["extra"]["analyze"]
        found.append(
            Row(
                number,
                [text_of(message) for message in row["input"]],
                [text_of(message) for message in row["output"]],
                row["score"],
                pre["referenceKeywords"],
                pre["responseKeywords"],
                Coverage(ana["totalKeywordsLength"], ana["matchedKeywordsLength"]),
                tuple(row.get("defects", ())),
            )
        )
    return found


ROWS = rows()
SOUND = [row for row in ROWS if not row.defects]
FAULTY = [row for row in ROWS if row.defects]


def scored(row: Row) -> Evaluation:
    return scorer.run_sync(Run(row.input, row.output)).unwrap()


def value(evaluation: Evaluation, step: str) -> object:
    record = evaluation.record(step)
    return record.value if record else None


def place(row: Row) -> str:
    return f"line {row.number}"


@pytest.mark.parametrize("row", SOUND, ids=place)
def test_a_sound_row_agrees_exactly(row: Row) -> None:
    """The score to the last bit, the keywords of both sides in their order, and both counts."""
    evaluation = scored(row)
    assert evaluation.score == row.score
    assert value(evaluation, "preprocess") == Keywords(row.reference, row.response)
    assert value(evaluation, "analyze") == row.counts
    assert evaluation.reason == f"{row.counts.matched} of {row.counts.total} keywords"


@pytest.mark.parametrize("row", FAULTY, ids=place)
def test_a_faulty_row_gives_what_is_right(row: Row) -> None:
    """As the table above says, and why."""
    (defect,) = row.defects
    right = RIGHT[defect, row.input[0]]
    evaluation = scored(row)
    assert (evaluation.score, value(evaluation, "analyze")) == (right.score, right.counts), right.why


def test_every_row_is_held_to_something() -> None:
    """43 rows; each faulty one has its place in the table, and each place its row."""
    assert (len(SOUND), len(FAULTY)) == (39, 4)
    assert {(row.defects[0], row.input[0]) for row in FAULTY} == RIGHT.keys()
