"""What is told about rows before they are read: their fields, their size, and why they cannot be read."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import attrs
import pytest

from scorewright.suites import ABSENT, BrokenRow, Place, Row
from scorewright.suites.rows import ALIASES, RowsRefused, read_rows


def rows_of(source: object, **options: object) -> list[Row]:
    read = list(read_rows(source, **options))  # type: ignore[arg-type]  # the tests give options by name
    assert [item for item in read if isinstance(item, BrokenRow)] == []
    return [item for item in read if isinstance(item, Row)]


def told(source: object) -> list[tuple[str, str]]:
    return [(str(item.place), item.why) for item in read_rows(source) if isinstance(item, BrokenRow)]


@pytest.mark.parametrize(("field", "alias"), [(field, alias) for field in ALIASES for alias in ALIASES[field]])
def test_what_other_tools_call_a_field_is_known(field: str, alias: str) -> None:
    """Every alias stands for its field, and the mapping that was used can be printed."""
    source = read_rows([{"input": 1, alias: {"it": 2}}] if field != "input" else [{alias: {"it": 2}}])
    (row,) = source
    assert getattr(row, field) == {"it": 2}
    assert source.fields[field] == alias


def test_exact_names_come_before_aliases() -> None:
    """The other column is metadata."""
    (row,) = rows_of([{"input": "a", "question": "b", "output": "c", "answer": "d"}])
    assert (row.input, row.output, row.metadata) == ("a", "c", {"question": "b", "answer": "d"})


def test_an_exact_name_that_holds_null_gives_way_to_an_alias() -> None:
    """As exports have it that write all their columns."""
    (row,) = rows_of([{"input": "a", "context": None, "retrieval_context": ["c"]}])
    assert row.context == ["c"]


def test_null_is_an_output_under_its_own_name_and_none_under_an_alias() -> None:
    """Goldens of other tools write null for what is still to be asked."""
    exact, alias = rows_of([{"input": 1, "output": None}, {"input": 1, "actual_output": None}])
    assert (exact.output, alias.output) == (None, ABSENT)


def test_two_columns_that_could_be_one_field_are_refused() -> None:
    """The message names both, and says how to choose."""
    with pytest.raises(RowsRefused, match=re.escape("'question' and 'prompt' could both be the input")) as refused:
        read_rows([{"question": 1, "prompt": 2}])
    assert "--map input=question" in str(refused.value)


def test_a_mapping_decides() -> None:
    """What it names is no alias any more, and the rest is metadata; a path reaches into an object."""
    rows = [{"question": "q", "prompt": "p", "answer": "gold", "data": {"said": "it"}}]
    mapping = {"input": "prompt", "expected": "answer", "output": "data.said"}
    source = read_rows(rows, mapping=mapping)
    (row,) = source
    assert isinstance(row, Row)
    assert (row.input, row.expected, row.output) == ("p", "gold", "it")
    assert source.fields == {
        "input": "prompt",
        "output": "data.said",
        "expected": "answer",
        "metadata.question": "question",
        "metadata.data": "data",
    }


@pytest.mark.parametrize(
    ("mapping", "why"),
    [
        ({"inptu": "question"}, "the mapping inptu=question names no field; the fields are id, input, output"),
        ({"input": "questoin"}, "has no column 'questoin' for 'input'; it has 'question'"),
    ],
)
def test_a_mapping_that_is_wrong_is_refused(mapping: dict[str, str], why: str) -> None:
    """A field that rows do not have, a column that is not there."""
    with pytest.raises(RowsRefused, match=re.escape(why)):
        read_rows([{"question": 1}], mapping=mapping)


def test_broken_rows_stand_between_the_others() -> None:
    """Each with its place; none stops the reading."""
    rows = [{"input": 1}, 2, {"output": 3}, {"input": 4, "id": "a"}, {"input": 5, "id": "a"}, {"input": float("nan")}]
    assert told(rows) == [
        ("line 2", "neither a mapping nor a row, an attrs class, a dataclass or a model but int"),
        ("line 3", "'input' missing; the row has 'output'"),
        ("line 5 $.id", "the id 'a' was used before, on line 4"),
        ("line 6 $.input", "a value without a JSON form: nan is not a number of JSON"),
    ]


def test_a_row_may_have_a_trace_or_turns_instead_of_an_input() -> None:
    """They say what went in."""
    one, two = rows_of([{"trace": [{"role": "user", "content": "Hi"}]}, {"turns": [{"user": "Hi"}]}])
    assert (one.input, two.turns) == (None, ({"user": "Hi"},))


@attrs.frozen
class Case:
    input: object
    expected: str = "x"


@dataclass
class Other:
    question: str


def test_rows_come_from_values_too() -> None:
    """Attrs classes, dataclasses, rows with their place; a class inside is read as its JSON."""
    given = Row("r", {"a": 1}, place=Place("here.jsonl", 9))
    one, two, three = rows_of([Case(Other("why?")), Other("q"), given])
    assert (one.input, one.expected, two.input) == ({"question": "why?"}, "x", "q")
    assert (three, three.place) == (given, given.place)


def test_a_list_is_read_again_and_a_generator_only_once() -> None:
    """The second time is refused, not empty."""
    again = read_rows([{"input": 1}])
    assert list(again) == list(again)
    assert again.size_hint == 1

    def generate() -> Iterator[dict[str, int]]:
        yield {"input": 1}

    once = read_rows(generate())
    assert len(list(once)) == 1
    with pytest.raises(RowsRefused, match="cannot be read again"):
        list(once)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ({"input": 1}, "not from dict; give a list"),
        (b"{}", "not from bytes"),
        (5, "not from int"),
        ("nowhere.jsonl", "there is no file nowhere.jsonl"),
    ],
)
def test_what_holds_no_rows_is_refused(source: object, why: str) -> None:
    """With what to give instead."""
    with pytest.raises(RowsRefused, match=re.escape(why)):
        read_rows(source)


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    """The message names those there are."""
    (tmp_path / "rows").write_text('{"input": 1}\n')
    with pytest.raises(RowsRefused, match="no format 'xml'; the formats are jsonl, json, csv"):
        read_rows(tmp_path / "rows", format="xml")


def test_the_format_is_guessed_where_the_name_does_not_tell(tmp_path: Path) -> None:
    """Lines, or a document; and lines in a file that is called .json."""
    lines, document, called = tmp_path / "a.txt", tmp_path / "b", tmp_path / "c.json"
    lines.write_text('\n{"input": 1}\n{"input": 2}\n')
    document.write_text('{\n "rows": [\n {"input": 1}, {"input": 2}]}')
    called.write_text('{"input": 1}\n{"input": 2}\n')
    for file in (lines, document, called):
        assert [row.input for row in rows_of(file)] == [1, 2]


def test_how_far_the_reading_is_can_be_told(tmp_path: Path) -> None:
    """In bytes of the file."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"input": 1}\n{"input": 2}\n')
    source = read_rows(file)
    assert source.size == 26
    reading = iter(source)
    next(reading)
    assert source.position == 13
    list(reading)
    assert source.position == 26


