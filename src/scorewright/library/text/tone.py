"""Tone: how steady the sentiment of a text is, or how near to that of another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import add
from typing import Never

import attrs
from returns.result import Result

from scorewright.core import ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.faults import DefinitionError
from scorewright.library.defining import expect_number, expect_text, spelled
from scorewright.library.json_values import is_object
from scorewright.library.text.lexicon import afinn
from scorewright.library.text.words import sentences
from scorewright.results import ok

_MARKS = re.compile(r"[.,/#!?$%^&*;:{}=_`\"~()\u3001\u3002\uff01\uff0c\uff1f]")
_NEGATORS = frozenset(
    {"cant", "can't", "dont", "don't", "doesnt", "doesn't", "not", "non", "wont", "won't", "isnt", "isn't"}
)


@attrs.frozen
class Tone:
    """The sentiment of each sentence, their mean and variance; and that of the reference, where one was given.

    Sentiment is the mean value of the words, from -5 to 5; a word that the lexicon lacks has 0.
    """

    by_sentence: tuple[float, ...]
    mean: float
    variance: float
    whole: float
    reference: float | None


def tone(
    reference: str | None = None, /, *, lexicon: Mapping[str, float] | None = None
) -> Scorer[object, str, object, Never]:
    """How steady the tone of the output is; with a reference text, how near its sentiment is to that one's.

    Steady: 1 minus the variance of the sentences' sentiment, 0 at least. Near: 1 minus the difference of both
    sentiments, 0 at least. What is said does not count: an insult from end to end is steady. The lexicon is AFINN-165
    and the Emoji Sentiment Ranking (extra `tone`) unless given; a word after "not" or the like counts the other way.
    """
    if reference is not None:
        expect_text(reference, "tone(reference)", blank=False)
    values = afinn() if lexicon is None else checked(lexicon)
    wanted = None if reference is None else sentiment(reference, values)

    def heard(step: Step[object, str, None, None]) -> Tone:
        text = step.run.output
        each = tuple(sentiment(sentence, values) for sentence in sentences(text) or [text])
        mean = _total(each) / len(each)
        variance = _total((one - mean) ** 2 for one in each) / len(each)
        return Tone(each, mean, variance, sentiment(text, values), wanted)

    def score(step: Step[object, str, Tone, None]) -> float:
        found = step.pre
        apart = found.variance if found.reference is None else abs(found.whole - found.reference)
        return max(0.0, 1 - apart)

    def reason(step: ScoredStep[object, str, Tone, None]) -> Result[str, Never]:
        found = step.pre
        if found.reference is not None:
            return ok(f"sentiment {found.whole:+.2f}, that of the reference {found.reference:+.2f}")
        spread = f"from {min(found.by_sentence):+.2f} to {max(found.by_sentence):+.2f}"
        return ok(f"sentiment {found.mean:+.2f} on average, {spread} over {len(found.by_sentence)} sentences")

    return (
        create_scorer(
            spelled("tone", *(() if reference is None else (reference,)), lexicon=(lexicon, None)),
            input=object,
            output=str,
            description="how steady the tone is" if reference is None else "how near the tone is to the reference",
        )
        .preprocess(pure(heard))
        .generate_score(pure(score))
        .generate_reason(reason)
    )


def sentiment(text: str, values: Mapping[str, float], /) -> float:
    """The mean value of the tokens of a text."""
    plain = _MARKS.sub(" ", text.lower().replace("\n", " "))
    tokens = re.sub(r"\s{2,}", " ", plain).strip().split(" ")
    total = 0.0
    before = ""
    for token in tokens:
        value = values.get(token, 0)
        total += -value if before in _NEGATORS else value
        before = token
    return total / len(tokens)


def checked(lexicon: Mapping[str, float], /) -> Mapping[str, float]:
    """The lexicon, when it can be one."""
    given: object = lexicon
    if not is_object(given) or not given:
        raise DefinitionError('tone(lexicon=…) takes a mapping from words to numbers, such as {"good": 3, "bad": -3}')
    for word, value in lexicon.items():
        expect_number(value, f"tone(lexicon={{{word!r}: …}})", least=-5, most=5)
    return lexicon


def _total(values: Iterable[float]) -> float:
    """From left to right: `sum` makes up for rounding since Python 3.12, and would differ in the last bit."""
    return reduce(add, values, 0.0)
