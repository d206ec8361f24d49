"""From a path or an object to parsed documents: JSON, JSON lines, archives of JSON."""

from __future__ import annotations

import gzip
import json
import zipfile
from codecs import BOM_UTF8, getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO, TextIOWrapper
from lzma import LZMAError
from operator import is_
from pathlib import Path
from typing import BinaryIO, TextIO, TypeAlias, final
from zlib import error as ZlibError  # noqa: N812 - a class that has a lower-case name

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeIs

from scorewright.agents.run import Gap
from scorewright.results import err, ok
from scorewright.shapes.json_text import json_of
from scorewright.traces.dialect import Quick
from scorewright.traces.faults import Unreadable
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, is_mapping
from scorewright.traces.splitting import CHUNK, Reader, pieces
from scorewright.traces.streaming import LONGEST_NAME, Ends, ends_in
from scorewright.traces.unpacking import opener, several

LARGE = 4 << 20
"""Bytes above which a document is read in pieces, where its dialect allows it."""
LOOKED_AT = 1 << 13
"""Bytes of lines that are looked at together for the names of traces."""
Loaded: TypeAlias = Result[object, Unreadable]


@final
@attrs.frozen
class Archive:
    """A zip file of JSON documents, by their names, in the order of the archive."""

    members: dict[str, object]


@final
@attrs.frozen
class Source:
    """What a path or an object holds: one document, or lines with one each; and what was lost when it was opened.

    `stream` is how lines, or a document that is too large to hold, are read piece by piece.
    """

    document: Loaded | None
    lines: Iterable[Loaded] = ()
    stream: Lines | Large | None = None
    gaps: tuple[Gap, ...] = ()
    ref: str = ""


def opened(given: object, quick: Quick | None = None, /) -> Source:
    """The source behind a path, bytes, or an object that is parsed already."""
    if isinstance(given, (str, Path)):
        return _file(Path(given), quick)
    if isinstance(given, (bytes, bytearray)):
        content = bytes(given)
        try:
            again = opener(lambda: BytesIO(content))
        except (OSError, EOFError, ZlibError) as broken:
            return Source(err(Unreadable("$", str(broken))))
        return _content(again(), again, "$", len(content), quick)
    return Source(ok(plain(given)))


def plain(value: object, /) -> object:
    """An object of a client library as the JSON that it dumps; tuples as lists; parsed JSON as it is.

    Keys that are no texts are the texts of them, as in JSON.
    """
    if is_mapping(value):
        fields = {_name(key): plain(each) for key, each in value.items()}
        same = all(map(is_, fields.values(), value.values())) and all(map(is_, fields, value))
        return value if same else fields
    if is_list(value) or _is_tuple(value):
        return [plain(each) for each in value]
    dump: object = getattr(value, "model_dump", None)
    return dump(mode="json", by_alias=True) if callable(dump) else value


def _name(key: object) -> str:
    return key if isinstance(key, str) else str(key)


def _is_tuple(value: object) -> TypeIs[tuple[object, ...]]:
    return isinstance(value, tuple)


def _file(path: Path, quick: Quick | None) -> Source:
    try:
        if zipfile.is_zipfile(path):
            return Source(_archive(path), ref=str(path))
        again = opener(lambda: path.open("rb", buffering=CHUNK))
        with again() as file:
            return attrs.evolve(_content(file, again, str(path), path.stat().st_size, quick), ref=str(path))
    except (OSError, EOFError, ZlibError) as missing:
        why = missing.strerror if isinstance(missing, OSError) and missing.strerror else str(missing)
        return Source(err(Unreadable(str(path), why)), ref=str(path))


def _archive(path: Path) -> Loaded:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json")]
            return ok(Archive({name: json.loads(archive.read(name)) for name in names}))
    except (ValueError, RecursionError, RuntimeError, LZMAError, zipfile.BadZipFile) as unread:  # or it is encrypted
        return err(Unreadable(str(path), str(unread)))


def _content(file: BinaryIO, again: Callable[[], BinaryIO], where: str, size: int, quick: Quick | None) -> Source:
    packed = isinstance(file, gzip.GzipFile)
    content = file.read((LARGE if packed else min(LARGE, size)) + 1)  # no more room than it needs
    begin = content.lstrip()
    end = begin.find(b"\n")
    if end >= 0 and not begin[end:].isspace() and is_successful(_line(begin[:end], where, quick)):
        lines = Lines(again, where, quick)
        return Source(None, lines, lines)
    if len(content) > LARGE:
        large = Large(again, where, quick)
        return Source(None, (), large, large.gaps())
    return _whole(content, where, quick)


def _decoded(content: bytes) -> str:
    """UTF-8 as text without a byte order mark. Raises `UnicodeDecodeError`."""
    return content.removeprefix(BOM_UTF8).decode()


