"""Words, sentences and graphemes in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.library.text import emoji, graphemes, sentences, words


@given(st.text())
def test_graphemes_are_the_whole_text(text: str) -> None:
    """Nothing is lost, nothing is empty."""
    assert "".join(graphemes(text)) == text
    assert all(graphemes(text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("e\u0301", 1),
        ("👨‍👩‍👧‍👦", 1),
        ("🇩🇪🇫🇷", 2),
        ("👍🏽", 1),
        ("한국", 2),
        ("\u1112\u1161\u11ab", 1),
        ("\r\n", 1),
        ("नि", 1),
        ("", 0),
    ],
)
def test_a_grapheme_is_what_a_reader_counts(text: str, count: int) -> None:
    """Marks, joined emoji, flags, skin tones, syllables of Korean and Hindi."""
    assert len(graphemes(text)) == count


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't panic!", ["Don't", "panic"]),
        ("snake_case v2", ["snake", "case", "v2"]),
        ("東京タワー 333m", ["東", "京", "タ", "ワ", "ー", "333m"]),
        ("Привет, мир", ["Привет", "мир"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("مرحبا", ["مرحبا"]),
        ("cafe\u0301", ["cafe\u0301"]),
        ("…", []),
    ],
)
def test_words_of_any_script(text: str, found: list[str]) -> None:
    """Marks belong to the letter before them."""
    assert words(text) == found


def test_a_sentence_needs_no_ascii_full_stop() -> None:
    """Three sentences, the last without a mark (ragas#1383)."""
    answer = "返金は七日で届きます\u3002手数料はかかりません\uff01領収書は保管してください"
    assert len(sentences(answer)) == 3
    assert sentences("  ") == []
    assert [each.strip() for each in sentences("Really?! Yes. ok")] == ["Really?!", "Yes.", "ok"]


def test_emoji_are_found_and_digits_are_not() -> None:
    """A digit may be part of an emoji, but is none."""
    assert emoji("1 👍🏽 a 🇩🇪 #") == ["👍🏽", "🇩🇪"]


def test_long_texts_of_one_kind_are_read_once() -> None:
    """A pattern that would start again at each blank would not come back."""
    assert sentences(" " * 200_000) == []
    assert words("'" * 200_000) == []
    assert len(sentences("." * 200_000 + "a")) == 1
