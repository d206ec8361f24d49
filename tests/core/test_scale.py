"""Scores are finite numbers of a scale, or the fault says what they were."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import UNBOUNDED, DefinitionError, Run, Scale, Verdict, create_scorer, pure
from scorewright.core import UNIT
from scorewright.faults import InvalidScore


class Broken(float):
    """A number that cannot be read."""

    def __float__(self) -> float:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise ZeroDivisionError


class Number:
    """Not a number, although it can become one."""

    def __float__(self) -> float:
        return 0.5


NUMBERS = [
    (0.5, 0.5),
    (0, 0.0),
    (1, 1.0),
    (True, 1.0),
    (False, 0.0),
    (Decimal("0.25"), 0.25),
    (Fraction(1, 4), 0.25),
    (np.float64(0.25), 0.25),
    (np.float32(0.25), 0.25),
    (np.float16(0.25), 0.25),
    (np.longdouble(0.25), 0.25),
    (np.int8(1), 1.0),
    (np.uint64(1), 1.0),
    (np.bool_(True), 1.0),
    (-0.0, 0.0),
    (5e-324, 5e-324),
]
NO_NUMBERS = [
    "0.5",
    b"1",
    None,
    [],
    [0.5],
    {},
    (0.5,),
    {"score": 0.5},
    0.5j,
    np.complex64(0.5),
    np.array(0.5),
    np.array([0.5]),
    np.array([0.5, 0.5]),
    np.str_("1"),
    np.timedelta64(1, "s"),
    np.timedelta64("NaT", "s"),
    np.datetime64("2020-01-01"),
    object(),
    Number(),
    Broken(1),
    float,
    lambda: 0.5,
]
NOT_FINITE = [
    nan,
    inf,
    -inf,
    Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("Infinity"),
    Decimal("1e999"),
    np.float64("nan"),
    np.float32("inf"),
    np.longdouble("1e4000"),
    10**400,
    -(10**5000),
    Fraction(10**400),
]
OUTSIDE = [1.0000001, -0.0000001, 2, -1, 10**300, Decimal(2), Fraction(3, 2), np.float64(7), np.int64(-1)]


def named(value: object) -> str:
    return type(value).__name__


def scored(value: object, scale: Scale = UNIT) -> object:
    scorer = create_scorer("value", input=str, output=str, scale=scale).generate_score(pure(lambda _: value))
    result = scorer.run_sync(Run("a", "b"))
    return result.map(lambda done: done.score).alt(lambda failure: failure.cause)


@pytest.mark.parametrize(("value", "score"), NUMBERS, ids=[named(value) for value, _ in NUMBERS])
def test_real_numbers_of_any_make_become_floats(value: object, score: float) -> None:
    """bool, int, Decimal, Fraction and numpy scalars are scores."""
    got = scored(value).unwrap()
    assert type(got) is float
    assert got == score


@pytest.mark.parametrize("value", NO_NUMBERS, ids=named)
def test_what_is_no_real_number_is_no_score(value: object) -> None:
    """A string, None, a list, a complex number, an array, a duration: `InvalidScore`, with the type in its words."""
    fault = scored(value).failure()
    assert isinstance(fault, InvalidScore)
    assert type(value).__name__ in fault.why


@pytest.mark.parametrize("value", NOT_FINITE, ids=named)
@pytest.mark.parametrize("scale", [Scale(), Scale(0, inf), UNBOUNDED], ids=["unit", "half", "unbounded"])
def test_what_is_not_finite_is_no_score(value: object, scale: Scale) -> None:
    """NaN and the infinities are no scores, not even on an unbounded scale."""
    fault = scored(value, scale).failure()
    assert isinstance(fault, InvalidScore)
    assert fault.why == "not finite"


@pytest.mark.parametrize("value", OUTSIDE, ids=named)
def test_what_is_outside_the_scale_is_no_score(value: object) -> None:
    """Nothing is clamped: a number outside the scale is a failure, and the scale is in its words."""
    fault = scored(value).failure()
    assert isinstance(fault, InvalidScore)
    assert "0..1" in fault.why
    assert scored(value, UNBOUNDED).unwrap() == float(value)


def test_a_fault_shows_what_it_got() -> None:
    """The value is in the fault, cut where it is long, and told of where it cannot be shown."""
    assert scored("0.5").failure().got == "'0.5'"
    assert len(scored("x" * 10_000).failure().got) <= 200
    assert "Broken" in scored(Broken(1)).failure().got


@given(st.floats())
def test_a_scale_admits_its_finite_numbers(value: float) -> None:
    """A float is a score just when it is finite and between the ends, and then it is kept to the bit."""
    for scale in (Scale(), Scale(-5, 5), Scale(0, inf), UNBOUNDED):
        checked = scale.check(value)
        if isfinite(value) and scale.low <= value <= scale.high:
            assert checked == value
        else:
            assert isinstance(checked, InvalidScore)


@given(st.integers())
def test_an_unbounded_scale_admits_every_integer_that_a_float_can_hold(value: int) -> None:
    """Whole numbers become the nearest float."""
    assert UNBOUNDED.check(value) == float(value)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_the_ends_belong_to_the_scale(one: float, other: float) -> None:
    """Both ends are scores; a scale of one point or of none is a mistake."""
    low, high = min(one, other), max(one, other)
    if low == high:
        with pytest.raises(DefinitionError):
            Scale(low, high)
    else:
        scale = Scale(low, high)
        assert scale.check(low) == low
        assert scale.check(high) == high


@pytest.mark.parametrize(
    "ends",
    [(1, 0), (0, 0), (nan, 1), (0, nan), ("0", "1"), ("a", "b"), (None, 1), (0, None), ([], [1]), (0, 1j)],
    ids=str,
)
def test_a_wrong_scale_is_a_mistake_in_the_definition(ends: tuple[object, object]) -> None:
    """A scale runs from a lower to a higher number; the message says so and shows what was given."""
    with pytest.raises(DefinitionError, match="from a lower to a higher number") as told:
        Scale(*ends)
    assert all(repr(end) in str(told.value) for end in ends)


@pytest.mark.parametrize("value", [nan, "1", None, 2])
def test_a_verdict_is_held_to_the_scale_too(value: object) -> None:
    """The score of a verdict is checked as any other."""
    scorer = create_scorer("v", input=str, output=str).generate_verdict(pure(lambda _: Verdict(value, "why")))
    assert isinstance(scorer.run_sync(Run("a", "b")).failure().cause, InvalidScore)


class Liar:
    @property
    def __class__(self) -> type:
        raise ValueError("no class")


def test_the_ends_are_floats() -> None:
    """Whole numbers become floats, and what no float can hold is refused, as booleans are."""
    assert (type(Scale(1, 5).low), type(Scale(1, 5).high)) == (float, float)
    for low, high in ((0, 10**400), (-(10**400), 0), (False, True), (0, True), ("0", 1), (None, 1), (float("nan"), 1)):
        with pytest.raises(DefinitionError):
            Scale(low, high)


def test_a_score_that_lies_about_its_class_is_invalid() -> None:
    """Whatever an object does when it is looked at, it is no number, alone and in a scorer."""
    assert isinstance(Scale().check(Liar()), InvalidScore)
    scorer = create_scorer("l", input=str, output=str).generate_score(pure(lambda _: Liar()))
    assert isinstance(scorer.run_sync(Run("in", "out")).failure().cause, InvalidScore)


@pytest.mark.parametrize("score", [float("inf"), 7, 1.5])
def test_what_is_refused_is_shown(score: float) -> None:
    """As it was given."""
    refused = Scale().check(score)
    assert not isinstance(refused, float)
    assert refused.got == repr(score)
