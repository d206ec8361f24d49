"""Keyword coverage: which keywords of the input the output takes up."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Never

import attrs
from returns.result import Result

from scorewright.core import ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.library.defining import counted, expect_texts, listed, needs, spelled
from scorewright.results import ok

PUNCTUATION = str.maketrans("", "", '.,;!?():"“”\u2018\u2019')
MOST_TOLD = 10


@attrs.frozen
class Keywords:
    """The keywords of both sides, each once, in their order."""

    reference: list[str]
    response: list[str]


@attrs.frozen
class Coverage:
    """How many keywords there are, and how many of them were taken up."""

    total: int
    matched: int


def keyword_coverage(*, stop_words: Collection[str] | None = None) -> Scorer[str, str, object, Never]:
    """The share of the input's keywords that stand in the output too; without keywords, whether the output has none.

    A keyword is a token between blanks without its punctuation, in lower case, that is no number and no stop word; what
    stands in `<…>` is left out and a URL is kept whole. `stop_words` replaces the list of the SMART system (English).
    """
    if stop_words is None:
        needs("RAKE", "library", "keyword_coverage() without stop_words=")
        left_out = smart()
    else:
        expect_texts(stop_words, "keyword_coverage(stop_words=…)")
        left_out = frozenset(stop_words)

    def found(step: Step[str, str, None, None]) -> Keywords:
        return Keywords(keywords(step.run.input, left_out), keywords(step.run.output, left_out))

    def covered(step: Step[str, str, Keywords, None]) -> Coverage:
        return Coverage(len(step.pre.reference), len({*step.pre.reference} & {*step.pre.response}))

    def share(step: Step[str, str, Keywords, Coverage]) -> float:
        return step.ana.matched / step.ana.total if step.ana.total else float(not step.pre.response)

    def reason(step: ScoredStep[str, str, Keywords, Coverage]) -> Result[str, Never]:
        present = {*step.pre.response}
        missing = [word for word in step.pre.reference if word not in present]
        told = f"{step.ana.matched} of {counted(step.ana.total, 'keyword')}"
        return ok(f"{told}; missing: {listed(missing, MOST_TOLD)}" if missing else told)

    given = None if stop_words is None else left_out
    return (
        create_scorer(
            spelled("keyword_coverage", stop_words=(given, None)),
            input=str,
            output=str,
            description="the share of the input's keywords that the output takes up",
        )
        .preprocess(pure(found))
        .analyze(pure(covered))
        .generate_score(pure(share))
        .generate_reason(reason)
    )


def keywords(text: str, stop_words: frozenset[str], /) -> list[str]:
    """The keywords of a text, each once, in their order."""
    tokens = re.split(r"\s", without_tags(text).strip())
    found = [word for token in tokens if (word := keyword(token)) and word not in stop_words]
    return list(dict.fromkeys(found))


def without_tags(text: str, /) -> str:
    """The text without what stands between `<` and the next `>`; in one pass, however many `<` there are."""
    kept: list[str] = []
    at = 0
    while (opened := text.find("<", at)) >= 0 and (closed := text.find(">", opened)) >= 0:
        kept.append(text[at:opened])
        at = closed + 1
    return "".join((*kept, text[at:]))


def keyword(token: str, /) -> str:
    """The token as a keyword; nothing where it cannot be one."""
    if re.search("https?://", token):
        return token
    word = re.sub("^'|'$", "", token.translate(PUNCTUATION))
    if word in {"_", "@", "&", "#"} or re.fullmatch("[0-9]+", word):
        return ""
    return word.lower()


@cache
def smart() -> frozenset[str]:
    """The stop list of the SMART system, as the package python-rake brings it."""
    from RAKE import SmartStopList

    return frozenset(SmartStopList())
