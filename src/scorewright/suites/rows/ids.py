"""Ids of rows: what was used before, and one that is made of the input where a row has none."""

from __future__ import annotations

import json
from array import array
from hashlib import blake2b
from typing import TypeAlias, final

from scorewright.wording import safely

_BUCKETS = 1 << 16
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_BYTES = 8
_Bucket: TypeAlias = "tuple[array[int], array[int]]"


@final
class Seen:
    """The ids that were used, and where: 16 bytes for each, so that millions of rows fit."""

    __slots__ = ("_buckets",)

    def __init__(self) -> None:
        self._buckets: list[_Bucket | None] = [None] * _BUCKETS

    def add(self, id: str, number: int, /) -> int | None:
        """Remember the id and the number of its row; the number of the row that used it before, or None."""
        key = hash(id) & 0xFFFF_FFFF_FFFF_FFFF
        bucket = self._buckets[key % _BUCKETS]
        if bucket is None:
            self._buckets[key % _BUCKETS] = (array("Q", (key,)), array("Q", (number,)))
            return None
        keys, numbers = bucket
        if key in keys:
            return numbers[keys.index(key)]
        keys.append(key)
        numbers.append(number)
        return None


@final
class Ids:
    """The ids of one reading. The first row of an input is named by its hash, the next ones count: `…-2`, `…-3`."""

    __slots__ = ("_again", "_seen")

    def __init__(self) -> None:
        self._seen = Seen()
        self._again: dict[str, int] = {}

    def used(self, id: str, number: int, /) -> int | None:
        """Where this id was used before; None where this is the first time."""
        return self._seen.add(id, number)

    def made(self, input: object, number: int, /) -> str:
        """An id for a row that has none: the same in every reading, and also after rows were appended."""
        name = fingerprint(input)
        count = self._again.get(name, 1)
        id = name if count == 1 else f"{name}-{count}"
        while self._seen.add(id, number) is not None:
            count += 1
            id = f"{name}-{count}"
        if count > 1:
            self._again[name] = count + 1
        return id


def fingerprint(value: object, /) -> str:
    """16 hexadecimal digits of the hash of a value's canonical JSON; of its repr where it has none.

    >>> fingerprint({"a": 1, "b": "é"}) == fingerprint({"b": "é", "a": 1})
    True
    """
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError):
        text = safely(repr, value)
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=_BYTES).hexdigest()


def sayable(text: str, /) -> str:
    r"""The text as every database takes it: half a surrogate pair and NUL become escapes.

    >>> sayable("a\x00b")
    'a\\x00b'
    """
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")
