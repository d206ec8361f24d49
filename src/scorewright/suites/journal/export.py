"""An experiment as a file for other tools: JSON Lines, CSV or Parquet, one record for each row and scorer."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from scorewright.shapes.values import is_object
from scorewright.suites.journal.records import StoredItem, StoredScore, StoreError
from scorewright.suites.rows.ids import sayable

if TYPE_CHECKING:
    from scorewright.suites.journal.store import Store

Record: TypeAlias = Mapping[str, object]
_TEXTS = ("id", "scorer", "state", "reason", "fault", "input", "output", "expected", "metadata")
_COLUMNS = ("id", "scorer", "state", "score", "reason", "fault", "input", "output", "expected", "metadata")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a cell that begins so for a formula
_IN_A_GROUP = 10_000


def export(store: Store, experiment: str, path: str | os.PathLike[str], /) -> int:
    """Write an experiment to `.jsonl`, `.csv` or `.parquet`; the number of records. The file appears when it is whole.

    JSON Lines hold everything, steps and costs too. A cell of CSV that a spreadsheet would take for a formula begins
    with an apostrophe; values that are no text are JSON there, and in Parquet.
    """
    whole = Path(path)
    write = _WRITERS.get(whole.suffix.lower())
    if write is None:
        raise StoreError(f"export writes {', '.join(_WRITERS)}, not {whole.suffix or whole.name!r}")
    beside = whole.with_name(f".{whole.name}.{os.getpid()}.new")
    try:
        written = write(beside, records(store, experiment))
        beside.replace(whole)
    except OSError as failed:
        raise StoreError(f"{whole} cannot be written: {failed.strerror}") from failed
    finally:
        beside.unlink(missing_ok=True)
    return written


def records(store: Store, experiment: str, /) -> Iterator[Record]:
    """What an export holds, in the order of the rows; a row that no scorer has done yet comes once, without one."""
    scores = iter(store.scores(experiment))
    ahead = next(scores, None)
    for item in store.items(experiment):
        unscored = True
        while ahead is not None and ahead.row_id == item.row_id:
            yield _record(item, ahead)
            unscored, ahead = False, next(scores, None)
        if unscored:
            yield _record(item, None)


def _record(item: StoredItem, score: StoredScore | None) -> Record:
    row = _object(item.row)
    held: Record = _object(score.record) if score else {}
    fault = held.get("fault") if score else _object(item.fault) if item.fault else None
    return {
        "id": item.row_id,
        "scorer": score.scorer if score else None,
        "state": score.state if score else "failed" if item.fault else "waiting",
        "score": score.value if score else None,
        "reason": score.reason if score else None,
        "fault": fault,
        "input": row.get("input"),
        "output": row.get("output") if item.output is None else json.loads(item.output),
        "expected": row.get("expected"),
        "metadata": row.get("metadata"),
        "record": held or None,
    }


def _object(text: str) -> Record:
    value: object = json.loads(text)
    return value if is_object(value) else {}


def _lines(path: Path, held: Iterable[Record]) -> int:
    count = 0
    with path.open("wb") as file:
        for record in held:
            text = json.dumps(record, ensure_ascii=False, allow_nan=False)
            file.write(text.encode("utf-8", "backslashreplace") + b"\n")
            count += 1
    return count


def _table(path: Path, held: Iterable[Record]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(_COLUMNS)
        for record in held:
            written.writerow([_cell(record[name]) for name in _COLUMNS])
            count += 1
    return count


def _cell(value: object) -> object:
    text = _text(value)
    return f"'{text}" if isinstance(value, str) and value.startswith(_FORMULA) else text


def _text(value: object) -> str | None:
    if value is None:
        return None
    return sayable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False))


class _Arrow(Protocol):
    def float64(self) -> object: ...
    def string(self) -> object: ...
    def schema(self, fields: Sequence[tuple[str, object]], /) -> object: ...
    def table(self, data: Mapping[str, Sequence[object]], /, *, schema: object) -> object: ...


class _ParquetWriter(AbstractContextManager["_ParquetWriter", None], Protocol):
    def write_table(self, table: object, /) -> None: ...


class _Parquet(Protocol):
    def ParquetWriter(self, where: Path, schema: object, /, *, compression: str) -> _ParquetWriter: ...  # noqa: N802 - their name


def _parquet(path: Path, held: Iterable[Record]) -> int:
    try:
        pa = cast("_Arrow", import_module("pyarrow"))  # it has no types
        pq = cast("_Parquet", import_module("pyarrow.parquet"))
    except ImportError as missing:
        raise StoreError("Parquet needs pyarrow: pip install 'scorewright[parquet]'") from missing
    schema = pa.schema([(name, pa.float64() if name == "score" else pa.string()) for name in _COLUMNS])
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as written:
        held = iter(held)
        while group := list(islice(held, _IN_A_GROUP)):
            columns = {name: [_text(record[name]) for record in group] for name in _TEXTS}
            scores = [cast("float | None", record["score"]) for record in group]
            written.write_table(pa.table({**columns, "score": scores}, schema=schema))
            count += len(group)
    return count


_WRITERS: Mapping[str, Callable[[Path, Iterable[Record]], int]] = {
    ".jsonl": _lines,
    ".csv": _table,
    ".parquet": _parquet,
}
