"""The one JSON value in a judge's reply, or why there is none.

A reply is never repaired: what was cut off or is said twice in two ways is no answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING

from returns.result import Result

from scorewright.faults import EmptyReply, NotJson
from scorewright.results import err, ok
from scorewright.shapes.values import shown

if TYPE_CHECKING:
    from json import JSONDecoder

MOST_CHARACTERS = 4 * 1024 * 1024  # more than any judge writes; beyond it nothing is parsed
_MOST_DIGITS = 1000
_MOST_VALUES = 8

_OPENING = re.compile(r'(?:\[\s*+)?\{\s*+["}]')
_BEGUN = re.compile(r'(?:\[\s*+)++(?:["\d-]|\{\s*["}]|true|false|null)')
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def json_in(reply: str, /) -> Result[object, NotJson | EmptyReply]:
    """The JSON value of a reply that is nothing else, or the only object in a reply that also talks.

    A leading `<think>` block, a byte-order mark and one code fence around everything are taken off first.

    >>> json_in('Here you are: {"score": 1}')
    <Success: {'score': 1}>
    """
    if len(reply) > MOST_CHARACTERS:
        return err(NotJson(reply, f"is longer than {MOST_CHARACTERS} characters"))
    text = reply.strip().removeprefix("\ufeff").strip()
    if text.startswith("<think>"):
        _, closed, text = text.partition("</think>")
        if not closed:
            return err(NotJson(reply, "the <think> block is not closed, so no answer follows"))
        text = text.strip()
    if not text:
        return err(EmptyReply())
    try:
        return ok(_only(_unfenced(text)))
    except RecursionError:
        return err(NotJson(reply, "is nested too deeply"))
    except ValueError as raised:
        return err(NotJson(reply, str(raised)))


def _unfenced(text: str) -> str:
    if len(text) < len("``````") or not (text.startswith("```") and text.endswith("```")):
        return text
    language, line, body = text[3:-3].partition("\n")
    labelled = line and (not language.strip() or language.strip().isalnum())
    return (body if labelled else text[3:-3]).strip()


def _only(text: str) -> object:
    try:
        value, end = _decoder().raw_decode(text)
    except ValueError:
        if _BEGUN.match(text):
            raise  # a list or an object that breaks off: what stands inside it is not the answer
        return _in_talk(text)
    return _well_formed(text, value) if end == len(text) else _in_talk(text)


def _in_talk(text: str) -> object:
    found: object = None
    written = ""
    for count, value in enumerate(_values(text)):
        again = _written(value)
        if count == _MOST_VALUES or (count and again != written):
            raise ValueError("holds two answers; exactly one JSON object was asked for")
        found, written = value, again
    if not written:
        raise ValueError("holds no JSON object")
    return _well_formed(text, found)


def _values(text: str) -> Iterator[object]:
    """The objects at the top level, from left to right; a `{` that does not begin an object is prose."""
    opening = _OPENING.search(text)
    while opening:
        value, end = _decoder().raw_decode(text, opening.start())
        yield value
        opening = _OPENING.search(text, end)


def _well_formed(text: str, value: object) -> object:
    if _HALF_PAIR.search(text):
        from json import dumps

        dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is a ValueError: no text can hold it
    return value


def _written(value: object) -> str:
    from json import dumps

    return dumps(value, sort_keys=True)


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder

    return JSONDecoder(
        strict=False,  # models put raw line breaks into strings
        object_pairs_hook=_object,
        parse_constant=_constant,
        parse_float=_finite,
        parse_int=_integer,
    )


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {shown(counts.most_common(1)[0][0])} stands twice in one object")
    return found


def _constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return number


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"an integer of {len(digits)} digits is too long")
    return int(digits)
