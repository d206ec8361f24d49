"""Lines of JSON: what a row is, and what is told of one that is broken."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.results import fold
from scorewright.suites import BrokenRow, Row
from scorewright.suites.rows import RowSource
from scorewright.suites.rows.formats import line_rows
from scorewright.suites.rows.json_lines import parsed

NO_ID = "'id' is neither a text nor an integer but a number with a fraction"
DOUBT = (
    "'question' and 'prompt' could both be the input: say which with --map input=question, "
    "or mapping={'input': 'question'}"
)
BOTH = "'x' stands both in the row and in its 'metadata'"


def read(*lines: str | bytes) -> list[Row | BrokenRow]:
    raw = [line if isinstance(line, bytes) else line.encode() + b"\n" for line in lines]
    return list(RowSource(line_rows(raw, "rows.jsonl"), {}, ("input", "output")))


def row(line: str | bytes) -> Row:
    (found,) = read(line)
    assert isinstance(found, Row)
    return found


def told(*lines: str | bytes) -> tuple[int | None, int | None, str]:
    """Where and why the last of these lines is broken."""
    broken = read(*lines)[-1]
    assert isinstance(broken, BrokenRow)
    return broken.place.line, broken.place.column, broken.why


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
    assert (found.input, found.output, found.expected, found.id) == ({"q": 1}, [2], "3", "a")
    assert (found.request_context, found.metadata) == ({"u": 4}, {"m": 5, "x": 6})
    assert str(found.place) == "rows.jsonl:1"


def test_tags_group_context_turns_and_trace_have_fields_of_their_own() -> None:
    """They are no metadata."""
    line = {"input": 1, "output": 2, "tags": ["a"], "group": 7, "context": ["c"], "turns": [{"t": 1}], "trace": [3]}
    found = row(json.dumps(line))
    assert (found.tags, found.group, found.context, found.turns) == (("a",), "7", ["c"], ({"t": 1},))
    assert (found.trace, found.metadata) == ([3], {})


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
    assert [(type(found), found.place.line) for found in rows] == [(Row, 1), (Row, 4)]


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
        ('{"input": 1, "reply": 2}', 1, "'output' missing; the row has 'input', 'reply'"),
        ('{"question": 1, "prompt": 2, "output": 3}', None, DOUBT),
        ('{"input": 1, "output": 2, "tags": "a"}', 27, "'tags' is not a list of texts but a string"),
        ('{"input": 1, "output": 2, "turns": [1]}', 27, "'turns' is not a list of objects but a list"),
        ('{"input": 1, "output": 2, "group": [1]}', 27, "'group' is neither a text nor an integer but a list"),
        ("{}", 1, "'input' and 'output' missing; the row has nothing"),
        ('{"input": 1, "output": 2, "id": true}', 27, "'id' is neither a text nor an integer but a boolean"),
        ('{"input": 1, "output": 2, "id": 1.5}', 27, NO_ID),
        ('{"input": {"metadata": 1}, "output": 2, "metadata": [1]}', 41, "'metadata' is not an object but a list"),
        ('{"input": 1, "output": 2, "request_context": "a"}', 27, "'request_context' is not an object but a string"),
        ('{"input": 1, "output": 2, "metadata": {"x": 1}, "x": 2}', 49, BOTH),
    ],
)  # fmt: skip
def test_a_broken_line_says_where_and_why(line: str | bytes, column: int | None, why: str) -> None:
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
    """Nothing is read ahead but the first, which tells the fields."""
    taken: list[int] = []

    def lines() -> Iterator[bytes]:
        for number in range(1000):
            taken.append(number)
            yield b'{"input": 1, "output": 2}\n'

    source = RowSource(line_rows(lines(), "rows.jsonl"), {}, ("input", "output"))
    assert len(taken) == 1
    reading = iter(source)
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


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", 'a"', "a: ", "\\"]), st.sampled_from(["x", 'y": ', ": z", "http://"])),
        max_size=4,
    ),
    st.sampled_from([":", ": ", " :", "\t: ", "  :"]),
    st.booleans(),
)
def test_a_key_twice_is_refused_however_it_is_written(pairs: list[tuple[str, str]], colon: str, inside: bool) -> None:
    """White space before the colon, and texts that look like keys, hide none."""
    written = ", ".join(f"{json.dumps(key)}{colon}{json.dumps(value)}" for key, value in pairs)
    line = f'{{"id"{colon}1, "input": [{{{written}}}]}}' if inside else f"{{{written}}}"
    read = parsed(line.encode())
    if len(dict(pairs)) < len(pairs):
        assert "twice" in read.failure().why
    else:
        assert read.unwrap() == json.loads(line)


def test_numbers_are_read_as_json_reads_them() -> None:
    """Also where they have more digits than a machine word."""
    line = f"[0, -0, 0.0, {1 << 53}, {1 << 64}, {-(1 << 70)}, 1e22, 0.1, 5e-324, 123456789.123456789]"
    read = parsed(line.encode()).unwrap()
    assert repr(read) == repr(json.loads(line))
    assert "too small" in parsed(b'{"a": 1e-400}').failure().why
