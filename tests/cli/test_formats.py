"""Rows of all formats on the command line, and columns under other names."""

from __future__ import annotations

import json

import pytest
from cli.folder import Folder

CSV = "question,answer,gold,topic\nq,good,good,a\nr,bad,good,b\n"


def means(folder: Folder, *options: str, given: bytes = b"") -> list[object]:
    done = folder.score(*options, "--scorers=scorers:both", "--json", given=given)
    assert done.code == 0, done.err
    scorers = done.report["scorers"]
    assert isinstance(scorers, list)
    return [each["mean"] for each in scorers]


def test_a_table_is_scored_with_a_column_named(folder: Folder) -> None:
    """`--map` names what the names alone do not tell."""
    folder.write("rows.csv", CSV)
    assert means(folder, "rows.csv", "--map", "expected=gold") == [0.5, 0.5]


def test_a_document_is_scored(folder: Folder) -> None:
    """Of JSON by its name or from stdin, of YAML, of a format that is named."""
    rows = {"rows": [{"input": "q", "output": "good", "expected": "good"}]}
    text = json.dumps(rows, indent=1)
    folder.write("rows.json", text)
    folder.write("rows.yaml", "- {input: q, output: good, expected: good}\n")
    folder.write("rows.txt", CSV)
    assert means(folder, "rows.json") == [1.0, 1.0]
    assert means(folder, "-", given=text.encode()) == [1.0, 1.0]
    assert means(folder, "rows.yaml") == [1.0, 1.0]
    assert means(folder, "rows.txt", "--format=csv", "--map=expected=gold") == [0.5, 0.5]


def test_the_names_of_other_tools_are_known(folder: Folder) -> None:
    """Without saying anything."""
    folder.rows({"inputs": "q", "actual_output": "good", "expected_output": "good"})
    assert means(folder, "runs.jsonl") == [1.0, 1.0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--map", "expected"], "--map takes FIELD=COLUMN, such as --map expected=gold, not 'expected'"),
        (["--map=expected=gold", "--map=expected=topic"], "--map names 'expected' twice"),
        (["--map=wanted=gold"], "the mapping wanted=gold names no field; the fields are"),
        (["--map=expected=glod"], "rows.csv has no column 'glod' for 'expected'"),
        (["--format=xml"], "there is no format 'xml'; the formats are"),
    ],
)
def test_a_wrong_mapping_is_wrong_usage(folder: Folder, options: list[str], told: str) -> None:
    """Told in one line, before anything is scored."""
    folder.write("rows.csv", CSV)
    done = folder.score("rows.csv", "--scorers=scorers:both", *options)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_broken_rows_of_a_table_are_told(folder: Folder) -> None:
    """By their lines; a document tells their paths."""
    folder.write("rows.csv", "input,output\nq,good\nfew\n")
    done = folder.score("rows.csv", "--scorers=scorers:share")
    assert done.code == 4
    assert "rows.csv:3" in done.out
    folder.write("rows.json", '[{"input": "q", "output": "good"}, 3]')
    done = folder.score("rows.json", "--scorers=scorers:share")
    assert done.code == 4
    assert "rows.json $[1]" in done.out


def test_check_reads_the_same_rows(folder: Folder) -> None:
    """A row of a table that does not fit is named by its line."""
    folder.write("rows.csv", "input,output:json\nq,good\nr,3\n")
    done = folder.call("check", "scorers.py", "--rows", "rows.csv")
    assert done.code == 1
    assert "rows.csv:2" in done.out
    assert "rows.csv:3" in done.out
    folder.write("rows.csv", "question,prompt\na,b\n")
    done = folder.call("check", "scorers.py", "--rows", "rows.csv")
    assert done.code == 1
    assert "'question' and 'prompt' could both be the input" in done.out
