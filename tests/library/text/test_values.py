"""Numbers, lists, sets and JSON values against a reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library.scoring import against, cause

from scorewright import NotScorable, Scorer
from scorewright.faults import InvalidRun
from scorewright.library import text
from scorewright.library.text import Quantity, quantities

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab. ", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("output", "expected", "score"),
    [("-4", -8, 0.5), ("50", -25, 0.0), ("0", 0, 1.0), ("3", 3, 1.0), ("1e308", -1e308, 0.0), ("none", 3, 0.0)],
)
def test_closeness_is_a_share(output: str, expected: float, score: float) -> None:
    """Negative numbers, opposite signs, zeros and the largest floats (future-agi#2420)."""
    assert against(text.numeric_closeness(), output, expected).score == score


@given(one=NUMBERS, other=NUMBERS)
def test_closeness_is_symmetric_and_bounded(one: float, other: float) -> None:
    """And 1 for equal numbers, whatever their size."""
    there = against(text.numeric_closeness(), repr(one), other).score
    assert 0.0 <= there <= 1.0
    assert there == pytest.approx(against(text.numeric_closeness(), repr(other), one).score)
    assert against(text.numeric_closeness(), repr(one), one).score == 1.0


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("1,234.5 km", [Quantity(1234.5, "km")]),
        ("it costs $7, or 6.50 €", [Quantity(7, "USD"), Quantity(6.5, "EUR")]),
        ("\u22125 \u00b0C", [Quantity(-5, "\u00b0C")]),
        ("between 3-4 hours", [Quantity(3, ""), Quantity(4, "h")]),
        ("v1.2.3 on 2024", [Quantity(2024, "")]),
        ("1 234 567 people", [Quantity(1, ""), Quantity(234, ""), Quantity(567, "")]),
        ("1'000'000 CHF", [Quantity(1_000_000, "CHF")]),
        ("50%, 1e-3", [Quantity(50, "%"), Quantity(0.001, "")]),
        ("1e999 nan inf", []),
        ("-$5, -\u20ac6", [Quantity(-5, "USD"), Quantity(-6, "EUR")]),
        ("\u20b9500 or \u00a57", [Quantity(500, "\u20b9"), Quantity(7, "JPY")]),
        (
            "5 m\u00b2, 5 m2, 9.81 m/s\u00b2",
            [Quantity(5, "m\u00b2"), Quantity(5, "m\u00b2"), Quantity(9.81, "m/s\u00b2")],
        ),
        ("50 km per hour, $5/h", [Quantity(50, "km/h"), Quantity(5, "USD/h")]),
        ("5 apples/day, 6 km per ride", [Quantity(5, ""), Quantity(6, "km")]),
        ("1.5 \u00d7 10\u00b3 g", [Quantity(1500, "g")]),
        ("x\u00b2 = 9", [Quantity(9, "")]),
        ("距离是5km的", [Quantity(5, "km")]),
        ("气温是-5度, 5個-6個", [Quantity(-5, ""), Quantity(5, ""), Quantity(6, "")]),
        ("5 Kg, 3 \u00b5g", [Quantity(5, "kg"), Quantity(3, "\u03bcg")]),
    ],
)
def test_numbers_are_read_with_their_units(output: str, found: list[Quantity]) -> None:
    """Thousands, signs, exponents, currencies, powers, other scripts; what is no number is left out."""
    assert quantities(output) == found


@pytest.mark.parametrize(
    ("output", "expected", "score"),
    [
        ("about 1,500 m", "1.5 km", 1.0),
        ("90 minutes", "1.5 h", 1.0),
        ("5 kg", "5 km", 0.0),
        ("5", "5 km", 1.0),
        ("0.5", "50%", 0.01),
        ("50 %", 0.5, 1.0),
        ("50 %", 50, 1.0),
        ("2 GiB", "2147483648 bytes", 1.0),
        ("6 apples", 6, 1.0),
        ("50 km", "50 km/h", 0.0),
        ("25 m/s", "90 km/h", 1.0),
        ("50000 cm\u00b2", "5 m\u00b2", 1.0),
        ("5 m", "5 m\u00b2", 0.0),
        ("\u00a5500", "$500", 0.0),
        ("5km的", "5000 m", 1.0),
    ],
)
def test_units_are_converted(output: str, expected: float | str, score: float) -> None:
    """Those of one kind into each other; no unit is the other's unit."""
    assert against(text.numeric_closeness(), output, expected).score == pytest.approx(score)


def test_a_tolerance_is_met_or_not() -> None:
    """Absolute or relative to what is due; `pick` and `decimal` say which number is read and how."""
    assert against(text.numeric_closeness(absolute=0.5), "9.5", 10).score == 1.0
    assert against(text.numeric_closeness(relative=0.05), "9.5", 10).score == 1.0
    assert against(text.numeric_closeness(relative=0.04), "9.5", 10).score == pytest.approx(0.95)
    assert against(text.numeric_closeness(pick="first"), "3 of 10", 3).score == 1.0
    assert against(text.numeric_closeness(decimal=","), "1.234,5", 1234.5).score == 1.0
    for reference in ("three", math.nan, math.inf, 10**400):
        assert isinstance(cause(text.numeric_closeness(), "3", reference), NotScorable)
    assert against(text.numeric_closeness(), "no idea", 3).reason == "the output has no number; 3 is due"


