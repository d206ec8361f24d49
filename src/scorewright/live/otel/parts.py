"""How many parts a body has, before any is made: a part of two bytes takes a hundred times as many when it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

Fields: TypeAlias = "Mapping[int, Fields]"  # the fields of a message that are messages, by their numbers

_VALUE: dict[int, Fields] = {}
_PAIR: Final[Fields] = {2: _VALUE}
_VALUE[5], _VALUE[6] = {1: _VALUE}, {1: _PAIR}
_SPAN: Final[Fields] = {9: _PAIR, 11: {3: _PAIR}, 13: {4: _PAIR}, 15: {}}
_RECORD: Final[Fields] = {5: _VALUE, 6: _PAIR}
_RESOURCE: Final[Fields] = {1: _PAIR, 3: {}}
_SCOPE: Final[Fields] = {3: _PAIR}


def _request(item: Fields) -> Fields:
    return {1: {1: _RESOURCE, 2: {1: _SCOPE, 2: item}}}


# as opentelemetry-proto 1 numbers them
TRACES: Final = _request(_SPAN)
LOGS: Final = _request(_RECORD)

_VARINT, _EIGHT, _HELD, _FOUR = 0, 1, 2, 5


def too_many_in_protobuf(body: bytes, fields: Fields, most: int, /) -> bool:
    """Whether a request has more fields in it than so many, of messages in messages too."""
    left, count = [(0, len(body), fields)], 0
    while left:
        at, end, known = left.pop()
        while at < end:
            tag, at = _varint(body, at, end)
            count += 1
            if count > most:
                return True
            kind = tag & 7
            if kind == _VARINT:
                _, at = _varint(body, at, end)
            elif kind == _HELD:
                size, at = _varint(body, at, end)
                inner = known.get(tag >> 3)
                if inner is not None:
                    left.append((at, min(at + size, end), inner))
                at += size
            elif kind in (_EIGHT, _FOUR):
                at += 8 if kind == _EIGHT else 4
    return False


def _varint(body: bytes, at: int, end: int) -> tuple[int, int]:
    number = shift = 0
    while at < end:
        byte = body[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the last one has no high bit
            break
        shift += 7
    return number, at


def too_many_in_json(body: bytes, most: int, /) -> bool:
    """Whether a document may have more objects and lists in it than so many: it has as many brackets."""
    return body.count(b"{") + body.count(b"[") > most
