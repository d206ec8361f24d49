"""Reading rows."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.cli.json_lines import parsed
from scorewright.cli.rows import BrokenLine, Row, read_lines
from scorewright.results import fold

NO_ID = "'id' is neither a text nor an integer but a number with a fraction"
BOTH = "'x' stands both in the row and in its 'metadata'"


def read(*lines: str | bytes) -> list[Row | BrokenLine]:
    return list(read_lines(line if isinstance(line, bytes) else line.encode() + b"\n" for line in lines))


def row(line: str | bytes) -> Row:
    (found,) = read(line)
    assert isinstance(found, Row)
    return found


def told(*lines: str | bytes) -> tuple[int, int, str]:
    """Where and why the last of these lines is broken."""
    broken = read(*lines)[-1]
    assert isinstance(broken, BrokenLine)
    return broken.line, broken.column, broken.why


def test_a_row_holds_what_the_line_says() -> None:
    """Every named field arrives; what else stands there is metadata."""
    line = {
        "input": {"q": 1},
        "output": [2],
        "expected": "3",
        "id": "a",
        "request_context": {"u": 4},
        "metadata": {"m": 5},
        "x": 6,
    }
    found = row(json.dumps(line))
    assert (found.input, found.output, found.expected, found.id, found.run_id) == ({"q": 1}, [2], "3", "a", "a")
    assert (found.request_context, found.metadata) == ({"u": 4}, {"m": 5, "x": 6})


def test_a_row_without_an_id_gets_a_run_id_of_its_own() -> None:
    """An absent, null or empty id is none; the line tells the row, so that two results of one file compare."""
    rows = read(*('{"input": 1, "output": 2' + more + "}" for more in ("", ', "id": null', ', "id": ""')))
    assert [found.id for found in rows if isinstance(found, Row)] == [None, None, None]
    assert [found.run_id for found in rows if isinstance(found, Row)] == ["line-1", "line-2", "line-3"]


def test_a_number_is_an_id_too() -> None:
    """It is written as text."""
    assert row('{"input": 1, "output": 2, "id": 7}').id == "7"


def test_null_is_a_value_of_input_and_output_but_no_reference() -> None:
    """Only a missing key is missing."""
    found = row('{"input": null, "output": null, "expected": null}')
    assert (found.input, found.output, found.expected) == (None, None, None)


def test_marks_ends_and_blank_lines_are_no_part_of_a_row() -> None:
    """A byte order mark, CRLF, a missing last line end; blank lines count as lines."""
    rows = read(b'\xef\xbb\xbf{"input": 1, "output": 2}\r\n', b"\r\n", b"  \t\n", b'{"input": 3, "output": 4}')
    assert [(type(found), found.line) for found in rows] == [(Row, 1), (Row, 4)]


def test_only_a_line_feed_ends_a_line() -> None:
    """Other separators of Unicode may stand in texts."""
    assert row('{"input": "a\u2028b\u0085c", "output": 2}').input == "a\u2028b\u0085c"


@pytest.mark.parametrize(
    ("line", "column", "why"),
    [
        ("nope", 1, "not JSON: expecting value"),
        ('{"input": 1, "output": }', 24, "not JSON: expecting value"),
        ('{"input": 1, "output": 2', 25, "not JSON: expecting ',' delimiter"),
        ('{"input": 1, "output": 2} x', 27, "not JSON: extra data"),
        ('{"input": "é", "output": "\t"}', 27, "not JSON: invalid control character at"),
        (b'{"input": "\xc3\xa9", "output": "\xff"}', 27, "not UTF-8: invalid start byte (byte 0xff)"),
        (b"\xff\xfe{\x00}\x00", 1, "not UTF-8: invalid start byte (byte 0xff)"),
        ('{"input": "NaN", "output": NaN}', 28, "NaN is not JSON"),
        ('{"input": "Infinity", "output": [-Infinity]}', 34, "-Infinity is not JSON"),
        ('{"input": "1e999", "output": -1e999}', 30, "the number -1e999 is too large"),
        ('{"input": 1, "output": {"a": 1, "b": 2, "a": 3}}', 41, "the key 'a' stands twice in one object"),
        ('{"input": 1, "output": 2, "inp\\u0075t": 3}', 27, "the key 'input' stands twice in one object"),
        (" [1]", 2, "not an object but a list: JSON Lines hold one object a line"),
        ('"text"', 1, "not an object but a string: JSON Lines hold one object a line"),
        ("null", 1, "not an object but null: JSON Lines hold one object a line"),
        ('{"input": 1, "answer": 2}', 1, "'output' missing; the row has 'input', 'answer'"),
        ("{}", 1, "'input' and 'output' missing; the row has nothing"),
        ('{"input": 1, "output": 2, "id": true}', 27, "'id' is neither a text nor an integer but a boolean"),
        ('{"input": 1, "output": 2, "id": 1.5}', 27, NO_ID),
        ('{"input": {"metadata": 1}, "output": 2, "metadata": [1]}', 41, "'metadata' is not an object but a list"),
        ('{"input": 1, "output": 2, "request_context": "a"}', 27, "'request_context' is not an object but a string"),
        ('{"input": 1, "output": 2, "metadata": {"x": 1}, "x": 2}', 49, BOTH),
    ],
)  # fmt: skip
def test_a_broken_line_says_where_and_why(line: str | bytes, column: int, why: str) -> None:
    """The column counts characters, also behind letters of several bytes; what stands in texts misleads nobody."""
    assert told('{"input": 1, "output": 2}', line) == (2, column, why)


def test_a_number_of_very_many_digits_is_told() -> None:
    """Python would refuse to read it."""
    line, column, why = told('{"input": 1, "output": ' + "9" * 5000 + "}")
    assert (line, column, why) == (1, 24, f"the number {'9' * 20}… is too large")


def test_nesting_without_an_end_is_told() -> None:
    """The stack of the reader is no reason to stop."""
    assert told("[" * 200_000) == (1, 1, "nested too deeply")


def test_the_second_use_of_an_id_is_broken() -> None:
    """The first one counts, and is named."""
    first, third = '{"input": 1, "output": 2, "id": "7"}', '{"output": {"id": 1}, "id": 7, "input": 1}'
    assert told(first, "", third) == (3, 23, "the id '7' was used before, on line 1")


def test_rows_are_read_when_they_are_asked_for() -> None:
    """Nothing is read ahead."""
    taken: list[int] = []

    def lines() -> Iterator[bytes]:
        for number in range(1000):
            taken.append(number)
            yield b'{"input": 1, "output": 2}\n'

    reading = read_lines(lines())
    next(reading)
    next(reading)
    assert len(taken) == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_json_is_read_as_json_reads_it(value: object) -> None:
    """Being strict changes no value."""
    assert parsed(json.dumps(value).encode()).unwrap() == value


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_told(raw: bytes) -> None:
    """No line stops the reading, and a column lies in its line."""
    column = fold(parsed(raw), lambda _: 1, lambda spot: spot.column)
    assert 1 <= column <= len(raw) + 1
