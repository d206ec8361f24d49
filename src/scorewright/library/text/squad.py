"""Exact match and F1 as in SQuAD (Rajpurkar et al. 2016): the words count, not how they are written down."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from returns.result import Result

from scorewright.faults import NotScorable
from scorewright.library.text.references import ReferenceScorer, nearest, shared_words
from scorewright.library.text.words import graphemes
from scorewright.results import ok

if TYPE_CHECKING:
    from regex import Pattern

ARTICLES = frozenset({"a", "an", "the"})


def exact_match() -> ReferenceScorer:
    """Whether the output is a reference answer, but for case, punctuation, blanks and the English articles."""
    return nearest("exact_match", "the output is a reference answer", _same)


def f1() -> ReferenceScorer:
    """The harmonic mean of precision and recall of the output's words against the nearest reference answer.

    Words are normalised as for `exact_match`; of Chinese and Japanese each character is one. With no word on one side,
    1 where the other has none either, else 0.
    """
    return nearest("f1", "how many words output and reference share", _shared, _words)


def normalised(text: str, /) -> list[str]:
    """The words of a text without case, punctuation and articles; scripts without blanks character by character."""
    plain = _punctuation().sub("", unicodedata.normalize("NFKC", text).lower())
    found: list[str] = []
    for word in plain.split():
        if word not in ARTICLES:
            found += cut(word)
    return found


@cache
def _punctuation() -> Pattern:
    from regex import compile as compiled

    return compiled(r"[\p{P}$+<=>^`|~]+")


def cut(word: str, /) -> list[str]:
    """The word; where it is written without blanks (Han, Hiragana, Katakana), its characters one by one."""
    if word.isascii() or not any(map(blankless, word)):
        return [word]
    pieces: list[str] = []
    run = ""
    for each in graphemes(word):
        if blankless(each[0]):
            pieces += [run, each] if run else [each]
            run = ""
        else:
            run += each
    return [*pieces, run] if run else pieces


def blankless(letter: str, /) -> bool:
    """Is it of a script that writes no blanks between words?"""
    return "\u3040" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" or "\U00020000" <= letter <= "\U0003ffff"


def _same(output: str, reference: str) -> Result[float, NotScorable]:
    return ok(float(output == reference or normalised(output) == normalised(reference)))


def _shared(output: str, reference: str) -> Result[float, NotScorable]:
    said, due = normalised(output), normalised(reference)
    if not said or not due:
        return ok(float(said == due))
    return ok(2 * (Counter(said) & Counter(due)).total() / (len(said) + len(due)))


def _words(output: str, reference: str) -> str:
    return shared_words(Counter(normalised(output)), Counter(normalised(reference)))
