"""From the tokens of a grade to how probable each grade was."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.core.ask import Token
from scorewright.library.judged.weights import Weights, sampled, weights_of

FIVE, TEN = range(1, 6), range(11)


def at(text: str, likely: Mapping[str, float] | None = None) -> Token:
    """A token, sure unless other chances are given."""
    chances = {text: 1.0} if likely is None else likely
    own = chances.get(text, 0.0)
    return Token(text, log(own) if own else -9999.0, tuple((each, log(chance)) for each, chance in chances.items()))


def told(*written: Token) -> list[Token]:
    """The tokens of a reply around those of its grade."""
    return [at('{"grade'), at('":'), *written, at(', "reason": "'), at("so"), at('"}')]


def found(weights: Weights | str) -> tuple[dict[int, float], float]:
    """The weights, rounded, and what lies on grades."""
    assert isinstance(weights, Weights)
    return {grade: round(weight, 9) for grade, weight in weights.grades}, round(weights.on_grades, 9)


def test_a_grade_of_one_token_is_weighted_by_its_alternatives() -> None:
    """What lies on no grade is left out, and the rest set to 1."""
    token = at("5", {"5": 0.6, "4": 0.2, "6": 0.1, "excellent": 0.05})
    assert found(weights_of(told(token), 5, FIVE)) == ({4: 0.25, 5: 0.75}, 0.8)


@pytest.mark.parametrize("written", ["5", " 5", "\n  5", ": 5", " 5,", "5,\n"])
def test_a_grade_may_share_its_token(written: str) -> None:
    """With blanks, a colon before it, or what comes behind; alternatives are read in the same way."""
    before = written[: written.index("5")]
    likely = {written: 0.5, written.replace("5", "4"): 0.25, f"{before}5 ": 0.125, f"{before}bad": 0.125}
    tokens = [at('{"grade"'), *([] if ":" in written else [at(":")]), at(written, likely), at(' "reason": "r"}')]
    assert found(weights_of(tokens, 5, FIVE)) == ({4: round(0.25 / 0.875, 9), 5: round(0.625 / 0.875, 9)}, 0.875)


def test_an_alternative_without_the_colon_is_no_grade() -> None:
    """Where the colon is a part of the token."""
    tokens = [at('{"grade"'), at(":5", {":5": 0.75, "5": 0.25}), at("}")]
    assert found(weights_of(tokens, 5, FIVE)) == ({5: 1.0}, 0.75)


def test_two_tokens_are_one_grade() -> None:
    """The next token says how much of a "1" is a 10."""
    tokens = told(at("1", {"1": 0.9, "7": 0.1}), at("0", {"0": 0.75, ",": 0.25}))
    weights = weights_of(tokens, 10, TEN)
    assert found(weights) == ({1: 0.225, 7: 0.1, 10: 0.675}, 1.0)
    assert isinstance(weights, Weights)
    assert weights.mean == pytest.approx(0.225 + 0.7 + 6.75)


def test_a_one_that_was_written_is_shared_too() -> None:
    """It might have become a 10."""
    tokens = told(at("1", {"1": 0.5, "2": 0.5}), at(",", {",": 0.5, "0": 0.5}))
    assert found(weights_of(tokens, 1, TEN)) == ({1: 0.25, 2: 0.5, 10: 0.25}, 1.0)


def test_a_one_that_was_not_written_is_neither_1_nor_10() -> None:
    """Nobody knows what would have come behind it."""
    assert found(weights_of(told(at("7", {"7": 0.75, "1": 0.25})), 7, TEN)) == ({7: 1.0}, 0.75)


def test_a_one_is_a_one_where_a_ten_is_one_token() -> None:
    """Then the tokens write longer grades as one."""
    token = at("7", {"7": 0.5, "10": 0.25, "1": 0.25})
    assert found(weights_of(told(token), 7, TEN)) == ({1: 0.25, 7: 0.5, 10: 0.25}, 1.0)


def test_where_several_grades_begin_alike_nothing_is_told() -> None:
    """Too little is left then, and it is not the judge's fault."""
    why = weights_of(told(at("7", {"7": 0.25, "1": 0.7})), 7, TEN)
    assert why == "the tokens begin several grades and do not tell which"
    assert isinstance(weights_of(told(at("7", {"7": 0.25, " ": 0.7})), 7, TEN), str)