def test_sets_and_lists_are_compared_by_what_they_say() -> None:
    """1 is 1.0, the order of keys does not matter; a list counts repeats, a set does not."""
    said, due = [1, {"a": 1, "b": 2}, 1], [1.0, {"b": 2, "a": 1.0}, "x"]
    assert against(text.set_overlap(), said, due).score == pytest.approx(2 * 2 / 5)
    assert against(text.list_overlap(), said, due).score == pytest.approx(2 * 2 / 6)
    assert against(text.set_overlap("jaccard"), said, due).score == pytest.approx(2 / 3)
    assert against(text.set_overlap("precision"), said, due).score == 1.0
    assert against(text.list_overlap("recall"), said, due).reason == "2 shared; missing: '\"x\"'; not expected: '1'"
    assert against(text.set_overlap(), [True], [1]).score == 0.0
    for make in (text.set_overlap, text.list_overlap):
        assert [against(make(measure), [], []).score for measure in ("f1", "jaccard", "precision", "recall")] == [
            1.0
        ] * 4
        assert against(make("precision"), [], ["a"]).score == 0.0


def test_each_path_has_its_credit() -> None:
    """What is wrong, missing or too much costs its path and no more."""
    due = {"city": "Graz", "fees": [3, 4], "open": True, "note": {}}
    found = against(text.json_difference(), '{"fees": [3.0, 5, 6], "city": "Graz", "open": 1, "note": {}}', due)
    assert found.score == pytest.approx(3 / 6)
    assert found.reason == (
        "3 of 6 paths agree; $.fees[1] is 5, not 4; $.open is 1, not true; $.fees[2] is not expected"
    )


def test_an_output_may_be_a_value_already() -> None:
    """As structured outputs are."""
    assert against(text.json_difference(), {"city": "Graz"}, '{"city": "Graz"}').score == 1.0
    assert against(text.json_difference(), [1, 2], [1, 3]).score == 0.5


def test_lists_may_be_compared_in_any_order() -> None:
    """Equal items first; what is missing leaves the others in their places."""
    assert against(text.json_difference(), "[3, 1, 2]", [1, 2, 3]).score == 0.0
    assert against(text.json_difference(any_order=True), "[3, 1, 2]", [1, 2, 3]).score == 1.0
    assert against(text.json_difference(any_order=True), "[3]", [1, 2, 3]).score == pytest.approx(1 / 3)
    nested = [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": []}]
    said = '[{"id": 2, "tags": []}, {"id": 1, "tags": ["b", "c"]}]'
    assert against(text.json_difference(any_order=True), said, nested).score == pytest.approx(4 / 5)


def test_the_order_of_inner_lists_is_free_too() -> None:
    """So lists of lists are equal; an empty list is a value, with an order or without."""
    assert against(text.json_difference(any_order=True), "[[1, 2], [3, 4]]", [[4, 3], [2, 1]]).score == 1.0
    for any_order in (True, False):
        found = against(text.json_difference(any_order=any_order), '{"a": [], "b": 1}', {"a": [1], "b": 1})
        assert found.score == pytest.approx(1 / 3)


@given(JSON)
def test_a_value_is_itself(value: object) -> None:
    """Read back from its text, in any order too."""
    import json

    for scorer in (text.json_difference(), text.json_difference(any_order=True)):
        assert against(scorer, json.dumps(value), json.dumps(value)).score == 1.0


def test_numbers_in_json_may_have_a_tolerance() -> None:
    """True is no number."""
    assert against(text.json_difference(relative=0.1), '{"fee": 3.1}', {"fee": 3}).score == 1.0
    assert against(text.json_difference(relative=1.0), '{"fee": true}', {"fee": 1}).score == 0.0
    assert math.isclose(against(text.json_difference(), '{"fee": 3.0}', {"fee": 3}).score, 1.0)


def test_what_is_no_json_is_told() -> None:
    """In the output it is a wrong answer; in the reference there is nothing to compare with."""
    assert "the output is not JSON" in str(against(text.json_difference(), "Graz", {}).reason)
    assert isinstance(cause(text.json_difference(), "{}", "{"), NotScorable)
    assert against(text.json_difference(), "[" * 5000, {}).score == 0.0


@pytest.mark.parametrize("make", [text.set_overlap, text.list_overlap])
def test_a_text_is_no_list_of_its_letters(
    make: Callable[[], Scorer[object, Sequence[object], Sequence[object]]],
) -> None:
    """On either side; tuples and lists of texts are lists."""
    assert cause(make(), "abc", ["a"]) == InvalidRun("$.output", "expected a list, got a text")
    assert cause(make(), ["a"], "abc") == InvalidRun("$.expected", "expected a list, got a text")
    assert against(make(), ("a", "b"), ["a", "b"]).score == 1.0
