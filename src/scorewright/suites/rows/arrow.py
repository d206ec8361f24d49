"""What we use of pyarrow, which has no types: Parquet files and Arrow streams, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeVar, cast

from scorewright.suites.rows.record import RowsRefused

BATCH = 1024
T = TypeVar("T")


class Batch(Protocol):
    """Some rows of a table."""

    def to_pylist(self) -> list[dict[str, object]]:
        """The rows, with values of Python."""
        ...


class Schema(Protocol):
    """The columns of a table."""

    @property
    def names(self) -> list[str]:
        """Their names."""
        ...


class _Facts(Protocol):
    @property
    def num_rows(self) -> int: ...


class OpenParquet(AbstractContextManager["OpenParquet", None], Protocol):
    """A Parquet file that is open."""

    @property
    def schema_arrow(self) -> Schema:
        """Its columns."""
        ...

    @property
    def metadata(self) -> _Facts:
        """What its end says."""
        ...

    def iter_batches(self, batch_size: int) -> Iterator[Batch]:
        """Its rows."""
        ...


class ArrowStream(AbstractContextManager["ArrowStream", None], Protocol):
    """A stream of Arrow batches that is open."""

    @property
    def schema(self) -> Schema:
        """Its columns."""
        ...

    def __iter__(self) -> Iterator[Batch]: ...


class _Parquet(Protocol):
    def ParquetFile(self, source: str) -> OpenParquet: ...  # noqa: N802 - the name that pyarrow gives it


class _Ipc(Protocol):
    def open_stream(self, source: object) -> ArrowStream: ...


class _Pyarrow(Protocol):
    def memory_map(self, path: str) -> object: ...


def _module(name: str) -> object:
    try:
        return import_module(name)
    except ImportError as missing:
        raise RowsRefused("this needs pyarrow: pip install 'scorewright[parquet]'") from missing


def open_parquet(path: Path, /) -> OpenParquet:
    """A Parquet file."""
    parquet = cast("_Parquet", _module("pyarrow.parquet"))  # the only seam: what is used of it stands above
    return _opened(path, lambda: parquet.ParquetFile(str(path)))


def open_arrow(path: Path, /) -> ArrowStream:
    """A file of Arrow batches, of the streaming format; it is mapped into memory, not read."""
    pyarrow, ipc = cast("_Pyarrow", _module("pyarrow")), cast("_Ipc", _module("pyarrow.ipc"))  # as above
    return _opened(path, lambda: ipc.open_stream(pyarrow.memory_map(str(path))))


def _opened(path: Path, opening: Callable[[], T]) -> T:
    try:
        return opening()
    except (OSError, ValueError) as wrong:  # pyarrow's own are of these kinds
        raise RowsRefused(f"cannot read {path}: {wrong}") from wrong
