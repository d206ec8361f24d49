"""Comma separated values: quoting, headers, cells, and what is told of a line that is broken."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.suites import ABSENT, BrokenRow, Row
from scorewright.suites.rows import RowItem, RowSource, RowsRefused, read_rows
from scorewright.suites.rows.formats import stream_rows
from scorewright.suites.rows.promptfoo import asserted


def read(text: str | bytes, format: str = "csv") -> list[RowItem]:
    raw = text if isinstance(text, bytes) else text.encode()
    return list(RowSource(stream_rows(io.BytesIO(raw), "t.csv", format), {}, ("input",)))


def rows(text: str | bytes, format: str = "csv") -> list[Row]:
    found = read(text, format)
    assert [item for item in found if not isinstance(item, Row)] == []
    return [item for item in found if isinstance(item, Row)]


def test_quoted_cells_hold_separators_quotes_and_line_ends() -> None:
    """A row stands where its first line does."""
    one, two = rows('input,target\r\n"a, ""b""\r\nc",x\r\nd,y\r\n')
    assert (one.input, one.expected, two.input) == ('a, "b"\r\nc', "x", "d")
    assert [str(row.place) for row in (one, two)] == ["t.csv:2", "t.csv:4"]


def test_cells_are_text() -> None:
    """What looks like a number or like JSON stays what was written; an empty output is an empty text."""
    (row,) = rows("input,output,expected,n\n007,,[1],1e5\n")
    assert (row.input, row.output, row.expected, row.metadata) == ("007", "", "[1]", {"n": "1e5"})


def test_an_empty_cell_of_a_field_that_may_be_absent_is_none() -> None:
    """No reference, no id, no context, no group."""
    (row,) = rows("input,expected,id,context,group,tags\nq,,,,,\n")
    assert (row.expected, row.has_id, row.context, row.group, row.tags, row.output) == (
        None, False, None, None, (), ABSENT,
    )  # fmt: skip


def test_a_column_can_be_declared_to_hold_json() -> None:
    """Its header ends in `:json`; metadata and tags may hold it anyway."""
    (row,) = rows('input:json,expected:json,metadata,tags\n"{""a"": 1}",null,"{""m"": [2]}","[""x"", ""y""]"\n')
    assert (row.input, row.expected, row.metadata, row.tags) == ({"a": 1}, None, {"m": [2]}, ("x", "y"))


def test_dotted_headers_make_objects() -> None:
    """Of the fields of a row; a dot in any other name means nothing."""
    (row,) = rows("input.q,input.at.city,metadata.m,other.x,input.n:json\nwhy?,Graz,1,2,3\n")
    assert row.input == {"q": "why?", "at": {"city": "Graz"}, "n": 3}
    assert row.metadata == {"m": "1", "other.x": "2"}


@pytest.mark.parametrize(("cell", "tags"), [("a", ("a",)), ('"a, b"', ("a", "b")), ("a; b", ("a", "b")), ("", ())])
def test_tags_are_separated_in_a_cell(cell: str, tags: tuple[str, ...]) -> None:
    """By commas, semicolons or bars."""
    assert rows(f"input,tags\nq,{cell}\n")[0].tags == tags


def test_tabs_and_semicolons_separate_too() -> None:
    """A file of tabs by its name, semicolons by the first line."""
    assert rows("input\toutput\na,b\tc\n", "tsv")[0].input == "a,b"
    assert rows("input;output\na,b;c\n")[0].output == "c"


def test_broken_lines_stand_between_the_others() -> None:
    """Each with its line, and the column where one is to blame."""
    text = b'input,n:json\nok,1\nfew\nmany,1,2\nbad,{\n"x"y,1\n\xff\xfe,1\nok,2\n"open,1\n'
    told = [(str(item.place), item.why) for item in read(text) if isinstance(item, BrokenRow)]
    assert told == [
        ("t.csv:3", "1 cells, where the first line names 2 columns"),
        ("t.csv:4", "3 cells, where the first line names 2 columns"),
        (
            "t.csv:5 $['n:json']",
            "not JSON: expecting property name enclosed in double quotes (character 2 of the cell)",
        ),
        ("t.csv:6", "not a line of a table: ',' expected after '\"'"),
        ("t.csv:7 $.input", "not UTF-8 (byte 0xff)"),
        ("t.csv:9", "not a line of a table: a quote that is opened here is never closed"),
    ]
    assert [item.input for item in read(text) if isinstance(item, Row)] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "t.csv is empty: the first line of a table names its columns"),
        ("input,input\n1,2\n", "t.csv has two columns 'input'"),
        ('"a"b\n', "t.csv:1: the first line cannot be read"),
        (b"inp\xff\n", "t.csv:1: the first line is not UTF-8"),
        ("question,prompt\n1,2\n", "t.csv: 'question' and 'prompt' could both be the input"),
    ],
)
def test_a_table_whose_head_cannot_be_read_is_refused(text: str | bytes, why: str) -> None:
    """Before any row."""
    with pytest.raises(RowsRefused, match=re.escape(why)):
        read(text)


CELL = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@given(st.lists(st.tuples(CELL, CELL), max_size=5))
def test_what_csv_writes_is_read_back(cells: list[tuple[str, str]]) -> None:
    """Whatever the cells hold; lines without anything are no rows."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerows([("input", "output"), *cells])
    assert [(row.input, row.output) for row in rows(file.getvalue())] == cells


