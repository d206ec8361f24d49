"""What trace files come packed in: gzip, server-sent events, documents that follow each other."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import BinaryIO, cast, final

from typing_extensions import override

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 18
_EVENTS = ("data:", "event:", "id:", ":")


@final
class _Unpacked(gzip.GzipFile):
    """The content of a packed file, which is closed with it."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed

    @override
    def close(self) -> None:
        """Close both."""
        super().close()
        self._packed.close()


def opener(again: Callable[[], BinaryIO], /) -> Callable[[], BinaryIO]:
    """How the content is opened: as it is, or unpacked.

    What is packed is read through once, so that nothing breaks off later. Raises `OSError`, `EOFError` or `zlib.error`
    where it does.
    """
    with again() as file:
        if file.read(2) != _GZIP:
            return again

    def unpacked() -> BinaryIO:
        return cast("BinaryIO", _Unpacked(again()))

    with unpacked() as file:
        while file.read(_CHUNK):
            pass
    return unpacked


def several(text: str, /) -> tuple[object, ...]:
    """The documents in a text that is no document: events of a stream, or one object after the other; else none.

    >>> several('{"a": 1} {"b": 2}'), several('data: {"a": 1}\\n\\ndata: [DONE]\\n'), several("{")
    (({'a': 1}, {'b': 2}), ({'a': 1},), ())
    """
    begin = _begins(text, 0)
    lines = text.splitlines() if text.startswith(_EVENTS, begin) else ()
    sent = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    try:
        if lines:
            return tuple(json.loads(line) for line in sent if line and line != "[DONE]")
        return tuple(_following(text, begin))
    except (ValueError, RecursionError):
        return ()


def _following(text: str, at: int) -> list[object]:
    found: list[object] = []
    decoder = json.JSONDecoder()
    while at < len(text):
        document, end = decoder.raw_decode(text, at)
        found.append(document)
        at = _begins(text, end)
    return found


def _begins(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
