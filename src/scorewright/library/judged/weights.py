"""How probable each grade was when a judge wrote one: read from the log-probabilities of its tokens.

A grade may be one token or several. What the judge wrote is followed token by token, so that "1" and then "0" is a 10,
and the probability of that "1" is shared between 1 and 10 as the next token says. An alternative that was not written
cannot be followed: one that may be the beginning of several grades counts for none of them, unless the tokens show that
longer grades are written as one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp, fsum
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core.ask import Token

LEAST = 0.5  # of the probability that must lie on grades
MOST = 1.02  # what a distribution may come to; beyond it the numbers are no log-probabilities

_WRITTEN = re.compile(r'(?<!\\)"grade"\s*:\s*([0-9]{1,9})(?![0-9.eE])', re.IGNORECASE)

Landing: TypeAlias = 'int | Literal["open", "elsewhere"]'  # a grade, the beginning of several, or no grade


@final
@attrs.frozen
class Weights:
    """Each grade with its share of the probability that lies on grades, and how much of the whole that is."""

    grades: tuple[tuple[int, float], ...]
    on_grades: float

    @property
    def mean(self) -> float:
        """The grade that is to be expected."""
        return fsum(grade * weight for grade, weight in self.grades)


def sampled(grades: Sequence[int], /) -> Weights:
    """The weights of grades that were drawn: how often each was."""
    return Weights(tuple((grade, grades.count(grade) / len(grades)) for grade in sorted(set(grades))), 1.0)


def weights_of(tokens: Sequence[Token], grade: int, grades: range, /) -> Weights | str:
    """The weights of the grades where the written one stands; or why the tokens do not tell them.

    Where less than half of the probability lies on grades there may be no weights at all: see `on_grades`.
    """
    if not tokens:
        return "the judge told no log-probabilities"
    text = "".join(token.text for token in tokens)
    found = _WRITTEN.findall(text)
    if len(found) != 1 or int(found[0]) != grade:
        return "the grade is not found among the tokens"
    at, begun = _place(tokens, next(_WRITTEN.finditer(text)).start(1))
    masses: dict[Landing, list[float]] = {}
    try:
        for landing, mass in _Following(tokens, frozenset(map(str, grades)), begun, at).landings(at, "", 1.0):
            masses.setdefault(landing, []).append(mass)
    except _Untold:
        return "the judge told no alternatives of its grade"
    summed = {landing: fsum(parts) for landing, parts in masses.items()}
    on_grades = fsum(mass for landing, mass in summed.items() if isinstance(landing, int))
    if fsum(summed.values()) > MOST:
        return "the probabilities that the judge told come to more than 1"
    if on_grades < LEAST <= on_grades + summed.get("open", 0.0):
        return "the tokens begin several grades and do not tell which"
    told = sorted((landing, mass) for landing, mass in summed.items() if isinstance(landing, int) and mass > 0)
    return Weights(tuple((each, mass / on_grades) for each, mass in told), min(1.0, on_grades))


def _place(tokens: Sequence[Token], start: int) -> tuple[int, str]:
    """The token that a character of the text is in, and what stands before it in there."""
    ends = tuple(accumulate(len(token.text) for token in tokens))
    at = bisect_right(ends, start)
    return at, tokens[at].text[: start - ends[at]]


class _Untold(Exception):
    """A token without its alternatives."""


@final
@attrs.frozen
class _Following:
    """What was written, followed from the token on in which the grade begins, behind what is `begun` in there."""

    tokens: Sequence[Token]
    names: frozenset[str]
    begun: str
    first: int

    def landings(self, at: int, said: str, mass: float) -> Iterator[tuple[Landing, float]]:
        """Where the probability goes that is left when `said` stands before the token."""
        token = self.tokens[at]
        if not token.top:
            raise _Untold
        for text, chance in _chances(token).items():
            piece = self._piece(text) if at == self.first else text
            digits = _digits(piece)
            number, behind = said + digits, piece[len(digits) :]
            if digits and not behind and text == token.text and at + 1 < len(self.tokens) and self._goes_on(number):
                yield from self.landings(at + 1, number, mass * chance)
            else:
                yield self._landing(number, digits, behind), mass * chance

    def _piece(self, text: str) -> str:
        """An alternative without the blanks and the colon that stand before the grade in the written token, too."""
        begun, whole = self.begun.strip(), text.lstrip()
        return whole.removeprefix(begun).lstrip() if whole.startswith(begun) else "-"

    def _landing(self, number: str, digits: str, behind: str) -> Landing:
        if not number:
            return "elsewhere" if behind else "open"  # nothing but blanks: a grade may come
        if digits and not behind and self._goes_on(number) and not self._is_whole(number):
            return "open"
        return int(number) if number in self.names and behind[:1] not in {".", "e", "E"} else "elsewhere"

    def _goes_on(self, number: str) -> bool:
        return any(name != number and name.startswith(number) for name in self.names)

    def _is_whole(self, number: str) -> bool:
        """Whether a longer grade that begins like this is one token: then these digits alone are a grade too."""
        pieces = map(self._piece, _chances(self.tokens[self.first]))
        digits = {_digits(piece) for piece in pieces}
        return any(name != number and name.startswith(number) for name in digits & self.names)


def _digits(piece: str) -> str:
    return piece[: len(piece) - len(piece.lstrip("0123456789"))]


def _chances(token: Token) -> Mapping[str, float]:
    """The probabilities of a token and its alternatives."""
    chances: dict[str, float] = {}
    for text, logprob in token.top:
        chances[text] = chances.get(text, 0.0) + exp(logprob)
    chances.setdefault(token.text, exp(token.logprob))
    return chances
