"""The one JSON value in a judge's reply, or why there is none.

A reply is never repaired: what was cut off or is said twice in two ways is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from returns.result import Result

from scorewright.faults import EmptyReply, NotJson
from scorewright.results import err, ok
from scorewright.shapes.strict_json import strict_decoder

if TYPE_CHECKING:
    from json import JSONDecoder

MOST_CHARACTERS = 4 * 1024 * 1024  # more than any judge writes; beyond it nothing is parsed
_MOST_VALUES = 8
_NEAR = 200  # characters in which a neighbour is looked for

_OPENING = re.compile(r'(?:\[\s*+)?\{\s*+["}]')
_BEGUN = re.compile(r"[\[{]")
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|reflection|analysis)>", re.IGNORECASE)
_OPEN_AND_SHUT = re.compile(r"[\[{]|[\]}]")
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def json_in(reply: str, /) -> Result[object, NotJson | EmptyReply]:
    """The JSON value of a reply that is nothing else, or the only object in a reply that also talks.

    A leading block of thoughts (`<think>` and its like), a byte-order mark and one code fence around everything are
    taken off first. What stands inside something that is no JSON is no answer: `Here: {note: {"score": 1}}` has none.

    >>> json_in('Here you are: {"score": 1}')
    <Success: {'score': 1}>
    """
    if len(reply) > MOST_CHARACTERS:
        return err(NotJson(reply, f"is longer than {MOST_CHARACTERS} characters"))
    text = reply.strip().removeprefix("\ufeff").strip()
    said = thought_off(text)
    if said is None:
        return err(NotJson(reply, f"the {text[: text.index('>') + 1]} block is not closed, so no answer follows"))
    text = said.strip()
    if not text:
        return err(EmptyReply())
    try:
        return ok(_only(_unfenced(text)))
    except RecursionError:
        return err(NotJson(reply, "is nested too deeply"))
    except ValueError as raised:
        return err(NotJson(reply, str(raised)))


def thought_off(text: str, /) -> str | None:
    """The text behind a leading block of thoughts; None where that block is not closed."""
    opening = _THOUGHT.match(text)
    if opening is None:
        return text
    closing = re.compile(f"</{opening[1]}>", re.IGNORECASE).search(text, opening.end())
    return text[closing.end() :] if closing else None


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
    before = 0
    opening = _OPENING.search(text)
    while opening:
        value, end = _decoder().raw_decode(text, opening.start())
        if _is_inside(text[before : opening.start()], text[end : end + _NEAR]):
            raise ValueError("holds its JSON object inside something that is no JSON")
        yield value
        before = end
        opening = _OPENING.search(text, end)


def _is_inside(before: str, after: str) -> bool:
    """Whether what stands around a value shows it to be a part of something: `[1, … ]`, `{note: … }`."""
    left, right = before.rstrip()[-1:], after.lstrip()[:1]
    if left in {"[", "{", ","} or right in {"]", "}"}:
        return True
    if left != ":" and right != ",":
        return False
    opened = sum(1 if bracket in "[{" else -1 for bracket in _OPEN_AND_SHUT.findall(before))
    return opened > 0  # in talk a colon comes before most answers, and a comma may follow one


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
    return strict_decoder(line_breaks=True)  # models put them into strings