def _whole(content: bytes, where: str, quick: Quick | None = None) -> Source:
    gaps: tuple[Gap, ...] = ()
    try:
        text = _decoded(content)
    except UnicodeDecodeError as wrong:
        text = content.decode("utf-8-sig", errors="replace")
        gaps = (gap("bad_utf8", where, f"at byte {wrong.start}"),)
    loaded = _parsed(text, where, quick)
    documents = () if is_successful(loaded) else several(text)
    return Source(None, tuple(map(ok, documents)), gaps=gaps) if documents else Source(loaded, gaps=gaps)


@final
@attrs.frozen
class Lines:
    """Lines with one document each, read one by one from the file whenever they are asked for.

    A line that is not UTF-8, or not JSON, is a fault with its number, and the others go on.
    """

    again: Callable[[], BinaryIO]
    where: str
    quick: Quick | None = attrs.field(default=None, repr=False)

    def __iter__(self) -> Iterator[Loaded]:
        with self.again() as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _line(line, f"{self.where}:{number}", self.quick)

    def pieces(self) -> Iterator[tuple[int, Loaded]]:
        """Each line with the place where it ends; where the quick decoder takes many lines at once, those."""
        end = number = 0
        with self.again() as file:
            for block in _blocks(file, CHUNK):
                count = block.count(b"\n") + (not block.endswith(b"\n"))
                together = self.quick.lines(block, count) if self.quick is not None and count > 1 else None
                if together is not None:
                    number += count
                    end += len(block)
                    yield end, ok(together)
                    continue
                for line in BytesIO(block):
                    number += 1
                    end += len(line)
                    if line.strip():
                        yield end, _line(line, f"{self.where}:{number}", self.quick)

    def ends(self) -> Ends:
        """Where each trace is named last."""
        with self.again() as file:
            return ends_in(self._texts(file))

    def _texts(self, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
        end = 0
        for block in _blocks(file, LOOKED_AT):
            end += len(block)
            yield end, block


@final
@attrs.frozen
class Large:
    """One document that is too large to hold, read in pieces of its shape whenever they are asked for."""

    again: Callable[[], BinaryIO]
    where: str
    quick: Quick | None = attrs.field(default=None, repr=False)

    def pieces(self) -> Iterator[tuple[int, Loaded]]:
        """Each piece with the place where it ends; where the document breaks off, a fault ends them."""
        with _text(self.again()) as file:
            reader = Reader(file, None if self.quick is None else self.quick.spans)
            try:
                for piece in pieces(reader):
                    yield piece.end, ok(piece.document)
                if reader.peek():
                    raise reader.broken("something follows the document")
            except ValueError as wrong:
                yield reader.place, err(Unreadable(self.where, f"not JSON: {wrong}"))
            except RecursionError:
                yield reader.place, err(Unreadable(self.where, "nested too deeply"))

    def ends(self) -> Ends:
        """Where each trace is named last."""
        with _text(self.again()) as file:
            return ends_in(self._texts(file))

    def whole(self) -> Source:
        """The document after all held whole, for dialects that need it so."""
        with self.again() as file:
            return _whole(file.read(), self.where)

    def gaps(self) -> tuple[Gap, ...]:
        """What is lost where the bytes are not UTF-8."""
        decoder = getincrementaldecoder("utf-8-sig")()
        at = 0
        with self.again() as file:
            while chunk := file.read(CHUNK):
                try:
                    decoder.decode(chunk)
                except UnicodeDecodeError:
                    return (gap("bad_utf8", self.where, f"in the {CHUNK} bytes from byte {at}"),)
                at += len(chunk)
        return ()

    def _texts(self, file: TextIO) -> Iterator[tuple[int, bytes]]:
        end, tail = 0, ""
        while chunk := file.read(CHUNK):
            end += len(chunk)
            yield end, (tail + chunk).encode()
            tail = chunk[-LONGEST_NAME:]


def _blocks(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Whole lines, about so many bytes of them at a time."""
    while block := file.read(size):
        yield block if block.endswith(b"\n") else block + file.readline()


def _text(file: BinaryIO) -> TextIO:
    return TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")


def _line(line: bytes, where: str, quick: Quick | None = None) -> Loaded:
    try:
        return _parsed(line if line.isascii() else _decoded(line), where, quick)
    except UnicodeDecodeError as wrong:
        return err(Unreadable(where, f"not UTF-8 at byte {wrong.start} of the line"))


def _parsed(text: str | bytes, where: str, quick: Quick | None = None) -> Loaded:
    """Of text, or of bytes that are known to be ASCII."""
    try:
        found = quick.document(text) if quick is not None else None
        return ok(json_of(text if isinstance(text, str) else text.decode()) if found is None else found)
    except ValueError as wrong:
        return err(Unreadable(where, f"not JSON: {wrong}"))
    except RecursionError:
        return err(Unreadable(where, "nested too deeply"))
