"""Texts of others, made harmless."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorewright.reports.html.marks import text
from scorewright.reports.markdown import escaped
from scorewright.reports.texts import cut, visible

anything = st.text(st.characters(codec=None), max_size=60)


@given(anything)
def test_what_is_visible_can_be_written_and_does_not_act(given_: str) -> None:
    """UTF-8 holds it; twice is once; no control, no mark of direction."""
    shown = visible(given_)
    shown.encode()
    assert visible(shown) == shown
    assert not any(ord(each) < 32 and each not in "\n\t" for each in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


@given(anything)
def test_html_text_is_no_markup(given_: str) -> None:
    """Nothing begins an element or ends an attribute, and it reads back as it was."""
    from html import unescape

    written = text(given_)
    assert not set(written) & set("<>\"'")
    assert unescape(written) == visible(given_)


@given(anything)
def test_markdown_text_is_one_line_without_markup(given_: str) -> None:
    """No cell ends, no line begins, no element, no mention, no link by itself."""
    written = escaped(given_)
    assert "\n" not in written
    assert not set(written) & set("<>@")
    assert "://" not in written


def test_languages_that_are_written_from_the_right_stay() -> None:
    """Letters and joiners are not marks of direction."""
    assert visible("می‌خواهم שלום 👩‍👩‍👧") == "می‌خواهم שלום 👩‍👩‍👧"


def test_a_cut_says_how_much_there_was() -> None:
    """What fits stays."""
    assert (cut("abc", 3), cut("abcd", 3)) == ("abc", "abc… (4 characters in all)")
