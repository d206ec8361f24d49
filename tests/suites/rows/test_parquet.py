"""Parquet files, folders of data sets, and frames: typed columns."""

from __future__ import annotations

import json
import re
import sys
from datetime import datetime
from pathlib import Path

import pytest

from scorewright.suites import ABSENT, BrokenRow, Row
from scorewright.suites.rows import RowsRefused, read_rows


def rows_of(source: object) -> list[Row]:
    return [item for item in read_rows(source) if isinstance(item, Row)]


TABLE = {
    "question": ["a", "b", None],
    "answer": ["x", None, "z"],
    "level": [1, None, 3],
    "tags": [["t"], [], None],
    "asked": [datetime(2026, 1, 31, 12), None, None],
}
FIELDS = {
    "input": "question",
    "output": "answer",
    "tags": "tags",
    "metadata.level": "level",
    "metadata.asked": "asked",
}


def holds_the_table(source: object) -> None:
    """Nulls are left out: a column has them where a row has nothing; a row without an input is broken."""
    read = read_rows(source)
    assert read.fields == FIELDS
    one, two, three = read
    assert isinstance(one, Row)
    assert isinstance(two, Row)
    assert (one.input, one.output, one.tags) == ("a", "x", ("t",))
    assert one.metadata == {"level": 1, "asked": "2026-01-31T12:00:00"}
    assert (two.input, two.output, two.metadata) == ("b", ABSENT, {})
    assert isinstance(three, BrokenRow)
    assert (three.place.line, three.why.split(";")[0]) == (3, "'input' missing")
    assert list(read) == [one, two, three]


def test_a_parquet_file_is_read(tmp_path: Path) -> None:
    """By batches; it knows how many rows it has."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(TABLE), tmp_path / "rows.parquet")
    holds_the_table(tmp_path / "rows.parquet")
    assert read_rows(tmp_path / "rows.parquet").size_hint == 3


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    """By its name."""
    pytest.importorskip("pyarrow")
    (tmp_path / "rows.parquet").write_text("no")
    with pytest.raises(RowsRefused, match=re.escape("rows.parquet")):
        read_rows(tmp_path / "rows.parquet")


def test_what_to_install_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pyarrow is missing."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "rows.parquet").write_text("no")
    with pytest.raises(RowsRefused, match=re.escape("pip install 'scorewright[parquet]'")):
        read_rows(tmp_path / "rows.parquet")


def test_a_data_set_that_was_saved_to_disk_is_read(tmp_path: Path) -> None:
    """Its files in the order that its state tells; the card says how many rows there are."""
    pyarrow = pytest.importorskip("pyarrow")
    for name, values in (("data-b.arrow", ["one"]), ("data-a.arrow", ["two", "three"])):
        table = pyarrow.table({"question": values})
        with pyarrow.OSFile(str(tmp_path / name), "wb") as sink, pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    files = [{"filename": "data-b.arrow"}, {"filename": "data-a.arrow"}]
    (tmp_path / "state.json").write_text(json.dumps({"_data_files": files}))
    card = {"splits": {"train": {"name": "train", "num_examples": 3}}}
    (tmp_path / "dataset_info.json").write_text(json.dumps(card))
    assert [(row.input, row.place.line) for row in rows_of(tmp_path)] == [("one", 1), ("two", 2), ("three", 3)]
    assert read_rows(tmp_path).size_hint == 3


def test_a_folder_of_parquet_files_is_read(tmp_path: Path) -> None:
    """In the order of their names."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    (tmp_path / "data").mkdir()
    for at in (1, 0):
        parquet.write_table(pyarrow.table({"input": [at]}), tmp_path / "data" / f"train-0000{at}.parquet")
    assert [row.input for row in rows_of(tmp_path)] == [0, 1]


def test_a_folder_of_several_splits_asks_for_one(tmp_path: Path) -> None:
    """And one without data is refused."""
    with pytest.raises(RowsRefused, match="holds no data set"):
        read_rows(tmp_path)
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    with pytest.raises(RowsRefused, match=r"several splits: name one, .*train or .*test"):
        read_rows(tmp_path)


def test_a_frame_of_pandas_is_read() -> None:
    """What it writes where there is nothing is nothing; numbers are numbers of Python."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**TABLE, "level": pandas.array([1, None, 3], dtype="Int64")})
    holds_the_table(frame)
    assert type(rows_of(frame)[0].metadata["level"]) is int


def test_a_frame_of_polars_is_read() -> None:
    """A lazy one says how to collect it."""
    polars = pytest.importorskip("polars")
    holds_the_table(polars.DataFrame(TABLE))
    with pytest.raises(RowsRefused, match=re.escape("frame.collect()")):
        read_rows(polars.DataFrame(TABLE).lazy())
    read = list(read_rows(polars.DataFrame({"input": [1.5, float("nan")]})))
    assert [item.why for item in read if isinstance(item, BrokenRow)] == [
        "a value without a JSON form: nan is not a number of JSON"
    ]
