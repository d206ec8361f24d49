"""JSON read more strictly than `json` does: no NaN, no key twice, and every fault has its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import final

import attrs
from msgspec import DecodeError
from msgspec.json import Decoder
from returns.result import Result

from scorewright.results import err, ok
from scorewright.shapes.strict_json import MOST_DIGITS, strict_decoder
from scorewright.shapes.values import is_list, is_object

_TOKEN = re.compile(r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}]|[^\s"\[\]{}:,]+')
_SHOWN = 20


@final
@attrs.frozen
class Spot:
    """What is wrong with a line, and in which column, counted from 1 in characters."""

    column: int
    why: str


def parsed(raw: bytes, /) -> Result[object, Spot]:
    """The value of one line.

    >>> parsed(b'{"score": NaN}')
    <Failure: Spot(column=11, why='NaN is not JSON')>
    """
    try:
        value: object = _quick.decode(raw)
        if _is_sure(raw, value):
            return ok(value)
    except (DecodeError, ValueError, RecursionError):  # whatever it is, it is told with its place below
        pass
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as broken:
        column = len(raw[: broken.start].decode("utf-8")) + 1
        return err(Spot(column, f"not UTF-8: {broken.reason} (byte 0x{raw[broken.start]:02x})"))
    return parsed_text(text)


def parsed_text(text: str, /) -> Result[object, Spot]:
    """The value of a text; in one of several lines the column counts from the beginning of the text."""
    try:
        value: object = _decoder.decode(text)
    except json.JSONDecodeError as broken:
        return err(Spot(broken.pos + 1, f"not JSON: {broken.msg[:1].lower()}{broken.msg[1:]}"))
    except ValueError as refused:
        return err(min(_spots(text), key=lambda spot: spot.column, default=Spot(1, str(refused))))
    except RecursionError:
        return err(Spot(1, "nested too deeply"))
    return ok(value)


def column_of(raw: bytes, key: str, /) -> int:
    """Where a key of the outermost object of a sound line stands; 1 when it does not."""
    return next((at + 1 for at, place, found in _keys(raw.decode("utf-8")) if place == 1 and found == key), 1)


_decoder = strict_decoder()
_quick: Decoder[object] = Decoder(object)  # it takes a key twice, and a number that is too small for one
_SPACED = re.compile(rb"\s:")
_SIMPLE = frozenset({str, bool, type(None)})
_MOST = 1 << 53


def _is_sure(raw: bytes, value: object) -> bool:
    """Whether no key was lost: there are as many as there are colons, or as colons after a quote, which ends a key.

    A text may hold both, and a key may be followed by white space: then the line is read the slow way.
    """
    keys = _n_keys(value)
    return keys == raw.count(b":") or (keys == raw.count(b'":') and _SPACED.search(raw) is None)


def _n_keys(value: object) -> int:
    """How many keys there are in all objects; less than none where a number has to be looked at."""
    if value.__class__ in _SIMPLE:
        return 0
    if is_object(value):
        return sum([len(value), *[_n_keys(each) for each in value.values() if each.__class__ not in _SIMPLE]])
    if is_list(value):
        return sum([_n_keys(each) for each in value if each.__class__ not in _SIMPLE])
    if value.__class__ is int or value:  # a fraction that was too small is zero by now
        return 0 if isinstance(value, (int, float)) and abs(value) < _MOST else _DOUBT
    return _DOUBT


_DOUBT = -(1 << 60)


def _spots(text: str) -> Iterator[Spot]:
    """All that `json` accepts and we refuse; the line is read again, since `json` gives no place."""
    for token in _TOKEN.finditer(text):
        literal, column = token[0], token.start() + 1
        shown = literal if len(literal) <= _SHOWN else f"{literal[:_SHOWN]}…"
        if literal in {"NaN", "Infinity", "-Infinity"}:
            yield Spot(column, f"{literal} is not JSON")
        elif literal[0] in "-0123456789" and not _readable(literal):
            yield Spot(column, f"the number {shown} is too large")
    seen: set[tuple[int, str]] = set()
    for at, place, key in _keys(text):
        if (place, key) in seen:
            yield Spot(at + 1, f"the key {key!r} stands twice in one object")
        seen.add((place, key))


def _readable(literal: str) -> bool:
    try:
        return isfinite(float(literal)) if set(literal) & set(".eE") else len(literal) <= MOST_DIGITS
    except ValueError:
        return False


def _keys(text: str) -> Iterator[tuple[int, int, str]]:
    """Position, number of the object (the outermost is 1) and name of every key."""
    opened, inside = 0, [0]
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            opened += 1
            inside.append(opened)
        elif token[0] == "}":
            inside.pop()
        elif token["key"]:
            yield token.start(), inside[-1], str(json.loads(token["key"]))
