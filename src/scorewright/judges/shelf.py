"""A file of recorded replies: read whole, added to line by line, put in order at the end.

Whoever writes holds a lock on the file, so that two processes may record into the same one; what comes in order is
written beside it and then takes its place, so that nobody ever sees half a file.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import final

import attrs
from returns.pipeline import is_successful

from scorewright.faults import DefinitionError
from scorewright.judges.entries import Entry, Key, entry_in, line_of


@final
@attrs.frozen
class Shelf:
    """The file at a path. Of two entries with one key the first counts: what is in version control stays."""

    path: Path

    def read(self) -> Mapping[Key, Entry]:
        """All entries; a line that is none raises `DefinitionError` with file and line."""
        with _locked(self.path, create=False) as file:
            return self._entries(_whole(file))

    def add(self, entry: Entry, /) -> None:
        """Write one entry at the end: all of its line, or nothing of it."""
        with _locked(self.path, create=True) as file:
            size = os.fstat(file).st_size
            line = line_of(entry)
            if size and os.pread(file, 1, size - 1) != b"\n":
                line = b"\n" + line
            written = os.write(file, line)
            if written != len(line):  # the disk is full
                os.ftruncate(file, size)
                raise OSError(f"no room for a line of {len(line)} bytes in {self.path}")

    def sort(self) -> None:
        """Put the entries in order, each key once, in a file that takes the place of this one."""
        if not self.path.exists():
            return
        with _locked(self.path, create=True) as file:
            before = _whole(file)
            entries = sorted(self._entries(before).values(), key=lambda entry: entry.order)
            after = b"".join(map(line_of, entries))
            if after != before:
                self._replace(after, os.fstat(file).st_mode)

    def _replace(self, content: bytes, mode: int) -> None:
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.chmod(mode & 0o777)
            beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)

    def _entries(self, content: bytes) -> Mapping[Key, Entry]:
        entries: dict[Key, Entry] = {}
        for number, line in enumerate(_lines(content), 1):
            if line.strip():
                read = entry_in(line)
                if not is_successful(read):
                    raise DefinitionError(f"{self.path}:{number} {read.failure().why}")
                entries.setdefault(read.unwrap().key, read.unwrap())
        return entries


def _lines(content: bytes) -> list[bytes]:
    """The lines with their ends; only a line feed ends one."""
    *whole, last = content.split(b"\n")
    return [*(line + b"\n" for line in whole), *([last] if last else [])]


@contextmanager
def _locked(path: Path, *, create: bool) -> Generator[int]:
    """The file, open and locked: to be read by many, or to be written by one."""
    from fcntl import LOCK_EX, LOCK_SH, flock

    while True:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT if create else os.O_RDONLY, 0o666)
        try:
            flock(file, LOCK_EX if create else LOCK_SH)
            current = False
            with suppress(FileNotFoundError):
                current = os.path.samestat(os.fstat(file), path.stat())
            if current:  # else another process has put a sorted file in its place
                yield file
                return
        finally:
            os.close(file)


def _whole(file: int) -> bytes:
    with os.fdopen(os.dup(file), "rb") as reading:
        reading.seek(0)
        return reading.read()
