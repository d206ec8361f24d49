"""Ids of rows that have none, and ids that were used before."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.suites import BrokenRow, Row
from scorewright.suites.rows import read_rows
from scorewright.suites.rows.ids import Seen, fingerprint

INPUTS = st.lists(st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([1, {"a": "é"}]))


def ids(inputs: list[object]) -> list[str]:
    return [item.id for item in read_rows([{"input": each} for each in inputs]) if isinstance(item, Row)]


@given(INPUTS, INPUTS)
def test_ids_stay_when_rows_are_appended(inputs: list[object], more: list[object]) -> None:
    """And all of them differ."""
    made = ids([*inputs, *more])
    assert made[: len(inputs)] == ids(inputs)
    assert len({*made}) == len(made)


def test_the_same_input_counts() -> None:
    """The first has the hash alone."""
    first, second, third, other = ids(["a", "a", "a", "b"])
    assert [second, third] == [f"{first}-2", f"{first}-3"]
    assert other == fingerprint("b")


def test_an_id_depends_on_the_input_and_not_on_the_order_of_its_keys() -> None:
    """Nor on what else the row holds; this very id is promised, so that stored results are found again."""
    one, two = (read_rows([{"input": {"a": 1, "b": "é"}, "output": 1}]), read_rows([{"input": {"b": "é", "a": 1}}]))
    assert [item.id for item in (*one, *two)] == ["c434a7652bbe4dc9"] * 2


def test_a_written_id_that_looks_like_a_made_one_is_left_alone() -> None:
    """The made one counts on."""
    made = fingerprint("a")
    rows = [item for item in read_rows([{"input": "z", "id": made}, {"input": "a"}]) if isinstance(item, Row)]
    assert [(row.id, row.has_id) for row in rows] == [(made, True), (f"{made}-2", False)]


@pytest.mark.parametrize("value", ["\ud83d", {"\ud83d": ["\ud83d"]}, float("inf"), {1, 2}])
def test_every_value_has_a_fingerprint(value: object) -> None:
    """Also half of a surrogate pair, and what JSON cannot say (case UKGovernmentBEIS/inspect_ai#3802)."""
    assert len(fingerprint(value)) == 16


@given(st.lists(st.text(max_size=2)))
def test_every_id_that_was_used_is_found_with_its_row(names: list[str]) -> None:
    """As a dictionary would."""
    seen, known = Seen(), dict[str, int]()
    for number, name in enumerate(names, 1):
        assert seen.add(name, number) == known.get(name)
        known.setdefault(name, number)


def test_a_second_use_is_broken_also_in_a_document() -> None:
    """A number and its text are one id."""
    rows = json.loads('[{"input": 1, "id": 7}, {"input": 2, "id": "7"}]')
    broken = [item for item in read_rows(rows) if isinstance(item, BrokenRow)]
    assert [(item.id, item.why) for item in broken] == [("7", "the id '7' was used before, on line 1")]
