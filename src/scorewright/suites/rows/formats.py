"""Which format a file has, by its name or by how it begins, and how it is opened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from returns.pipeline import is_successful

from scorewright.suites.rows.documents import Marks, document_rows
from scorewright.suites.rows.inspect_logs import archive_rows
from scorewright.suites.rows.json_lines import parsed, parsed_text
from scorewright.suites.rows.jsonl import BOM, json_lines, refuse_utf_16
from scorewright.suites.rows.parquet import dataset_source, parquet_source
from scorewright.suites.rows.record import Meter, Opened, RecordItem, RowsRefused
from scorewright.suites.rows.tables import head_of, table_rows

SUFFIXES: Final[Mapping[str, str]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".eval": "inspect",
}
FORMATS: Final = ("jsonl", "json", "csv", "tsv", "yaml", "parquet", "dataset", "inspect")
_LONGEST_LINE = 1 << 22
_Again: TypeAlias = Callable[[], BinaryIO]


def open_path(given: str | PathLike[str], format: str | None, /) -> Opened:
    """The rows of a file, or of a folder that holds a data set."""
    path = Path(given)
    name = fspath(given)
    if format is not None and format not in FORMATS:
        raise RowsRefused(f"there is no format {format!r}; the formats are {', '.join(FORMATS)}")
    try:
        if path.is_dir():
            return dataset_source(path)
        if not path.exists():
            raise RowsRefused(f"there is no file {name}")
        if not path.is_file():  # a pipe: what was read of it is gone
            return stream_rows(path.open("rb"), name, format)
        with path.open("rb") as file:
            kind = format or SUFFIXES.get(path.suffix.lower()) or guessed(file)
            if kind == "json" and format is None and _is_lines(file):
                kind = "jsonl"
            size = path.stat().st_size
    except OSError as failed:
        raise RowsRefused(f"cannot read {name}: {failed.strerror or failed}") from failed
    if kind == "parquet":
        return parquet_source(path)
    if kind == "inspect" and not _is_json(path):
        return Opened(name, lambda: archive_rows(path))
    return _of_bytes(name, "json" if kind == "inspect" else kind, lambda: path.open("rb"), size)


def open_stream(format: str | None, /) -> Opened:
    """The rows of stdin; a document is read to its end first, lines as they come."""
    if format not in {None, "jsonl", "json", "csv", "tsv", "yaml"}:
        raise RowsRefused(f"rows of the format {format} are not read from stdin: name a file")
    return stream_rows(sys.stdin.buffer, "stdin", format)


def stream_rows(stream: BinaryIO, name: str, format: str | None = None, /) -> Opened:
    """The rows of a stream that can be read only once."""
    if format in {"json", "yaml", "csv", "tsv"}:
        whole = stream.read()
        return _of_bytes(name, format, lambda: BytesIO(whole), len(whole))
    meter = Meter()
    if format is None:
        first = _first_lines(stream, -1)
        if guessed(BytesIO(b"".join(first))) == "json":
            whole = b"".join((*first, stream.read()))
            return _of_bytes(name, "json", lambda: BytesIO(whole), len(whole))
        return Opened(name, lambda: json_lines(_chained(first, stream), name, meter), again=False, meter=meter)
    return Opened(name, lambda: json_lines(stream, name, meter), again=False, meter=meter)


def line_rows(lines: Iterable[bytes], name: str, size: int | None = None, /) -> Opened:
    """The rows of lines of JSON, however they come."""
    meter = Meter()
    return Opened(name, lambda: json_lines(lines, name, meter), again=iter(lines) is not lines, size=size, meter=meter)


def guessed(file: BinaryIO, /) -> str:
    """The format by the first line that is not blank: a list, or an object that goes on, is a document."""
    lines = _first_lines(file)
    file.seek(0)
    first = lines[-1].removeprefix(BOM).strip() if lines else b""
    if first[:1] == b"[":
        return "json"
    return (
        "json"
        if first[:1] == b"{" and not is_successful(parsed(first)) and first[-1:] in {b"{", b"[", b","}
        else "jsonl"
    )


def _is_lines(file: BinaryIO) -> bool:
    """Whether a file called .json holds lines: an object on the first, and something on another."""
    first = _first_lines(file)
    more = _first_lines(file)
    file.seek(0)
    line = first[-1].removeprefix(BOM).strip() if first else b""
    return bool(more) and bool(more[-1].strip()) and line[:1] == b"{" and is_successful(parsed(line))


def _first_lines(file: BinaryIO, most: int = _LONGEST_LINE) -> list[bytes]:
    """The first line that is not blank, and the blank ones before; of a very long line only its beginning."""
    read: list[bytes] = []
    while line := file.readline(most):
        read.append(line)
        if line.strip():
            break
    return read


def _chained(first: Iterable[bytes], rest: Iterable[bytes]) -> Iterator[bytes]:
    yield from first
    yield from rest


def _is_json(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(64).removeprefix(BOM).lstrip()[:1] == b"{"


def _of_bytes(name: str, kind: str, again: _Again, size: int | None) -> Opened:
    """The rows of a file that can be opened again."""
    meter = Meter()
    if kind == "jsonl":
        return Opened(name, lambda: _closing(again, lambda file: json_lines(file, name, meter)), size=size, meter=meter)
    if kind in {"csv", "tsv"}:
        with again() as file:
            head = head_of(file, name, "\t" if kind == "tsv" else None)
        return Opened(
            name,
            lambda: _closing(again, lambda file: table_rows(file, name, head, meter)),
            columns=head.names,
            size=size,
            meter=meter,
        )
    read = _yaml if kind == "yaml" else _json

    def records(file: BinaryIO) -> Iterator[RecordItem]:
        raw = file.read()
        meter.done = len(raw)
        document, marks = read(_text(raw, name), name)
        return map(marks.on, document_rows(document, name))

    return Opened(name, lambda: _closing(again, records), size=size, meter=meter)


def _closing(again: _Again, records: Callable[[BinaryIO], Iterator[RecordItem]]) -> Iterator[RecordItem]:
    with again() as file:
        yield from records(file)


def _text(raw: bytes, name: str) -> str:
    refuse_utf_16(raw, name)
    try:
        return raw.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as broken:
        byte = raw[broken.start + (len(BOM) if raw.startswith(BOM) else 0)]
        raise RowsRefused(f"{name} is not UTF-8: {broken.reason} (byte 0x{byte:02x} at {broken.start})") from broken


def _json(text: str, name: str) -> tuple[object, Marks]:
    read = parsed_text(text)
    if is_successful(read):
        return read.unwrap(), Marks()
    spot = read.failure()
    before = text[: spot.column - 1]
    line, column = before.count("\n") + 1, spot.column - 1 - before.rfind("\n")
    raise RowsRefused(f"{name}:{line}:{column}: {spot.why}")


def _yaml(text: str, name: str) -> tuple[object, Marks]:
    from scorewright.suites.rows.yaml_file import yaml_document

    return yaml_document(text, name)
