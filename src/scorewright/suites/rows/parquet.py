"""Parquet files, and folders of data sets of Hugging Face: rows of typed columns, read batch by batch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.arrow import BATCH, Batch, open_arrow, open_parquet
from scorewright.suites.rows.plain import plain_fields
from scorewright.suites.rows.record import Opened, RecordItem, RowsRefused


def parquet_source(path: Path, /) -> Opened:
    """A Parquet file."""
    with open_parquet(path) as file:
        columns, count = tuple(file.schema_arrow.names), file.metadata.num_rows
    name = str(path)
    return Opened(name, lambda: _rows(_parquet_batches((path,)), name), columns=columns, size_hint=count)


def dataset_source(folder: Path, /) -> Opened:
    """A data set as a folder: the Arrow files that `save_to_disk` writes, or the Parquet files of a download."""
    splits = _json(folder / "dataset_dict.json").get("splits")
    if is_list(splits) and splits:
        named = " or ".join(str(folder / str(split)) for split in splits)
        raise RowsRefused(f"{folder} holds several splits: name one, {named}")
    arrows = _arrow_files(folder)
    files = arrows or sorted(folder.glob("**/*.parquet"))
    if not files:
        raise RowsRefused(f"{folder} holds no data set: there are neither .arrow nor .parquet files in it")
    name = str(folder)
    if arrows:
        with open_arrow(files[0]) as stream:
            columns = tuple(stream.schema.names)
        return Opened(name, lambda: _rows(_arrow_batches(files), name), columns=columns, size_hint=_told(folder))
    with open_parquet(files[0]) as file:
        columns = tuple(file.schema_arrow.names)
    return Opened(name, lambda: _rows(_parquet_batches(files), name), columns=columns, size_hint=_told(folder))


def _arrow_files(folder: Path) -> Sequence[Path]:
    """The files in the order that the card of the state tells, else by name."""
    told = _json(folder / "state.json").get("_data_files")
    names = [each.get("filename") for each in told if is_object(each)] if is_list(told) else []
    listed = [folder / name for name in names if isinstance(name, str) and Path(name).name == name]
    return listed or sorted(folder.glob("*.arrow"))


def _told(folder: Path) -> int | None:
    """How many rows the card says there are, where there is but one split."""
    splits = _json(folder / "dataset_info.json").get("splits")
    counts = [each.get("num_examples") for each in splits.values() if is_object(each)] if is_object(splits) else []
    return counts[0] if len(counts) == 1 and isinstance(counts[0], int) else None


def _json(path: Path) -> dict[str, object]:
    try:
        card: object = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return card if is_object(card) else {}


def _parquet_batches(files: Iterable[Path]) -> Iterator[Batch]:
    for path in files:
        with open_parquet(path) as file:
            yield from file.iter_batches(BATCH)


def _arrow_batches(files: Iterable[Path]) -> Iterator[Batch]:
    for path in files:
        with open_arrow(path) as stream:
            yield from stream


def _rows(batches: Iterable[Batch], name: str) -> Iterator[RecordItem]:
    """A record a row, counted from 1; nulls are left out, for a column has them where a row has nothing."""
    number = 0
    for batch in batches:
        for row in batch.to_pylist():
            number += 1
            yield plain_fields(row, name, number)
