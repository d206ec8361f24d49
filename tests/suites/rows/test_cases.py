"""Situations that users of other tools reported, of the class unicode/encoding, where they concern reading."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scorewright.suites import BrokenRow, Row
from scorewright.suites.rows import RowsRefused, read_rows

READ_ALL = """
import sys
from scorewright.suites.rows import read_rows
for file in sys.argv[1:]:
    (row,) = read_rows(file)
    print(ascii(row.input))
"""


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "yaml"])
def test_the_locale_does_not_matter(tmp_path: Path, suffix: str) -> None:
    """Case confident-ai/deepeval#1485: files are UTF-8 whatever the machine's own code page is."""
    said = "She said “nine” \N{EN DASH} fine."
    texts = {
        "jsonl": json.dumps({"input": said}, ensure_ascii=False),
        "csv": f"input\n{said}\n",
        "yaml": f"- input: {said}",
    }
    file = tmp_path / f"rows.{suffix}"
    file.write_text(texts[suffix], encoding="utf-8")
    env = os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL, str(file)], env=env, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (ascii(said), "")


@pytest.mark.parametrize(
    ("suffix", "content", "told"),
    [
        ("json", b'[{"input": "\x93nine\x94"}]', "is not UTF-8: invalid start byte (byte 0x93 at 12)"),
        ("yaml", b"- input: \x93nine\x94", "is not UTF-8: invalid start byte (byte 0x93 at 9)"),
    ],
)
def test_bad_bytes_of_a_document_name_the_file_and_the_place(
    tmp_path: Path, suffix: str, content: bytes, told: str
) -> None:
    """Case confident-ai/deepeval#1485: no bare UnicodeDecodeError."""
    file = tmp_path / f"rows.{suffix}"
    file.write_bytes(content)
    with pytest.raises(RowsRefused) as refused:
        read_rows(file)
    assert str(refused.value) == f"{file} {told}"


def test_bad_bytes_of_a_line_are_one_broken_row(tmp_path: Path) -> None:
    """Case confident-ai/deepeval#1485: the other lines are read."""
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"input": "\x93nine\x94"}\n{"input": 1}\n')
    broken, row = read_rows(file)
    assert isinstance(broken, BrokenRow)
    assert (str(broken.place), broken.why) == (f"{file}:1:12", "not UTF-8: invalid start byte (byte 0x93)")
    assert isinstance(row, Row)


def test_half_of_a_surrogate_pair_is_read() -> None:
    """Case UKGovernmentBEIS/inspect_ai#3802: in a text and in a key; the row gets its id."""
    (row,) = read_rows([{"input": "price \ud83d end", "metadata": {"\ud83d": 1}}])
    assert isinstance(row, Row)
    assert (row.input, len(row.id)) == ("price \ud83d end", 16)


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv", "yaml"])
def test_a_mark_at_the_beginning_is_no_part_of_a_name(tmp_path: Path, suffix: str) -> None:
    """Case UKGovernmentBEIS/inspect_ai#5361: in every format of text."""
    texts = {"json": '[{"input": "x"}]', "jsonl": '{"input": "x"}', "csv": "input\nx\n", "yaml": "- input: x"}
    file = tmp_path / f"rows.{suffix}"
    file.write_bytes(b"\xef\xbb\xbf" + texts[suffix].encode())
    assert [row.input for row in read_rows(file) if isinstance(row, Row)] == ["x"]


def test_letters_of_all_scripts_are_read_as_they_are(tmp_path: Path) -> None:
    """Case pydantic/pydantic-ai#5244: letters and escapes of them are the same row."""
    file = tmp_path / "rows.yaml"
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in "Сколько")
    file.write_text(f'- {{input: Сколько, id: a}}\n- {{input: "{escaped}", id: b}}\n', encoding="utf-8")
    one, two = (row for row in read_rows(file) if isinstance(row, Row))
    assert one.input == two.input == "Сколько"


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "tsv"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_lines_end_as_any_platform_ends_them(tmp_path: Path, suffix: str, end: str, last: bool) -> None:
    """In the manner of UKGovernmentBEIS/inspect_ai#5361: what a spreadsheet saves is read, with the lines counted."""
    lines = {
        "jsonl": ['{"input": "a"}', '{"input": "b"}', "{"],
        "csv": ["input,output", "a,x", '"b","y"', "c,z,t"],
        "tsv": ["input\toutput", "a\tx", '"b"\t"y"', "c\tz\tt"],
    }[suffix]
    file = tmp_path / f"rows.{suffix}"
    file.write_bytes((end.join(lines) + (end if last else "")).encode())
    one, two, broken = read_rows(file)
    assert isinstance(one, Row)
    assert isinstance(two, Row)
    assert isinstance(broken, BrokenRow)
    assert (one.input, two.input, broken.place.line) == ("a", "b", len(lines))
    assert two.place.line == len(lines) - 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_end_of_a_line_inside_quotes_is_kept(tmp_path: Path, end: str) -> None:
    """Whichever it is; one that stands in a cell without quotes breaks its row."""
    file = tmp_path / "rows.csv"
    file.write_bytes(f'input{end}"a{end}b"{end}c{end}'.encode())
    assert [row.input for row in read_rows(file) if isinstance(row, Row)] == [f"a{end}b", "c"]
    if end != "\r":
        file.write_bytes(f"input{end}a\rb{end}c{end}".encode())
        broken, row = read_rows(file)
        assert isinstance(broken, BrokenRow)
        assert broken.why.endswith("a carriage return stands in a cell without quotes")
        assert isinstance(row, Row)
