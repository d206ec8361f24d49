"""Words, sentences and graphemes of a text in any script."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regex import Pattern

_NO_BLANKS = r"\p{Han}\p{Hiragana}\p{Katakana}"
_LETTERS = rf"(?:(?![{_NO_BLANKS}])[\p{{L}}\p{{M}}\p{{N}}])+"
_WORD = rf"[{_NO_BLANKS}]|{_LETTERS}(?:['\u2019]{_LETTERS})*"
_TOKEN = rf"[{_NO_BLANKS}]|{_LETTERS}"
_MARKS = r".!?\u3002\uff01\uff1f\u2026"  # the full-width ones of Chinese and Japanese, and the ellipsis
_SENTENCE = rf"[^{_MARKS}]+[{_MARKS}]*"


def words(text: str, /) -> list[str]:
    """The words in order: runs of letters, marks and digits, an apostrophe inside one kept.

    Of scripts that write no blanks between words, each character is one.

    >>> words("Don't panic: 東京 in 7 days")
    ["Don't", 'panic', '東', '京', 'in', '7', 'days']
    """
    return _pattern(_WORD).findall(text)


def tokens(text: str, /) -> list[str]:
    """The runs of letters, marks and digits in lower case, an apostrophe between two; else as `words`."""
    return _pattern(_TOKEN).findall(text.lower())


def sentences(text: str, /) -> list[str]:
    """The sentences in order, each with its closing marks; what follows the last mark is one too.

    >>> sentences("返金は七日で届きます。領収書は保管してください")
    ['返金は七日で届きます。', '領収書は保管してください']
    """
    return [each for each in _pattern(_SENTENCE).findall(text) if not each.isspace()]


def graphemes(text: str, /) -> list[str]:
    """What a reader takes for single characters, in order: extended grapheme clusters (Unicode UAX #29)."""
    return _pattern(r"\X").findall(text)


def emoji(text: str, /) -> list[str]:
    """The graphemes that are pictures."""
    pictures = _pattern(r"\p{Extended_Pictographic}|\p{Regional_Indicator}")
    return [each for each in graphemes(text) if pictures.match(each)]


@cache
def _pattern(source: str) -> Pattern:
    from regex import compile as compiled

    return compiled(source)
