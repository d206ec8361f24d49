"""A JSON document that is too large to hold, read as many small documents of the same shape.

The arrays that traces keep their spans in are cut: `{"resourceSpans": [{"scopeSpans": [{"scope": …, "spans": […]}]}]}`
comes as several such objects, each with some of the spans and with what stands beside them. Everything else is parsed
whole, by the parser that reads small files too, so that values are the same.

ijson was measured against it, on 28 MB of OTLP with its backend in C. `ijson.items` takes as long (0.40 s beside
0.45 s), but it finds one path only: the scope and the resource beside the spans are lost, and each layout needs a pass
of its own. Its events, which tell them, take 1.64 s, as they are put together in Python; and they tell no place in the
text, by which a trace is known to be complete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Protocol, final

from scorewright.traces.streaming import Piece

WITHIN = frozenset(
    {
        "batches",
        "data",
        "instrumentationLibrarySpans",
        "instrumentation_library_spans",
        "resourceSpans",
        "resource_spans",
        "scopeSpans",
        "scope_spans",
        "trace",
    }
)
"""Keys whose arrays, or objects, hold what is cut further."""
CUT = frozenset({"spans"})
"""Keys whose arrays are cut: so many at once."""
AT_ONCE = 256
CHUNK = 1 << 18
USUAL = frozenset({"resourceSpans", "batches"})
"""Keys inside which the quick decoder is asked: what it makes is known to their dialect only."""
_MISSES = 8  # so often is the quick decoder tried in vain before it is left alone
_BLANK = " \t\n\r"
_AFTER = frozenset(f"{_BLANK},:]}}")
_HEAD = re.compile(r'\{\s*"[^"\\]*"')
_DECODER = json.JSONDecoder()


class Readable(Protocol):
    """Text that comes a piece at a time."""

    def read(self, size: int, /) -> str:
        """So many characters, or what is left."""
        ...


@final
class Reader:
    """A place in a text of which only a part is held."""

    def __init__(self, source: Readable, quick: Callable[[str], list[object] | None] | None = None) -> None:
        """`quick` decodes an array, or says with None that it cannot."""
        self._source = source
        self._quick = quick
        self._skip = 0
        self._missed = 0
        self._held = ""
        self._at = 0
        self._before = 0
        self._ended = False

    @property
    def place(self) -> int:
        """How many characters were read."""
        return self._before + self._at

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            held, at = self._held, self._at
            while at < len(held) and held[at] in _BLANK:
                at += 1
            self._at = at
            if at < len(held):
                return held[at]
            if not self._more(CHUNK):
                return ""

    def take(self, wanted: str) -> bool:
        """Go over the next character, if it is one of these."""
        found = self.peek()
        if not found or found not in wanted:
            return False
        self._at += 1
        return True

    def value(self) -> object:
        """The next value, whole. Raises `ValueError` where none stands."""
        if not self.peek():
            raise self.broken("a value is missing")
        size = CHUNK
        while True:
            try:
                found, end = _DECODER.raw_decode(self._held, self._at)
            except ValueError:
                if not self._more(size):
                    raise self.broken("no value") from None
            else:
                if self._held[end : end + 1] in _AFTER or not self._more(size):  # a number at the edge may go on
                    self._at = end
                    return found
            size *= 2  # so that a long value is tried few times

    def several(self) -> list[object]:
        """The next values of an array, by the quick decoder; empty where it cannot tell them.

        The text is cut before the last place that looks like the beginning of a value. Where that lies inside a value,
        the text before it is no whole array, and the decoder says so: a text that breaks off inside a string or an
        object cannot be ended by a bracket.
        """
        self._skip = max(0, self._skip - 1)
        if self._quick is None or self._skip or self._missed == _MISSES or self.peek() != "{":
            return []
        if len(self._held) - self._at < CHUNK:
            self._more(CHUNK)
        head = _HEAD.match(self._held, self._at)
        end = self._held.rfind(head.group(), self._at + 1) if head is not None else -1
        comma = self._held.rfind(",", self._at, end) if end > 0 else -1
        whole = comma > 0 and not self._held[comma + 1 : end].strip(_BLANK)
        found = self._quick(f"[{self._held[self._at : comma]}]") if whole else None
        if not found:
            self._skip = AT_ONCE
            self._missed += 1
            return []
        self._at = comma
        return found

    def broken(self, why: str) -> ValueError:
        """What to raise here."""
        return ValueError(f"{why} at character {self.place}")

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        fresh = self._source.read(size)
        self._ended = not fresh
        self._before += self._at
        self._held = self._held[self._at :] + fresh
        self._at = 0
        return bool(fresh)


def pieces(reader: Reader, usual: bool = False, /) -> Iterator[Piece]:
    """The next value as smaller ones of its shape. Raises `ValueError` where it breaks off."""
    opens = reader.peek()
    if opens == "{":
        yield from _object(reader, usual)
    elif opens == "[":
        yield from _cut(reader, usual)
    else:
        value = reader.value()
        yield Piece(reader.place, value)


def _object(reader: Reader, usual: bool) -> Iterator[Piece]:
    """A piece has the fields that stood before it; the last piece of an array that is cut has all of them.

    Where something follows that is cut too, it has those up to there, so that pieces come in the order of their ends.
    """
    fields: dict[str, object] = {}
    last: Piece | None = None
    told = False
    for key in _keys(reader):
        opens = reader.peek()
        if key in CUT and opens == "[":
            for part in _cut(reader, usual):
                if last is not None:
                    yield last
                fields[key] = part.document
                last = Piece(part.end, {**fields})
        elif key in WITHIN and opens in {"[", "{"}:
            if last is not None:  # what ends later is told later
                yield last
                last, told = None, True
            within = usual or key in USUAL
            for part in _each(reader, within) if opens == "[" else pieces(reader, within):
                told = True
                beside = {name: each for name, each in fields.items() if name not in CUT}  # the cut comes by itself
                yield Piece(part.end, {**beside, key: part.document})
        else:
            fields[key] = reader.value()
    if last is not None or not told:
        yield Piece(reader.place if last is None else last.end, fields)


def _each(reader: Reader, usual: bool) -> Iterator[Piece]:
    for _ in _items(reader):
        for piece in pieces(reader, usual):
            yield Piece(piece.end, [piece.document])


def _cut(reader: Reader, usual: bool) -> Iterator[Piece]:
    some: list[object] = []
    for _ in _items(reader):
        quickly = reader.several() if usual else []
        if quickly:
            yield Piece(reader.place, [*some, *quickly])
            some = []
            continue
        some.append(reader.value())
        if len(some) == AT_ONCE:
            yield Piece(reader.place, some)
            some = []
    if some:
        yield Piece(reader.place, some)


def _keys(reader: Reader) -> Iterator[str]:
    """The keys of an object, each before its value, which is then to be read."""
    reader.take("{")
    while not reader.take("}"):
        key = reader.value()
        if not isinstance(key, str) or not reader.take(":"):
            raise reader.broken("no key")
        yield key
        if not reader.take(",") and reader.peek() != "}":
            raise reader.broken("an object breaks off")


def _items(reader: Reader) -> Iterator[None]:
    """Stops before each item of an array, which is then to be read."""
    reader.take("[")
    while not reader.take("]"):
        yield
        if not reader.take(",") and reader.peek() != "]":
            raise reader.broken("an array breaks off")
