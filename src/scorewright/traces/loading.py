"""From a path or an object to parsed documents: JSON, JSON lines, archives of JSON."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias, final

import attrs
from returns.result import Result
from typing_extensions import TypeIs

from scorewright.agents.run import Gap
from scorewright.results import err, ok
from scorewright.traces.faults import Unreadable
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, is_mapping

Loaded: TypeAlias = Result[object, Unreadable]


@final
@attrs.frozen
class Archive:
    """A zip file of JSON documents, by their names, in the order of the archive."""

    members: dict[str, object]


@final
@attrs.frozen
class Source:
    """What a path or an object holds: one document, or lines with one each; and what was lost when it was opened."""

    document: Loaded | None
    lines: Iterable[Loaded] = ()
    gaps: tuple[Gap, ...] = ()
    ref: str = ""


def opened(given: object, /) -> Source:
    """The source behind a path, bytes, or an object that is parsed already."""
    if isinstance(given, (str, Path)):
        return _file(Path(given))
    if isinstance(given, (bytes, bytearray)):
        return _content(bytes(given), "$")
    return Source(ok(plain(given)))


def plain(value: object, /) -> object:
    """An object of a client library as the JSON that it dumps; tuples as lists; parsed JSON as it is."""
    if is_mapping(value):
        fields = {key: plain(each) for key, each in value.items()}
        return value if all(fields[key] is value[key] for key in value) else fields
    if is_list(value) or _is_tuple(value):
        return [plain(each) for each in value]
    dump: object = getattr(value, "model_dump", None)
    return dump(mode="json", by_alias=True) if callable(dump) else value


def _is_tuple(value: object) -> TypeIs[tuple[object, ...]]:
    return isinstance(value, tuple)


def _file(path: Path) -> Source:
    try:
        if zipfile.is_zipfile(path):
            return Source(_archive(path), ref=str(path))
        return attrs.evolve(_content(path.read_bytes(), str(path)), ref=str(path))
    except OSError as missing:
        return Source(err(Unreadable(str(path), missing.strerror or str(missing))), ref=str(path))


def _archive(path: Path) -> Loaded:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json")]
            return ok(Archive({name: json.loads(archive.read(name)) for name in names}))
    except (ValueError, RecursionError, NotImplementedError, zipfile.BadZipFile) as unread:
        return err(Unreadable(str(path), str(unread)))


def _content(content: bytes, where: str) -> Source:
    gaps: tuple[Gap, ...] = ()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        text = content.decode("utf-8-sig", errors="replace")
        gaps = (gap("bad_utf8", where, f"at byte {wrong.start}"),)
    head, _, rest = text.lstrip().partition("\n")
    if rest.strip() and _is_json(head):
        return Source(None, _lines(text, where), gaps)
    return Source(_parsed(text, where), gaps=gaps)


def _lines(text: str, where: str) -> Iterator[Loaded]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _parsed(line, f"{where}:{number}")


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str, where: str) -> Loaded:
    try:
        return ok(json.loads(text))
    except ValueError as wrong:
        return err(Unreadable(where, f"not JSON: {wrong}"))
    except RecursionError:
        return err(Unreadable(where, "nested too deeply"))