def test_the_passages_of_deepeval_are_split() -> None:
    """A bar stands between them."""
    (row,) = rows("input,actual_output,expected_output,retrieval_context\nq,a,e,one|two\n")
    assert (row.output, row.expected, row.context) == ("a", "e", ["one", "two"])


def test_test_cases_of_promptfoo_are_read() -> None:
    """Every column is a variable; an equality is the reference too, and what is asserted stays in the metadata."""
    head = "question,lang,__expected1,__expected2,__description,__metadata:k,__metadata:l[]"
    one, two = rows(f'{head}\nq,de,Wien,contains: W,it,1,"a, b"\nr,en,,llm-rubric(0.5): is polite,,,\n')
    assert (one.input, one.expected) == ({"question": "q", "lang": "de"}, "Wien")
    assert one.metadata == {
        "description": "it", "k": "1", "l": ["a", "b"],
        "assert": [{"type": "equals", "value": "Wien"}, {"type": "contains", "value": "W"}],
    }  # fmt: skip
    assert two.expected is None
    assert two.metadata == {"assert": [{"type": "llm-rubric", "value": "is polite", "threshold": 0.5}]}


def test_settings_of_test_cases_are_read() -> None:
    """Of all assertions or of one; numbers are numbers, and a comma may be part of a value."""
    head = (
        "q,__expected,__expected2,__threshold,__config:__expected2:threshold,__config:__expected:weight,__metadata:l[]"
    )
    (row,) = rows(f'{head}\na,x,similar: y,0.5,0.9,2,"a\\,b, c"\n')
    assert row.metadata == {
        "threshold": 0.5,
        "l": ["a,b", "c"],
        "assert": [
            {"type": "equals", "value": "x", "weight": 2.0},
            {"type": "similar", "value": "y", "threshold": 0.9, "weight": 2.0},
        ],
    }


@pytest.mark.parametrize("text", ["Note: this", "10:30", "http://x", "Equals: x"])
def test_a_colon_makes_no_assertion(text: str) -> None:
    """Only the names of assertions do."""
    assert asserted(text) == {"type": "equals", "value": text}


def test_a_file_is_read_without_its_mark_and_by_its_name(tmp_path: Path) -> None:
    """Case UKGovernmentBEIS/inspect_ai#5361: the first header is `input`, and a mark inside a cell is kept."""
    file = tmp_path / "rows.csv"
    file.write_bytes(b"\xef\xbb\xbf" + "input,target\n何時に開く?,九時\n\ufeffx,y\n".encode())
    source = read_rows(file)
    assert source.fields == {"input": "input", "expected": "target"}
    assert [row.input for row in source if isinstance(row, Row)] == ["何時に開く?", "\ufeffx"]
