"""Logs of inspect_ai."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from scorewright import pure
from scorewright.agents import create_agent_scorer
from scorewright.suites import ABSENT, BrokenRow, Row
from scorewright.suites.rows import RowsRefused, read_rows
from scorewright.suites.rows.structuring import row_reader

CONVERSATION = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


def sample(epoch: int = 1) -> dict[str, object]:
    return {
        "id": 7,
        "epoch": epoch,
        "input": "Hi",
        "target": ["Hello"],
        "choices": ["Hello", "Bye"],
        "messages": CONVERSATION,
        "output": {"completion": "Hello", "choices": [{"message": CONVERSATION[1]}]},
        "metadata": {"m": 1},
    }


ABOUT = {"version": 2, "eval": {"task": "greeting", "model": "it"}}


def is_the_sample(row: Row) -> None:
    """Input, output, target and its record; an epoch that is not the first has an id of its own, in one group."""
    assert (row.id, row.group, row.input, row.output, row.expected) == ("7", "7", "Hi", "Hello", ["Hello"])
    assert row.metadata == {"epoch": 1, "choices": ["Hello", "Bye"], "m": 1}
    scorer = create_agent_scorer("it").generate_score(pure(lambda _: 1.0))
    run = row_reader(scorer).run(row).unwrap()
    assert (run.run_id, run.metadata["m"]) == ("7", 1)


def test_a_log_of_json_is_read(tmp_path: Path) -> None:
    """A row a sample."""
    file = tmp_path / "log.json"
    bare = {"id": 8, "input": "Hi", "output": {"choices": [{"message": {"content": [{"type": "text", "text": "a"}]}}]}}
    file.write_text(json.dumps({**ABOUT, "samples": [sample(), sample(2), bare, {"id": 9, "input": "Hi"}]}))
    one, two, three, four = (row for row in read_rows(file) if isinstance(row, Row))
    is_the_sample(one)
    assert (two.id, two.group) == ("7-epoch-2", "7")
    assert (three.output, four.output) == ("a", ABSENT)


def test_a_sample_that_failed_has_no_output(tmp_path: Path) -> None:
    """What its model had said by then is no answer."""
    file = tmp_path / "log.json"
    file.write_text(json.dumps({**ABOUT, "samples": [{**sample(), "error": {"message": "boom", "traceback": "…"}}]}))
    (row,) = (row for row in read_rows(file) if isinstance(row, Row))
    assert (row.output, row.metadata["error"]) == (ABSENT, "boom")


def test_an_archive_is_read_sample_by_sample(tmp_path: Path) -> None:
    """One that cannot be read is broken, and the others are read."""
    file = tmp_path / "log.eval"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("header.json", json.dumps(ABOUT))
        archive.writestr("samples/7_epoch_1.json", json.dumps(sample()))
        archive.writestr("samples/8_epoch_1.json", "{")
        archive.writestr("samples/9_epoch_1.json", "[]")
        archive.writestr("summaries.json", "[]")
    one, two, three = read_rows(file)
    assert isinstance(one, Row)
    is_the_sample(one)
    assert isinstance(two, BrokenRow)
    assert isinstance(three, BrokenRow)
    assert str(two.place) == f"{file} samples/8_epoch_1.json"
    assert two.why.startswith("not readable: ")
    assert three.why == "not an object"


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    """By its name."""
    (tmp_path / "log.eval").write_bytes(b"PK no")
    with pytest.raises(RowsRefused, match=re.escape("log.eval is no .eval archive")):
        read_rows(tmp_path / "log.eval")
