"""Completeness: which words of the input the output takes up, in whatever form."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Never

import attrs
from returns.result import Result

from scorewright.core import ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.library.defining import counted, listed, needs
from scorewright.library.text.words import emoji, words
from scorewright.results import ok

SHORT = 3
LONG = 64
ALIKE = 0.6
MOST_TOLD = 10
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT = re.compile(r"n['\u2019]t\b", re.IGNORECASE)
_OWN = re.compile(r"['\u2019]s$")
_HELPING = {"am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "having"}
_WHOLE = {"ca": "can", "wo": "will", "sha": "shall"}  # what is left of can't, won't and shan't


@attrs.frozen
class Element:
    """A word, and the words that it is written together of: `snakeCase` has "snake" and "case"."""

    word: str
    parts: tuple[str, ...] = ()


@attrs.frozen
class Completeness:
    """The words of the input, and those of them that the output does not take up."""

    elements: tuple[str, ...]
    missing: tuple[str, ...]
    in_output: int


def completeness() -> Scorer[str, str, object, Never]:
    """The share of the input's words that the output takes up; where the input has none, whether the output has none.

    A word is taken up by itself, by another form of it ("ran" by "running", English), or by a word that holds it or is
    held by it and is not much longer (more than 0.6 of the length); one of three letters or fewer only by itself or a
    form. Case and accents do not count, helping verbs before another verb are left out. Any script counts; where no
    side has words, emoji do. Linear in the lengths.
    """
    needs("simplemma", "library", "completeness()")

    def compared(step: Step[str, str, None, None]) -> Completeness:
        wanted, found = elements(step.run.input), elements(step.run.output)
        if not wanted and not found:
            wanted, found = pictures(step.run.input), pictures(step.run.output)
        there = index(found)
        missing = tuple(each.word for each in wanted if not taken_up(each, there))
        return Completeness(tuple(each.word for each in wanted), missing, len(found))

    def score(step: Step[str, str, Completeness, None]) -> float:
        total = len(step.pre.elements)
        return (total - len(step.pre.missing)) / total if total else float(not step.pre.in_output)

    def reason(step: ScoredStep[str, str, Completeness, None]) -> Result[str, Never]:
        total, missing = len(step.pre.elements), step.pre.missing
        told = f"{total - len(missing)} of {counted(total, 'word')}"
        return ok(f"{told}; missing: {listed(missing, MOST_TOLD)}" if missing else told)

    return (
        create_scorer(
            "completeness",
            input=str,
            output=str,
            description="the share of the input's words that the output takes up",
        )
        .preprocess(pure(compared))
        .generate_score(pure(score))
        .generate_reason(reason)
    )


def elements(text: str, /) -> tuple[Element, ...]:
    """The words of a text, each once, in their order, as they are compared."""
    plain = unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text)))
    written = [_OWN.sub("", word) for word in words(_NOT.sub(" not", plain))]
    lower = [_WHOLE.get(word.lower(), word.lower()) if word != "not" else word for word in written]
    found: dict[Element, None] = {}
    for at, (word, low) in enumerate(zip(written, lower, strict=True)):
        if low in _HELPING and at + 1 < len(lower) and (lower[at + 1] in _HELPING or inflected(lower[at + 1])):
            continue
        if low == "cannot":
            found |= {Element("can"): None, Element("not"): None}
            continue
        parts = tuple(part.lower() for part in _CAMEL.split(word))
        found[Element(low, parts if len(parts) > 1 else ())] = None
    return tuple(found)


def pictures(text: str, /) -> tuple[Element, ...]:
    """The emoji of a text, each once."""
    return tuple(Element(each) for each in dict.fromkeys(emoji(text)))


def index(found: tuple[Element, ...], /) -> frozenset[str]:
    """All spellings that a wanted word may have: what is there, its base form, and pieces that are long enough."""
    there = {word for each in found for word in (each.word, *each.parts)}
    bases = {base(word) for word in there}
    return frozenset(there | bases | {f"+{piece}" for word in there for piece in pieces(word)})


def taken_up(wanted: Element, there: frozenset[str], /) -> bool:
    """Is the word there, in whatever form, or are all its parts?"""
    if _alike(wanted.word, there):
        return True
    return bool(wanted.parts) and all(_alike(part, there) for part in wanted.parts)


def _alike(word: str, there: frozenset[str]) -> bool:
    if word in there or base(word) in there:
        return True
    if len(word) <= SHORT:
        return False
    return f"+{word}" in there or any(piece in there for piece in pieces(word))


def pieces(word: str, /) -> set[str]:
    """The parts of a word that are shorter than it and longer than 0.6 of it; none of a word that is no word."""
    size = len(word)
    if size > LONG:
        return set()
    lengths = range(int(size * ALIKE) + 1, size)
    return {word[at : at + long] for long in lengths if long / size > ALIKE for at in range(size - long + 1)}


@lru_cache(maxsize=65_536)
def base(word: str, /) -> str:
    """The form that a dictionary lists an English word under; other words as they are."""
    from simplemma import lemmatize

    return lemmatize(word, lang="en") if word.isascii() and len(word) <= LONG else word


def inflected(word: str, /) -> bool:
    """Is it a form such as "running", "jumped", "eaten"?"""
    return word.endswith(("ing", "ed", "en")) and base(word) != word
