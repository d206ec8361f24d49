"""What was sent already, in a file, so that an export that was killed continues, and a second one sends nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import final

from scorewright.live.exporting.scores import Score

_DIGITS = 32


@final
class Sent:
    """A file with a line of 32 hexadecimal digits for each score that a target took. It holds nothing else.

    A line is made of the target, the score and all that it says: a score that has changed is sent again, and one file
    serves several targets. What is written is there when `remember` returns; a line that was cut off is ignored.
    """

    def __init__(self, path: str | os.PathLike[str], /) -> None:
        """Read what is there; the file is made with the first score. What cannot be read raises `OSError`."""
        self._path = Path(path)
        held = self._path.read_bytes() if self._path.exists() else b""
        self._torn = bool(held) and not held.endswith(b"\n")
        self._lines: set[bytes] = {line for line in held.split(b"\n") if len(line) == _DIGITS}

    def __repr__(self) -> str:
        return f"Sent({str(self._path)!r})"

    def has(self, target: str, score: Score, /) -> bool:
        """Whether the target took the score as it is now."""
        return _line(target, score) in self._lines

    def remember(self, target: str, scores: Iterable[Score], /) -> None:
        """Add scores that the target took; a file that cannot be written raises `OSError`."""
        lines = [_line(target, score) for score in scores]
        if not lines:
            return
        with self._path.open("ab", buffering=0) as file:
            file.write((b"\n" if self._torn else b"") + b"".join(line + b"\n" for line in lines))
        self._torn = False
        self._lines.update(lines)


def _line(target: str, score: Score) -> bytes:
    said = "\0".join((target, score.id, score.content))
    return blake2b(said.encode(), digest_size=_DIGITS // 2).hexdigest().encode()