def test_rows_can_be_sent_to_other_processes() -> None:
    """They are pickled whole, and absence stays what it is."""
    (row,) = rows_of([{"input": {"a": [1]}, "tags": ["x"]}])
    copy = pickle.loads(pickle.dumps(row))
    assert copy == row
    assert copy.output is ABSENT


def test_a_row_is_equal_wherever_it_stands() -> None:
    """The place does not count."""
    assert Row("a", 1, place=Place("x", 1)) == Row("a", 1, place=Place("y", 2))
    assert Row("a", 1) != Row("a", 1, None)


def test_exports_of_langfuse_and_braintrust_are_read(tmp_path: Path) -> None:
    """By the names that they give their columns."""
    file = tmp_path / "items.json"
    items = [
        {"id": "a", "input": {"q": 1}, "expectedOutput": "x", "metadata": None, "sourceTraceId": "t"},
        {"id": "b", "input": "q", "expected": "y", "output": "z", "metadata": {"m": 1}, "tags": ["t"]},
    ]
    file.write_text(json.dumps({"data": items}))
    one, two = rows_of(file)
    assert (one.id, one.input, one.expected, one.metadata) == ("a", {"q": 1}, "x", {"sourceTraceId": "t"})
    assert (two.expected, two.output, two.tags) == ("y", "z", ("t",))


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "tsv", "yaml"])
@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_a_file_of_utf_16_is_refused_with_its_remedy(tmp_path: Path, suffix: str, coding: str) -> None:
    """Once, and not as many broken lines."""
    path = tmp_path / f"rows.{suffix}"
    text = (
        "input,output\nx,y\n"
        if suffix.endswith("sv")
        else '[{"input": "x"}]'
        if suffix != "jsonl"
        else '{"input": "x"}\n'
    )
    path.write_bytes(f"\ufeff{text}".encode(coding))
    with pytest.raises(RowsRefused, match="is UTF-16: save it as UTF-8"):
        list(read_rows(path))