def test_half_a_grade_is_none() -> None:
    """Nor is a number beyond the scale, or one with a leading nought."""
    token = at("4", {"4": 0.75, "4.5": 0.0625, "40": 0.0625, "04": 0.0625, "4e": 0.0625})
    assert found(weights_of(told(token), 4, FIVE)) == ({4: 1.0}, 0.75)


def test_too_little_on_grades_is_told() -> None:
    """It is for others to make a fault of it."""
    weights = weights_of(told(at("4", {"4": 0.125, "good": 0.875})), 4, FIVE)
    assert found(weights) == ({4: 1.0}, 0.125)


def test_what_was_drawn_from_the_tail_counts() -> None:
    """A token that is not among the likely ones has its own probability."""
    token = Token("2", log(0.125), (("5", log(0.75)), ("4", log(0.125))))
    assert found(weights_of(told(token), 2, FIVE)) == ({2: 0.125, 4: 0.125, 5: 0.75}, 1.0)


def test_grades_of_which_none_is_possible_have_no_weights() -> None:
    """Whatever a server means by it."""
    weights = weights_of(told(Token("5", -9999.0, (("bad", 0.0),))), 5, FIVE)
    assert weights == Weights((), 0.0)


UNTOLD = {
    "the judge told no log-probabilities": [],
    "the grade is not found among the tokens": [at("5")],
    "the judge told no alternatives of its grade": told(Token("5", -0.1)),
    "the probabilities that the judge told come to more than 1": told(at("5", {"5": 0.9, "4": 0.9})),
}


@pytest.mark.parametrize(("why", "tokens"), UNTOLD.items())
def test_why_there_are_no_weights_is_told(why: str, tokens: list[Token]) -> None:
    """In a few words."""
    assert weights_of(tokens, 5, FIVE) == why


@pytest.mark.parametrize(
    "text",
    [
        '{"grade": 4}',  # another than was read
        '{"grade": 1} or rather {"grade": 5}',
        '{"grade": 5.0}',
        '{"reason": "\\"grade\\": 5", "mark": 5}',
        '{"grade": "5"}',
    ],
)
def test_a_grade_that_stands_elsewhere_is_not_taken_for_it(text: str) -> None:
    """Nor does a text in the reason come before it."""
    assert weights_of([at(each) for each in text], 5, FIVE) == "the grade is not found among the tokens"


def test_a_grade_quoted_in_the_reason_is_no_second_one() -> None:
    """A text in JSON cannot be taken for a key."""
    tokens = [*told(at("5")), at('"reason": "\\"grade\\": 1"}')]
    assert found(weights_of(tokens, 5, FIVE)) == ({5: 1.0}, 1.0)


def _digit_by_digit(chances: Mapping[str, float], grade: str) -> list[Token]:
    """What a judge with these chances writes where each digit is a token of its own."""
    tokens, said = [], ""
    while True:
        going = {name: chance for name, chance in chances.items() if name.startswith(said)}
        likely: dict[str, float] = {}
        for name, chance in going.items():
            piece = name[len(said) : len(said) + 1] or ","
            likely[piece] = likely.get(piece, 0.0) + chance / sum(going.values())
        piece = grade[len(said) : len(said) + 1] or ","
        tokens.append(at(piece, likely))
        if piece == ",":
            return tokens
        said += piece


@given(st.lists(st.integers(1, 100), min_size=11, max_size=11), st.sampled_from(TEN))
def test_the_weights_are_the_chances(shares: list[int], grade: int) -> None:
    """All of them where what was written tells 1 from 10; else those of the other grades."""
    chances = {str(each): share / sum(shares) for each, share in zip(TEN, shares, strict=True)}
    weights = weights_of(told(*_digit_by_digit(chances, str(grade))), grade, TEN)
    sure = chances if grade in {1, 10} else {name: chance for name, chance in chances.items() if name[0] != "1"}
    if isinstance(weights, str):
        assert sum(sure.values()) < 0.5
        return
    assert weights.on_grades == pytest.approx(sum(sure.values()))
    expected = {int(name): chance / sum(sure.values()) for name, chance in sure.items()}
    assert dict(weights.grades) == pytest.approx(expected)
    assert sum(dict(weights.grades).values()) == pytest.approx(1)
    assert 0 <= weights.mean <= 10


@given(st.lists(st.sampled_from(FIVE), min_size=1, max_size=9))
def test_the_mean_of_what_was_drawn_is_its_mean(grades: list[int]) -> None:
    """Each grade weighs as much as it was drawn."""
    assert sampled(grades).mean == pytest.approx(sum(grades) / len(grades))
